//! The muscles that a host gives: a set, arrays with one item per muscle, or arrays over a set.

use super::super::value::Inputs;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::document::Document;
use sinew_geometry::counted;
use sinew_math::{Real, Vec3};
use sinew_muscle::{Drag, End, Follow, Frames, Length, Muscle, Settings, Start};
use sinew_scene::muscles::numbers::{self, COUNTS, NUMBERS, Number, Property, VECTORS};
use sinew_scene::muscles::{Built, Readable, split_names};

/// What the parts were built from.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BuiltFrom {
    set: Document,
    joint_names: String,
    /// The revisions of the arrays.
    arrays: Vec<u64>,
    joints: usize,
}

const OFFSETS: &str = "muscle_offsets";

/// Without a set, arrays must say at least this much of muscles.
const LEAST: [&str; 5] = [
    "muscle_origin_joints",
    "muscle_insertion_joints",
    "muscle_origins",
    "muscle_insertions",
    "muscle_sizes",
];

impl BuiltFrom {
    pub fn new(inputs: &Inputs, joints: usize) -> Result<Self> {
        let ports = numbers::ports().map(|(_, port)| port).chain([OFFSETS]);
        Ok(BuiltFrom {
            set: Document::new(inputs.text("muscles")?),
            joint_names: inputs.text("joint_names")?.into(),
            arrays: ports.map(|port| inputs.revision(port)).collect::<Result<_>>()?,
            joints,
        })
    }

    /// Whether the other has the same set on joints with the same names, whatever its arrays.
    pub fn has_set_of(&self, other: &Self) -> bool {
        self.set == other.set && self.joint_names == other.joint_names
    }

    /// What is left out of the muscles built from it and why, and which joints share a name.
    pub fn left_out(&self, built: &Built) -> Vec<String> {
        built.reported(self.set.file()).into_iter().chain(built.same_names.iter().cloned()).collect()
    }

    /// The parts of the set, changed by the arrays.
    pub fn build(&self, inputs: &Inputs) -> Result<Built> {
        let mut built = match self.set.is_empty() {
            true => blank(inputs)?,
            false => self.of_set()?,
        };
        let items = built.count();
        for Number { port, of, .. } in NUMBERS {
            if let Some(values) = given(inputs.reals(port), port, 1, items)? {
                each(&mut built, |muscle, item| *of(muscle) = values[item]);
            }
        }
        for Property { port, of, .. } in VECTORS {
            if let Some(values) = given(inputs.reals(port), port, 3, items)? {
                let values = values.as_chunks::<3>().0;
                each(&mut built, |muscle, item| *of(muscle) = Vec3::from(values[item]));
            }
        }
        for Property { port, of, .. } in COUNTS {
            if let Some(values) = given(inputs.ints(port), port, 1, items)? {
                each(&mut built, |muscle, item| *of(muscle) = values[item] as usize);
            }
        }
        sculpt(&mut built, inputs)?;
        built.leave_out_wrong(self.joints);
        Ok(built)
    }

    fn of_set(&self) -> Result<Built> {
        let in_file = |e: Error| self.set.place(e).param("muscles");
        let set = self.set.tree().and_then(|tree| Readable::new(&tree)).map_err(in_file)?;
        let names = split_names(&self.joint_names).map_err(|e| e.param("joint_names"))?;
        if names.len() != self.joints {
            let message = format!(
                "joint_names has {} names, separated by commas, for {} joints; the muscle set needs them",
                if self.joint_names.trim().is_empty() { 0 } else { names.len() },
                self.joints
            );
            return Err(Error::new(Kind::CountMismatch, message).param("joint_names"));
        }
        set.parts(&names).map_err(in_file)
    }
}

/// Muscles of which nothing but their number is known; the arrays fill them. Without arrays there are no muscles.
fn blank(inputs: &Inputs) -> Result<Built> {
    let missing = LEAST.map(|port| inputs.ints(port).is_err() && inputs.reals(port).is_err());
    match missing.iter().position(|missing| *missing) {
        Some(_) if missing == [true; LEAST.len()] => return Ok(Built::default()),
        Some(first) => return Err(Error::new(Kind::MissingInput, TOO_LITTLE).port(LEAST[first])),
        None => {}
    }
    let count = inputs.ints(LEAST[0])?.len();
    let end = End { joint: 0, point: Vec3::zeros() };
    let muscles: Vec<Muscle> = (0..count).map(|k| Muscle::new(format!("{k}"), end, end, 1.0)).collect();
    let rings = muscles.iter().map(|muscle| [muscle.rings, muscle.divisions]).collect();
    let mut built = Built { kept: (0..count).collect(), rings, ..Built::default() };
    built.parts.muscles = muscles;
    Ok(built)
}

const TOO_LITTLE: &str = "too little is known of the muscles: set the parameter muscles, or all of \
                          muscle_origin_joints, muscle_insertion_joints, muscle_origins, muscle_insertions and \
                          muscle_sizes";

/// The array of a port, if it is set.
fn given<'a, T>(
    values: Result<&'a [T]>,
    port: &str,
    components: usize,
    items: usize,
) -> Result<Option<&'a [T]>> {
    match values {
        Err(e) if e.kind() == Kind::MissingInput => Ok(None),
        Err(e) => Err(e),
        Ok(values) if values.len() == items * components => Ok(Some(values)),
        Ok(values) => {
            let values = counted(values.len() / components, "value", "values");
            let message = format!("{values} for {}", counted(items, "muscle", "muscles"));
            Err(Error::new(Kind::CountMismatch, message).port(port))
        }
    }
}

fn each(built: &mut Built, mut change: impl FnMut(&mut Muscle, usize)) {
    built.parts.muscles.iter_mut().zip(&built.kept).for_each(|(muscle, item)| change(muscle, *item));
}

/// Sculpted vertices of all muscles, with those that are left out.
fn sculpt(built: &mut Built, inputs: &Inputs) -> Result<()> {
    let mut rings = built.rings.clone();
    for (k, port) in ["muscle_rings", "muscle_divisions"].into_iter().enumerate() {
        if let Some(values) = given(inputs.ints(port), port, 1, rings.len())? {
            rings.iter_mut().zip(values).for_each(|(rings, value)| rings[k] = *value as usize);
        }
    }
    // Counts may be impossible, which is reported of each muscle.
    let counts: Vec<usize> =
        rings.iter().map(|[rings, divisions]| rings.saturating_mul(*divisions)).collect();
    let total = counts.iter().fold(0, |sum: usize, count| sum.saturating_add(*count));
    let values = match inputs.reals(OFFSETS) {
        Err(e) if e.kind() == Kind::MissingInput => return Ok(()),
        values => values?.as_chunks::<3>().0,
    };
    if values.len() != total {
        let offsets = counted(values.len(), "offset", "offsets");
        let message = format!("{offsets} for {total} vertices of muscles");
        return Err(Error::new(Kind::CountMismatch, message).port(OFFSETS));
    }
    let firsts: Vec<usize> =
        counts.iter().scan(0, |first, count| Some(std::mem::replace(first, *first + count))).collect();
    each(built, |muscle, item| {
        let own = &values[firsts[item]..][..counts[item]];
        muscle.offsets = own.iter().map(|offset| Vec3::from(*offset)).collect();
    });
    Ok(())
}

/// The activations of the muscles that are there; none if the port is not set.
pub(super) fn activations(inputs: &Inputs, built: &Built, out: &mut Vec<Real>) -> Result<()> {
    out.clear();
    if let Some(values) = given(inputs.reals("activations"), "activations", 1, built.count())? {
        out.extend(built.kept.iter().map(|item| values[*item]));
    }
    Ok(())
}

pub(super) fn frames(inputs: &Inputs) -> Result<Frames> {
    inputs.pick("frames", &[Frames::Stable, Frames::UpVector])
}

pub(super) fn follow(inputs: &Inputs) -> Result<Follow> {
    inputs.pick("follow", &[Follow::Shape, Follow::Motion])
}

pub(super) fn settings(inputs: &Inputs) -> Result<Settings> {
    Ok(Settings {
        length: inputs.pick("length", &[Length::Chord, Length::Arc])?,
        drag: inputs.pick("drag", &[Drag::Body, Drag::Air])?,
        start: inputs.pick("start", &[Start::Moving, Start::Still])?,
        follow: follow(inputs)?,
        thinning: inputs.real("thinning")?,
        flex: inputs.real("flex")?,
        tense: [
            inputs.real("tense_left_arm")?,
            inputs.real("tense_right_arm")?,
            inputs.real("tense_left_leg")?,
            inputs.real("tense_right_leg")?,
            inputs.real("tense_trunk")?,
        ],
        bulge: inputs.real("bulge")?,
        jiggle: inputs.real("jiggle")?,
        size: inputs.real("size_factor")?,
        bulge_factor: inputs.real("bulge_factor")?,
        stiffness: inputs.real("stiffness_factor")?,
        damping: inputs.real("damping_factor")?,
        push_muscles: inputs.real("push_muscles")?,
        push_bones: inputs.real("push_bones")?,
    })
}
