//! BVH: joints and their motion, the exchange format of motion capture.
//!
//! A file has no units, no up axis and no frame numbers: numbers are kept as they are, and the first frame is frame 1.
//! The rest pose is given by the offsets, without rotations. Angles are in degrees, and rotations are applied in the
//! order of the channels, the last one first. Position channels replace the offset, as Blender and most others read
//! them.

mod read;
mod write;

pub use read::parse;
pub(super) use read::{joint_file, rate};
pub use write::write;

use super::joints::{JointAnimation, check_finite};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::elementary::{asin, atan2, cos, sin_cos};
use sinew_math::{Affine, Mat3, Real, Vec3, affine, compose, invert, linear, polar3, translation};
use std::collections::BTreeMap;

/// What a channel moves: a position along an axis, or an angle about it; axes are 0, 1, 2 for x, y, z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channel {
    /// A coordinate of the joint's position in its parent.
    Position(usize),
    /// An angle in degrees.
    Rotation(usize),
}

/// A joint of the hierarchy.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Its parent, which comes before it; a root has none.
    pub parent: Option<usize>,
    /// Its position in its parent at rest.
    pub offset: Vec3,
    /// Its channels, in order.
    pub channels: Vec<Channel>,
    /// Its end sites: where the last bone ends.
    pub ends: Vec<Vec3>,
}

/// A hierarchy and its motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Bvh {
    /// The joints, parents first.
    pub joints: Vec<Joint>,
    /// Seconds per frame.
    pub frame_seconds: Real,
    /// The number of frames.
    pub frame_count: usize,
    /// The numbers of all frames, in the order of the joints and their channels.
    pub values: Vec<Real>,
}

/// A limit on matrices: files whose frames hold next to nothing for many joints would take unbounded memory.
const MATRICES_PER_VALUE: usize = 16;
const FREE_MATRICES: usize = 100_000;

impl Bvh {
    /// The transforms of all joints, at rest and in every frame; the first frame is 1.
    pub fn to_joints(&self) -> Result<JointAnimation> {
        let matrices = self.joints.len().saturating_mul(self.frame_count);
        if matrices > FREE_MATRICES.saturating_add(self.values.len().saturating_mul(MATRICES_PER_VALUE)) {
            let message = format!(
                "{} joints in {} frames, which have {} numbers in all",
                self.joints.len(),
                self.frame_count,
                self.values.len()
            );
            return Err(Error::new(Kind::TooLarge, message));
        }
        let rest = self.pose(|joint, _| affine(&Mat3::identity(), &joint.offset));
        check_finite(&rest)?;
        let size: usize = self.joints.iter().map(|j| j.channels.len()).sum();
        let mut frames = BTreeMap::new();
        for frame in 0..self.frame_count {
            let numbers = &self.values[frame * size..(frame + 1) * size];
            let pose = self.pose(|joint, first| local(joint, &numbers[first..][..joint.channels.len()]));
            check_finite(&pose).map_err(|e| e.frame(frame as i64 + 1))?;
            frames.insert(frame as i64 + 1, pose);
        }
        let names = self.joints.iter().map(|j| j.name.clone()).collect();
        let parents = self.joints.iter().map(|j| j.parent).collect();
        Ok(JointAnimation { names, parents, rest, frames, held: false })
    }

    /// Joints in the world; `local` gets each joint and the index of its first number in a frame.
    fn pose(&self, local: impl Fn(&Joint, usize) -> Affine) -> Vec<Affine> {
        let mut pose: Vec<Affine> = Vec::with_capacity(self.joints.len());
        let mut first = 0;
        for joint in &self.joints {
            let here = local(joint, first);
            pose.push(joint.parent.map_or(here, |parent| compose(&pose[parent], &here)));
            first += joint.channels.len();
        }
        pose
    }

    /// A hierarchy that reproduces the motion of these joints; `parents` gives each joint's parent.
    ///
    /// BVH has no rotations at rest, so what is kept is each joint's position and its motion relative to rest, which
    /// is what skinning uses. Joints that move relative to their parents get position channels.
    pub fn from_joints(
        animation: &JointAnimation,
        parents: &[Option<usize>],
        frame_seconds: Real,
    ) -> Result<Self> {
        let count = animation.names.len();
        if parents.len() != count || animation.rest.len() != count {
            let message = format!("{} parents and {} matrices at rest", parents.len(), animation.rest.len());
            return Err(Error::new(Kind::CountMismatch, format!("{message} for {count} joints")));
        }
        let order = depth_first(parents)?;
        let mut place = vec![0; count];
        order.iter().enumerate().for_each(|(k, &joint)| place[joint] = k);
        let inverses = animation.rest.iter().enumerate().map(|(k, rest)| {
            let error = || Error::new(Kind::Degenerate, "the rest matrix cannot be inverted").joint(k);
            invert(rest).ok_or_else(error)
        });
        let inverses = inverses.collect::<Result<Vec<Affine>>>()?;
        let at = |joint: usize| translation(&animation.rest[joint]);
        let joint = |&k: &usize| Joint {
            name: animation.names[k].clone(),
            parent: parents[k].map(|p| place[p]),
            offset: at(k) - parents[k].map_or(Vec3::zeros(), at),
            channels: Vec::new(),
            ends: Vec::new(),
        };
        let mut joints: Vec<Joint> = order.iter().map(joint).collect();
        let mut locals = Vec::with_capacity(animation.frames.len());
        for (&frame, pose) in &animation.frames {
            let moved = |k: usize| motion(&pose[k], &inverses[k], &at(k));
            let local = order.iter().map(|&k| {
                let here = moved(k).map_err(|e| e.joint(k))?;
                let Some(parent) = parents[k] else { return Ok(here) };
                let outer = invert(&moved(parent)?);
                let outer = outer.ok_or_else(|| Error::new(Kind::Degenerate, "flat").joint(parent))?;
                Ok(compose(&outer, &here))
            });
            if pose.len() != count {
                let message = format!("{} matrices for {count} joints", pose.len());
                return Err(Error::new(Kind::CountMismatch, message).frame(frame));
            }
            locals.push(local.collect::<Result<Vec<Affine>>>().map_err(|e| e.frame(frame))?);
        }
        for (k, joint) in joints.iter_mut().enumerate() {
            let size = 1.0 + joint.offset.norm();
            let moves = |l: &Vec<Affine>| (translation(&l[k]) - joint.offset).norm() > 1e-9 * size;
            if joint.parent.is_none() || locals.iter().any(moves) {
                joint.channels.extend([0, 1, 2].map(Channel::Position));
            }
            joint.channels.extend([2, 0, 1].map(Channel::Rotation));
        }
        let frames = locals.iter().flat_map(|l| joints.iter().zip(l).flat_map(|(j, l)| numbers(j, l)));
        let values = frames.collect();
        Ok(Bvh { joints, frame_seconds, frame_count: locals.len(), values })
    }
}

/// A joint in its parent.
fn local(joint: &Joint, numbers: &[Real]) -> Affine {
    let (mut turn, mut place) = (Mat3::identity(), joint.offset);
    for (channel, &number) in joint.channels.iter().zip(numbers) {
        match *channel {
            Channel::Position(axis) => place[axis] = number,
            Channel::Rotation(axis) => turn *= about(axis, number),
        }
    }
    affine(&turn, &place)
}

/// The rotation about an axis. Full turns are removed first: degrees represent them exactly, radians do not.
fn about(axis: usize, degrees: Real) -> Mat3 {
    let (sin, cos) = sin_cos((degrees % 360.0).to_radians());
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut turn = Mat3::identity();
    (turn[(b, b)], turn[(b, c)], turn[(c, b)], turn[(c, c)]) = (cos, -sin, sin, cos);
    turn
}

/// The transform of a joint without rotation at rest that moves as this one does. BVH has no scale: it is an error.
fn motion(now: &Affine, rest_inverse: &Affine, rest_place: &Vec3) -> Result<Affine> {
    let moved = compose(now, rest_inverse);
    let turn = linear(&moved);
    if !((turn.transpose() * turn - Mat3::identity()).abs().max() < 1e-6 && turn.determinant() > 0.0) {
        return Err(Error::new(Kind::Unsupported, "the joint is scaled or sheared, which BVH cannot hold"));
    }
    Ok(affine(&turn, &(turn * rest_place + translation(&moved))))
}

/// The numbers of a joint's channels: its position if it has three more than the rotations about z, x and y.
fn numbers(joint: &Joint, local: &Affine) -> impl Iterator<Item = Real> {
    let r = polar3(&linear(local)).rotation;
    let x = asin(r[(2, 1)].clamp(-1.0, 1.0));
    // Gimbal lock: only the sum of the other two angles is determined.
    let (z, y) = match cos(x) > 1e-9 {
        true => (atan2(-r[(0, 1)], r[(1, 1)]), atan2(-r[(2, 0)], r[(2, 2)])),
        false => (atan2(r[(1, 0)], r[(0, 0)]), 0.0),
    };
    let place = translation(local);
    let all = [place.x, place.y, place.z, z.to_degrees(), x.to_degrees(), y.to_degrees()];
    all.into_iter().skip(6 - joint.channels.len())
}

/// The joints in depth-first order: each directly after its parent or a sibling's subtree.
fn depth_first(parents: &[Option<usize>]) -> Result<Vec<usize>> {
    let mut children = vec![Vec::new(); parents.len()];
    let mut stack = Vec::new();
    for (joint, parent) in parents.iter().enumerate().rev() {
        match parent {
            None => stack.push(joint),
            Some(parent) if *parent < parents.len() => children[*parent].push(joint),
            Some(parent) => {
                let message = format!(
                    "the parent is joint {parent}, but there are only {}, counted from 0",
                    parents.len()
                );
                return Err(Error::new(Kind::OutOfRange, message).joint(joint));
            }
        }
    }
    let mut order = Vec::with_capacity(parents.len());
    while let Some(joint) = stack.pop() {
        order.push(joint);
        stack.append(&mut children[joint]);
    }
    match order.len() == parents.len() {
        true => Ok(order),
        false => Err(Error::new(Kind::Topology, "the parents of the joints form a cycle")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_math::transform_point;

    const ARM: &str = "HIERARCHY\nROOT hip\n{\n OFFSET 1 2 3\n CHANNELS 6 Xposition Yposition Zposition \
        Zrotation Xrotation Yrotation\n JOINT knee {\n OFFSET 0 -4 0\n CHANNELS 1 Xrotation\n End Site\n {\n \
        OFFSET 0 -5 0\n }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.04\n1 2 3 0 0 0 0\n10 20 30 90 0 0 -90\n";

    #[test]
    fn a_leg_is_where_it_must_be() {
        let bvh = parse(ARM).unwrap();
        let joints = bvh.to_joints().unwrap();
        assert_eq!(joints.names, ["hip", "knee"]);
        assert_eq!(translation(&joints.rest[1]), Vec3::new(1.0, -2.0, 3.0));
        assert_eq!(joints.frames[&1], joints.rest);
        let knee = &joints.frames[&2][1];
        // Turned by 90 degrees about z, the thigh points along +x; the knee then bends about the hip's x, now y.
        assert!((translation(knee) - Vec3::new(14.0, 20.0, 30.0)).norm() < 1e-14);
        let foot = transform_point(knee, &bvh.joints[1].ends[0]);
        assert!((foot - Vec3::new(14.0, 20.0, 35.0)).norm() < 1e-14, "{foot}");
    }

    #[test]
    fn what_is_written_reads_back() {
        let bvh = parse(ARM).unwrap();
        let mut bytes = Vec::new();
        write(&mut bytes, &bvh).unwrap();
        assert_eq!(parse(std::str::from_utf8(&bytes).unwrap()).unwrap(), bvh);
    }

    #[test]
    fn joints_with_turned_rest_poses_move_the_same_way_through_bvh() {
        let turn = |x: Real, y: Real, z: Real| {
            *sinew_math::Rotation::from_euler_angles(x, y, z).to_rotation_matrix().matrix()
        };
        let matrix =
            |k: Real| affine(&turn(0.3 * k, 1.0 - k, 0.2 + k * k), &Vec3::new(k, 2.0 - k, 0.5 * k * k));
        let pose = |first: Real| (0..4).map(|k| matrix(first + 0.7 * Real::from(k))).collect::<Vec<_>>();
        let frames: BTreeMap<i64, Vec<Affine>> = (1..6).map(|f| (f, pose(f as Real))).collect();
        let names = ["d", "c", "b", "a"].map(String::from).to_vec();
        let animation = JointAnimation { names, rest: pose(-0.4), frames, ..JointAnimation::default() };
        // The last is the root, and the first is a child of the third.
        let bvh = Bvh::from_joints(&animation, &[Some(2), Some(3), Some(3), None], 0.04).unwrap();
        let order: Vec<usize> =
            bvh.joints.iter().map(|j| animation.names.iter().position(|n| *n == j.name).unwrap()).collect();
        assert_eq!(order, [3, 1, 2, 0]);
        let back = bvh.to_joints().unwrap();
        for (frame, pose) in &animation.frames {
            for (k, &joint) in order.iter().enumerate() {
                let moved = compose(&pose[joint], &invert(&animation.rest[joint]).unwrap());
                let again = compose(&back.frames[frame][k], &invert(&back.rest[k]).unwrap());
                assert!((moved - again).abs().max() < 1e-12, "frame {frame}, joint {joint}");
            }
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let mut animation = parse(ARM).unwrap().to_joints().unwrap();
        let kind = |a: &JointAnimation, parents: &[Option<usize>]| {
            Bvh::from_joints(a, parents, 0.04).unwrap_err().kind()
        };
        assert_eq!(kind(&animation, &[None]), Kind::CountMismatch);
        assert_eq!(kind(&animation, &[Some(1), Some(0)]), Kind::Topology);
        assert_eq!(kind(&animation, &[None, Some(2)]), Kind::OutOfRange);
        animation.frames.get_mut(&2).unwrap()[1] *= 2.0;
        assert_eq!(kind(&animation, &[None, Some(0)]), Kind::Unsupported);
        let many = "JOINT k# { OFFSET 0 0 0 CHANNELS 0 }\n";
        let many: String = (0..2000).map(|n| many.replace('#', &n.to_string())).collect();
        let text =
            format!("HIERARCHY ROOT a {{ OFFSET 0 0 0 CHANNELS 1 Xrotation {many} }} MOTION Frames: 500 ");
        let text = text + "Frame Time: 1\n" + &"0\n".repeat(500);
        assert_eq!(parse(&text).unwrap().to_joints().unwrap_err().kind(), Kind::TooLarge);
    }
}
