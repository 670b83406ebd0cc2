//! What cannot be written as Alembic is refused with the file's name, and no file appears.

use sinew::error::{Kind, Result};
use sinew::formats::alembic::{Map, MeshSample, ObjectId, Scope, TimeSampling, Writer};
use sinew::geometry::{Mesh, shapes};
use sinew::math::{Real, Vec3};

/// A folder, and a mesh to write into it at two times.
struct Place {
    folder: tempfile::TempDir,
    mesh: Mesh,
}

impl Place {
    fn new() -> Self {
        Place { folder: tempfile::tempdir().unwrap(), mesh: shapes::grid(1.0, 1.0, 1, 1) }
    }

    fn begin(&self) -> (Writer, ObjectId) {
        let path = self.folder.path().join("a.abc");
        let mut writer = Writer::create(&path, TimeSampling::Acyclic(vec![0.0, 1.0])).unwrap();
        let body = writer.add_mesh(None, "body", &self.mesh).unwrap();
        (writer, body)
    }

    fn sample(&self) -> MeshSample<'_> {
        MeshSample { positions: &self.mesh.positions, ..MeshSample::default() }
    }

    fn with_a_bad_point(&self) -> Vec<Vec3> {
        let mut bad = self.mesh.positions.clone();
        bad[2].y = Real::NAN;
        bad
    }

    fn refused(&self, write: impl Fn(&mut Writer, ObjectId) -> Result<()>) -> Kind {
        let (mut writer, body) = self.begin();
        let error = write(&mut writer, body).unwrap_err();
        assert_eq!(error.place().file, Some(self.folder.path().join("a.abc")), "{error}");
        error.kind()
    }

    fn refused_samples(&self, samples: &[MeshSample]) -> Kind {
        let (last, before) = samples.split_last().unwrap();
        self.refused(|writer, body| {
            before.iter().for_each(|sample| writer.write_mesh(body, sample).unwrap());
            writer.write_mesh(body, last)
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        assert_eq!(std::fs::read_dir(self.folder.path()).unwrap().count(), 0, "nothing appears");
    }
}

#[test]
fn objects_need_names_of_their_own() {
    let place = Place::new();
    for name in ["a/b", "body"] {
        assert_eq!(
            place.refused(|w, _| w.add_mesh(None, name, &place.mesh).map(drop)),
            Kind::InvalidArgument
        );
    }
}

#[test]
fn samples_must_fit_the_mesh_and_the_times() {
    let place = Place::new();
    let (sample, bad) = (place.sample(), place.with_a_bad_point());
    let short = MeshSample { positions: &place.mesh.positions[1..], ..sample };
    assert_eq!(place.refused_samples(&[short]), Kind::CountMismatch);
    assert_eq!(place.refused_samples(&[MeshSample { positions: &bad, ..sample }]), Kind::NotFinite);
    assert_eq!(place.refused_samples(&[sample; 3]), Kind::OutOfRange, "three samples at two times");
    let late = MeshSample { velocities: Some(&place.mesh.positions), ..sample };
    assert_eq!(
        place.refused_samples(&[sample, late]),
        Kind::InvalidArgument,
        "velocities in the second sample"
    );
}

#[test]
fn maps_stay_what_they_are() {
    let place = Place::new();
    let of =
        |components, values, indices| Map { name: "w", scope: Scope::Constant, components, values, indices };
    let first = [of(1, &[1.0][..], None)];
    let with = |maps| MeshSample { maps, ..place.sample() };
    let others = [[of(2, &[1.0, 2.0], None)], [of(1, &[1.0], Some(&[0][..]))]];
    for later in &others {
        let samples = [with(&first), with(later)];
        assert_eq!(place.refused_samples(&samples), Kind::InvalidArgument, "another kind of map");
    }
    let twice = [first[0]; 2];
    assert_eq!(place.refused_samples(&[with(&twice)]), Kind::InvalidArgument, "two maps of a name");
}

#[test]
fn a_file_without_all_that_was_begun_is_not_made() {
    let place = Place::new();
    let (writer, _) = place.begin();
    assert_eq!(writer.commit().unwrap_err().kind(), Kind::MissingInput);
    let (mut writer, body) = place.begin();
    let bad = place.with_a_bad_point();
    assert!(writer.write_mesh(body, &MeshSample { velocities: Some(&bad), ..place.sample() }).is_err());
    assert_eq!(writer.commit().unwrap_err().kind(), Kind::InvalidArgument);
}
