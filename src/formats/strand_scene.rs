//! The meshes and animated joints referenced by strand scenes.

use super::joints::{self, JointAnimation, JointFile};
use super::obj;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::Mesh;
use sinew_math::{Affine, Placement, affine, linear, polar3, translation};
use sinew_scene::strand::StrandScene;
use sinew_scene::strand::armature::AnimatedJoint;
use std::collections::HashMap;
use std::path::Path;

const ELEMENT: &str = "strand_scene/body/shape";
const ARMATURE: &str = "strand_scene/armature";

/// Meshes by the names of their files.
pub type Meshes = HashMap<String, Mesh>;

/// Reads the files that a scene names, relative to the scene's own file, or to the current folder if it has none; but
/// for those that are known already.
pub fn meshes(scene: &StrandScene, file: Option<&Path>, known: &Meshes) -> Result<Meshes> {
    let folder = file.and_then(Path::parent).unwrap_or(Path::new(""));
    let read = |(name, line): (&str, sinew_scene::schema::Line)| {
        let mesh = match known.get(name) {
            Some(mesh) => mesh.clone(),
            None => obj::read(&folder.join(name)).map_err(|e| at(e, file, line.0, ELEMENT))?.mesh,
        };
        Ok((name.to_string(), mesh))
    };
    scene.files().map(read).collect()
}

/// An error in a file that an element of a scene names.
fn at(error: Error, scene: Option<&Path>, line: u64, element: &str) -> Error {
    match scene {
        Some(scene) => error.inside(scene, line, element),
        None => error.in_words().line(line).element(element),
    }
}

/// A scene with the contents of its files: its armatures become bodies, its meshes come with it. Files are found as by
/// [`meshes`].
pub fn open(mut scene: StrandScene, file: Option<&Path>, known: &Meshes) -> Result<(StrandScene, Meshes)> {
    let folder = file.and_then(Path::parent).unwrap_or(Path::new(""));
    for k in 0..scene.armatures.len() {
        let (name, line) = (scene.armatures[k].file.clone(), scene.armatures[k].line);
        let at = |e: Error| at(e, file, line.0, ARMATURE);
        let JointFile { animation, fps, .. } = joints::read(&folder.join(&name)).map_err(at)?;
        let found =
            (0..animation.names.len()).map(|joint| animated(&animation, joint)).collect::<Result<Vec<_>>>();
        let found = found.map_err(|e| at(e.file(&folder.join(&name))))?;
        scene.lead_by(k, &found, fps).map_err(|e| file.into_iter().fold(e, Error::file))?;
    }
    scene.armatures.clear();
    let meshes = meshes(&scene, file, known)?;
    Ok((scene, meshes))
}

/// A joint's placements; scale is dropped, as bodies have none.
fn animated(animation: &JointAnimation, joint: usize) -> Result<AnimatedJoint> {
    let place = |matrix: &Affine| {
        let turn = linear(matrix);
        if !matrix.iter().all(|x| x.is_finite()) || turn.determinant() <= 0.0 {
            let message = format!(
                "the transform of joint {:?} is singular, mirrored or not finite",
                animation.names[joint]
            );
            return Err(Error::new(Kind::Degenerate, message));
        }
        Placement::from_affine(&affine(&polar3(&turn).rotation, &translation(matrix)))
    };
    let frames = animation
        .frames
        .iter()
        .map(|(frame, pose)| place(&pose[joint]).map(|place| (*frame, place)).map_err(|e| e.frame(*frame)));
    Ok(AnimatedJoint {
        name: animation.names[joint].clone(),
        rest: place(&animation.rest[joint])?,
        frames: frames.collect::<Result<_>>()?,
    })
}
