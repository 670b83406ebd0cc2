//! The paths of strands, and what holds the points on them.

use super::displacement::Displacement;
use crate::energy::tensions;
use crate::layout::NONE;
use crate::model::Model;
use crate::parts::{Carrier, Curve, CurveShape, Lie, Plane, Rule, across};
use crate::state::State;
use sinew_base::error::Result;
use sinew_math::motion::{parts, twist};
use sinew_math::{Placement, Real, Vec3, pseudo_inverse};
use sinew_solve::bounded::{Bounded, BoundedSolver};
use sinew_solve::boxed::RowState;

/// A point lies on anything closer than this fraction of its shorter adjacent segment: more than the drift of steps,
/// and small enough not to matter. Anything close that it is not pressed against has no effect.
const TOUCH: Real = 1e-3;
/// A contact force below this fraction of the pull is round-off.
const PRESSED: Real = 1e-9;
/// Directions that differ by less count as one.
const SAME: Real = 1e-9;

/// What a point moves along with.
#[derive(Clone, Copy, PartialEq)]
enum Mover {
    Nothing,
    Body(usize),
    Plane(usize),
}

impl Mover {
    fn speed(self, paths: &Paths, displacement: &Displacement, place: &Vec3) -> Vec3 {
        match self {
            Mover::Nothing => Vec3::zeros(),
            Mover::Body(body) => displacement.of_body(body, place),
            Mover::Plane(plane) => plane_speed(paths, displacement, plane, place),
        }
    }

    /// The bodies that move it.
    fn bodies(self, model: &Model) -> Vec<usize> {
        match self {
            Mover::Nothing => Vec::new(),
            Mover::Body(body) => vec![body],
            Mover::Plane(plane) => match &model.parts().planes[plane].lie {
                Lie::Fixed(body, _) => vec![*body],
                Lie::Blending(bodies, ..) => bodies.to_vec(),
            },
        }
    }
}

fn plane_speed(paths: &Paths, displacement: &Displacement, plane: usize, place: &Vec3) -> Vec3 {
    match &paths.model.parts().planes[plane].lie {
        Lie::Fixed(body, _) => displacement.of_body(*body, place),
        Lie::Blending(bodies, frames, weight) => {
            let frames = [0, 1].map(|k| paths.place(bodies[k]) * frames[k]);
            let blend = frames[0].blend_with_derivative(&frames[1], *weight);
            let twists = [0, 1].map(|k| {
                let speed = displacement.of_body(bodies[k], &frames[k].origin);
                let turn = displacement.turn_of_body(bodies[k]);
                twist(&frames[k].direction_inside(&turn), &frames[k].direction_inside(&speed))
            });
            let (turn, speed) = parts(&(blend.by_first * twists[0] + blend.by_second * twists[1]));
            let arm = place - blend.placement.origin;
            blend.placement.direction(&speed) + blend.placement.direction(&turn).cross(&arm)
        }
    }
}

/// A direction in which a point cannot move relative to what it is bound to.
struct Row {
    normal: Vec3,
    mover: Mover,
    /// Whether it may leave along the normal.
    one_way: bool,
}

/// The constraints on a point.
pub(super) struct Held {
    place: Vec3,
    along: Mover,
    rows: Vec<Row>,
    /// From the violations of the rows to the smallest motion that satisfies them.
    inverse: Vec<Vec3>,
}

impl Held {
    pub fn speed(&self, paths: &Paths, displacement: &Displacement) -> Vec3 {
        let speed = self.along.speed(paths, displacement, &self.place);
        let missing = self
            .rows
            .iter()
            .map(|row| row.normal.dot(&(row.mover.speed(paths, displacement, &self.place) - speed)));
        let columns = self.inverse.iter().zip(missing);
        columns.fold(speed, |speed, (column, missing)| speed + column * missing)
    }
}

/// The strands' paths.
pub(super) struct Paths<'a> {
    model: &'a Model,
    state: &'a State,
    /// The representative of each point: those joined by links are one.
    leader: Vec<usize>,
    /// The pull of the strands at each point, and the shortest segment there.
    pull: Vec<Vec3>,
    near: Vec<Real>,
}

impl<'a> Paths<'a> {
    pub fn new(model: &'a Model, state: &'a State) -> Self {
        let count = model.parts().points.len();
        let mut paths = Paths {
            model,
            state,
            leader: (0..count).collect(),
            pull: vec![Vec3::zeros(); count],
            near: vec![Real::INFINITY; count],
        };
        paths.link();
        paths.pull();
        paths
    }

    fn place(&self, body: usize) -> Placement {
        self.state.bodies[body].place
    }

    /// The rules that constrain something.
    fn rules(&self) -> impl Iterator<Item = &'a Rule> {
        let rows = &self.model.layout.rule_rows;
        let holding = |(_, first): &(_, &usize)| **first == NONE || !self.state.released[**first];
        self.model.parts().rules.iter().zip(rows).filter(holding).map(|(rule, _)| rule)
    }

    fn link(&mut self) {
        let pair = |rule: &Rule| if let Rule::Link { points } = rule { Some(*points) } else { None };
        let pairs: Vec<[usize; 2]> = self.rules().filter_map(pair).collect();
        for pair in pairs {
            let [a, b] = pair.map(|p| self.leader[p]);
            self.leader.iter_mut().filter(|leader| **leader == b).for_each(|leader| *leader = a);
        }
    }

    /// The points of a strand's segments, by their representatives, with the direction from one to the other and the
    /// distance.
    fn segments(&self, strand: usize) -> impl Iterator<Item = ([usize; 2], Vec3, Real)> {
        self.model.parts().strands[strand].nodes.windows(2).map(|pair| {
            let points = [pair[0].point, pair[1].point];
            let [from, to] = points.map(|p| self.state.places[p]);
            let length = (to - from).norm();
            let direction = (to - from).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
            (points.map(|p| self.leader[p]), direction, length)
        })
    }

    /// Weighted by tensions; if nothing is taut, equally for all strands.
    fn pull(&mut self) {
        let tensions = tensions(self.model, self.state);
        let mut slack = self.pull.clone();
        for (strand, tensions) in tensions.iter().enumerate() {
            let segments: Vec<_> = self.segments(strand).collect();
            for (k, ([a, b], direction, length)) in segments.into_iter().enumerate() {
                let pull = direction * tensions.get(k).copied().unwrap_or(0.0);
                self.pull[a] += pull;
                self.pull[b] -= pull;
                slack[a] += direction;
                slack[b] -= direction;
                (self.near[a], self.near[b]) = (self.near[a].min(length), self.near[b].min(length));
            }
        }
        let taut = self.taut(&tensions);
        let pulls = self.pull.iter_mut().zip(slack).zip(taut);
        pulls.filter(|(_, taut)| !taut).for_each(|((pull, slack), _)| *pull = slack);
    }

    /// Whether anything pulls at each point.
    fn taut(&self, tensions: &[Vec<Real>]) -> Vec<bool> {
        let mut taut = vec![false; self.leader.len()];
        for (strand, tensions) in tensions.iter().enumerate() {
            let pulling = self.segments(strand).zip(tensions).filter(|(_, tension)| **tension > 0.0);
            pulling.for_each(|(([a, b], ..), _)| (taut[a], taut[b]) = (true, true));
        }
        taut
    }

    /// The constraints on each point, by its representative.
    pub fn hold(&self) -> Result<Vec<Held>> {
        (0..self.leader.len()).map(|p| self.hold_point(self.leader[p])).collect()
    }

    fn hold_point(&self, leader: usize) -> Result<Held> {
        let members = || (0..self.leader.len()).filter(|&p| self.leader[p] == leader);
        let mut held = Held {
            place: self.state.places[leader],
            along: Mover::Nothing,
            rows: Vec::new(),
            inverse: Vec::new(),
        };
        let carried = members().find_map(|p| match self.model.parts().points[p].carrier {
            Carrier::Body(body) => Some(Mover::Body(body)),
            Carrier::World => Some(Mover::Nothing),
            Carrier::Nothing => None,
        });
        if let Some(mover) = carried {
            held.along = mover;
            return Ok(held);
        }
        let rules: Vec<&Rule> =
            members().flat_map(|p| self.rules().filter(move |rule| rule.binds(p))).collect();
        rules.iter().for_each(|rule| self.bind(rule, leader, &mut held.rows));
        held.along = rules.iter().find_map(|rule| self.carries(rule)).unwrap_or(Mover::Nothing);
        self.let_go(&mut held.rows, &self.pull[leader])?;
        let normals: Vec<Vec3> = held.rows.iter().map(|row| row.normal).collect();
        held.inverse = pseudo_inverse(&normals, SAME);
        Ok(held)
    }

    /// What a point bound by a rule moves along with.
    fn carries(&self, rule: &Rule) -> Option<Mover> {
        match rule {
            Rule::Link { .. } => None,
            Rule::Frame { body, .. } => Some(Mover::Body(*body)),
            Rule::Plane { plane, .. } | Rule::Bone { plane, .. } => Some(Mover::Plane(*plane)),
            Rule::Curve { curve, .. } => self.model.parts().curves[*curve].body.map(Mover::Body),
        }
    }

    /// Adds the requirements of a rule on a point.
    fn bind(&self, rule: &Rule, leader: usize, rows: &mut Vec<Row>) {
        let (parts, place) = (self.model.parts(), self.state.places[leader]);
        let reach = TOUCH * self.near[leader];
        match rule {
            Rule::Link { .. } => {}
            Rule::Frame { body, .. } => {
                let both = |k| Row { normal: Vec3::ith(k, 1.0), mover: Mover::Body(*body), one_way: false };
                rows.extend((0..3).map(both));
            }
            Rule::Plane { plane, or_above, .. } => {
                let at = self.plane(&parts.planes[*plane]);
                let normal = at.direction(&Vec3::z());
                if !or_above || normal.dot(&(place - at.origin)) <= reach {
                    rows.push(Row { normal, mover: Mover::Plane(*plane), one_way: *or_above });
                }
            }
            Rule::Curve { curve, .. } => self.on_curve(&parts.curves[*curve], &place, reach, rows),
            Rule::Bone { plane, .. } => {
                let Some(bone) = parts.planes[*plane].bone else { return };
                let Some(solid) = &parts.bodies[bone].solid else { return };
                let at = self.place(bone);
                let normals = solid.normals_within(&at.point_inside(&place), reach);
                rows.extend(normals.into_iter().map(|normal| Row {
                    normal: at.direction(&normal),
                    mover: Mover::Body(bone),
                    one_way: true,
                }));
            }
        }
    }

    fn plane(&self, plane: &Plane) -> Placement {
        plane.place(|b| self.place(b))
    }

    fn on_curve(&self, curve: &Curve, place: &Vec3, reach: Real, rows: &mut Vec<Row>) {
        let body = curve.body.map_or(Placement::default(), |b| self.place(b));
        let mover = curve.body.map_or(Mover::Nothing, Mover::Body);
        let row = |normal: Vec3, one_way| Row { normal: body.direction(&normal), mover, one_way };
        let inside = body.point_inside(place);
        match &curve.shape {
            CurveShape::Line(from, to) => {
                let direction = (to - from).try_normalize(0.0).unwrap_or_else(Vec3::x);
                rows.extend(across(&direction).map(|normal| row(normal, false)));
                let ends = [
                    (direction, direction.dot(&(inside - from))),
                    (-direction, direction.dot(&(to - inside))),
                ];
                rows.extend(
                    ends.iter().filter(|(_, gap)| *gap <= reach).map(|(inward, _)| row(*inward, true)),
                );
            }
            CurveShape::Circle(frame, _) => {
                let normal = frame.direction(&Vec3::z());
                let way = inside - frame.origin;
                let out = (way - normal * normal.dot(&way)).try_normalize(0.0);
                rows.push(row(normal, false));
                rows.push(row(out.unwrap_or_else(|| frame.direction(&Vec3::x())), false));
            }
        }
    }

    /// Keeps the two-sided rows, and of the others those against which the strands press the point: pull + sum l n = 0
    /// as closely as possible, with l >= 0 for one-sided rows.
    fn let_go(&self, rows: &mut Vec<Row>, pull: &Vec3) -> Result<()> {
        if !rows.iter().any(|row| row.one_way) {
            return Ok(());
        }
        let count = rows.len();
        let jacobian: Vec<Real> = (0..3).flat_map(|k| rows.iter().map(move |row| row.normal[k])).collect();
        let low: Vec<Real> = rows.iter().map(|row| if row.one_way { 0.0 } else { -Real::INFINITY }).collect();
        let push = -pull;
        let problem = Bounded {
            jacobian: &jacobian,
            goals: push.as_slice(),
            weights: &vec![0.0; count],
            preferred: &vec![0.0; count],
            low: &low,
            high: &vec![Real::INFINITY; count],
        };
        let (mut pressing, mut states) = (vec![0.0; count], vec![RowState::Enforced; count]);
        BoundedSolver::default().solve(&problem, &mut pressing, &mut states)?;
        let mut pressing = pressing.into_iter();
        let least = PRESSED * pull.norm();
        rows.retain(|row| pressing.next().is_some_and(|l| !row.one_way || l > least));
        Ok(())
    }

    /// Whether a strand is in one piece.
    pub fn whole(&self, strand: usize) -> bool {
        let nodes = self.model.layout.strands[strand]..self.model.layout.strands[strand + 1];
        !self.state.cut[nodes].contains(&true)
    }

    /// Whether a strand touches both moving and fixed parts.
    pub fn crosses(&self, strand: usize, moving: &[bool], held: &[Held]) -> bool {
        let (mut moves, mut stands) = (false, false);
        for node in &self.model.parts().strands[strand].nodes {
            let held = &held[node.point];
            let movers = std::iter::once(held.along).chain(held.rows.iter().map(|row| row.mover));
            for mover in movers {
                let bodies = mover.bodies(self.model);
                stands |=
                    bodies.is_empty() && self.model.parts().points[node.point].carrier == Carrier::World;
                bodies.into_iter().for_each(|body| match moving[body] {
                    true => moves = true,
                    false => stands = true,
                });
            }
        }
        moves && stands
    }

    /// The rate of lengthening of a strand: dL = sum t (dx1 - dx0).
    pub fn growth(&self, strand: usize, speeds: &[Vec3]) -> Real {
        self.segments(strand).map(|([a, b], direction, _)| direction.dot(&(speeds[b] - speeds[a]))).sum()
    }
}
