//! Moving points of one mesh, whatever the file format: a numbered OBJ sequence, a point cache, Alembic, USD or glTF.

mod cached;
mod numbered;
mod source;
mod stored;
mod times;

pub(super) use cached::{mdd, pc2};
pub use numbered::ObjSequence;
pub(super) use numbered::{no_placeholder, open as numbered};
pub use source::{MovingPoints, PointSource, check_topology};
pub(super) use stored::{alembic, gltf, usd};

use super::{Format, inside};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sinew_scene::frames::format_frames;
use std::collections::HashMap;
use std::path::Path;

impl PointSource {
    /// Opens a sequence, a cache, an Alembic, a USD or a glTF file. Samples with times must lie at whole frames at
    /// `fps` frames per second, to within a hundredth of a frame, the single-precision accuracy after an hour; but USD
    /// and glTF have values at all times. Without `fps` the rate is the file's, see [`super::rate`].
    pub fn open(path: &Path, fps: impl Into<Option<Real>>) -> Result<Self> {
        Format::reader(path, "moving points", |read| read.points)?(path, fps.into())
    }
}

/// The rate of a file of moving points, if the file gives one.
pub(super) fn own_rate(path: &Path) -> Option<Real> {
    let source = PointSource::open(path, None).ok()?;
    source.said().rate().map(|_| source.fps())
}

/// The indices of `frames` in those of a source; an error that lists all that are missing.
pub fn find_frames(source: &PointSource, frames: &[i64], path: &Path) -> Result<Vec<usize>> {
    let there: HashMap<i64, usize> = source.frames().iter().copied().zip(0..).collect();
    let missing: Vec<i64> = frames.iter().copied().filter(|f| !there.contains_key(f)).collect();
    if let Some(&first) = missing.first() {
        let message =
            format!("{} of {} frames are missing: {}", missing.len(), frames.len(), format_frames(&missing));
        return Err(Error::new(Kind::MissingFile, message).frame(first).file(path));
    }
    Ok(frames.iter().filter_map(|f| there.get(f).copied()).collect())
}

/// Whether two names are the same file or sequence, so that no input is overwritten while it is read.
pub fn same_place(a: &Path, b: &Path) -> bool {
    inside::whole(a) == inside::whole(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shot::{FrameData, Info};
    use crate::{obj, sink};
    use sinew_geometry::{Mesh, shapes};
    use sinew_math::Vec3;

    fn moved(mesh: &Mesh, frame: i64) -> Vec<Vec3> {
        mesh.positions.iter().map(|p| p + Vec3::x() * frame as Real).collect()
    }

    fn fill(path: &Path, mesh: &Mesh, frames: &[i64]) {
        let info = Info { name: "body", mesh: Some(mesh), ..Info::default() };
        let frame = |k: usize| Ok(FrameData { points: moved(mesh, frames[k]), ..FrameData::default() });
        sink::write(path, &info, frames, 30.0, &mut { frame }).unwrap();
    }

    #[test]
    fn all_formats_give_back_what_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let mesh = shapes::grid(1.0, 1.0, 2, 2);
        for name in ["a.%04d.obj", "a.pc2", "a.mdd", "a.abc", "a.usda", "a.usdc"] {
            let path = folder.path().join(name);
            fill(&path, &mesh, &[3, 5, 7]);
            let mut source = PointSource::open(&path, 30.0).unwrap();
            // USD says what is between samples.
            let filled = name.contains("usd");
            let there: &[i64] = if filled { &[3, 4, 5, 6, 7] } else { &[3, 5, 7] };
            assert_eq!((source.frames(), source.point_count()), (there, 9));
            for (index, &frame) in there.iter().enumerate() {
                // The numbers are small and dyadic, so single precision holds them.
                assert_eq!(source.read(index).unwrap(), moved(&mesh, frame), "{name}");
            }
            assert_eq!(find_frames(&source, &[7, 3], &path).unwrap(), [there.len() - 1, 0]);
            let error = find_frames(&source, &[3, 5, 8], &path).unwrap_err();
            assert!(error.message().ends_with(": 8"), "{error}");
            source.hold(&[8]);
            if filled {
                let index = find_frames(&source, &[8], &path).unwrap()[0];
                assert_eq!(source.read(index).unwrap(), moved(&mesh, 7), "the last one is held");
            }
            if let Some(faces) = source.mesh() {
                assert_eq!((&faces.uvs, &faces.corner_vertices), (&mesh.uvs, &mesh.corner_vertices));
            }
        }
    }

    #[test]
    fn a_change_of_faces_in_the_middle_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.%d.obj");
        let mesh = shapes::grid(1.0, 1.0, 2, 2);
        fill(&path, &mesh, &[1, 2, 3]);
        let mut turned = mesh.clone();
        turned.corner_vertices[4..8].rotate_left(1);
        obj::save(&folder.path().join("a.2.obj"), &turned).unwrap();
        obj::save(&folder.path().join("a.3.obj"), &shapes::grid(1.0, 1.0, 3, 2)).unwrap();
        let mut source = PointSource::open(&path, 24.0).unwrap();
        let error = source.read(1).unwrap_err();
        let place = error.place();
        assert_eq!((error.kind(), place.frame, place.face), (Kind::Topology, Some(2), Some(1)));
        assert!(source.read(2).unwrap_err().message().starts_with("12 vertices"));
    }

    #[test]
    fn faces_that_change_in_usd_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.usda");
        let text = r#"#usda 1.0
            def Mesh "m" {
                int[] faceVertexCounts = [3]
                int[] faceVertexIndices.timeSamples = { 1: [0, 1, 2], 2: [0, 1, 2], 3: [0, 2, 1] }
                point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
            }"#;
        std::fs::write(&path, text).unwrap();
        let mut source = PointSource::open(&path, 24.0).unwrap();
        assert_eq!((source.frames(), source.point_count()), (&[1, 2, 3][..], 3));
        assert_eq!(source.read(1).unwrap(), [Vec3::zeros(), Vec3::x(), Vec3::y()]);
        let error = source.read(2).unwrap_err();
        assert_eq!(
            (error.kind(), error.place().frame, error.place().face),
            (Kind::Topology, Some(3), Some(0))
        );
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mesh = shapes::grid(1.0, 1.0, 1, 1);
        fill(&at("a.mdd"), &mesh, &[1, 2]);
        let open = |name: &str, fps| PointSource::open(&at(name), fps).err().unwrap();
        assert!(open("a.mdd", 25.0).message().contains("whole"), "written at 30 frames per second");
        assert_eq!(open("b.mdd", 30.0).kind(), Kind::MissingFile);
        assert_eq!(open("b.%d.obj", 30.0).kind(), Kind::MissingFile);
        assert!(same_place(&at("a.abc/body"), &at("a.abc")));
        assert!(same_place(&at("a.usdc/root/body"), &at("a.usdc")));
        assert!(same_place(&at("a.mdd"), &folder.path().join(".").join("a.mdd")));
    }
}
