//! A finger flicks a box: its tip is held by the thumb while the extensor pulls, then released.

use super::drawing::{Still, View};
use super::{Demo, Run, floating};
use sinew::anatomy::tendon_hand::bones::{Bone, Knuckle};
use sinew::anatomy::tendon_hand::measures::Finger;
use sinew::anatomy::tendon_hand::{Options, finger};
use sinew::error::Result;
use sinew::geometry::{MassProperties, Solid, shapes};
use sinew::math::{Placement, Real, Rotation, Vec3};
use sinew::strand::RowOwner;
use sinew::strand::parts::{Body, Carrier, Contact, Curve, CurveShape, Mode, Parts, Point, Rule};

const DISTAL: usize = Bone::Distal as usize;
/// How far PIP is flexed when the tip is held, in degrees.
const FLEXED: Real = 60.0;
/// How far the tip goes before it meets the box, in m.
const BEFORE: Real = 0.005;
/// In s: a muscle takes about a tenth of a second to reach full strength.
const RISE: Real = 0.1;
/// When a held tip is released, in s.
const RELEASE: Real = 0.4;
/// When the still is taken after the tip meets the box, in s.
const SHOWN: Real = 0.03;

/// How a tip moved.
struct Went {
    run: Run,
    /// Its speed and direction once it had moved by [`BEFORE`].
    speed: Real,
    way: Vec3,
    /// The speed of the last body at the end: the box, if there is one.
    last: Real,
    still: Still,
}

/// The tip is held while the extensor rises to its whole strength, and is free from the start.
pub fn flick() -> Result<Demo> {
    let bare = [go(loaded()?, true)?, go(loaded()?, false)?];
    let boxed =
        [go(with_box(loaded()?, &bare[0].way)?, true)?, go(with_box(loaded()?, &bare[1].way)?, false)?];
    let pair = |of: fn(&Went) -> Real, all: &[Went; 2]| [of(&all[0]), of(&all[1])];
    let (tip, flown) = (pair(|went| went.speed, &bare), pair(|went| went.last, &boxed));
    let caption = |k: usize| format!("tip {:.2}, box {:.2} m/s", tip[k], flown[k]);
    Ok(Demo {
        name: "flick",
        title: "Held back by the thumb, a finger flicks faster",
        runs: ["held, then released", "never held"],
        labels: ["held, then released", "never held"],
        figures: vec![
            ("speed of the tip after 5 mm", "m/s", tip),
            ("speed of the box in the end", "m/s", flown),
        ],
        captions: [caption(0), caption(1)],
        stills: boxed.map(|went| went.still),
    })
}

/// A flexed finger at rest whose tip is held to a place of the world.
fn loaded() -> Result<Parts> {
    let options = Options { knuckle: Knuckle::Flexing, ..Options::default() };
    let straight = finger(&Finger::index(), &floating(options))?;
    let tip = tip(&straight);
    let mut run = Run::new(straight, 1e-3)?;
    for _ in 0..200 {
        if run.angles()[1] >= FLEXED {
            break;
        }
        run.pull(|name| if name.starts_with("FD") { 2.0 } else { 0.0 }, 0.01)?;
    }
    let mut parts = run.model.parts_at(&run.state);
    let place = parts.bodies[DISTAL].place.point(&tip);
    // Along the joint axes: the joints already hold the finger in that direction.
    let along = Vec3::z() * 0.01;
    let (point, curve) = (parts.points.len(), parts.curves.len());
    parts.points.push(Point { name: "tip".into(), place, carrier: Carrier::Body(DISTAL) });
    let shape = CurveShape::Line(place - along, place + along);
    parts.curves.push(Curve { name: "thumb".into(), body: None, shape });
    parts.rules.push(Rule::Curve { point, curve });
    Ok(parts)
}

/// The tip of a straight finger in the axes of its last bone.
fn tip(parts: &Parts) -> Vec3 {
    let distal = &parts.bodies[DISTAL];
    let along = |p: &Vec3| distal.place.point(p).x;
    let places = distal.solid.as_ref().expect("a bone").positions().iter().copied();
    places.max_by(|a, b| along(a).total_cmp(&along(b))).expect("vertices")
}

fn go(parts: Parts, held: bool) -> Result<Went> {
    let (tip, rule) = (parts.points.len() - 1, parts.rules.len() - 1);
    let strength = parts.muscles.iter().find(|m| m.name == "EDC").expect("the extensor").strength;
    let run = Run::new(parts, 0.5e-3)?;
    let start = run.state.places[tip];
    let still = Still::of(&run, &View::FLICK, 20.0);
    let mut went = Went { run, speed: 0.0, way: Vec3::zeros(), last: 0.0, still };
    let release = if held { RELEASE } else { 0.0 };
    let mut hit = None;
    for k in 0..700 {
        let (run, time) = (&mut went.run, 1e-3 * k as Real);
        if time >= release && !run.state.released.contains(&true) {
            run.state.release(&run.model, RowOwner::Rule(rule))?;
        }
        run.pull(|name| if name == "EDC" { strength * (time / RISE).min(1.0) } else { 0.0 }, 1e-3)?;
        let place = run.state.places[tip];
        if went.speed == 0.0 && (place - start).norm() > BEFORE {
            went.speed = run.state.bodies[DISTAL].velocity_at(&place).norm();
            went.way = place - start;
            hit = Some(time);
        }
        if hit.is_some_and(|hit| (time - hit - SHOWN).abs() < 5e-4) {
            went.still = Still::of(run, &View::FLICK, 20.0);
        }
    }
    went.last = went.run.state.bodies.last().expect("bodies").linear.norm();
    Ok(went)
}

/// A box of 2 cm and 2 g in the way of the tip.
fn with_box(mut parts: Parts, way: &Vec3) -> Result<Parts> {
    let size = Vec3::repeat(0.02);
    let mass = MassProperties::of_cuboid(&size, 250.0)?;
    let start = parts.points.last().expect("the tip").place;
    let turn = Rotation::rotation_between(&Vec3::x(), way).expect("a way to go");
    parts.contacts.push(Contact {
        name: "flick".into(),
        bodies: [DISTAL, parts.bodies.len()],
        friction: 0.3,
    });
    parts.bodies.push(Body {
        name: "box".into(),
        place: Placement::new(turn, start + way.normalize() * (BEFORE + 0.5 * size.x)),
        mass: mass.mass,
        moments: mass.principal().moments,
        mode: Mode::Free,
        solid: Some(Solid::new(&shapes::cuboid(&size))?),
    });
    Ok(parts)
}
