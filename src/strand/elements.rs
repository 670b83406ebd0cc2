//! The matrix and the force of a step: (M + h D + h^2 K) v = M v0 + h f, element by element.

use super::form::Form;
use super::hill::Pulling;
use super::layout::NONE;
use super::lift::{Lift, Lifting, on_unknowns};
use super::model::{Axial, Body, Carrier, Model};
use super::muscle::{Grip, Pull};
use super::now::Now;
use super::segment::{Fibre, Pair, Segment, SegmentVector, vector};
use super::state::State;
use crate::error::{Error, Kind, Result};
use crate::linalg::assembly::{Assembly, in_half};
use crate::math::{Mat3, Placement, Real, Vec3, all_finite, widest};

/// A segment's unknowns among those of its element.
#[derive(Clone, Copy, Debug)]
struct Place {
    strand: usize,
    /// The first of its two nodes, among all.
    node: usize,
    points: [usize; 2],
    /// The first unknown of each point in the element; `NONE` when it has none.
    at: [usize; 2],
    flow: [usize; 2],
    count: usize,
}

/// What has inertia, stiffness or damping.
#[derive(Clone, Copy, Debug)]
enum Element {
    Segment(Place),
    Body(usize),
    Muscle(usize),
}

/// The elements of a model and the sums over them.
pub(super) struct Elements {
    pub assembly: Assembly,
    pub force: Vec<Real>,
    all: Vec<Element>,
    /// Which of them are segments that bear in this step, and which of these were slack when it was last filled.
    taut: Vec<bool>,
    tightened: Vec<bool>,
}

impl Elements {
    pub fn new(model: &Model) -> Result<Self> {
        let (mut all, mut unknowns) = (Vec::new(), Vec::new());
        let (parts, layout) = (model.parts(), &model.layout);
        for (b, &first) in layout.bodies.iter().enumerate().filter(|(_, first)| **first != NONE) {
            all.push(Element::Body(b));
            unknowns.push((first..first + 6).collect::<Vec<_>>());
        }
        for (s, strand) in parts.strands.iter().enumerate() {
            for (k, pair) in strand.nodes.windows(2).enumerate() {
                let node = layout.strands[s] + k;
                let mut list: Vec<usize> = Vec::new();
                let mut place = Place {
                    strand: s,
                    node,
                    points: [pair[0].point, pair[1].point],
                    at: [NONE; 2],
                    flow: [NONE; 2],
                    count: 0,
                };
                for end in 0..2 {
                    let (first, count) = model.unknowns_of_point(place.points[end]);
                    place.at[end] = position(&mut list, first, count);
                    place.flow[end] = position(&mut list, layout.nodes[node + end], 1);
                }
                place.count = list.len();
                if !list.is_empty() {
                    all.push(Element::Segment(place));
                    unknowns.push(list);
                }
            }
        }
        for (m, muscle) in parts.muscles.iter().enumerate() {
            if let Some((first, count)) = muscle.pull.unknowns(model) {
                all.push(Element::Muscle(m));
                unknowns.push((first..first + count).collect());
            }
        }
        // Points that no strand uses, and couplings to the diagonal, are in the pattern too.
        let assembly = Assembly::of_halves_lower(layout.unknowns, &unknowns)?;
        let none = vec![false; all.len()];
        Ok(Elements { assembly, force: vec![0.0; layout.unknowns], taut: none.clone(), tightened: none, all })
    }

    /// Takes those segments for taut that are.
    pub fn guess(&mut self, now: &Now) {
        for (taut, element) in self.taut.iter_mut().zip(&self.all) {
            if let Element::Segment(place) = element {
                *taut = places(now.state, place.points, place.node).is_taut();
            }
        }
    }

    /// Takes slack segments for taut that will be stretched by more than a part with these velocities; how many. None is
    /// taken for slack again, so that this comes to an end: pieces in between would be taut and slack by turns.
    pub fn tighten(&mut self, now: &Now, velocity: &[Real], h: Real, part: Real) -> usize {
        for (k, element) in self.all.iter().enumerate() {
            self.tightened[k] = match element {
                Element::Segment(place) if !self.taut[k] => {
                    let at = places(now.state, place.points, place.node);
                    let flow = |end: usize| match now.layout().nodes[place.node + end] {
                        NONE => 0.0,
                        unknown => velocity[unknown],
                    };
                    let x = place.points.map(|p| now.speed_of_point(p, velocity));
                    let speed = Pair { x, s: [flow(0), flow(1)] };
                    Segment::new(&at).is_some_and(|s| s.longer_after(&speed, h) > part * s.material)
                }
                _ => false,
            };
            self.taut[k] |= self.tightened[k];
        }
        self.tightened.iter().filter(|tightened| **tightened).count()
    }

    /// Fills the matrix, of which the lower triangle is stored, and the force, but for the muscles' pull.
    pub fn fill(&mut self, now: &Now, h: Real) -> Result<()> {
        self.fill_of(now, h, false)
    }

    /// The same again after some segments [`tightened`](Elements::tighten).
    pub fn refill(&mut self, now: &Now, h: Real) -> Result<()> {
        self.fill_of(now, h, true)
    }

    fn fill_of(&mut self, now: &Now, h: Real, tightened_only: bool) -> Result<()> {
        let Elements { assembly, force, all, taut, tightened } = self;
        let (all, taut, tightened) = (&*all, &*taut, &*tightened);
        let filled = assembly.fill_both_of(
            force,
            |k| tightened[k] || !tightened_only,
            |k, upper, vector| match &all[k] {
                Element::Segment(place) => segment(now, place, taut[k], h, upper, vector),
                Element::Body(b) => body(now, *b, h, upper, vector),
                Element::Muscle(m) => muscle(now, *m, h, upper, vector),
            },
        );
        match filled {
            Ok(_) => Ok(()),
            Err(error) => Err(all.iter().find_map(|element| flown_off(now, element)).unwrap_or(error)),
        }
    }
}

/// What makes an element's numbers infinite or none, if that is where things are.
fn flown_off(now: &Now, element: &Element) -> Option<Error> {
    let parts = now.parts();
    let text = match element {
        Element::Segment(place) => {
            if Segment::new(&places(now.state, place.points, place.node)).is_some() {
                return None;
            }
            let (k, name) =
                (place.node - now.layout().strands[place.strand], &parts.strands[place.strand].name);
            format!("strand \"{name}\" has no material between its nodes {k} and {}, or flies off", k + 1)
        }
        Element::Body(b) if !all_finite(now.place(*b).origin.as_slice()) => {
            format!("body \"{}\" flies off", parts.bodies[*b].name)
        }
        Element::Body(_) | Element::Muscle(_) => return None,
    };
    Some(Error::new(Kind::NotFinite, text))
}

/// Adds what a muscle's pull does in a step, over all unknowns.
pub(super) fn add_pull(now: &Now, m: usize, activation: Real, h: Real, force: &mut [Real]) {
    pull(now, m, h, |unknown, impulse| force[unknown] += activation * impulse);
}

/// What velocities make of a muscle's whole pull in a step.
pub(super) fn pull_along(now: &Now, m: usize, h: Real, velocity: &[Real]) -> Real {
    let mut sum = 0.0;
    pull(now, m, h, |unknown, impulse| sum += velocity[unknown] * impulse);
    sum
}

/// Tells each unknown that feels a muscle, and the impulse of its whole pull in a step.
fn pull(now: &Now, m: usize, h: Real, mut tell: impl FnMut(usize, Real)) {
    let muscle = &now.parts().muscles[m];
    match &muscle.pull {
        Pull::Curve { .. } | Pull::Reel { .. } => {
            if let Some(Grip { first, count, row, strength, .. }) = Grip::new(now, muscle) {
                (0..count).for_each(|k| tell(first + k, h * strength * row[k]));
            }
        }
        Pull::Segment(hill) => {
            let node = now.layout().strands[hill.strand] + hill.segment;
            let points = [0, 1].map(|k| now.parts().strands[hill.strand].nodes[hill.segment + k].point);
            let [at, speed] = [places, speeds].map(|of| of(now.state, points, node));
            let Some(segment) = Segment::new(&at) else { return };
            if let Some(pulling) = Pulling::new(now.model, now.state, node, &segment, &speed) {
                let impulse = segment.direction * (h * pulling.active);
                push(now, points[0], &impulse, &mut tell);
                push(now, points[1], &-impulse, &mut tell);
            }
        }
    }
}

/// Tells each unknown that feels an impulse at a point, and how much.
fn push(now: &Now, point: usize, impulse: &Vec3, tell: &mut impl FnMut(usize, Real)) {
    let (first, count) = now.model.unknowns_of_point(point);
    if first != NONE {
        let row = on_unknowns(now.arm(point), impulse);
        (0..count).for_each(|k| tell(first + k, row[k]));
    }
}

/// Where an unknown and those after it are in a list; they are added when they are not there.
fn position(list: &mut Vec<usize>, first: usize, count: usize) -> usize {
    if first == NONE || count == 0 {
        return NONE;
    }
    list.iter().position(|&u| u == first).unwrap_or_else(|| {
        list.extend(first..first + count);
        list.len() - count
    })
}

/// The nodes of a segment in a state.
#[inline]
pub(super) fn places(state: &State, points: [usize; 2], node: usize) -> Pair {
    Pair { x: points.map(|p| state.places[p]), s: [state.material[node], state.material[node + 1]] }
}

/// Their velocities.
#[inline]
pub(super) fn speeds(state: &State, points: [usize; 2], node: usize) -> Pair {
    Pair { x: points.map(|p| state.speeds[p]), s: [state.flow[node], state.flow[node + 1]] }
}

/// A segment's part. The velocities of led bodies are known; what they do goes to the right.
fn segment(now: &Now, place: &Place, taut: bool, h: Real, upper: &mut [Real], out: &mut [Real]) {
    let fibre = &now.state.fibre(now.model, place.strand, place.node);
    let at = places(now.state, place.points, place.node);
    let speed = speeds(now.state, place.points, place.node);
    let Some(segment) = Segment::new(&at) else { return out.fill(Real::NAN) };
    let segment = Segment { taut, ..segment };
    let (form, force) = dynamics(now, place, fibre, &segment, &speed, h);
    let lifts = [0, 1].map(|end| Lift::new(place.at[end], now.arm(place.points[end]), &segment.direction));
    widest(Lifting { form: &form, lifts: &lifts, flow: place.flow, n: place.count, upper });
    for (end, lift) in lifts.iter().enumerate() {
        lift.force(&force.fixed_rows::<3>(3 * end).into_owned(), out);
        if place.flow[end] != NONE {
            out[place.flow[end]] += force[6 + end];
        }
    }
}

/// M + h D + h^2 K and M v0 + h f - (the same matrix) (what is led), over the segment's own unknowns.
fn dynamics(
    now: &Now,
    place: &Place,
    fibre: &Fibre,
    segment: &Segment,
    speed: &Pair,
    h: Real,
) -> (Form, SegmentVector) {
    let settings = now.model.settings();
    // A slack piece is held by nothing but its inertia.
    let axial = settings.axial == Axial::Dynamic || !(segment.taut && fibre.stiffness > 0.0);
    let inertia = segment.inertia(fibre, axial);
    let times = |form: &Form, v: &SegmentVector| form.times(&segment.direction, v);
    let mut matrix = inertia + segment.damping(fibre) * h + segment.stiffness(fibre) * (h * h);
    let force = segment.force(fibre)
        + segment.weight(fibre, &settings.gravity)
        + segment.coriolis(fibre, speed, axial);
    let mut impulse = force * h;
    let loose = place.points.map(|p| now.carrier(p) == Carrier::Nothing);
    if loose.contains(&true) {
        let lateral = segment.lateral(fibre, loose) * h;
        impulse += times(&lateral, &vector(place.points.map(|p| now.around(p)), [0.0; 2]));
        matrix += lateral;
    }
    if let Some(pulling) = Pulling::new(now.model, now.state, place.node, segment, speed) {
        let (resisting, pull) = pulling.in_step(now.state, segment, speed, h);
        impulse += pull;
        matrix += resisting;
    }
    let (mut before, mut led) = (vector(speed.x, speed.s), None);
    for end in 0..2 {
        let point = place.points[end];
        if let Carrier::Body(b) = now.carrier(point) {
            // A carried point turns with its body: w x (w x r).
            let (w, arm) = (now.state.bodies[b].angular, now.point(point) - now.place(b).origin);
            let inward = w.cross(&w.cross(&arm)) * h;
            (0..3).for_each(|k| before[3 * end + k] -= inward[k]);
            if place.at[end] == NONE {
                let [angular, linear] = now.led(b);
                let speed = linear + angular.cross(&arm);
                let led = led.get_or_insert_with(SegmentVector::zeros);
                (0..3).for_each(|k| led[3 * end + k] = speed[k]);
            }
        }
    }
    impulse += times(&inertia, &before);
    if let Some(led) = led {
        impulse -= times(&matrix, &led);
    }
    (matrix, impulse)
}

/// A body's inertia in the world's axes, as it is in the middle of the step; its spin lasts.
fn body(now: &Now, b: usize, h: Real, upper: &mut [Real], out: &mut [Real]) {
    let (body, moving) = (&now.parts().bodies[b], &now.state.bodies[b]);
    let inertia = inertia_outside(body, &now.moment.middles[b]);
    for i in 0..3 {
        for k in i..3 {
            upper[in_half(6, i, k)] = inertia[(i, k)];
        }
        upper[in_half(6, 3 + i, 3 + i)] = body.mass;
        out[i] = moving.spin[i];
        out[3 + i] = body.mass * (moving.linear[i] + h * now.model.settings().gravity[i]);
    }
}

/// The inertia tensor in the world's axes.
pub(super) fn inertia_outside(body: &Body, place: &Placement) -> Mat3 {
    let axes = place.axes();
    axes * Mat3::from_diagonal(&body.moments) * axes.transpose()
}

/// A muscle's spring and damper, implicit; its pull is added later.
fn muscle(now: &Now, m: usize, h: Real, upper: &mut [Real], out: &mut [Real]) {
    let grip = Grip::new(now, &now.parts().muscles[m]);
    let Some(Grip { count, row, way, pace, strength, belly, .. }) = grip else { return };
    let force = belly.stiffness * (belly.rest - way);
    let fading = now.state.activations[m] * strength * belly.fading;
    let resisting = h * (h * belly.stiffness + belly.damping + fading) * pace;
    for i in 0..count {
        out[i] = h * force * row[i];
        for k in i..count {
            upper[in_half(count, i, k)] = resisting * row[i] * row[k];
        }
    }
}
