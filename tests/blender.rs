//! The add-on for Blender, in real Blender: installed from its zip and used as people use it. Each test is a start of
//! Blender with cases of a script of tests/blender.

#[path = "support/judges.rs"]
mod judges;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use tempfile::TempDir;

const RELEASE: &str = env!("CARGO_PKG_VERSION");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn platform() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

/// The shared library that cargo has built beside this test.
fn library() -> PathBuf {
    let beside = std::env::current_exe().unwrap();
    let found =
        beside.ancestors().skip(1).map(|folder| folder.join("libsinew.so")).find(|file| file.exists());
    found.expect("cargo builds the library beside the tests")
}

fn said(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).join("\n")
}

/// An archive as `cpp/dist.sh` makes it, with this library inside.
fn archive(folder: &Path, name: &str, library: &Path) -> PathBuf {
    let inside = folder.join("archive").join(name);
    std::fs::create_dir_all(inside.join("lib")).unwrap();
    std::fs::copy(library, inside.join("lib/libsinew.so")).unwrap();
    std::fs::copy(root().join("LICENSE"), inside.join("LICENSE")).unwrap();
    std::fs::write(inside.join("NOTICES.txt"), "none").unwrap();
    let file = folder.join(format!("{name}.tar.gz"));
    let made =
        Command::new("tar").arg("-czf").arg(&file).arg("-C").arg(folder.join("archive")).arg(name).status();
    assert!(made.unwrap().success());
    file
}

/// What `package.py` does with an archive.
fn package(archive: &Path, folder: &Path) -> Output {
    let script = root().join("blender_addon/package.py");
    Command::new(judges::python()).arg("-B").arg(script).arg(archive).arg(folder).output().unwrap()
}

fn zip_of(output: &Output) -> PathBuf {
    assert!(output.status.success(), "{}", said(output));
    PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
}

/// The add-on's zip, made once for all tests.
fn zip() -> &'static Path {
    static MADE: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let (_, zip) = MADE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let archive = archive(folder.path(), &format!("sinew-{RELEASE}-{}", platform()), &library());
        let zip = zip_of(&package(&archive, folder.path()));
        (folder, zip)
    });
    zip
}

/// Starts Blender with a script of tests/blender; a case that fails, fails the test.
fn blender(script: &str, zip: &Path, cases: &[&str], user: &Path) -> String {
    let mut command = Command::new("timeout");
    command.arg("200").arg(judges::python()).arg("-B").arg(root().join("tests/blender").join(script));
    let output = command
        .arg(zip)
        .args(cases)
        .env("BLENDER_USER_RESOURCES", user)
        .env_remove("SINEW_LIBRARY")
        .output()
        .unwrap();
    let all = said(&output);
    // What goes wrong in a handler does not end Blender.
    let sound = output.status.success() && !all.contains("Error in bpy.app.handlers");
    assert!(sound, "{script} {cases:?}\n{all}");
    all
}

fn cases(script: &str, cases: &[&str]) {
    let user = tempfile::tempdir().unwrap();
    let out = blender(script, zip(), cases, user.path());
    assert!(cases.iter().all(|case| out.contains(&format!("{case}: ok"))), "{out}");
}

#[test]
fn the_core_works_without_blender() {
    for script in ["core_test.py", "muscle_core.py"] {
        let script = root().join("tests/blender").join(script);
        let output = Command::new(judges::python()).arg("-B").arg(script).arg(library()).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    }
}

#[test]
fn the_zip_installs_stays_and_goes() {
    let user = tempfile::tempdir().unwrap();
    for step in ["validate", "install", "restarted", "uninstall"] {
        blender("install.py", zip(), &[step], user.path());
    }
}

#[test]
fn a_library_that_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.so");
    let source = folder.path().join("other.c");
    std::fs::write(
        &source,
        "unsigned sinew_abi_version(void) { return 2 << 16; }\nconst char *sinew_version_string(void) { return \"9\"; }\n",
    )
    .unwrap();
    let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&other).arg(&source).status().unwrap();
    assert!(made.success());
    let name = format!("sinew-{RELEASE}-{}", platform());
    for (name, library, word) in [
        (name.clone(), other.clone(), "has version 2.0"),
        (format!("sinew-9.9.9-{}", platform()), library(), "archive of this platform and release"),
        (format!("sinew-{RELEASE}-windows-x86_64"), library(), "archive of this platform and release"),
    ] {
        let output = package(&archive(folder.path(), &name, &library), folder.path());
        assert!(!output.status.success() && said(&output).contains(word), "{}", said(&output));
        assert!(!said(&output).contains("Traceback"), "{}", said(&output));
    }
    // What `package.py` would not make: the message comes from the add-on itself.
    let changed = folder.path().join("changed.zip");
    std::fs::copy(zip(), &changed).unwrap();
    let put = "import sys, zipfile\nold = zipfile.ZipFile(sys.argv[1])\nwith zipfile.ZipFile(sys.argv[2], 'w') as new:\n    \
               for name in old.namelist():\n        \
               new.writestr(name, open(sys.argv[3], 'rb').read() if name.endswith('.so') else old.read(name))\n";
    let made = Command::new(judges::python()).args(["-c", put]).arg(zip()).arg(&changed).arg(&other).status();
    assert!(made.unwrap().success());
    let user = tempfile::tempdir().unwrap();
    blender("install.py", &changed, &["other_library"], user.path());
}

#[test]
fn skin_slides_on_the_timeline() {
    cases(
        "skin.py",
        &["plays_scrubs_and_jumps_alike", "edits_of_the_motion_are_noticed", "hidden_bodies_wait"],
    );
}

#[test]
fn skin_is_held_painted_and_led() {
    cases(
        "skin.py",
        &[
            "maps_hold_the_skin",
            "vertex_groups_are_read_as_they_are",
            "slides_along_curves",
            "hair_rides",
            "slid_geometry_is_a_shape",
        ],
    );
}

#[test]
fn skin_slides_under_any_modifiers() {
    let names = [
        "modifiers_that_change_vertices_do_not_matter",
        "geometry_nodes_and_shape_keys_move_the_body",
        "caches_move_the_body",
    ];
    cases("skin.py", &names);
}

#[test]
fn files_bakes_and_renders_keep_the_slide() {
    let names = [
        "bakes_survive_reload",
        "what_is_deleted_during_a_bake_stops_it",
        "a_disk_that_cannot_be_written_is_said",
        "esc_stops_a_bake_and_leaves_nothing_behind",
        "renders_show_the_frame",
        "exports_carry_the_slide",
    ];
    cases("file.py", &names);
}

#[test]
fn undo_names_scenes_and_rates() {
    cases("file.py", &["undo_and_redo_go_back_and_forth", "objects_scenes_names_and_rates_are_their_own"]);
}

#[test]
fn what_happens_unasked_goes_well() {
    let names = [
        "keyed_settings_are_those_of_the_rendered_frame",
        "subdivision_in_renders_alone_keeps_the_slide",
        "skin_that_is_added_again_starts_from_the_map_at_rest",
        "a_copy_is_baked_into_a_file_of_its_own",
        "clocks_and_sources_that_change_are_noticed",
        "meshes_and_empty_sources_are_left_alone",
        "bodies_in_instanced_collections_slide",
        "a_disk_that_fills_up_ends_the_bake",
        "hair_lies_down_where_nothing_is_computed_and_grows",
    ];
    cases("unasked.py", &names);
}

#[test]
fn bad_input_is_said() {
    let names = [
        "refusals_say_what_to_do",
        "linked_data_is_said",
        "edit_mode_waits",
        "vertices_that_come_and_go_are_said",
        "broken_bodies_are_named",
    ];
    cases("hostile.py", &names);
}

#[test]
fn scale_and_parents_do_not_matter() {
    let names =
        ["scale_parents_and_places_do_not_matter", "places_at_rest_stay_and_places_of_the_frame_move"];
    cases("hostile.py", &names);
}

#[test]
fn every_node_works_generically() {
    let names = [
        "every_node_has_its_properties_and_tooltips",
        "a_node_that_nobody_has_seen_gets_properties",
        "skinning_does_what_the_armature_does",
        "muscles_find_bones_by_their_names",
        "strands_become_curves_objects_and_properties",
        "lengths_are_in_the_unit_of_the_scene",
        "panels_show_what_there_is",
    ];
    cases("nodes.py", &names);
}

#[test]
fn muscles_are_made_mirrored_copied_and_changed() {
    let names = [
        "muscles_are_made_from_posed_bones",
        "muscles_carry_the_skin_wherever_the_body_stands",
        "sets_survive_files_undo_and_names",
        "muscles_are_copied_to_other_proportions",
        "physiques_change_all_selected_bodies",
        "bad_bodies_are_told",
    ];
    cases("muscles.py", &names);
}

#[test]
fn muscles_are_shown_sculpted_and_painted() {
    let names = [
        "muscles_are_shown_and_chosen",
        "muscles_are_sculpted_at_rest",
        "weights_are_made_and_painted",
        "the_panel_offers_what_is_possible",
    ];
    cases("muscles.py", &names);
}

#[test]
fn charts_are_marked_found_shown_and_laid_flat() {
    let names = [
        "charts_are_found_and_laid_flat",
        "a_marked_slit_unrolls_the_tube",
        "scale_counts",
        "charts_are_shown_in_colours",
        "pictures_show_the_charts",
        "the_panel_and_its_tooltips_come_from_the_library",
        "the_node_runs_on_an_object",
    ];
    cases("charts.py", &names);
}

#[test]
fn charts_refuse_with_reasons_and_can_be_undone() {
    cases("charts.py", &["bad_input_is_said", "linked_meshes_are_said", "everything_can_be_undone"]);
}

#[test]
fn the_pages_of_the_manual_are_true() {
    let names = [
        "sliding_is_added_in_five_steps",
        "painted_maps_hold_in_three_steps",
        "a_bake_goes_to_the_farm_in_three_steps",
        "charts_are_made_in_four_steps",
    ];
    cases("guide.py", &names);
}

#[test]
fn the_pages_about_muscles_are_true() {
    let names = [
        "muscles_are_added_in_five_steps",
        "muscles_are_sculpted_and_painted_in_four_steps",
        "physiques_go_to_other_bodies_in_two_steps",
    ];
    cases("guide.py", &names);
}

#[test]
fn the_example_of_a_human_slides() {
    cases("guide.py", &["the_example_slides"]);
}

#[test]
fn the_example_of_a_human_has_muscles() {
    cases("guide.py", &["the_example_with_muscles"]);
}

/// The Debian with a Blender of its own that `tests/window.sh` installs; where there is none, the test is skipped.
fn debian() -> Option<PathBuf> {
    let folder = root().join("target/window");
    if folder.join("installed.txt").exists() {
        return Some(folder);
    }
    let why = std::fs::read_to_string(root().join("target/window.txt"));
    println!(
        "skipped: {}",
        why.unwrap_or_else(|_| "no Blender with a window: run sh tests/window.sh".into())
    );
    None
}

/// Runs a script of tests/blender in Debian's Blender, on a screen of its own; `arguments` come after the zip. The folder
/// `pictures` beside the script is left in the result.
fn debians_blender(debian: &Path, options: &[&str], script: &str, arguments: &[&str]) -> (String, TempDir) {
    let folder = tempfile::tempdir_in(debian.join("tmp")).unwrap();
    for entry in std::fs::read_dir(root().join("tests/blender")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_some_and(|ending| ending == "py") {
            std::fs::copy(&file, folder.path().join(file.file_name().unwrap())).unwrap();
        }
    }
    std::fs::copy(zip(), folder.path().join("sinew.zip")).unwrap();
    std::fs::create_dir(folder.path().join("pictures")).unwrap();
    let inside = Path::new("/tmp").join(folder.path().file_name().unwrap());
    let mut command = Command::new("timeout");
    command.arg("200").arg("chroot").arg(debian);
    command.args(["xvfb-run", "-a", "-s", "-screen 0 1280x800x24", "blender"]).args(options);
    command.arg("--python").arg(inside.join(script)).arg("--").arg(inside.join("sinew.zip")).args(arguments);
    command
        .env_remove("SINEW_LIBRARY")
        .env("HOME", &inside)
        .env("BLENDER_USER_RESOURCES", inside.join("user"));
    let output = command.env("LIBGL_ALWAYS_SOFTWARE", "1").output().unwrap();
    assert!(output.status.success(), "{script} {arguments:?}\n{}", said(&output));
    (said(&output), folder)
}

#[test]
fn a_click_in_a_window_makes_the_skin_slide() {
    let Some(debian) = debian() else { return };
    let size = ["--window-geometry", "0", "0", "1280", "800"];
    let (out, folder) = debians_blender(&debian, &size, "window.py", &[]);
    assert!(
        ["clicked", "rendered", "dragged", "seen"].iter().all(|step| out.contains(&format!("{step}: ok"))),
        "{out}"
    );
    let kept = root().join("target/blender");
    std::fs::create_dir_all(&kept).unwrap();
    for name in ["before.png", "after.png", "dragged_plane.png", "dragged_line.png", "muscles.png"] {
        std::fs::copy(folder.path().join("pictures").join(name), kept.join(format!("window_{name}")))
            .unwrap();
    }
}

#[test]
fn an_older_blender_does_the_same() {
    let Some(debian) = debian() else { return };
    for (script, cases) in [
        (
            "skin.py",
            &[
                "plays_scrubs_and_jumps_alike",
                "edits_of_the_motion_are_noticed",
                "maps_hold_the_skin",
                "slides_along_curves",
                "hair_rides",
                "slid_geometry_is_a_shape",
                "modifiers_that_change_vertices_do_not_matter",
                "geometry_nodes_and_shape_keys_move_the_body",
            ][..],
        ),
        (
            "nodes.py",
            &[
                "every_node_has_its_properties_and_tooltips",
                "skinning_does_what_the_armature_does",
                "strands_become_curves_objects_and_properties",
                "panels_show_what_there_is",
            ],
        ),
        (
            "hostile.py",
            &["refusals_say_what_to_do", "linked_data_is_said", "edit_mode_waits", "broken_bodies_are_named"],
        ),
        ("file.py", &["bakes_survive_reload", "undo_and_redo_go_back_and_forth", "renders_show_the_frame"]),
        ("charts.py", &["charts_are_found_and_laid_flat", "charts_are_shown_in_colours"]),
        (
            "muscles.py",
            &[
                "muscles_are_made_from_posed_bones",
                "muscles_are_sculpted_at_rest",
                "weights_are_made_and_painted",
            ],
        ),
    ] {
        let (out, _folder) = debians_blender(&debian, &["--background"], script, cases);
        assert!(cases.iter().all(|case| out.contains(&format!("{case}: ok"))), "{out}");
    }
}
