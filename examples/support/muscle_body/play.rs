//! A motion through the node `muscle_skin`.

use crate::human::{Human, Motion, Region};
use sinew::anatomy::muscles::Physique;
use sinew::anatomy::shaping::pulse;
use sinew::control::Control;
use sinew::error::Result;
use sinew::formats::xml;
use sinew::math::{Affine, Real, Vec3};
use sinew::nodes::{ArrayView, ArrayViewMut, Instance};
use sinew::scene::muscles::MuscleSet;

/// A frame.
pub struct Moment {
    /// By joints alone.
    pub skinned: Vec<Vec3>,
    /// With muscles.
    pub skin: Vec<Vec3>,
    pub muscles: Vec<Vec3>,
}

/// Row by row, as hosts have them.
fn flat(joints: &[Affine]) -> Vec<Real> {
    let bottom = [0.0, 0.0, 0.0, 1.0];
    joints.iter().flat_map(|m| m.transpose().iter().copied().chain(bottom).collect::<Vec<_>>()).collect()
}

/// The node on a human.
pub struct Host {
    node: Instance,
}

impl Host {
    /// At rest, with weights from distances; the head goes with the joints alone.
    pub fn new(human: &Human, set: &MuscleSet) -> Result<Self> {
        let mut node = Instance::new("muscle_skin")?;
        node.set_param_text("muscles", &xml::write(set))?;
        node.set_param_text("joint_names", &human.joint_names().join(","))?;
        node.set_mesh("mesh", human.mesh().clone())?;
        node.set_array("rest_joints", &ArrayView::from_slice(&flat(&human.rest_joints()), 16)?)?;
        let counts: Vec<u32> = human.influences().map(|(joints, _)| joints.len() as u32).collect();
        let joints: Vec<u32> = human.influences().flat_map(|(joints, _)| joints).copied().collect();
        let weights: Vec<Real> = human.influences().flat_map(|(_, weights)| weights).copied().collect();
        node.set_array("influence_counts", &ArrayView::from_slice(&counts, 1)?)?;
        node.set_array("influence_joints", &ArrayView::from_slice(&joints, 1)?)?;
        node.set_array("influence_weights", &ArrayView::from_slice(&weights, 1)?)?;
        let map = |v: usize| if human.region(Region::Head)[v] { 0.0 } else { 1.0 };
        let map: Vec<Real> = (0..human.mesh().positions.len()).map(map).collect();
        node.set_array("muscle_map", &ArrayView::from_slice(&map, 1)?)?;
        let rest: Vec<Real> = human.mesh().positions.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        node.set_array("points", &ArrayView::from_slice(&rest, 3)?)?;
        Ok(Host { node })
    }

    /// Sets a parameter.
    pub fn set(&mut self, id: &str, text: &str) -> Result<()> {
        self.node.set_param_text(id, text)
    }

    /// Where the joints are.
    pub fn pose(&mut self, joints: &[Affine]) -> Result<()> {
        self.node.set_array("joints", &ArrayView::from_slice(&flat(joints), 16)?)
    }

    /// A first frame, in which nothing swings.
    pub fn begin(&mut self, frame: i64) -> Result<()> {
        self.node.reset();
        self.node.step(frame, 0.0, &Control::default()).map(drop)
    }

    /// An output of vectors.
    pub fn read(&self, port: &str) -> Result<Vec<Vec3>> {
        let mut values = vec![0.0; 3 * self.node.output_count(port)?];
        self.node.read(port, &mut ArrayViewMut::from_slice(&mut values, 3)?)?;
        Ok(values.as_chunks::<3>().0.iter().map(|&p| Vec3::from(p)).collect())
    }

    /// A moment of a motion that begins at that time, so nothing swings.
    pub fn moment(&mut self, human: &Human, set: &MuscleSet, motion: Motion, time: Real) -> Result<Moment> {
        self.node.reset();
        self.advance(human, set, (motion, time), 0).map(|(moment, _)| moment)
    }

    fn advance(
        &mut self,
        human: &Human,
        set: &MuscleSet,
        (motion, time): (Motion, Real),
        frame: i64,
    ) -> Result<(Moment, Vec<String>)> {
        self.pose(&human.joints(motion, time))?;
        let activations = activations(set, motion, time);
        self.node.set_array("activations", &ArrayView::from_slice(&activations, 1)?)?;
        let report = self.node.step(frame, time, &Control::default())?;
        let (skin, muscles) = (self.read("points")?, self.read("muscle_points")?);
        Ok((Moment { skinned: human.posed(motion, time)?, skin, muscles }, report.warnings))
    }
}

/// What tenses when the arm is bent.
const TENSED: [&str; 3] = ["left_biceps", "left_brachialis", "left_deltoid"];

/// The activations of all muscles at a time in seconds.
fn activations(set: &MuscleSet, motion: Motion, time: Real) -> Vec<Real> {
    let tensed = if motion == Motion::Flex { pulse([0.1, 1.1, 1.5, 2.3], time) } else { 0.0 };
    let of = |name: &String| {
        if TENSED.iter().any(|begin| name.starts_with(begin)) { tensed } else { 0.0 }
    };
    set.muscle_names().iter().map(of).collect()
}

/// Every frame of a motion until a time in seconds, with the warnings of the node.
pub fn play(
    human: &Human,
    set: &MuscleSet,
    physique: &Physique,
    (motion, until): (Motion, Real),
    fps: Real,
) -> Result<(Vec<Moment>, Vec<String>)> {
    let mut set = set.clone();
    physique.apply(&mut set)?;
    let mut host = Host::new(human, &set)?;
    let mut moments = Vec::new();
    let mut warnings = Vec::new();
    for frame in 0..=(until * fps).round() as i64 {
        let (moment, reported) = host.advance(human, &set, (motion, frame as Real / fps), frame)?;
        moments.push(moment);
        warnings.extend(reported);
    }
    Ok((moments, warnings))
}
