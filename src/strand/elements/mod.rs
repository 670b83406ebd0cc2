//! The matrix and the force of a step: (M + h D + h^2 K) v = M v0 + h f, assembled from elements.

mod grip;
mod hill;
mod rates;
mod swing;

use super::layout::NONE;
use super::model::Model;
use super::now::Now;
use super::parts::{Axial, Carrier, Fibre, Pull};
use super::rows::Rows;
use super::segment::form::{Form, SegmentVector, vector};
use super::segment::lift::{Lift, Lifting, on_unknowns};
use super::segment::{Pair, Segment};
use super::spinning::Middle;
use super::state::State;
use sinew_base::error::{Error, Kind, Result};
use sinew_linalg::assembly::{Assembly, in_half};
use sinew_math::{Real, Vec3, all_finite, widest};

pub use grip::Grip;
pub use hill::Pulling;
pub use rates::Rates;
use swing::Swing;

/// A segment's unknowns among those of its element.
#[derive(Clone, Copy, Debug)]
struct SegmentUnknowns {
    strand: usize,
    /// The first of its two nodes, among all.
    node: usize,
    points: [usize; 2],
    /// The first unknown of each point in the element; `NONE` if it has none.
    at: [usize; 2],
    flow: [usize; 2],
    count: usize,
}

/// An element with inertia, stiffness or damping.
#[derive(Clone, Copy, Debug)]
enum Element {
    Segment(SegmentUnknowns),
    Body(usize),
    Muscle(usize),
}

/// The elements of a model and the sums over them.
pub struct Elements {
    pub assembly: Assembly,
    pub force: Vec<Real>,
    all: Vec<Element>,
    /// Those that are segments, at their extrapolated ends; `None` without material, or if something is not finite.
    ahead: Vec<Option<Segment>>,
    /// Which of them are segments that bear load in this step, which of these changed since the last fill, and which
    /// were released in this step.
    taut: Vec<bool>,
    changed: Vec<bool>,
    loosened: Vec<bool>,
    swing: Swing,
    rates: Rates,
    /// The strains of segments predicted by the last solve, to first order, and their rates; NaN without material.
    foreseen: Vec<[Real; 2]>,
}

/// A piece that would push with this strain is released within the step: a strand cannot push. Less is round-off.
const PUSHING: Real = 1e-7;
/// The tolerated error of a step's prediction: a strain of this much, or this fraction of the strain.
const SURPRISE: [Real; 2] = [1e-2, 0.1];

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
                let mut place = SegmentUnknowns {
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
        // Points that no strand uses, and couplings to the diagonal, are in the pattern as well.
        let assembly = Assembly::refillable(layout.unknowns, &unknowns)?;
        let none = vec![false; all.len()];
        Ok(Elements {
            assembly,
            force: vec![0.0; layout.unknowns],
            ahead: vec![None; all.len()],
            taut: none.clone(),
            changed: none.clone(),
            loosened: none,
            swing: Swing::new(parts.bodies.len()),
            rates: Rates::new(layout.nodes.len()),
            foreseen: vec![[0.0; 2]; all.len()],
            all,
        })
    }

    /// Finds the segments at their extrapolated ends, and treats those as taut that are longer there than their
    /// material, or shorter by less than the fraction `nearly`.
    pub fn look_ahead(&mut self, now: &Now, nearly: Real) {
        self.loosened.fill(false);
        for ((taut, ahead), element) in self.taut.iter_mut().zip(&mut self.ahead).zip(&self.all) {
            if let Element::Segment(place) = element {
                self.rates
                    .begin(place.node, Segment::new(&now.state.pair(place.points, place.node)).as_ref());
                *ahead = Segment::new(&now.pair_ahead(place.points, place.node));
                *taut = ahead.is_some_and(|segment| segment.strain() > -nearly);
            }
        }
    }

    /// As [foreseen](Elements::foresee), treats slack segments as taut that will be stretched by more than a fraction,
    /// and taut ones as slack that would push; returns how many. Each is released at most once in a step, so that this
    /// terminates: borderline pieces would otherwise alternate.
    pub fn change_bearing(&mut self, now: &Now, part: Real) -> usize {
        for (k, element) in self.all.iter().enumerate() {
            self.changed[k] = match element {
                Element::Segment(place) => {
                    let [strain, rate] = self.foreseen[k];
                    let viscous = now.parts().strands[place.strand].fibre.axial_damping * rate;
                    match self.taut[k] {
                        true => !self.loosened[k] && strain + viscous < -PUSHING,
                        false => strain > part,
                    }
                }
                Element::Body(_) | Element::Muscle(_) => false,
            };
            self.loosened[k] |= self.changed[k] && self.taut[k];
            self.taut[k] ^= self.changed[k];
        }
        self.changed.iter().filter(|changed| **changed).count()
    }

    /// Finds the inertia that bodies need under the loads of the last step; see [`swing`].
    pub fn steady(&mut self, now: &Now, rows: &Rows, h: Real) {
        let Elements { swing, all, rates, ahead, .. } = self;
        swing.begin(now, rows);
        for (element, ahead) in all.iter().zip(&*ahead) {
            if let (Element::Segment(place), Some(ahead)) = (element, ahead) {
                hang(now, place, ahead, rates.strain(place.node), h, swing);
            }
        }
        swing.find(now, h);
    }

    /// Adds no inertia: for a trial step, whose effect would otherwise seem to be smaller the longer it is.
    pub fn steady_nothing(&mut self) {
        self.swing.rest();
    }

    /// Increases it where the loads of the last solve need much more; whether there are such bodies. They are
    /// [`changed`](Elements::change_bearing), in addition to segments.
    pub fn steady_more(&mut self, now: &Now, rows: &Rows, h: Real) -> bool {
        let Elements { swing, all, changed, ahead, foreseen, .. } = self;
        if swing.resting {
            return false;
        }
        swing.begin(now, rows);
        for ((element, ahead), foreseen) in all.iter().zip(&*ahead).zip(&*foreseen) {
            if let (Element::Segment(place), Some(ahead)) = (element, ahead) {
                hang(now, place, ahead, foreseen[0].max(0.0), h, swing);
            }
        }
        let mut any = false;
        swing.increase(now, h, |body| {
            any = true;
            let is_it = |element: &Element| matches!(element, Element::Body(b) if *b == body);
            all.iter()
                .zip(&mut *changed)
                .filter(|(it, _)| is_it(it))
                .for_each(|(_, changed)| *changed = true);
        });
        any
    }

    /// How fast segments were strained in the last step.
    pub fn rates(&self) -> &Rates {
        &self.rates
    }

    /// Records the strains that result from these velocities, and their rates.
    pub fn foresee(&mut self, now: &Now, velocity: &[Real], h: Real) {
        for ((foreseen, ahead), element) in self.foreseen.iter_mut().zip(&self.ahead).zip(&self.all) {
            if let Element::Segment(place) = element {
                let after =
                    ahead.as_ref().map_or(Real::NAN, |segment| after(now, place, segment, velocity, h));
                *foreseen = [after, self.rates.straining(place.node, after, h)];
            }
        }
    }

    /// The error of the predicted strains relative to its tolerance; infinite if no material is left, or for NaN.
    /// Records the rates of the step, of h seconds.
    pub fn surprise(&mut self, model: &Model, state: &State, h: Real) -> Real {
        let rates = &mut self.rates;
        let of = |(place, foreseen, bore): (&SegmentUnknowns, Real, bool)| {
            let segment = Segment::new(&state.pair(place.points, place.node));
            segment.iter().for_each(|segment| rates.end(place.node, segment, h, bore));
            if state.fibre(model, place.strand, place.node).stiffness <= 0.0 {
                return 0.0;
            }
            let Some(segment) = segment else { return Real::INFINITY };
            let (strain, foreseen) = (segment.strain().max(0.0), foreseen.max(0.0));
            let off = (strain - foreseen).abs() / (SURPRISE[0] + SURPRISE[1] * strain.max(foreseen));
            if off.is_finite() { off } else { Real::INFINITY }
        };
        let all = self.all.iter().zip(&self.foreseen).zip(&self.taut);
        let segments = all.filter_map(|((element, foreseen), taut)| match element {
            Element::Segment(place) => Some((place, foreseen[0], *taut)),
            Element::Body(_) | Element::Muscle(_) => None,
        });
        segments.map(of).fold(0.0, Real::max)
    }

    /// Fills the matrix, of which the lower triangle is stored, and the force, except for the muscles' pull.
    pub fn fill(&mut self, now: &Now, h: Real) -> Result<()> {
        self.fill_of(now, h, false)
    }

    /// The same again after some segments [`changed`](Elements::change_bearing).
    pub fn refill(&mut self, now: &Now, h: Real) -> Result<()> {
        self.fill_of(now, h, true)
    }

    fn fill_of(&mut self, now: &Now, h: Real, changed_only: bool) -> Result<()> {
        let Elements { assembly, force, all, ahead, taut, changed, swing, rates, .. } = self;
        let (all, ahead, taut, changed, swing, rates) = (&*all, &*ahead, &*taut, &*changed, &*swing, &*rates);
        let filled = assembly.fill_both_of(
            force,
            |k| changed[k] || !changed_only,
            |k, upper, vector| match &all[k] {
                Element::Segment(place) => match &ahead[k] {
                    Some(ahead) => {
                        let ahead = Segment { taut: taut[k], ..*ahead };
                        segment(now, place, &ahead, rates, h, upper, vector)
                    }
                    None => vector.fill(Real::NAN),
                },
                Element::Body(b) => body(now, *b, h, swing, upper, vector),
                Element::Muscle(m) => muscle(now, *m, h, upper, vector),
            },
        );
        match filled {
            Ok(_) => Ok(()),
            Err(error) => {
                let lost = all
                    .iter()
                    .zip(ahead)
                    .find_map(|(element, ahead)| flown_off(now, element, ahead.is_none()));
                Err(lost.unwrap_or(error))
            }
        }
    }
}

/// Loads the bodies at the ends of a segment with its pull at a strain.
fn hang(now: &Now, place: &SegmentUnknowns, ahead: &Segment, strain: Real, h: Real, swing: &mut Swing) {
    if strain.is_nan() || strain <= 0.0 || now.state.cut[place.node] {
        return;
    }
    let stiffness = now.state.fibre(now.model, place.strand, place.node).stiffness;
    for (&point, sign) in place.points.iter().zip([1.0, -1.0]) {
        if let (Carrier::Body(body), Some(arm)) = (now.carrier(point), now.arm(point)) {
            swing.load(body, &arm, &(ahead.direction * (sign * h * stiffness * strain)));
        }
    }
}

/// The strain of a segment at the end of a step with these velocities, to first order.
fn after(now: &Now, place: &SegmentUnknowns, ahead: &Segment, velocity: &[Real], h: Real) -> Real {
    let flow = |end: usize| match now.layout().nodes[place.node + end] {
        NONE => 0.0,
        unknown => velocity[unknown],
    };
    let speed = Pair { x: place.points.map(|p| now.speed_ahead(p, velocity)), s: [flow(0), flow(1)] };
    let pace = now.pace_ahead(place.points, place.node);
    ahead.strain() + h * (ahead.strain_rate(&speed) - ahead.strain_rate(&pace))
}

/// Why an element's numbers are not finite, if positions are the cause; `lost` is a segment without a geometry.
fn flown_off(now: &Now, element: &Element, lost: bool) -> Option<Error> {
    let parts = now.parts();
    let text = match element {
        Element::Segment(place) => {
            if !lost {
                return None;
            }
            let (k, name) =
                (place.node - now.layout().strands[place.strand], &parts.strands[place.strand].name);
            format!(
                "strand \"{name}\" has no material between its nodes {k} and {}, or its position diverges",
                k + 1
            )
        }
        Element::Body(b) if !all_finite(now.place(*b).origin.as_slice()) => {
            format!("the position of body \"{}\" diverges", parts.bodies[*b].name)
        }
        Element::Body(_) | Element::Muscle(_) => return None,
    };
    Some(Error::new(Kind::NotFinite, text))
}

/// Adds the impulse of a muscle's pull in a step, over all unknowns.
pub fn add_pull(now: &Now, m: usize, activation: Real, h: Real, force: &mut [Real]) {
    pull(now, m, h, |unknown, impulse| force[unknown] += activation * impulse);
}

/// Lists each unknown that a muscle acts on, and the impulse of its full pull in a step.
pub fn pull(now: &Now, m: usize, h: Real, mut tell: impl FnMut(usize, Real)) {
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
            let Some(segment) = Segment::new(&now.pair_ahead(points, node)) else { return };
            if let Some(pulling) = pulling(now, points, node, &segment, h) {
                let impulse = segment.direction * (h * pulling.active);
                push(now, points[0], &impulse, &mut tell);
                push(now, points[1], &-impulse, &mut tell);
            }
        }
    }
}

/// Hill's muscle on a segment, at the speed that leads to its extrapolated ends.
fn pulling(now: &Now, points: [usize; 2], node: usize, ahead: &Segment, h: Real) -> Option<Pulling> {
    // In a trial step nothing is extrapolated.
    let still = points.iter().all(|&p| now.kinematics.ahead.places[p] == now.state.places[p]);
    let speed = if still { now.state.pace(points, node) } else { now.pace_ahead(points, node) };
    let lengthening = ahead.direction.dot(&(speed.x[1] - speed.x[0]));
    let start = Segment::new(&now.state.pair(points, node)).filter(|_| !still);
    let whole = start.map_or(lengthening, |start| (ahead.length - start.length) / h);
    Pulling::new(now.model, now.state, node, ahead, [whole, lengthening])
}

/// Lists each unknown that an impulse at a point acts on, and how much.
fn push(now: &Now, point: usize, impulse: &Vec3, tell: &mut impl FnMut(usize, Real)) {
    let (first, count) = now.model.unknowns_of_point(point);
    if first != NONE {
        let row = on_unknowns(now.arm_ahead(point), impulse);
        (0..count).for_each(|k| tell(first + k, row[k]));
    }
}

/// The index of an unknown and those after it in a list; they are added if missing.
fn position(list: &mut Vec<usize>, first: usize, count: usize) -> usize {
    if first == NONE || count == 0 {
        return NONE;
    }
    list.iter().position(|&u| u == first).unwrap_or_else(|| {
        list.extend(first..first + count);
        list.len() - count
    })
}

/// A segment's contribution. The velocities of scripted bodies are known; their effect goes to the right-hand side.
fn segment(
    now: &Now,
    place: &SegmentUnknowns,
    ahead: &Segment,
    rates: &Rates,
    h: Real,
    upper: &mut [Real],
    out: &mut [Real],
) {
    let fibre = &now.state.fibre(now.model, place.strand, place.node);
    let segment = if now.state.cut[place.node] { ahead.cut() } else { *ahead };
    let (form, force) = dynamics(now, place, fibre, &segment, rates, h);
    let lifts =
        [0, 1].map(|end| Lift::new(place.at[end], now.arm_ahead(place.points[end]), &segment.direction));
    widest(Lifting { form: &form, lifts: &lifts, flow: place.flow, n: place.count, upper });
    for (end, lift) in lifts.iter().enumerate() {
        lift.force(&force.fixed_rows::<3>(3 * end).into_owned(), out);
        if place.flow[end] != NONE {
            out[place.flow[end]] += force[6 + end];
        }
    }
}

/// M + h D + h^2 K and M v0 + h f + h^2 K v_ahead - (the same matrix) (scripted velocities), over the segment's own
/// unknowns, with all forces f evaluated ahead: they are f + h K (v_ahead - v) at the end of the step. The rotation of
/// a carried point with its body, w x (w x r), is included: M v uses the arm ahead, M v0 the previous one.
///
/// Viscosity resists what the segment is strained by from the start of the step to its end. To first order that is the
/// rate until ahead, and the change of velocity times the direction ahead.
fn dynamics(
    now: &Now,
    place: &SegmentUnknowns,
    fibre: &Fibre,
    segment: &Segment,
    rates: &Rates,
    h: Real,
) -> (Form, SegmentVector) {
    let settings = now.model.settings();
    let speed = now.state.pace(place.points, place.node);
    // Only its inertia holds a slack piece.
    let axial = settings.axial == Axial::Dynamic || !(segment.taut && fibre.stiffness > 0.0);
    let inertia = segment.inertia(fibre, axial);
    let times = |form: &Form, v: &SegmentVector| form.times(&segment.direction, v);
    let (mut elastic, mut viscous) = (segment.stiffness(fibre), segment.damping(fibre));
    let mut force = segment.force(fibre)
        + segment.weight(fibre, &settings.gravity)
        + segment.coriolis(fibre, &speed, axial);
    let pace = now.pace_ahead(place.points, place.node);
    if segment.taut && fibre.axial_damping > 0.0 {
        let until = rates.straining(place.node, segment.strain(), h);
        force += segment.resisting(fibre, until - segment.strain_rate(&pace));
    }
    if let Some(pulling) = pulling(now, place.points, place.node, segment, h) {
        let (stiffness, damping, pull) = pulling.in_step(now.state, segment);
        elastic += stiffness;
        viscous += damping;
        force += pull;
    }
    let loose = place.points.map(|p| now.carrier(p) == Carrier::Nothing);
    if loose.contains(&true) {
        let lateral = segment.lateral(fibre, loose);
        force += times(&lateral, &vector(place.points.map(|p| now.around(p)), [0.0; 2]));
        viscous += lateral;
    }
    let elastic = elastic * (h * h);
    let matrix = inertia + viscous * h + elastic;
    let mut impulse =
        force * h + times(&inertia, &vector(speed.x, speed.s)) + times(&elastic, &vector(pace.x, pace.s));
    let mut led = None;
    for end in 0..2 {
        let point = place.points[end];
        if let (Carrier::Body(b), NONE) = (now.carrier(point), place.at[end]) {
            let [angular, linear] = now.led(b);
            let speed = linear + angular.cross(&now.kinematics.ahead.arms[point]);
            let led = led.get_or_insert_with(SegmentVector::zeros);
            (0..3).for_each(|k| led[3 * end + k] = speed[k]);
        }
    }
    if let Some(led) = led {
        impulse -= times(&matrix, &led);
    }
    (matrix, impulse)
}

/// A body's inertia in the world's axes, in the middle of the step, where its spin is conserved; and what was added to
/// it.
fn body(now: &Now, b: usize, h: Real, swing: &Swing, upper: &mut [Real], out: &mut [Real]) {
    let (body, moving) = (&now.parts().bodies[b], &now.state.bodies[b]);
    let Middle { place, rest } = now.kinematics.middles[b];
    let inertia = body.inertia_outside(&place) + swing.added[b];
    let kept = swing.added[b] * moving.angular * (1.0 - swing.damped[b]);
    for i in 0..3 {
        for k in i..3 {
            upper[in_half(6, i, k)] = inertia[(i, k)];
        }
        upper[in_half(6, 3 + i, 3 + i)] = body.mass;
        out[i] = moving.spin[i] - rest[i] + kept[i];
        out[3 + i] = body.mass * (moving.linear[i] + h * now.model.settings().gravity[i]);
    }
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
