//! What a person would otherwise find out too late: pages that fail after all frames, files that are replaced unasked,
//! messages that a program cannot read, names that promise another format.

use crate::strip::{sinew, strip, text};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

fn done(output: &Output) -> String {
    let reported = text(&output.stderr);
    assert!(output.status.success(), "{reported}");
    reported
}

fn refused(output: &Output, code: i32, parts: &[&str]) {
    let reported = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{reported}");
    parts.iter().for_each(|part| assert!(reported.contains(part), "{part}: {reported}"));
}

/// A strip whose points pass through a node before the skin slides on them, with a page, and with other outputs.
fn chain(folder: &Path, writes: &str, page: &str) {
    let text = format!(
        r#"<sinew version="1"><frames range="1-3" fps="24"/>
        <node type="skin_slider" name="under"><input port="rest" file="rest.obj"/><input port="points" file="body.%04d.obj"/></node>
        <node type="skin_slider" name="over"><input port="rest" file="rest.obj"/><input port="points" from="under.slid_points"/></node>
        <outputs folder="out">{writes}<tables node="over"/><page file="{page}"/></outputs></sinew>"#
    );
    write(folder, "job.xml", &text);
}

/// The names by which a page of muscles is recognized belong to nobody.
#[test]
fn a_page_of_skin_does_not_mind_what_other_outputs_are_called() {
    for name in ["muscles", "muscle_tensions", "skinned", "uvs", "rest"] {
        let folder = strip(3);
        chain(
            folder.path(),
            &format!(r#"<write file="{name}.%04d.csv" from="under.slid_points"/>"#),
            "p.html",
        );
        done(&sinew(folder.path(), &["run", "job.xml"]));
        let page = std::fs::read_to_string(folder.path().join("out/p.html")).unwrap();
        assert!(page.contains("<html"), "{name}");
        done(&sinew(folder.path(), &["report", "out", "--html", "again.html"]));
    }
}

#[test]
fn what_the_page_cannot_show_is_known_before_the_first_frame() {
    let folder = strip(3);
    chain(folder.path(), "", "page.usd");
    let dry = || sinew(folder.path(), &["run", "job.xml", "--dry-run"]);
    refused(&dry(), 1, &["job.xml:4", "page.usd", ".html"]);
    chain(folder.path(), "", "page.html");
    done(&dry());
    // One face has lost its UVs.
    let rest = std::fs::read_to_string(folder.path().join("rest.obj")).unwrap();
    let place = rest.rfind("f ").unwrap();
    let face: String = rest[place..].chars().filter(|c| *c != '/').collect();
    let corners: Vec<String> =
        rest[place + 2..].split_whitespace().map(|c| c.split('/').next().unwrap().to_string()).collect();
    assert!(face.len() > 8);
    write(folder.path(), "rest.obj", &format!("{}f {}\n", &rest[..place], corners.join(" ")));
    refused(&dry(), 1, &["rest.obj", "without UVs", "face 26"]);
    assert!(!folder.path().join("out").exists());
}

#[test]
fn the_page_is_in_the_manifest_as_it_is() {
    let folder = strip(3);
    chain(folder.path(), "", "p.html");
    done(&sinew(folder.path(), &["run", "job.xml"]));
    let checked = || sinew(folder.path(), &["info", "out/manifest.json"]);
    let listed = |name: &str| {
        let manifest = std::fs::read(folder.path().join("out/manifest.json")).unwrap();
        let manifest: Value = serde_json::from_slice(&manifest).unwrap();
        let files = manifest["files"].as_array().unwrap().clone();
        files.into_iter().find(|file| file["file"] == name)
    };
    assert!(listed("p.html").is_some());
    done(&checked());
    write(&folder.path().join("out"), "p.html", "<html>somebody's</html>");
    refused(&checked(), 1, &["problems found: 1"]);
    // A new name leaves no page under the old one, but somebody's own file stays.
    chain(folder.path(), "", "q.html");
    done(&sinew(folder.path(), &["run", "job.xml"]));
    assert!(
        folder.path().join("out/p.html").exists() && listed("q.html").is_some() && listed("p.html").is_none()
    );
    done(&sinew(folder.path(), &["run", "job.xml", "--clean"]));
    assert!(!folder.path().join("out/q.html").exists());
}

#[test]
fn an_option_writes_only_the_format_that_its_files_name_promises() {
    let folder = strip(2);
    let slide = |option: &str, file: &str| {
        let options = ["slide", "--rest", "rest.obj", "--body", "body.%04d.obj", "--out", "o", option, file];
        sinew(folder.path(), &options)
    };
    for (option, file) in [
        ("--out-abc", "x.usda"),
        ("--out-abc", "x.glb"),
        ("--out-usd", "x.abc"),
        ("--out-usd", "x"),
        ("--stmap", "st.%04d.png"),
        ("--save-state", "state.obj"),
    ] {
        refused(&slide(option, file), 2, &[file, option]);
    }
    assert!(!folder.path().join("o").exists(), "nothing was computed");
    done(&slide("--out-abc", "x.ABC"));
    refused(&sinew(folder.path(), &["report", "o", "--html", "page.json"]), 2, &["--html", ".html"]);
    let finger = ["strand", "--hand", "finger", "--write", "finger.usd"];
    refused(&sinew(folder.path(), &finger), 2, &["--write", ".xml"]);
}

/// A result under the name of what Sinew keeps beside the results would be gone when the job ends well.
#[test]
fn no_result_takes_the_name_of_a_working_file() {
    let folder = strip(2);
    let node = r#"<node type="skin_slider" name="skin"><input port="rest" file="rest.obj"/><input port="points" file="body.%04d.obj"/>"#;
    let results = |element: &str| {
        format!(
            r#"<sinew version="1"><frames range="1-2" fps="24"/>{node}</node><outputs folder="out"><tables/>{element}</outputs></sinew>"#
        )
    };
    let absolute = folder.path().join("out/.sinew/x.abc");
    let writes = |file: &str, from: &str| results(&format!(r#"<write file="{file}" from="skin.{from}"/>"#));
    let [output, named] = [".sinew", "out/.sinew"].map(|folder| {
        results(r#"<write file="x.pc2" from="skin.points"/>"#)
            .replace("folder=\"out\"", &format!("folder=\"{folder}\""))
            .replace("<tables/>", "")
    });
    for scene in [
        writes(".sinew/x.abc", "skin_points"),
        writes("./.sinew/deep/x.%04d.csv", "slide_distance"),
        writes(".sinew-finished.json", "slide_distance"),
        writes(".sinew-once/x.usda", "skin_points"),
        writes(absolute.to_str().unwrap(), "skin_points"),
        results(r#"<cache file=".sinew/x.abc"/>"#),
        results(r#"<page file=".sinew/page.html"/>"#),
        results(r#"<st_map file=".sinew/st.%04d.exr" size="8"/>"#),
        output,
        named,
    ] {
        write(folder.path(), "job.xml", &scene);
        for more in [&["run", "job.xml", "--dry-run"][..], &["run", "job.xml"]] {
            refused(&sinew(folder.path(), more), 1, &["job.xml:1", ".sinew", "choose another"]);
        }
        assert!(!folder.path().join("out").exists(), "{scene}");
    }
    write(folder.path(), "job.xml", &writes("sinew/.sinewy.abc", "skin_points"));
    done(&sinew(folder.path(), &["run", "job.xml"]));
    assert!(folder.path().join("out/sinew/.sinewy.abc").exists());
}

#[test]
fn a_file_in_the_place_of_the_results_folder_is_said_to_be_one() {
    let folder = strip(2);
    write(folder.path(), "there", "");
    let slide = ["slide", "--rest", "rest.obj", "--body", "body.%04d.obj", "--out"];
    for out in ["there", "there/deeper"] {
        let output = sinew(folder.path(), &[&slide[..], &[out]].concat());
        refused(&output, 3, &["there: this is a file, but a folder is expected here"]);
    }
    // A texture that is cut short is named with its place once.
    let [whole, cut] = ["skin.png", "cut.png"].map(|name| folder.path().join(name));
    image::GrayImage::from_fn(64, 64, |x, y| image::Luma([(x * y) as u8])).save(&whole).unwrap();
    let bytes = std::fs::read(&whole).unwrap();
    std::fs::write(&cut, &bytes[..bytes.len() / 2]).unwrap();
    let text = r#"<sinew version="1"><frames range="1-2" fps="24"/>
        <node type="skin_slider" name="skin"><input port="rest" file="rest.obj"/><input port="points" file="body.%04d.obj"/>
        </node><outputs folder="out"><tables/><bake texture="cut.png" file="b.%04d.png"/></outputs></sinew>"#;
    write(folder.path(), "job.xml", text);
    let output = sinew(folder.path(), &["run", "job.xml"]);
    refused(&output, 1, &["job.xml:3: element bake", "cut.png"]);
    assert_eq!(super::strip::text(&output.stderr).matches("job.xml").count(), 1);
}

#[test]
fn too_many_threads_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for count in ["1025", "5000", "70000", "-1"] {
        let count = format!("--threads={count}");
        refused(&sinew(folder.path(), &[&count, "nodes"]), 2, &["threads", "1024"]);
    }
    done(&sinew(folder.path(), &["-j", "3", "nodes"]));
}

#[test]
fn a_file_that_a_parameter_names_is_missed_at_the_parameters_line() {
    let folder = strip(2);
    let node = |kind: &str, param: &str, more: &str| {
        format!(
            "<sinew version=\"1\">\n<frames range=\"1-2\" fps=\"24\"/>\n<node type=\"{kind}\" \
             name=\"n\">\n\n{param}\n{more}\
             </node>\n<outputs folder=\"out\"><write file=\"a.csv\" from=\"n.{}\"/></outputs></sinew>",
            if kind == "strand" { "activations" } else { "points" }
        )
    };
    let muscles = r#"<param id="muscles" value="sets/none.xml"/>"#;
    write(folder.path(), "job.xml", &node("muscle_skin", muscles, r#"<input port="mesh" file="rest.obj"/>"#));
    for more in [&["--dry-run"][..], &[]] {
        let output = sinew(folder.path(), &[&["run", "job.xml"][..], more].concat());
        refused(&output, 3, &["job.xml:5: element param", "none.xml: No such file"]);
    }
    write(folder.path(), "job.xml", &node("strand", r#"<param id="scene" value="gone.xml"/>"#, ""));
    refused(
        &sinew(folder.path(), &["run", "job.xml"]),
        3,
        &["job.xml:5: element param", "gone.xml: No such"],
    );
}

/// Every line on standard error is an object, whatever it says.
#[test]
fn with_json_every_line_can_be_read_by_a_program() {
    let folder = strip(4);
    let said = |args: &[&str]| -> Vec<Value> {
        let reported = text(&sinew(folder.path(), &[&["--json"], args].concat()).stderr);
        reported
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect()
    };
    let broken = folder.path().join("body.0002.obj");
    let good = std::fs::read_to_string(&broken).unwrap();
    std::fs::write(&broken, good.replacen("v 0 0", "v nan 0", 1)).unwrap();
    std::fs::remove_file(folder.path().join("body.0003.obj")).unwrap();
    let job = r#"<sinew version="1"><node type="skin_slider"><input port="rest" file="rest.obj"/><input port="points" file="body.%04d.obj"/>
                 </node><outputs folder="out"><tables/></outputs></sinew>"#;
    write(folder.path(), "job.xml", job);
    let lines = said(&["run", "job.xml"]);
    let with = |kind: &str, part: &str| lines.iter().any(|l| l[kind].to_string().contains(part));
    assert!(with("warning", "replaced by") && with("warning", "no frames 3"), "{lines:?}");
    assert!(with("error", "failed"), "{lines:?}");
    std::fs::write(&broken, good).unwrap();
    said(&["run", "job.xml"]);
    let again = said(&["run", "job.xml"]);
    assert!(again.iter().any(|line| line["note"].to_string().contains("nothing has changed")), "{again:?}");
    for wrong in [&["run"][..], &["run", "job.xml", "--only", "x"], &["-j", "5000", "nodes"], &["nothing"]] {
        let lines = said(wrong);
        assert!(lines.len() == 1 && lines[0]["error"]["kind"] == "invalid_argument", "{lines:?}");
    }
}

#[test]
fn what_people_edit_is_replaced_only_when_they_say_so() {
    let folder = strip(2);
    let joints = "frame,joint,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n\
                  rest,a,1,0,0,0,0,1,0,0,0,0,1,0\nrest,b,1,0,0,1,0,1,0,0,0,0,1,0\n";
    write(folder.path(), "joints.csv", joints);
    let create = |name: &str, more: &[&str]| {
        let args = [
            "muscles",
            "create",
            name,
            "--joints",
            "joints.csv",
            "--from",
            "a",
            "--to",
            "b",
            "--out",
            "set.xml",
        ];
        sinew(folder.path(), &[&args[..], more].concat())
    };
    let set = || std::fs::read_to_string(folder.path().join("set.xml")).unwrap();
    done(&create("one", &[]));
    refused(&create("two", &[]), 2, &["set.xml", "--force"]);
    assert!(set().contains("one") && !set().contains("two"));
    done(&create("two", &["--set", "./set.xml"]));
    assert!(set().contains("one") && set().contains("two"));
    write(folder.path(), "other.xml", "<muscle_set/>");
    let onto = ["muscles", "physique", "other.xml", "--size", "2", "--out", "set.xml"];
    refused(&sinew(folder.path(), &onto), 2, &["set.xml", "--force"]);
    done(&create("three", &["--force"]));
    assert!(set().contains("three") && !set().contains("two"));
    let strand = ["strand", "--hand", "finger", "--seconds", "0.1", "--out", "o", "--save-scene", "job.xml"];
    done(&sinew(folder.path(), &strand));
    write(folder.path(), "job.xml", "<!-- mine -->");
    refused(&sinew(folder.path(), &strand), 2, &["job.xml", "--force"]);
    done(&sinew(folder.path(), &[&strand[..], &["--force"]].concat()));
}

#[test]
fn activations_that_a_run_wrote_lead_the_muscles_of_another_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    done(&sinew(folder.path(), &["strand", "--hand", "finger", "--write", "finger.xml"]));
    let job = |name: &str, out: &str, settings: &str, input: &str| {
        let settings = match settings {
            "" => String::new(),
            given => format!(r#"<param id="settings" value="{given}"/>"#),
        };
        let text = format!(
            r#"<sinew version="1"><frames range="0-4" fps="24"/><node type="strand" name="s">
            <param id="source" value="scene"/><param id="scene" value="finger.xml"/>
            {settings}{input}</node>
            <outputs folder="{out}"><write file="activations.csv" from="s.activations"/>
            <write file="bodies.csv" from="s.body_matrices"/></outputs></sinew>"#
        );
        write(folder.path(), name, &text);
        done(&sinew(folder.path(), &["run", name]));
        let read = |file: &str| std::fs::read_to_string(folder.path().join(out).join(file)).unwrap();
        [read("activations.csv"), read("bodies.csv")]
    };
    let first = job("a.xml", "a", "activation.FDP=0.125; activation.EDC=0.03125", "");
    assert!(first[0].contains("4,FDP,0.125\n"), "{}", first[0]);
    let input = r#"<input port="activations" file="a/activations.csv"/>"#;
    assert!(job("b.xml", "b", "", input) == first, "the same motion");
    // By name: the order of rows does not matter, and a name that is not there is reported with its line.
    let mut rows: Vec<&str> = first[0].lines().collect();
    rows[1..].reverse();
    write(folder.path(), "turned.csv", &(rows.join("\n") + "\n"));
    let input = r#"<input port="activations" file="turned.csv"/>"#;
    assert!(job("c.xml", "c", "", input) == first);
    write(folder.path(), "turned.csv", &first[0].replace("FDP", "FDQ"));
    refused(&sinew(folder.path(), &["run", "c.xml"]), 1, &["turned.csv:", "FDQ"]);
}
