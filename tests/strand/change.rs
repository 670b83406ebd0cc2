//! Strands that are cut, lengthened and let go in the course of a run, against known answers.

use crate::strand_run::Run;
use sinew::error::Kind;
use sinew::formats::strand_state;
use sinew::geometry::{Solid, shapes};
use sinew::math::{Placement, Real, Rotation, Vec3};
use sinew::strand::RowOwner;
use sinew::strand::energy::{Energy, energy, tensions};
use sinew::strand::parts::{
    Body, Carrier, Contact, Curve, CurveShape, Fibre, Joint, Mode, Node, Parts, Point, Rule, Strand,
};

const G: Real = 9.81;

/// The weight in kg, and the cord: the tension per strain in N, the lengths from the anchor to the pulley and from
/// there to the weight in m.
const MASS: Real = 0.3;
const STIFF: Real = 1000.0;
const ACROSS: Real = 0.4;
const DOWN: Real = 0.5;

fn ball(name: &str, origin: Vec3, mode: Mode) -> Body {
    let place = Placement::new(Rotation::identity(), origin);
    let solid = Solid::new(&shapes::cuboid(&Vec3::repeat(0.1))).unwrap();
    let moments = Vec3::repeat(MASS * 0.01 / 6.0);
    Body { name: name.into(), place, mass: MASS, moments, mode, solid: Some(solid) }
}

impl Run {
    /// How far the last body is below the origin.
    fn depth(&self) -> Real {
        -self.state.bodies.last().unwrap().place.origin.y
    }
}

/// A weight on a light cord that runs from an anchor over a pulley, at rest.
fn hanging(axial_damping: Real) -> Run {
    let places = [Vec3::x() * -ACROSS, Vec3::zeros(), Vec3::y() * -DOWN];
    let carriers = [Carrier::World, Carrier::World, Carrier::Body(0)];
    let grown = 1.0 + MASS * G / STIFF;
    let node = |point, length: Real, mode| Node { point, material: length / grown, mode };
    let point = |k: usize| Point { name: format!("p{k}"), place: places[k], carrier: carriers[k] };
    Run::new(Parts {
        bodies: vec![ball("weight", places[2], Mode::Free)],
        points: (0..3).map(point).collect(),
        strands: vec![Strand {
            name: "cord".into(),
            nodes: vec![
                node(0, 0.0, Mode::Removed),
                node(1, ACROSS, Mode::Free),
                node(2, ACROSS + DOWN, Mode::Removed),
            ],
            fibre: Fibre { stiffness: STIFF, line_density: 1e-6, axial_damping, lateral_damping: 0.0 },
            radius: 1e-3,
        }],
        ..Parts::default()
    })
}

#[test]
fn a_weight_whose_cord_is_cut_falls_freely() {
    // The anchor's stump is not used up by then.
    let (seconds, steps): (Real, u32) = (0.25, 1000);
    // On either side of the pulley: where the cord slides through, both are the same cord.
    for segment in [0, 1] {
        let mut run = hanging(0.0);
        run.go(0.05, 50);
        let rest = run.depth();
        assert!((rest - DOWN).abs() < 1e-6, "{rest}");
        let pull = tensions(&run.model, &run.state)[0][segment];
        let before = energy(&run.model, &run.state);
        run.state.cut(&run.model, 0, segment).unwrap();
        let after = energy(&run.model, &run.state);
        let stored = pull * pull / (2.0 * STIFF) * [ACROSS, DOWN][segment] / (1.0 + pull / STIFF);
        assert!((before.elastic - after.elastic - stored).abs() < 1e-6 * stored, "{stored}");
        run.go(seconds, steps);
        let fallen = run.depth() - rest;
        let expected = 0.5 * G * seconds * seconds;
        let end = energy(&run.model, &run.state);
        // What the other side's stretch had stored is lost in the first moments.
        let moved = |energy: &Energy| energy.kinetic + energy.height;
        let drift = (moved(&end) - moved(&after)) / (MASS * G * expected);
        println!("cut in segment {segment}: fell {fallen:.5} m of {expected:.5}, energy {drift:+.1e}");
        assert!((fallen / expected - 1.0).abs() < 2e-3, "{fallen} {expected}");
        assert!(drift.abs() < 2e-3, "{drift}");
        // What is left of the cord is drawn along.
        let pulls = &tensions(&run.model, &run.state)[0];
        assert!(pulls[segment] == 0.0 && pulls[1 - segment] < 1e-3, "{pulls:?}");
    }
}

#[test]
fn a_cord_that_gets_longer_lets_its_weight_down() {
    // Either side lets down as much: the cord slides over the pulley.
    for (segment, by) in [(0, 0.2), (1, 0.2), (0, -0.15), (1, -0.15)] {
        let mut run = hanging(0.05);
        for _ in 0..100 {
            run.state.lengthen(&run.model, 0, segment, by / 100.0).unwrap();
            run.go(0.01, 5);
        }
        run.go(10.0, 2000);
        let grown = 1.0 + MASS * G / STIFF;
        let expected = (ACROSS + DOWN) + by * grown - ACROSS;
        let pulls = &tensions(&run.model, &run.state)[0];
        println!("longer by {by} m in segment {segment}: {:.9} m deep, {expected:.9} expected", run.depth());
        assert!((run.depth() - expected).abs() < 1e-6, "{} {expected}", run.depth());
        assert!(pulls.iter().all(|pull| (pull / (MASS * G) - 1.0).abs() < 1e-3), "{pulls:?}");
    }
}

/// A weight on a joint, and one that lies on a floor.
fn held() -> Run {
    let origins = [Vec3::new(0.0, -0.05, 0.0), Vec3::y() * 0.05, Vec3::new(3.0, 0.0, 0.0)];
    let frames = [origins[2], Vec3::zeros()].map(|at| Placement::new(Rotation::identity(), at));
    let mut floor = ball("floor", origins[0], Mode::Removed);
    floor.solid = Some(Solid::new(&shapes::cuboid(&Vec3::new(1.0, 0.1, 1.0))).unwrap());
    Run::new(Parts {
        bodies: vec![floor, ball("block", origins[1], Mode::Free), ball("held", origins[2], Mode::Free)],
        joints: vec![Joint::holding("hook", None, 2, frames, [false; 6])],
        contacts: vec![Contact { name: "ground".into(), bodies: [0, 1], friction: 0.5 }],
        ..Parts::default()
    })
}

#[test]
fn what_lets_go_holds_no_more() {
    let mut run = held();
    let heights = |run: &Run| [1, 2].map(|b| run.state.bodies[b].place.origin.y);
    let start = heights(&run);
    run.go(0.2, 100);
    assert!(heights(&run).iter().zip(start).all(|(a, b)| (a - b).abs() < 1e-6), "{:?}", heights(&run));
    let fallen = |steps: Real| 0.5 * G * 0.04 * (1.0 + 1.0 / steps);
    run.state.release(&run.model, RowOwner::Joint(0)).unwrap();
    run.go(0.2, 100);
    let now = heights(&run);
    assert!((now[0] - start[0]).abs() < 1e-6 && (start[1] - now[1] - fallen(100.0)).abs() < 1e-9, "{now:?}");
    run.state.release(&run.model, RowOwner::Contact(0)).unwrap();
    run.go(0.2, 100);
    assert!((start[0] - heights(&run)[0] - fallen(100.0)).abs() < 1e-6, "{:?}", heights(&run));
}

#[test]
fn what_alone_holds_a_node_through_which_material_slides_does_not_let_go() {
    let mut parts = hanging(0.0).model.parts().clone();
    parts.points[1].carrier = Carrier::Nothing;
    let shape = CurveShape::Line(Vec3::x() * -0.1, Vec3::x() * 0.1);
    parts.curves.push(Curve { name: "rail".into(), body: None, shape });
    parts.rules = vec![Rule::Curve { point: 1, curve: 0 }; 2];
    let mut run = Run::new(parts);
    run.state.release(&run.model, RowOwner::Rule(0)).unwrap();
    let error = run.state.release(&run.model, RowOwner::Rule(1)).unwrap_err();
    assert!(error.message().contains("strand \"cord\" would have a node 1"), "{error}");
    assert_eq!(run.state.release(&run.model, RowOwner::Rule(2)).unwrap_err().kind(), Kind::NotFound);
}

#[test]
fn a_resumed_run_goes_on_with_what_was_changed() {
    let changed = |resumed: bool| {
        let mut run = hanging(0.01);
        run.go(0.1, 50);
        run.state.lengthen(&run.model, 0, 0, 0.05).unwrap();
        run.go(0.1, 50);
        run.state.cut(&run.model, 0, 1).unwrap();
        run.go(0.02, 10);
        if resumed {
            let bytes = strand_state::encode(&run.model, &run.state);
            let state = strand_state::decode(&run.model, &bytes).unwrap();
            assert!(state == run.state);
            run = Run { state, ..hanging(0.01) };
        }
        run.go(0.1, 50);
        run.state
    };
    let through = changed(false);
    assert!(through == changed(true) && through.cut == [false, true, false]);
    let mut run = held();
    run.state.release(&run.model, RowOwner::Joint(0)).unwrap();
    let bytes = strand_state::encode(&run.model, &run.state);
    assert!(strand_state::decode(&run.model, &bytes).unwrap() == run.state);
}

#[test]
fn what_is_not_there_cannot_change() {
    let mut run = hanging(0.0);
    let before = run.state.clone();
    let (state, model) = (&mut run.state, &run.model);
    for (result, kind, words) in [
        (state.cut(model, 1, 0), Kind::NotFound, "no strand 1 of 1"),
        (state.cut(model, 0, 2), Kind::NotFound, "strand \"cord\" has no segment 2 of 2"),
        (state.lengthen(model, 0, 7, 0.1), Kind::NotFound, "strand \"cord\" has no segment 7"),
        (state.lengthen(model, 0, 1, -0.5), Kind::OutOfRange, "of material in its segment 1"),
        (state.lengthen(model, 0, 1, Real::NAN), Kind::OutOfRange, "strand \"cord\""),
        (state.release(model, RowOwner::Joint(0)), Kind::NotFound, "to release"),
        (state.release(model, RowOwner::Segment(0, 0)), Kind::NotFound, "to release"),
    ] {
        let error = result.unwrap_err();
        assert!(error.kind() == kind && error.message().contains(words), "{error}");
    }
    let other = held();
    assert_eq!(run.state.cut(&other.model, 0, 0).unwrap_err().kind(), Kind::CountMismatch);
    assert!(run.state == before);
}
