//! What each scene of the paper demonstrates, measured. In each pair, the first is standard skinning, where the skin
//! stays where it was, and the second is sliding skin.

use super::scenes::SkinScene;
use super::scenes::numbers::{self, Stretch};
use super::sliding::{Moment, Run};
use sinew::anatomy::head;
use sinew::error::Result;
use sinew::math::{Real, Vec3};
use std::f64::consts::TAU;

/// How the larger stretch is distributed in a frame.
pub fn distortion(run: &Run, frame: usize) -> [Stretch; 2] {
    let moment = &run.moments[frame];
    [&run.tri.positions, &moment.skin].map(|skin| numbers::stretch(&run.tri, &moment.body, skin))
}

/// The angle of a point around the tube.
fn around(p: &Vec3) -> Real {
    p.z.atan2(p.y)
}

/// An angle in -pi..pi.
fn wrapped(angle: Real) -> Real {
    angle - TAU * (angle / TAU).round()
}

/// The largest error of a twisted tube's skin against the known answer, as a fraction of the twist angle A. Held at
/// both rims it twists evenly, by A x / L at the distance x along L; with a free rim it does not twist.
pub fn twist_errors(scene: &SkinScene, run: &Run, frame: usize) -> [Real; 2] {
    let rest = &run.tri.positions;
    let moment = &run.moments[frame];
    let ends = rest.iter().fold([rest[0].x; 2], |[low, high], p| [low.min(p.x), high.max(p.x)]);
    let last = rest.iter().position(|p| p.x == ends[1]).expect("a rim");
    let free = scene.variant == "free";
    let whole = wrapped(around(&moment.body[last]) - around(&rest[last]));
    [rest, &moment.skin].map(|skin| {
        let error = |v: usize| {
            let turned = wrapped(around(&moment.body[v]) - around(&skin[v]));
            let part = (rest[v].x - ends[0]) / (ends[1] - ends[0]);
            wrapped(turned - if free { 0.0 } else { whole * part }).abs() / whole.abs()
        };
        (0..rest.len()).map(error).fold(0.0, Real::max)
    })
}

/// How far the skin over the watched places moves in space, in metres.
pub fn travels(scene: &SkinScene, run: &Run, frame: usize) -> Result<[Real; 2]> {
    let moment = &run.moments[frame];
    let travel = |skin: &[Vec3]| numbers::travel(&run.tri, &moment.body, skin, &scene.watched);
    Ok([travel(&run.tri.positions)?, travel(&moment.skin)?])
}

/// How far the skin over the watched places moves up along the neck in space, in metres.
pub fn along_neck(scene: &SkinScene, run: &Run, frame: usize) -> Result<[Real; 2]> {
    let moment = &run.moments[frame];
    let up = |skin: &[Vec3]| -> Result<Real> {
        let moved = numbers::material(&run.tri, &moment.body, skin, &scene.watched)?;
        let sum: Real = moved.iter().zip(&scene.watched).map(|(a, b)| (a - b).dot(&head::UP)).sum();
        Ok(sum / scene.watched.len() as Real)
    };
    Ok([up(&run.tri.positions)?, up(&moment.skin)?])
}

/// The same during a swallow, as a fraction of the lump's travel.
pub fn swallowed(scene: &SkinScene, run: &Run, frame: usize) -> Result<[Real; 2]> {
    Ok(along_neck(scene, run, frame)?.map(|t| t / head::SWALLOW))
}

/// How far the skin slides over the watched places of the body, in metres; the mean over them of vectors in space.
pub fn mean_slide(scene: &SkinScene, run: &Run, frame: usize) -> Result<Vec3> {
    let moment = &run.moments[frame];
    let places = |skin: &[Vec3]| numbers::material(&run.tri, &moment.body, skin, &scene.watched);
    let slid = places(&moment.skin)?.iter().sum::<Vec3>() - places(&run.tri.positions)?.iter().sum::<Vec3>();
    Ok(slid / scene.watched.len() as Real)
}

/// The part of the body's area on which the skin is stretched by more than `over`.
pub fn stretched_share(run: &Run, frame: usize, over: Real) -> [Real; 2] {
    let moment = &run.moments[frame];
    [&run.tri.positions, &moment.skin].map(|skin| {
        let all = numbers::stretches(&run.tri, &moment.body, skin);
        let area = |from: Real| all.iter().filter(|(s, _)| *s > from).map(|(_, a)| a).sum::<Real>();
        area(1.0 + over) / area(0.0)
    })
}

/// How the skin follows a body that swings along x and stops.
#[derive(Clone, Copy, Debug)]
pub struct Swing {
    /// How far the skin swings in space, as a fraction of the body's swing.
    pub amplitude: Real,
    /// Its phase lag behind the body, in degrees; none for skin that hardly moves.
    pub lag: Real,
    /// How far it slides on the body at most, in metres.
    pub slide: Real,
    /// How far it overshoots the body after the stop, in metres.
    pub overshoot: Real,
}

/// The mean of x over top and bottom of a torus, where the surface runs along the motion.
fn mean_x(run: &Run, points: &[Vec3]) -> Real {
    let high = run.tri.positions.iter().map(|p| p.y).fold(0.0, Real::max);
    let flat: Vec<usize> = (0..points.len()).filter(|&v| run.tri.positions[v].y.abs() > 0.9 * high).collect();
    flat.iter().map(|&v| points[v].x).sum::<Real>() / flat.len() as Real
}

/// Where the skin on top and bottom of a torus is in each frame, along x in metres.
pub fn places_of_skin(run: &Run) -> Vec<Real> {
    let place = |m: &Moment| mean_x(run, &m.body) + mean_x(run, &run.tri.positions) - mean_x(run, &m.skin);
    run.moments.iter().map(place).collect()
}

/// The swing at `rate` periods a second.
pub fn swing(scene: &SkinScene, run: &Run, rate: Real) -> Swing {
    let stop = scene.stop.expect("the body stops");
    let body = |m: &Moment| mean_x(run, &m.body);
    let slide = |m: &Moment| mean_x(run, &run.tri.positions) - mean_x(run, &m.skin);
    // Whole periods at the end of the swinging, where its amplitude is steady.
    let at = |time: Real| (time * scene.fps).round() as usize;
    let steady = at(stop - 0.125 - 1.0)..at(stop - 0.125);
    let phasor = |value: &dyn Fn(&Moment) -> Real| {
        let part = |f: usize| {
            let (sin, cos) = (TAU * rate * scene.time(f)).sin_cos();
            let x = value(&run.moments[f]);
            [x * sin, x * cos]
        };
        steady.clone().map(part).fold([0.0; 2], |s, p| [s[0] + p[0], s[1] + p[1]])
    };
    let (leader, follower) = (phasor(&body), phasor(&|m| body(m) + slide(m)));
    let lag = (leader[1].atan2(leader[0]) - follower[1].atan2(follower[0])).to_degrees();
    Swing {
        amplitude: follower[0].hypot(follower[1]) / leader[0].hypot(leader[1]),
        lag: (lag + 540.0).rem_euclid(360.0) - 180.0,
        slide: run.moments.iter().map(|m| slide(m).abs()).fold(0.0, Real::max),
        overshoot: run.moments[at(stop)..].iter().map(|m| slide(m).abs()).fold(0.0, Real::max),
    }
}

/// How the skin jiggles after a stop.
#[derive(Clone, Copy, Debug)]
pub struct Jiggle {
    /// The largest peak-to-peak motion of the skin at any vertex, in metres.
    pub peak_to_peak: Real,
    /// Seconds from the stop until no vertex slides by more than 5 % of the largest slide after the stop.
    pub settled: Real,
    /// What is left in the last frame, as a part of the largest slide.
    pub left: Real,
}

/// The jiggling after a stop.
pub fn jiggle(scene: &SkinScene, run: &Run) -> Jiggle {
    let stop = scene.stop.expect("the body stops");
    let first = (stop * scene.fps).ceil() as usize;
    let after: Vec<Vec<Vec3>> = run.moments[first..].iter().map(|m| m.skin.clone()).collect();
    let slides: Vec<Real> = after.iter().map(|skin| numbers::slide(&run.tri, skin)[1]).collect();
    let largest = slides.iter().fold(0.0, |a: Real, &b| a.max(b));
    let last = slides.iter().rposition(|&s| s > 0.05 * largest).map_or(0, |k| k + 1);
    Jiggle {
        peak_to_peak: numbers::jiggle(&after)[1],
        settled: scene.time(first + last) - stop,
        left: slides[slides.len() - 1] / largest,
    }
}

/// How far forwards the skin slid in each frame at the vertex where it slides farthest after the stop, in metres.
pub fn largest_slide(scene: &SkinScene, run: &Run) -> Vec<Real> {
    let first = (scene.stop.expect("the body stops") * scene.fps).ceil() as usize;
    let rest = &run.tri.positions;
    let slide = |m: &Moment, v: usize| rest[v].x - m.skin[v].x;
    let after = &run.moments[first..];
    let most = |v: &usize| after.iter().map(|m| slide(m, *v).abs()).fold(0.0, Real::max);
    let farthest = (0..rest.len()).max_by(|a, b| most(a).total_cmp(&most(b))).expect("it has vertices");
    run.moments.iter().map(|m| slide(m, farthest)).collect()
}
