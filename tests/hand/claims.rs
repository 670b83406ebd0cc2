//! What the page of the tendon hand claims, by the figures that the example `tendon_hand` prints.

use crate::support::tendons::Demo;
use crate::support::tendons::demos::all;
use sinew::math::Real;
use std::collections::HashSet;

const PIP: &str = "PIP is flexed by";
const DIP: &str = "DIP is flexed by";

/// What a demo is there to show.
fn shows(demo: &Demo) {
    let reported = |what: &str| {
        let found = demo.figure(what);
        println!("{}: {what} {found:.2?}", demo.name);
        found
    };
    match demo.name {
        "coupling" => {
            let [without, with] = reported("DIP / PIP");
            assert!((1.7..3.5).contains(&without) && (0.8..1.4).contains(&with), "{without} {with}");
        }
        "tapping" => {
            assert!(reported("the middle finger extends by").iter().all(|by| *by > 20.0));
            for neighbour in ["the index finger along with it by", "the ring finger along with it by"] {
                let [tied, free] = reported(neighbour);
                assert!(tied > 3.0 && tied > free + 8.0, "{tied} {free}");
            }
        }
        "flick" => {
            let ([held, free], [hit, touched]) =
                (reported("speed of the tip after 5 mm"), reported("speed of the box in the end"));
            // [HandThesis §3.4]: about four times.
            assert!(
                (3.0..6.0).contains(&(held / free)) && hit > 1.8 * touched,
                "{held} {free} {hit} {touched}"
            );
        }
        "boutonniere" => {
            let (pip, dip) = (reported(PIP), reported(DIP));
            assert!(pip[0].abs() < 10.0 && pip[1] > 30.0 && dip[1] < -15.0, "{pip:?} {dip:?}");
        }
        "swan_neck" => {
            let (pip, dip) = (reported(PIP), reported(DIP));
            assert!(pip[0] > 50.0 && pip[1] < -10.0 && dip[1] > 50.0, "{pip:?} {dip:?}");
        }
        _ => {
            for (what, ..) in &demo.figures {
                let [found, formula] = reported(what);
                assert!((found / formula - 1.0).abs() < 0.01, "{found} {formula}");
            }
        }
    }
}

/// The figures stand in the page, in the row of the demo.
fn are_in(page: &str, demo: &Demo) {
    let name = demo.name.replace('_', " ");
    for (what, unit, figures) in &demo.figures {
        let row = page.lines().find(|row| row.starts_with(&format!("| {name} | {what} |")));
        let row = row.unwrap_or_else(|| panic!("the page has no row of {name}: {what}"));
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        for (cell, figure) in cells[3..5].iter().zip(figures) {
            let (number, of) = cell.split_once(' ').unwrap_or((cell, ""));
            let number: Real = number.parse().unwrap();
            // Strands that fall slack and tauten make round-off larger; what a figure says is not to depend on it.
            let near = if *unit == "degrees" { 10.0 } else { 0.25 * figure.abs() };
            assert!(of == *unit && (number - figure).abs() < near, "{row}: {figure}");
        }
    }
}

#[test]
fn the_demos_show_what_their_page_says() {
    let page = std::fs::read_to_string("examples/tendon_hand.md").unwrap();
    for demo in all().unwrap() {
        shows(&demo);
        are_in(&page, &demo);
        for (still, label) in demo.stills.iter().zip(demo.labels) {
            let image = still.draw(label);
            let colours: HashSet<_> = image.pixels().map(|pixel| pixel.0).collect();
            assert!(colours.len() > 500, "{}: {label} is empty", demo.name);
        }
    }
}
