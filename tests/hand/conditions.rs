//! What each condition, each ligament and each band does to the angles of joints, by the table that `sinew strand
//! --compare` prints. Every row begins at rest, muscles of `--set` then pull, and the healthy hand is in the same
//! table.

use serde_json::Value;
use sinew::anatomy::tendon_hand::preset::Condition;
use sinew::math::Real;
use std::process::Command;

/// A printed table.
struct Table(Value);

impl Table {
    fn of(hand: &[&str], settings: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.args(["--json", "strand", "--compare"]).args(hand);
        for setting in settings {
            command.args(["--set", setting]);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let table = Table(serde_json::from_slice(&output.stdout).unwrap());
        let names: Vec<&str> = table.rows().iter().map(|row| row["name"].as_str().unwrap()).collect();
        let conditions = Condition::ALL.map(Condition::name);
        assert_eq!(names[..7], [&["at rest"], &conditions[..]].concat(), "{hand:?}");
        table.rows().iter().for_each(|row| println!("{settings:?} {row}"));
        assert!(table.rows().iter().all(|row| row["warnings"] == Value::Array(vec![])), "{hand:?}");
        table
    }

    fn finger(settings: &[&str]) -> Self {
        Table::of(&["--hand", "finger"], settings)
    }

    fn rows(&self) -> &[Value] {
        self.0["rows"].as_array().unwrap()
    }

    fn row(&self, name: &str) -> &Value {
        self.rows().iter().find(|row| row["name"] == name).unwrap()
    }

    /// The flexion of a joint in degrees.
    fn at(&self, row: &str, joint: &str) -> Real {
        self.row(row)["flexion"][joint].as_f64().unwrap()
    }

    /// How much further a joint is flexed than in the healthy hand.
    fn beside_intact(&self, row: &str, joint: &str) -> Real {
        self.at(row, joint) - self.at("intact", joint)
    }

    /// The tension of a ligament or band in N.
    fn tension(&self, row: &str, strand: &str) -> Real {
        self.row(row)["tensions"][strand].as_f64().unwrap()
    }
}

/// \[HandThesis §3.4\] without the ligament the last joint flexes ahead of PIP, with it both flex together.
#[test]
fn the_ligament_makes_the_deep_flexor_flex_both_joints_together() {
    for (digit, pull) in [
        ("index", "activation.FDP=0.012"),
        ("middle", "activation.FDP=0.01"),
        ("little", "activation.FDP=0.012"),
    ] {
        let table = Table::of(&["--hand", "finger", "--digit", digit], &[pull]);
        let ratio = |row: &str| table.at(row, "DIP") / table.at(row, "PIP");
        assert!((0.7..1.0).contains(&ratio("intact")) && table.tension("intact", "OL") > 0.3, "{digit}");
        for row in ["without_ligament", "long_ligament", "swan_neck"] {
            assert!(ratio(row) > 1.0 && table.beside_intact(row, "DIP") > 5.0, "{digit} {row}");
            assert!(table.beside_intact(row, "PIP") < -1.0, "{digit} {row}");
        }
        // Contracted, it holds the last joint back and flexes PIP instead.
        assert!(table.beside_intact("tight_ligament", "DIP") < -10.0, "{digit}");
        assert!(table.beside_intact("tight_ligament", "PIP") > 3.0, "{digit}");
        // The slip that is cut does not flex.
        for joint in ["MCP", "PIP", "DIP"] {
            assert!(table.beside_intact("boutonniere", joint).abs() < 4.0, "{digit} {joint}");
        }
    }
}

/// All of the last joint's range is needed in a fist: flexing PIP releases the ligament (Adkinson, Johnson, Chung, "The
/// Clinical Implications of the Oblique Retinacular Ligament"), unless it is contracted.
#[test]
fn a_fist_is_the_same_with_and_without_the_ligament() {
    let table = Table::finger(&["activation.FDP=0.07", "activation.FDS=0.05"]);
    for row in ["intact", "without_ligament", "long_ligament", "swan_neck", "boutonniere"] {
        assert!(table.at(row, "PIP") > 90.0 && table.at(row, "DIP") > 85.0, "{row}");
        assert!(table.beside_intact(row, "DIP").abs() < 5.0, "{row}");
    }
    assert!(table.beside_intact("tight_ligament", "DIP") < -10.0);
    // Strength closes it all the same, up to the limits of all joints.
    let ring = ["--hand", "finger", "--digit", "ring"];
    let table = Table::of(&ring, &["activation.FDP=0.2", "activation.FDS=0.2"]);
    assert!(table.beside_intact("tight_ligament", "DIP").abs() < 0.5);
    assert!(table.tension("tight_ligament", "OL") > 20.0 && table.at("intact", "DIP") > 89.0);
}

#[test]
fn the_table_says_in_words_what_was_set_and_refuses_what_it_does_not_heed() {
    let compare = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.args(["strand", "--compare", "--hand", "finger"]).args(more).output().unwrap()
    };
    let set = ["--set", "activation.EDC=0.04; gravity=0 0 0", "--set", "activation.LUM=0.1"];
    let output = compare(&set);
    let text = String::from_utf8(output.stdout).unwrap();
    let heading = text.lines().next().unwrap();
    let words = "2 s under the pull of EDC at 0.04 of its strength, LUM at 0.1 of its strength (with gravity 0 0 0); \
            tensions";
    assert!(heading.contains(words), "{heading}");
    for more in [
        ["--fps", "30"],
        ["--seconds", "3"],
        ["--curves", "a.abc"],
        ["--save-state", "a"],
        ["--resume", "a"],
        ["--save-scene", "a.xml"],
        ["--mirror", "x"],
    ] {
        let output = compare(&more);
        let reported = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && reported.contains("cannot be used with"), "{more:?}: {reported}");
    }
    let help = String::from_utf8(compare(&["--help"]).stdout).unwrap();
    assert!(help.contains("for --hand four also with bands"), "{help}");
}

/// \[HandThesis fig. 3.9\]: boutonniere: PIP stays flexed, DIP hyper-extends; swan neck: PIP hyper-extends. A tight
/// ligament hyper-extends DIP where PIP is made straight.
#[test]
fn the_extensor_shows_each_deformity() {
    let table = Table::finger(&["activation.EDC=0.15"]);
    assert!(table.at("intact", "PIP").abs() < 10.0 && table.at("intact", "DIP").abs() < 10.0);
    assert!(table.beside_intact("boutonniere", "PIP") > 20.0 && table.at("boutonniere", "DIP") < -10.0);
    assert!(table.at("swan_neck", "PIP") < -15.0 && table.at("swan_neck", "DIP") > -10.0);
    assert!(table.at("tight_ligament", "DIP") < -10.0 && table.tension("tight_ligament", "OL") > 3.0);
    for row in ["without_ligament", "long_ligament"] {
        assert!(table.beside_intact(row, "PIP").abs() < 4.0, "{row}");
    }
}

/// Interossei and lumbricals flex the knuckle and extend both joints beyond it, at any strength (Lauer, Kilgore,
/// Peckham, Bhadra, "The function of the finger intrinsic muscles in response to electrical stimulation"): the
/// intrinsic-plus posture.
#[test]
fn intrinsic_muscles_flex_the_knuckle_and_straighten_the_rest() {
    for pulls in [
        &["activation.DI=0.25"][..],
        &["activation.PI=0.2"],
        &["activation.DI=0.1", "activation.PI=0.15", "activation.LUM=0.5"],
    ] {
        let table = Table::finger(pulls);
        assert!(table.beside_intact("at rest", "MCP") < -40.0, "{pulls:?}");
        for joint in ["PIP", "DIP"] {
            assert!(table.at("intact", joint).abs() < 10.0, "{pulls:?} {joint}");
            assert!(table.beside_intact("at rest", joint) > 8.0, "{pulls:?} {joint}");
        }
        // Their slips end in the one that is cut: the wings are left, below the axis of a flexed PIP.
        assert!(table.beside_intact("boutonniere", "PIP") > 10.0, "{pulls:?}");
    }
}

const DIGITS: [&str; 4] = ["II", "III", "IV", "V"];

/// Each band takes a neighbour along \[HandThesis §3.4\]: index and ring finger are lifted, and the others follow.
#[test]
fn each_band_takes_a_neighbour_along() {
    let tone = DIGITS.map(|digit| format!("activation.{digit} FDP=0.006"));
    let lifted = ["II", "IV"].map(|digit| format!("activation.{digit} EDC=0.25"));
    let settings: Vec<&str> = tone.iter().chain(&lifted).map(String::as_str).collect();
    let table = Table::of(&["--hand", "four", "--step", "0.002"], &settings);
    let whole = |row: &str, digit: &str| -> Real {
        ["MCP", "PIP", "DIP"].iter().map(|joint| table.at(row, &format!("{digit} {joint}"))).sum()
    };
    for neighbour in ["III", "V"] {
        let along = whole("intact", neighbour) - whole("bands", neighbour);
        println!("{neighbour} extends along by {along:.1} degrees");
        assert!(along > 15.0, "{neighbour} {along}");
    }
    for band in ["II III band", "III IV band", "IV V band"] {
        assert!(table.tension("bands", band) > 1.0, "{band}");
    }
}

/// In a fist the little finger's extensor moves by 14 mm and its neighbour's by 20 mm, which pulls the bands' point
/// further than the finger itself does: none may be held like a knot, and no band may keep a finger from flexing.
#[test]
fn bands_leave_room_for_a_fist() {
    let folder = tempfile::tempdir().unwrap();
    let ends = |bands: &[&str]| -> (Vec<Real>, Value) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sinew"));
        command.args(["strand", "--hand", "four", "--seconds", "1", "--out"]).arg(folder.path()).args(bands);
        for digit in DIGITS {
            command.args(["--set", &format!("activation.{digit} FDP=0.06")]);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        let joints = read("joints.csv");
        let last = joints.lines().filter(|line| line.starts_with("24,"));
        let flexion = last.map(|line| line.split(',').nth(4).unwrap().parse().unwrap()).collect();
        (flexion, serde_json::from_str(&read("report.json")).unwrap())
    };
    let ((free, _), (tied, report)) = (ends(&[]), ends(&["--bands"]));
    println!("fist without bands {free:.1?}, with them {tied:.1?}");
    let frames = report["frames"].as_array().unwrap();
    let warnings: Vec<&Value> = frames.iter().map(|frame| &frame["warnings"]).collect();
    assert!(warnings.iter().all(|all| all.as_array().is_none_or(Vec::is_empty)), "{warnings:?}");
    assert_eq!(tied.len(), 12);
    assert!(tied.iter().zip(&free).all(|(a, b)| *a > 75.0 && (a - b).abs() < 10.0));
    for band in ["II III band", "III IV band", "IV V band"] {
        let pulls = frames[24]["details"]["tensions"][band].as_array().unwrap();
        assert!(pulls.iter().all(|pull| pull.as_f64().unwrap() < 10.0), "{band} {pulls:?}");
    }
}
