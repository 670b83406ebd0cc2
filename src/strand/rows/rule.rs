//! The rows of rules: frames, other points, curves, planes, bones \[HandThesis §5.2.5\].

use super::matrix::Rows;
use super::touched::Part;
use crate::now::Now;
use crate::parts::{Curve, CurveShape, Parts, Rule, across};
use sinew_math::{Placement, Real, Vec3};

impl Rule {
    /// What its rows act on.
    pub(crate) fn parts(&self, parts: &Parts) -> Vec<Part> {
        match self {
            Rule::Frame { point, body, .. } => vec![Part::Point(*point), Part::Body(*body)],
            Rule::Link { points } => points.map(Part::Point).to_vec(),
            Rule::Curve { point, curve } => {
                let body = parts.curves[*curve].body.map(Part::Body);
                [Part::Point(*point)].into_iter().chain(body).collect()
            }
            Rule::Plane { point, plane, .. } | Rule::Bone { point, plane } => {
                let plane = &parts.planes[*plane];
                let bone = plane.bone.map(Part::Body);
                [Part::Point(*point)].into_iter().chain(plane.parts()).chain(bone).collect()
            }
        }
    }

    /// Fills the rows from `row` on.
    pub(crate) fn fill(&self, now: &Now, rows: &mut Rows, row: usize, h: Real) {
        match self {
            Rule::Frame { point, body, local } => {
                let goal = now.place(*body).point(local);
                let off = now.point(*point) - goal;
                for k in 0..3 {
                    let along = Vec3::ith(k, 1.0);
                    rows.point(now, row + k, *point, &along);
                    rows.material(now, row + k, *body, &goal, &-along);
                    rows.hold(row + k, off[k]);
                }
            }
            Rule::Link { points: [a, b] } => {
                let off = now.point(*a) - now.point(*b);
                for k in 0..3 {
                    let along = Vec3::ith(k, 1.0);
                    rows.point(now, row + k, *a, &along);
                    rows.point(now, row + k, *b, &-along);
                    rows.hold(row + k, off[k]);
                }
            }
            Rule::Curve { point, curve } => now.parts().curves[*curve].fill(now, rows, row, *point, h),
            Rule::Plane { point, plane, or_above } => {
                let place = now.plane(*plane);
                let normal = place.direction(&Vec3::z());
                let at = now.point(*point);
                let height = normal.dot(&(at - place.origin));
                rows.point(now, row, *point, &normal);
                now.parts().planes[*plane].subtract(now, rows, row, &at, &normal);
                if *or_above { rows.keep_apart(row, height, h) } else { rows.hold(row, height) }
            }
            Rule::Bone { point, plane } => fill_bone(now, rows, row, *point, *plane, h),
        }
    }
}

/// The lean of a bone's face out of the plane's normal, relative to its in-plane part, is clamped to this: if the face
/// is nearly parallel to the plane, a node would be pressed out of the plane rather than off the bone.
const STEEPEST: Real = 3.0;

/// The node stays out of the polygon that the plane cuts out of the bone \[HandThesis eq. 3.7\].
///
/// While plane and bone move relative to each other the polygon changes: the outward direction is perpendicular to the
/// bone's surface, and the polygon's own normal n is its in-plane part. With m = n + lean z the distance d in the plane
/// changes by m . (speed of the node - speed of the bone there), for a node that stays in the plane.
fn fill_bone(now: &Now, rows: &mut Rows, row: usize, point: usize, plane: usize, h: Real) {
    let Some(bone) = now.parts().planes[plane].bone else { return };
    let Some((closest, place)) = now.closest_on_bone(point, plane, bone) else { return };
    let lean = closest.lean.clamp(-STEEPEST, STEEPEST);
    let normal = place.direction(&Vec3::new(closest.normal.x, closest.normal.y, lean));
    rows.point(now, row, point, &normal);
    rows.material(now, row, bone, &now.point(point), &-normal);
    rows.keep_apart(row, closest.distance, h);
}

impl Curve {
    fn fill(&self, now: &Now, rows: &mut Rows, row: usize, point: usize, h: Real) {
        let body = self.body.map_or(Placement::default(), |b| now.place(b));
        let at = now.point(point);
        let line = |row: usize, along: &Vec3, rows: &mut Rows| {
            rows.point(now, row, point, along);
            self.body.iter().for_each(|&b| rows.material(now, row, b, &at, &-along));
        };
        match &self.shape {
            CurveShape::Line(from, to) => {
                let (start, length) = (body.point(from), (to - from).norm());
                let direction = self.along(|b| now.place(b), &at).0;
                let way = at - start;
                for (k, across) in across(&direction).iter().enumerate() {
                    line(row + k, across, rows);
                    rows.hold(row + k, across.dot(&way));
                }
                // The nearer end.
                let along = direction.dot(&way);
                let upper = along > 0.5 * length;
                let (sign, gap) = if upper { (-1.0, length - along) } else { (1.0, along) };
                line(row + 2, &(direction * sign), rows);
                rows.keep_apart(row + 2, gap, h);
            }
            CurveShape::Circle(frame, radius) => {
                let frame = body * *frame;
                let way = at - frame.origin;
                let normal = frame.direction(&Vec3::z());
                let flat = way - normal * normal.dot(&way);
                let out = flat.try_normalize(0.0).unwrap_or_else(|| frame.direction(&Vec3::x()));
                line(row, &normal, rows);
                rows.hold(row, normal.dot(&way));
                line(row + 1, &out, rows);
                rows.hold(row + 1, flat.norm() - radius);
            }
        }
    }
}
