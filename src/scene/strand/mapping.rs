//! Converts every position, rotation and length of a scene to other units or axes, or mirrors it.

use super::StrandScene;
use super::turn::{Turn, rotation};
use super::values::{AxisName, May, Triple};
use crate::math::{Mat3, Real, Vec3};

/// Whose axes a placement describes. They differ in what is attached to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axes {
    /// A body's, in which its shape lies.
    Body,
    /// A joint's, after which its motions are named.
    Joint,
    /// A plane's, whose normal is z.
    Plane,
    /// A circle's, which runs from x to y.
    Circle,
}

/// A change of the world and of the axes in it.
pub(super) trait Mapping {
    /// The world's directions; a rotation or a mirror.
    fn world(&self) -> Mat3;
    /// What happens to gravity.
    fn gravity(&self) -> Mat3 {
        self.world()
    }

    /// Directions in axes that are placed in the world; with that of the world a rotation.
    fn inside(&self, axes: Axes) -> Mat3;
    /// A length.
    fn scale(&self) -> Real;
    /// The factor of a motion of a joint.
    fn motion(&self, axis: AxisName) -> Real;

    /// A displacement or a place in the world.
    fn point(&self, point: &mut Triple) {
        *point = triple(self.world() * point.vec() * self.scale());
    }

    /// A place in a body's axes.
    fn point_inside(&self, point: &mut Triple) {
        *point = triple(self.inside(Axes::Body) * point.vec() * self.scale());
    }

    /// A turn.
    fn turn(&self, turn: &mut Turn, axes: Axes) {
        let (world, inside) = (self.world(), self.inside(axes));
        if world == Mat3::identity() && inside == Mat3::identity() {
            return;
        }
        let matrix = world * turn.rotation().to_rotation_matrix().matrix() * inside.transpose();
        *turn = Turn::of(&rotation(&matrix));
    }

    /// A placement.
    fn place(&self, at: &mut Triple, turn: &mut Turn, axes: Axes) {
        self.point(at);
        self.turn(turn, axes);
    }

    /// Lengths.
    fn lengths<const N: usize>(&self, lengths: [&mut f64; N]) {
        lengths.into_iter().for_each(|length| *length *= self.scale());
    }
}

fn triple(v: Vec3) -> Triple {
    // Not -0.
    Triple([v.x, v.y, v.z].map(|x| x + 0.0))
}

impl StrandScene {
    /// Changes every quantity; names, times and what is said in SI stay.
    pub(super) fn map(&mut self, by: &impl Mapping) {
        self.map_bodies(by);
        self.map_places(by);
        self.map_ties(by);
        self.map_goals(by);
    }

    fn map_bodies(&mut self, by: &impl Mapping) {
        for e in &mut self.bodies {
            by.place(&mut e.at, &mut e.turn, Axes::Body);
            e.velocity.iter_mut().for_each(|velocity| by.point(velocity));
            // An angular velocity is an axial vector: a mirror also reverses its sense.
            let turned = |turning: &Triple| triple(by.world() * turning.vec() * by.world().determinant());
            e.angular_velocity = e.angular_velocity.as_ref().map(turned);
            let sizes = by.inside(Axes::Body).abs();
            if let Some(cuboid) = &mut e.cuboid {
                cuboid.size = triple(sizes * cuboid.size.vec() * by.scale());
            }
            if let Some(inertia) = &mut e.inertia {
                inertia.moments = triple(sizes * inertia.moments.vec());
                by.point_inside(&mut inertia.centre);
            }
            e.keys.iter_mut().for_each(|key| by.place(&mut key.at, &mut key.turn, Axes::Body));
        }
    }

    fn map_places(&mut self, by: &impl Mapping) {
        if let Some(gravity) = self.settings.as_mut().and_then(|settings| settings.gravity.as_mut()) {
            *gravity = triple(by.gravity() * gravity.vec());
        }
        self.points.iter_mut().for_each(|e| by.point(&mut e.at));
        for e in &mut self.lines {
            by.point(&mut e.from);
            by.point(&mut e.to);
        }
        for e in &mut self.circles {
            by.place(&mut e.at, &mut e.turn, Axes::Circle);
            by.lengths([&mut e.radius]);
        }
        for e in &mut self.planes {
            by.place(&mut e.at, &mut e.turn, Axes::Plane);
            e.and_at.iter_mut().for_each(|at| by.point(at));
            e.and_turn.iter_mut().for_each(|turn| by.turn(turn, Axes::Plane));
        }
    }

    fn map_ties(&mut self, by: &impl Mapping) {
        for e in &mut self.joints {
            by.place(&mut e.at, &mut e.turn, Axes::Joint);
            for axis in &mut e.axes {
                let factor = by.motion(axis.name);
                axis.rest = axis.rest * factor + 0.0;
                axis.start = axis.start.map(|start| start * factor + 0.0);
                let range = |ends: [f64; 2]| {
                    let [a, b] = ends.map(|x| x * factor + 0.0);
                    if factor < 0.0 { [b, a] } else { [a, b] }
                };
                if let May::Limits(limits) = axis.may {
                    axis.may = May::Limits(range(limits));
                }
                if let Some(ligaments) = &mut axis.ligaments {
                    [ligaments.from, ligaments.to] = range([ligaments.from, ligaments.to]);
                    ligaments.width *= factor.abs();
                }
            }
        }
        for e in &mut self.strands {
            by.lengths([&mut e.radius]);
            e.nodes
                .iter_mut()
                .flat_map(|node| &mut node.material)
                .for_each(|material| by.lengths([material]));
        }
        self.frames.iter_mut().flat_map(|e| &mut e.at).for_each(|at| by.point(at));
        self.muscles.iter_mut().for_each(|e| by.lengths([&mut e.rest]));
        self.reels.iter_mut().for_each(|e| by.lengths([&mut e.rest]));
        self.hills.iter_mut().for_each(|e| by.lengths([&mut e.optimal]));
        self.lengthenings.iter_mut().for_each(|e| by.lengths([&mut e.by]));
    }

    fn map_goals(&mut self, by: &impl Mapping) {
        for e in &mut self.goal_motions {
            let factor = by.motion(e.axis);
            e.keys.iter_mut().for_each(|key| key.value = key.value * factor + 0.0);
        }
        for e in &mut self.goal_places {
            by.point(&mut e.at);
            e.keys.iter_mut().for_each(|key| by.point(&mut key.at));
        }
    }
}
