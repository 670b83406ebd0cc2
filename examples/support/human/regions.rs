//! Named parts of the body, as vertices: from the weights, and from the package's masks in the UVs.

use super::rig::Rig;
use sinew::error::Result;
use sinew::formats::image;
use sinew::geometry::Mesh;
use sinew::math::Real;
use sinew::skinning::Weights;
use std::path::Path;

/// A part of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// All of the head but the inside of the mouth.
    Head,
    Lips,
    Eyelids,
    /// The inside of the mouth.
    Mouth,
    Neck,
    /// Collarbone, shoulder and the upper half of the upper arm.
    LeftShoulder,
    LeftForearm,
    LeftHand,
    RightHand,
    Fingernails,
}

impl Region {
    pub const ALL: [Region; 10] = [
        Region::Head,
        Region::Lips,
        Region::Eyelids,
        Region::Mouth,
        Region::Neck,
        Region::LeftShoulder,
        Region::LeftForearm,
        Region::LeftHand,
        Region::RightHand,
        Region::Fingernails,
    ];
}

/// The vertices of every region.
pub struct Masks(Vec<Vec<bool>>);

impl Masks {
    /// For a body at rest; a vertex belongs to the joints that hold more than half of its weight, and to a painted mask
    /// whose value is at least half of its range.
    pub fn read(folder: &Path, body: &Mesh, rig: &Rig, weights: &Weights) -> Result<Masks> {
        let count = body.positions.len();
        let painted = |name: &str| -> Result<Vec<bool>> {
            let mask = image::read(&folder.join(format!("mpfb_{name}.jpg")))?;
            Ok(mask.to_vertex_map(body)?.values.chunks_exact(mask.channels).map(|v| v[0] > 0.5).collect())
        };
        let moved = |roots: &[&str], below: bool| -> Vec<bool> {
            let chosen: Vec<bool> = (0..rig.joints.len()).map(|j| rig.hangs_on(j, roots, below)).collect();
            let share = |v: usize| -> Real {
                let (joints, weights) = weights.of(v);
                joints.iter().zip(weights).filter(|(j, _)| chosen[**j as usize]).map(|(_, w)| w).sum()
            };
            (0..count).map(|v| share(v) > 0.5).collect()
        };
        let mouth = painted("inside-mouth")?;
        let of = |region: Region| -> Result<Vec<bool>> {
            Ok(match region {
                Region::Head => {
                    moved(&["head"], true).iter().zip(&mouth).map(|(&head, &mouth)| head && !mouth).collect()
                }
                Region::Lips => painted("lips")?,
                Region::Eyelids => painted("eyelids")?,
                Region::Mouth => mouth.clone(),
                Region::Neck => moved(&["neck01", "neck02", "neck03"], false),
                Region::LeftShoulder => moved(&["clavicle.L", "shoulder01.L", "upperarm01.L"], false),
                Region::LeftForearm => moved(&["lowerarm01.L", "lowerarm02.L"], false),
                Region::LeftHand => moved(&["wrist.L"], true),
                Region::RightHand => moved(&["wrist.R"], true),
                Region::Fingernails => painted("fingernails")?,
            })
        };
        Ok(Masks(Region::ALL.into_iter().map(of).collect::<Result<_>>()?))
    }

    /// The vertices of a region.
    pub fn of(&self, region: Region) -> &[bool] {
        &self.0[region as usize]
    }
}
