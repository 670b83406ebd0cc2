//! Places, activations and goals from the inputs of the node.

use super::super::strand_report::NamedGoal;
use super::super::value::Inputs;
use super::rig::Rig;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Affine, Placement, Real, Vec3, linear};
use sinew_strand::parts::{Aim, Goal};

/// Where each body should be at the end of the frame. `time` is the scene's.
pub(super) fn led(inputs: &Inputs, rig: &Rig, time: Real) -> Result<Vec<Placement>> {
    let mut places = rig.scripted(time);
    let matrices = numbers(inputs, "led_matrices")?;
    if matrices.is_empty() {
        return Ok(places);
    }
    let bodies = &rig.model.parts().bodies;
    let led = || rig.led.iter().map(|&b| bodies[b].name.as_str());
    let counts = [matrices.len() / 16, rig.led.len()];
    expect(counts, "matrices", "bodies that are led", led).map_err(|e| e.port("led_matrices"))?;
    for (matrix, &b) in matrices.chunks_exact(16).zip(&rig.led) {
        let matrix = Affine::from_row_slice(&matrix[..12]);
        let place = Placement::from_affine(&matrix).map_err(|error| {
            let lengths = linear(&matrix).column_iter().map(|axis| axis.norm()).collect::<Vec<_>>();
            let message = format!(
                "body \"{}\" must stay rigid: {}; its axes have the lengths {lengths:.6?}",
                bodies[b].name,
                error.message()
            );
            Error::new(error.kind(), message).port("led_matrices")
        })?;
        places[b] = place * rig.inner[b];
    }
    Ok(places)
}

/// The activations; empty if goals choose them.
pub(super) fn activations(inputs: &Inputs, rig: &Rig, goals: &[Goal], time: Real) -> Result<Vec<Real>> {
    let given = numbers(inputs, "activations")?;
    let muscles = &rig.model.parts().muscles;
    match (given.is_empty(), goals.is_empty()) {
        (true, true) => Ok(rig.activations(time)),
        (true, false) if muscles.is_empty() => {
            Err(Error::new(Kind::MissingInput, "goals need muscles, and there are none"))
        }
        (true, false) => Ok(Vec::new()),
        (false, false) => {
            let message = "activations are either given or chosen for goals, not both";
            Err(Error::new(Kind::InvalidArgument, message).port("activations"))
        }
        (false, true) => {
            let names = || muscles.iter().map(|muscle| muscle.name.as_str());
            expect([given.len(), muscles.len()], "activations", "muscles", names)
                .map_err(|e| e.port("activations"))?;
            Ok(given.to_vec())
        }
    }
}

/// The goals that muscles pursue in a frame, and those to be reached at its end: the host's, otherwise the scene's
/// unless the host gives activations.
pub(super) fn goals(inputs: &Inputs, rig: &Rig, frame: [Real; 2]) -> Result<(Vec<Goal>, Vec<NamedGoal>)> {
    let named = host_goals(inputs, rig)?;
    if named.is_empty() && numbers(inputs, "activations")?.is_empty() {
        return Ok((rig.goals(frame), rig.named_goals(frame[1])));
    }
    Ok((named.iter().map(|(_, goal)| *goal).collect(), named))
}

/// The host's goals, named after their items.
fn host_goals(inputs: &Inputs, rig: &Rig) -> Result<Vec<NamedGoal>> {
    let (lag, place_weight) = (inputs.real("goal_time")?, inputs.real("goal_place_weight")?);
    let (axes, motions) = (indices(inputs, "goal_joints")?, numbers(inputs, "goal_motions")?);
    let (bodies, points) = (indices(inputs, "goal_bodies")?, numbers(inputs, "goal_points")?);
    let places = numbers(inputs, "goal_places")?;
    let parts = rig.model.parts();
    same("goal_motions", motions.len(), "goal_joints", axes.len() / 2)?;
    same("goal_points", points.len() / 3, "goal_bodies", bodies.len())?;
    same("goal_places", places.len() / 3, "goal_bodies", bodies.len())?;
    let mut goals = Vec::with_capacity(motions.len() + bodies.len());
    for (k, (pair, motion)) in axes.chunks_exact(2).zip(motions).enumerate() {
        let [joint, axis] = [pair[0] as usize, pair[1] as usize];
        if joint >= parts.joints.len() || axis > 5 {
            let count = parts.joints.len();
            let message = format!(
                "item {k} names motion {axis} of joint {joint}; there are {count} joints with the motions 0 to 5, \
                 counted from 0"
            );
            return Err(Error::new(Kind::NotFound, message).port("goal_joints"));
        }
        let goal = if axis < 3 { motion.to_radians() } else { *motion };
        let goal = Goal { aim: Aim::Motion { joint, axis, goal }, weight: 1.0, time: lag };
        goals.push((format!("goal_joints {k}"), goal));
    }
    let vectors = |values: &[Real], k: usize| Vec3::from_column_slice(&values[3 * k..3 * k + 3]);
    for (k, &body) in bodies.iter().enumerate() {
        let body = body as usize;
        if body >= parts.bodies.len() {
            let message =
                format!("item {k} names body {body}; there are {}, counted from 0", parts.bodies.len());
            return Err(Error::new(Kind::NotFound, message).port("goal_bodies"));
        }
        let local = rig.inner[body].point_inside(&vectors(points, k));
        let aim = Aim::Place { body, local, goal: vectors(places, k) };
        let goal = Goal { aim, weight: place_weight, time: lag };
        goals.push((format!("goal_bodies {k}"), goal));
    }
    Ok(goals)
}

fn same(port: &str, count: usize, other: &str, expected: usize) -> Result<()> {
    if count == expected {
        return Ok(());
    }
    let message = format!("has {count} items, but {other} has {expected}");
    Err(Error::new(Kind::CountMismatch, message).port(port))
}

fn expect<'a, I: Iterator<Item = &'a str>>(
    [found, expected]: [usize; 2],
    what: &str,
    of: &str,
    names: impl Fn() -> I,
) -> Result<()> {
    if found == expected {
        return Ok(());
    }
    let listed: Vec<_> = names().take(LISTED).collect();
    let more = if expected > LISTED { ", ..." } else { "" };
    let message = format!("{found} {what} for {expected} {of}: {}{more}", listed.join(", "));
    Err(Error::new(Kind::CountMismatch, message))
}

/// Names in a message.
const LISTED: usize = 30;

/// The numbers of a port; empty if it is not set.
fn numbers<'a>(inputs: &Inputs<'a>, port: &str) -> Result<&'a [Real]> {
    given(inputs.reals(port))
}

/// The integers of a port; empty if it is not set.
fn indices<'a>(inputs: &Inputs<'a>, port: &str) -> Result<&'a [u32]> {
    given(inputs.ints(port))
}

fn given<T>(values: Result<&[T]>) -> Result<&[T]> {
    match values {
        Err(error) if error.kind() == Kind::MissingInput => Ok(&[]),
        values => values,
    }
}
