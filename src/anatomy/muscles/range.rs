//! A set over the joints' range of motion: what flips, collides, jumps or shortens to nothing.

use super::Rig;
use super::bones::Axes;
use super::naming::{Naming, both, hangs_on, on_side};
use super::zero::{Zero, zero};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::elementary::acos;
use sinew_math::motion::rotation_by;
use sinew_math::{Affine, Mat3, Real, Rotation, Vec3, affine, compose};
use sinew_muscle::{Frames, Inputs, Model, Muscle, Parts, Scratch, Settings, State, Warning, step};
use sinew_scene::muscles::plan::{MusclePlan, Pair, Span};

/// A joint that turns from one end of its range to the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The joint.
    pub joint: usize,
    /// `flex`, `abduct` or `twist`.
    pub turn: &'static str,
    /// What turns it from rest to where its range counts from.
    pub start: Rotation,
    /// About which direction, there.
    pub axis: Vec3,
    /// The range in degrees.
    pub range: [Real; 2],
}

/// What is wrong in a pose.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// The rings of a muscle turn over between two poses, or are about to.
    Flip {
        /// The muscle.
        muscle: usize,
        /// The ring.
        ring: usize,
    },
    /// The axis of a muscle goes deeper into another muscle, taken as thick as at rest, than it does at rest. Sides
    /// that press against each other as muscles bulge are no problem, nor are heads or strips of one muscle that crowd
    /// together.
    Intersection {
        /// The muscles.
        muscles: [usize; 2],
        /// How much further, as a fraction of the thinner one's size.
        depth: Real,
    },
    /// The ends of a muscle come so close that its width is limited.
    Short {
        /// The muscle.
        muscle: usize,
    },
    /// Contact moves a ring from one place to another at once.
    Jump {
        /// The muscle.
        muscle: usize,
        /// The ring.
        ring: usize,
        /// How far, as a fraction of the muscle's size.
        distance: Real,
    },
}

impl Problem {
    /// The muscles that it concerns.
    pub fn muscles(&self) -> Vec<usize> {
        match self {
            Problem::Intersection { muscles, .. } => muscles.to_vec(),
            Problem::Flip { muscle, .. } | Problem::Short { muscle } | Problem::Jump { muscle, .. } => {
                vec![*muscle]
            }
        }
    }

    /// How bad it is, for those of which that can be said.
    fn size(&self) -> Real {
        match self {
            Problem::Intersection { depth, .. } => *depth,
            Problem::Jump { distance, .. } => *distance,
            Problem::Flip { .. } | Problem::Short { .. } => 0.0,
        }
    }
}

/// A problem, and the pose in which it is worst or first.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The sweep.
    pub sweep: usize,
    /// The angle in degrees.
    pub degrees: Real,
    /// What is wrong.
    pub problem: Problem,
}

impl Finding {
    /// What is wrong, as a sentence about muscles by name.
    pub fn what(&self, parts: &Parts) -> String {
        let name = |muscle: usize| &parts.muscles[muscle].name;
        match self.problem {
            Problem::Flip { muscle, ring } => format!("{} flips at ring {ring}", name(muscle)),
            Problem::Short { muscle } => {
                format!("{} shortens to less than a tenth of its rest length", name(muscle))
            }
            Problem::Intersection { muscles: [a, b], depth } => {
                format!("{} and {} intersect by {:.0} % of a radius", name(a), name(b), 100.0 * depth)
            }
            Problem::Jump { muscle, ring, distance } => {
                let percent = 100.0 * distance;
                format!("contact makes ring {ring} of {} jump by {percent:.0} % of a radius", name(muscle))
            }
        }
    }

    /// The pose, and what is wrong in it.
    pub fn sentence(&self, range: &Range, parts: &Parts, rig: &Rig) -> String {
        let sweep = &range.sweeps[self.sweep];
        let joint = &rig.names[sweep.joint];
        format!("{joint}, {} by {:.0} degrees: {}", sweep.turn, self.degrees, self.what(parts))
    }
}

/// The motions that are tried, on a rig.
#[derive(Clone, Debug)]
pub struct Range {
    /// The motions.
    pub sweeps: Vec<Sweep>,
    /// The parent of each joint.
    parents: Vec<Option<usize>>,
}

/// Degrees between two poses.
const STEP: Real = 5.0;

/// What happens while the joint turns by this many degrees happens at once.
const SUDDEN: Real = 0.1;

/// Axes that turn by this many degrees at once flip.
const FLIPPED: Real = 60.0;

/// A ring jumps if contact moves it by this fraction of its muscle's size at once.
const JUMP: Real = 0.25;

/// How a set is tested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// How rings are oriented.
    pub frames: Frames,
    /// How far muscles and bones push muscles away, from 0 to 1.
    pub push: Real,
    /// Intersections deeper than this fraction of the thinner muscle's size are reported.
    pub depth: Real,
}

impl Default for Conditions {
    /// With full contact; flesh gives way by half of its thickness.
    fn default() -> Self {
        Conditions { frames: Frames::Stable, push: 1.0, depth: 0.5 }
    }
}

impl Conditions {
    /// With which contact a set was tested, and what gives the node the same.
    pub fn sentence(&self) -> String {
        let push = self.push;
        match push {
            0.0 => {
                "tested without contact, as push_muscles and push_bones of the node are 0 by default".into()
            }
            _ => format!(
                "tested with push_muscles and push_bones = {push}: set both to {push} in the node, where they are 0 by \
                 default"
            ),
        }
    }

    fn check(&self) -> Result<()> {
        let wrong = |message: &str| Err(Error::new(Kind::InvalidArgument, message));
        match self {
            Conditions { push, .. } if !(0.0..=1.0).contains(push) => wrong("the push must be from 0 to 1"),
            Conditions { depth, .. } if depth.is_nan() || *depth <= 0.0 => {
                wrong("the depth must be more than 0")
            }
            _ => Ok(()),
        }
    }
}

impl Range {
    /// The motions of a plan's joints on a rig. `degrees` limits every range to that many from where it counts from.
    pub fn new(plan: &MusclePlan, rig: &Rig, degrees: Option<Real>) -> Result<Self> {
        if degrees.is_some_and(|degrees| !(degrees > 0.0 && degrees <= 180.0)) {
            return Err(Error::new(Kind::InvalidArgument, "the degrees must be more than 0 and at most 180"));
        }
        let naming = Naming::new(plan, rig);
        let axes = Axes::new(plan, &naming, rig)?;
        let mut sweeps: Vec<Sweep> = Vec::new();
        for (joint, mirrored) in both(plan) {
            let Some(own) = naming.find(&on_side(&joint.name, mirrored)) else { continue };
            let Some(child) = &joint.child else { continue };
            let Ok(frame) = axes.frame(&Pair([joint.name.clone(), child.clone()]), mirrored, &naming, rig)
            else {
                continue;
            };
            let Zero { start, axes: turned } = match zero(joint, &frame, &axes, mirrored, &naming, rig) {
                Ok(zero) => zero,
                Err(_) => continue,
            };
            let turns = [("flex", joint.flex), ("abduct", joint.abduct), ("twist", joint.twist)];
            for ((turn, span), axis) in turns.into_iter().zip(turned) {
                let known = sweeps.iter().any(|sweep| sweep.joint == own && sweep.turn == turn);
                let Some(Span(range)) = span.filter(|_| !known) else { continue };
                let range = range.map(|end| degrees.map_or(end, |most| end.clamp(-most, most)));
                sweeps.push(Sweep { joint: own, turn, start, axis, range });
            }
        }
        if sweeps.is_empty() {
            let message =
                "the plan has no range of motion for any of the rig's joints: their names do not match";
            return Err(Error::new(Kind::NotFound, message));
        }
        Ok(Range { sweeps, parents: naming.parents(plan, rig) })
    }

    /// Joints that carry muscles but have no parent, apart from the root: they stay where they are.
    pub fn loose(&self, parts: &Parts) -> Vec<usize> {
        let carriers = parts.muscles.iter().flat_map(|muscle| {
            [muscle.origin.joint, muscle.insertion.joint].into_iter().chain(muscle.middle_joint)
        });
        let mut loose: Vec<usize> = carriers
            .filter(|&joint| self.parents[joint].is_none() && !self.parents.contains(&Some(joint)))
            .collect();
        loose.sort_unstable();
        loose.dedup();
        loose
    }

    /// The parent of each joint, as far as the rig or the plan gives one.
    pub fn parents(&self) -> &[Option<usize>] {
        &self.parents
    }

    /// Whether a joint goes along as another one turns.
    pub fn goes_along(&self, joint: usize, turned: usize) -> bool {
        hangs_on(&self.parents, joint, turned)
    }

    /// The joints in a pose of a sweep; everything below its joint moves with it.
    pub fn pose(&self, sweep: &Sweep, degrees: Real, rig: &Rig) -> Vec<Affine> {
        let turn = rotation_by(&(sweep.axis.normalize() * degrees.to_radians()));
        self.turned(sweep.joint, &(turn * sweep.start), rig)
    }

    /// The joints at rest, but for one that is turned.
    fn turned(&self, turned: usize, by: &Rotation, rig: &Rig) -> Vec<Affine> {
        let centre = rig.position(turned);
        let turn = by.to_rotation_matrix().into_inner();
        let motion = affine(&turn, &(centre - turn * centre));
        let moved = |(joint, rest): (usize, &Affine)| {
            if hangs_on(&self.parents, joint, turned) { compose(&motion, rest) } else { *rest }
        };
        rig.rest.iter().enumerate().map(moved).collect()
    }

    /// Tries all motions.
    pub fn test(
        &self,
        parts: &Parts,
        rig: &Rig,
        conditions: &Conditions,
        control: &Control,
    ) -> Result<Vec<Finding>> {
        conditions.check()?;
        let model = Model::new(parts.clone(), rig.rest, conditions.frames)?;
        let mut trial = Trial::new(&model, rig, conditions)?;
        let mut findings = Vec::new();
        for (sweep, motion) in self.sweeps.iter().enumerate() {
            let from_rest = findings.len();
            control.progress(sweep as Real / self.sweeps.len() as Real, "turning the joints")?;
            for end in motion.range {
                trial.step(&self.pose(motion, 0.0, rig))?;
                let mut before = trial.seen(0.0);
                let steps = (end.abs() / STEP).ceil() as u32;
                for k in 1..=steps {
                    control.check()?;
                    let degrees = end * Real::from(k) / Real::from(steps);
                    let problems = trial.pose(&self.pose(motion, degrees, rig))?;
                    let mut found: Vec<_> = problems.into_iter().map(|problem| (degrees, problem)).collect();
                    let now = trial.seen(degrees);
                    found.extend(self.flips(&mut trial, motion, &before, &now)?);
                    found.extend(self.jump(&mut trial, motion, &before, &now)?);
                    for (degrees, problem) in found {
                        keep_worst(&mut findings, from_rest, Finding { sweep, degrees, problem });
                    }
                    before = now;
                }
            }
        }
        Ok(findings)
    }

    /// Whether contact makes a ring jump between two angles of a sweep.
    fn jump(
        &self,
        trial: &mut Trial,
        sweep: &Sweep,
        from: &Seen,
        to: &Seen,
    ) -> Result<Option<(Real, Problem)>> {
        let model = trial.model;
        let farthest = |a: &Seen, b: &Seen| farthest(model, &a.pushes, &b.pushes);
        let sudden = self.sudden(trial, sweep, [from, to], JUMP, farthest)?;
        Ok(sudden
            .map(|(degrees, (muscle, ring), distance)| (degrees, Problem::Jump { muscle, ring, distance })))
    }

    /// The muscles whose rings turn over between two angles of a sweep.
    fn flips(
        &self,
        trial: &mut Trial,
        sweep: &Sweep,
        from: &Seen,
        to: &Seen,
    ) -> Result<Vec<(Real, Problem)>> {
        let model = trial.model;
        let mut found = Vec::new();
        for muscle in 0..model.parts().muscles.len() {
            let turned = |a: &Seen, b: &Seen| most_turned(model.rings_of(muscle), &a.axes, &b.axes);
            let sudden = self.sudden(trial, sweep, [from, to], FLIPPED, turned)?;
            found.extend(sudden.map(|(degrees, ring, _)| (degrees, Problem::Flip { muscle, ring })));
        }
        Ok(found)
    }

    /// Whether something changes by `most` or more at once between two angles of a sweep: half of the way, the one with
    /// more of it, is looked at again and again. `change` tells what changes the most, and by how much.
    fn sudden<T>(
        &self,
        trial: &mut Trial,
        sweep: &Sweep,
        [from, to]: [&Seen; 2],
        most: Real,
        change: impl Fn(&Seen, &Seen) -> (T, Real),
    ) -> Result<Option<(Real, T, Real)>> {
        if change(from, to).1 < most {
            return Ok(None);
        }
        let (mut from, mut to) = (from.clone(), to.clone());
        loop {
            let (what, by) = change(&from, &to);
            if by < most {
                return Ok(None);
            }
            if (to.degrees - from.degrees).abs() < SUDDEN {
                return Ok(Some((to.degrees, what, by)));
            }
            let degrees = (from.degrees + to.degrees) * 0.5;
            trial.step(&self.pose(sweep, degrees, trial.rig))?;
            let middle = trial.seen(degrees);
            if change(&from, &middle).1 > change(&middle, &to).1 { to = middle } else { from = middle }
        }
    }
}

/// The ring of a muscle that turns the most between two poses, and by how many degrees.
fn most_turned(rings: std::ops::Range<usize>, from: &[Mat3], to: &[Mat3]) -> (usize, Real) {
    let first = rings.start;
    let turned = |ring: usize| {
        let turn = to[ring] * from[ring].transpose();
        (ring - first, acos(((turn.trace() - 1.0) * 0.5).clamp(-1.0, 1.0)).to_degrees())
    };
    rings.map(turned).fold((0, 0.0), |most, found| if found.1 > most.1 { found } else { most })
}

/// The muscle and its ring that contact moves the most differently in two poses, and by which fraction of the muscle's
/// size.
fn farthest(model: &Model, from: &[Vec3], to: &[Vec3]) -> ((usize, usize), Real) {
    let mut most = ((0, 0), 0.0);
    for (muscle, part) in model.parts().muscles.iter().enumerate() {
        for (ring, k) in model.rings_of(muscle).enumerate() {
            let distance = (to[k] - from[k]).norm() / part.size;
            if distance > most.1 {
                most = ((muscle, ring), distance);
            }
        }
    }
    most
}

/// Adds a finding; the same one of this sweep (from `begin` on) is kept where it is worst.
fn keep_worst(findings: &mut Vec<Finding>, begin: usize, new: Finding) {
    let same = findings[begin..].iter_mut().find(|old| match (&old.problem, &new.problem) {
        (Problem::Flip { muscle: a, .. }, Problem::Flip { muscle: b, .. }) => a == b,
        (Problem::Short { muscle: a }, Problem::Short { muscle: b }) => a == b,
        (Problem::Intersection { muscles: a, .. }, Problem::Intersection { muscles: b, .. }) => a == b,
        (Problem::Jump { muscle: a, .. }, Problem::Jump { muscle: b, .. }) => a == b,
        _ => false,
    });
    match same {
        None => findings.push(new),
        Some(old) if new.problem.size() > old.problem.size() => *old = new,
        Some(_) => {}
    }
}

/// A pose of a sweep.
#[derive(Clone)]
struct Seen {
    degrees: Real,
    /// How far contact moves each ring.
    pushes: Vec<Vec3>,
    /// The axes of all rings.
    axes: Vec<Mat3>,
}

/// Poses one after the other.
struct Trial<'a> {
    rig: &'a Rig<'a>,
    model: &'a Model,
    scratch: Scratch,
    settings: Settings,
    /// The depth from which an intersection is reported.
    depth: Real,
    /// Pairs of muscles with the depth of their intersection at rest.
    pairs: Vec<([usize; 2], Real)>,
}

impl<'a> Trial<'a> {
    fn new(model: &'a Model, rig: &'a Rig, conditions: &Conditions) -> Result<Self> {
        let push = conditions.push;
        let settings = Settings { push_muscles: push, push_bones: push, ..Settings::default() };
        let mut trial = Trial {
            rig,
            model,
            scratch: Scratch::default(),
            settings,
            depth: conditions.depth,
            pairs: Vec::new(),
        };
        trial.step(rig.rest)?;
        let muscles = model.parts().muscles.len();
        let pairs = (0..muscles).flat_map(|a| (a + 1..muscles).map(move |b| [a, b]));
        let pairs =
            pairs.filter(|[a, b]| !same_muscle(&model.parts().muscles[*a], &model.parts().muscles[*b]));
        let balls = trial.balls();
        trial.pairs = pairs.map(|pair| (pair, trial.overlap(pair, &balls))).collect();
        Ok(trial)
    }

    fn step(&mut self, joints: &[Affine]) -> Result<Vec<Warning>> {
        let inputs = Inputs { joints, activations: &[], seconds: None };
        let mut state = State::new();
        Ok(step(self.model, &mut state, &mut self.scratch, &self.settings, &inputs)?.warnings)
    }

    fn pose(&mut self, joints: &[Affine]) -> Result<Vec<Problem>> {
        let mut problems = Vec::new();
        for warning in self.step(joints)? {
            match warning {
                Warning::NearUp { muscle, ring } | Warning::Flipped { muscle, ring } => {
                    problems.push(Problem::Flip { muscle, ring });
                }
                Warning::Short { muscle } => problems.push(Problem::Short { muscle }),
                Warning::Scales { .. } | Warning::Far { .. } => {}
            }
        }
        let balls = self.balls();
        for &(muscles, at_rest) in &self.pairs {
            let depth = self.overlap(muscles, &balls) - at_rest;
            if depth > self.depth {
                problems.push(Problem::Intersection { muscles, depth });
            }
        }
        Ok(problems)
    }

    /// What the pose of these degrees looks like.
    fn seen(&self, degrees: Real) -> Seen {
        Seen { degrees, pushes: self.scratch.pushes().collect(), axes: self.scratch.axes.clone() }
    }

    /// How deep the axis of one of two muscles is inside the other, as a fraction of the thinner one's size; 0 if none
    /// is.
    fn overlap(&self, [a, b]: [usize; 2], balls: &[(Vec3, Real)]) -> Real {
        let (centres, model) = (&self.scratch.centres, self.model);
        let ((first, reach), (second, other)) = (balls[a], balls[b]);
        if (first - second).norm() > reach + other {
            return 0.0;
        }
        let muscles = &model.parts().muscles;
        let mut deepest: Real = 0.0;
        for k in model.rings_of(a) {
            for m in model.rings_of(b) {
                let wider = self.model.radius(k).max(self.model.radius(m));
                deepest = deepest.max(wider - (centres[k] - centres[m]).norm());
            }
        }
        deepest / muscles[a].size.min(muscles[b].size)
    }

    /// A ball around the points of each muscle.
    fn balls(&self) -> Vec<(Vec3, Real)> {
        let ball = |muscle: usize| {
            let points = &self.scratch.points[self.model.vertices_of(muscle)];
            let centre = points.iter().sum::<Vec3>() / points.len() as Real;
            (centre, points.iter().map(|p| (p - centre).norm()).fold(0.0, Real::max))
        };
        (0..self.model.parts().muscles.len()).map(ball).collect()
    }
}

/// Whether two are heads with one insertion, or strips of one sheet.
fn same_muscle(a: &Muscle, b: &Muscle) -> bool {
    fn sheet(name: &str) -> &str {
        name.rsplit_once('.')
            .filter(|(_, number)| number.parse::<u32>().is_ok())
            .map_or(name, |(sheet, _)| sheet)
    }
    a.insertion == b.insertion || sheet(&a.name) == sheet(&b.name)
}

/// The vertices whose weights do not add up to 1 within 1e-4, with their sums.
pub fn weight_problems(weights: &[Vec<(u32, Real)>]) -> Vec<(usize, Real)> {
    const TOLERANCE: Real = 1e-4;
    let sums = weights.iter().map(|weights| weights.iter().map(|(_, weight)| weight).sum::<Real>());
    sums.enumerate().filter(|(_, sum)| sum.is_nan() || (sum - 1.0).abs() > TOLERANCE).collect()
}
