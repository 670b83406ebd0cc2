//! What moves: fingers by their table, hands, scenes.

use super::super::host::{Host, near};
use super::{STONE, TUG, play};
use sinew::math::{Real, Vec3};

super::super::rows! {
    "param source" | "choice source/finger" => finger,
    "choice source/hand" => hand,
    "choice source/scene" => scene_source,
    "param scene" => scene,
    "param digit" | "choice digit/index" => index,
    "choice digit/middle" => middle,
    "choice digit/ring" => ring,
    "choice digit/little" => little,
    "param condition" | "choice condition/intact" => intact,
    "choice condition/without_ligament" => without_ligament,
    "choice condition/boutonniere" => boutonniere,
    "choice condition/swan_neck" => swan_neck,
    "choice condition/long_ligament" => long_ligament,
    "choice condition/tight_ligament" => tight_ligament,
    "param bands" => bands,
    "param settings" => settings,
    "param mirror" | "choice mirror/none" | "choice mirror/x" | "choice mirror/y" | "choice mirror/z" => mirror,
}

/// The first frame of a node, and what its items are called.
fn made(params: &[(&str, &str)]) -> (Host, impl Fn(&str) -> Vec<String> + use<>) {
    let mut host = Host::new("strand", params);
    let names = host.frame(1).names;
    (host, move |of: &str| names.iter().find(|(kind, _)| *kind == of).unwrap().1.clone())
}

fn finger() {
    let (host, names) = made(&[("source", "finger")]);
    assert_eq!((host.count("body_matrices"), names("strands").len()), (5, 13));
    let (host, _) = made(&[]);
    assert_eq!(host.count("body_matrices"), 5);
}

/// Four fingers as they are alone.
fn hand() {
    let (host, names) = made(&[("source", "hand")]);
    assert_eq!((host.count("body_matrices"), names("strands").len(), names("muscles").len()), (20, 52, 24));
    for (k, units) in [10.38, 11.12, 10.65, 8.58].into_iter().enumerate() {
        near(proximal(&host, 5 * k), units * UNIT, 1e-4);
    }
}

fn scene_source() {
    let (_, names) = made(&[("source", "scene"), ("scene", "examples/strand/pendulum.xml")]);
    assert_eq!(names("bodies"), ["upper", "lower"]);
}

/// A path, or the text itself.
fn scene() {
    let names = play(STONE, &[]).frame(1).names;
    assert_eq!(names[0], ("bodies", vec!["stone".to_string()]));
    let (_, names) = made(&[("source", "scene"), ("scene", "examples/strand/weight.xml")]);
    assert_eq!(names("bodies"), ["heavy", "light"]);
}

/// The published table's unit in metres, for a hand of 190 mm.
const UNIT: Real = 0.190 / 43.83076923;

/// How long the proximal bone is: from the knuckle to the next joint.
fn proximal(host: &Host, first: usize) -> Real {
    let m = host.read("body_matrices");
    let joint = |body: usize| Vec3::new(m[16 * body + 3], m[16 * body + 7], m[16 * body + 11]);
    (joint(first + 3) - joint(first + 2)).norm()
}

#[track_caller]
fn digit_has(params: &[(&str, &str)], units: [Real; 2]) {
    let (host, _) = made(params);
    near(proximal(&host, 0), units[0] * UNIT, 1e-4);
    near(proximal(&host, 1), units[1] * UNIT, 1e-4);
}

fn index() {
    digit_has(&[("digit", "index")], [10.38, 6.57]);
    digit_has(&[], [10.38, 6.57]);
}

fn middle() {
    digit_has(&[("digit", "middle")], [11.12, 7.446]);
}

fn ring() {
    digit_has(&[("digit", "ring")], [10.65, 7.35]);
}

fn little() {
    digit_has(&[("digit", "little")], [8.58, 5.29]);
}

const INTACT: [&str; 13] =
    ["DI", "PI", "FDP", "FDS", "EDC", "IntMed", "ExtLat", "LUM", "OL", "DILat", "PILat", "DIMed", "PIMed"];

/// The strands of a condition, and how much material the oblique ligament has.
fn condition(name: &str) -> (Vec<String>, Real) {
    let (host, names) = made(&[("condition", name)]);
    let (strands, counts) = (names("strands"), host.read("strand_counts"));
    let ligament = strands.iter().position(|strand| strand == "OL");
    let material = ligament.map_or(0.0, |k| {
        let first = counts[..k].iter().sum::<Real>() as usize;
        let last = first + counts[k] as usize - 1;
        let materials = host.read("strand_materials");
        materials[last] - materials[first]
    });
    (strands, material)
}

fn intact() {
    let (strands, ligament) = condition("intact");
    assert_eq!(strands, INTACT);
    assert!(ligament > 0.0);
    assert_eq!(made(&[]).1("strands"), INTACT);
}

fn without(missing: &[&str]) -> Vec<&'static str> {
    INTACT.into_iter().filter(|name| !missing.contains(name)).collect()
}

fn without_ligament() {
    assert_eq!(condition("without_ligament").0, without(&["OL"]));
}

/// The extensor's slip to the middle bone is cut.
fn boutonniere() {
    assert_eq!(condition("boutonniere").0, without(&["EDC", "IntMed", "DIMed", "PIMed"]));
}

/// The ligament is as many times as long as that of a healthy finger.
fn ligament_is(name: &str, times: Real) {
    let (strands, ligament) = condition(name);
    assert_eq!(strands, INTACT);
    near(ligament / condition("intact").1, times, 1e-4);
}

/// The ligament is 15 % too long.
fn swan_neck() {
    ligament_is("swan_neck", 1.15);
}

fn long_ligament() {
    ligament_is("long_ligament", 1.15);
}

fn tight_ligament() {
    ligament_is("tight_ligament", 0.97);
}

/// Three bands between four fingers.
fn bands() {
    let of = |bands: &str| made(&[("source", "hand"), ("bands", bands)]).1("strands").len();
    assert_eq!([of("false"), of("true")], [52, 55]);
}

/// A stone falls as the setting says, which comes before the scene and the muscle's activation.
fn settings() {
    let fallen = |settings: &str| {
        let mut host = play(STONE, &[("settings", settings)]);
        (1..=6).for_each(|frame| drop(host.frame(frame)));
        host.read("body_matrices")[3] - 1.0
    };
    let seconds = 6.0 / 24.0;
    for (settings, pull) in [("", 0.0), ("gravity=2 0 0", 2.0), ("step=0.001; gravity=-3 0 0", -3.0)] {
        near(fallen(settings), 0.5 * pull * seconds * seconds, 0.02);
    }
    let mut host = play(TUG, &[("settings", "activation.puller=0.75")]);
    host.frame(1);
    assert_eq!(host.read("activations"), [0.75]);
}

/// The stone at (1, 2, 3) is on the other side.
fn mirror() {
    for (axis, signs) in
        [("none", [1.0, 1.0, 1.0]), ("x", [-1.0, 1.0, 1.0]), ("y", [1.0, -1.0, 1.0]), ("z", [1.0, 1.0, -1.0])]
    {
        let mut host = play(STONE, &[("mirror", axis), ("gravity", "0")]);
        host.frame(1);
        let at = host.read("body_matrices");
        assert_eq!([at[3], at[7], at[11]], [signs[0], 2.0 * signs[1], 3.0 * signs[2]], "{axis}");
    }
}
