//! Geometry that rides, as it lies on the body at rest: the contents of a groom or decal file.

use sinew_base::error::{Error, Kind, Result};
use sinew_formats::alembic::{Archive, At, MapSample, Schema, Scope, mesh_in_world};
use sinew_formats::{Format, inside, obj};
use sinew_geometry::{CornerLayer, Mesh};
use sinew_math::elementary::cbrt;
use sinew_math::{Real, linear, transform_point};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// A mesh, or lines through the points of one without faces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Piece {
    pub name: String,
    pub mesh: Mesh,
    pub lines: Vec<Vec<u32>>,
    /// The width at each point of the lines, one after the other.
    pub widths: Option<Vec<Real>>,
}

/// Reads OBJ, or the first sample of an Alembic file: all meshes and curves, or those below the object named after the
/// file. Curves are lines through their points, of whose attributes only widths are kept. Points that are used by
/// neither face nor line ride too.
pub fn read(path: &Path) -> Result<Vec<Piece>> {
    let pieces = match Format::of(path)? {
        Format::Obj => {
            let read = obj::read(path)?;
            let name = if read.mesh.face_count() > 0 { "decal" } else { "curves" };
            vec![Piece { name: name.into(), mesh: read.mesh, lines: read.lines, widths: None }]
        }
        Format::Abc => archive(path)?,
        other => {
            let message =
                format!("riding geometry is read from OBJ or Alembic, not from {}", other.row().title);
            return Err(Error::new(Kind::Unsupported, message).file(path));
        }
    };
    match pieces.iter().all(|piece| piece.mesh.positions.is_empty()) {
        true => Err(Error::new(Kind::MissingInput, "it holds no geometry that could ride").file(path)),
        false => Ok(pieces),
    }
}

fn archive(path: &Path) -> Result<Vec<Piece>> {
    let (file, wanted) = inside::split(path).unwrap_or_else(|| (PathBuf::from(path), None));
    let mut archive = Archive::open(&file)?;
    if let Some(name) = &wanted
        && archive.find(name).is_none()
    {
        return Err(Error::new(Kind::NotFound, format!("there is no object {name:?}")).file(&file));
    }
    // A name is that of an object, or of everything below it.
    let below = |name: &str| {
        wanted.as_ref().is_none_or(|wanted| {
            name.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    let (mut pieces, mut paths) = (Vec::new(), Vec::new());
    for object in (0..archive.objects().len()).filter(|&k| below(&archive.path_of(k))).collect::<Vec<_>>() {
        let mut piece = match archive.objects()[object].schema {
            Schema::Mesh => {
                let geometry = archive.mesh(object)?;
                Piece { mesh: mesh_in_world(&mut archive, &geometry, At::Sample(0))?, ..Piece::default() }
            }
            Schema::Curves => curves(&mut archive, object)?,
            _ => continue,
        };
        piece.name = archive.objects()[object].name.clone();
        paths.push(archive.path_of(object));
        pieces.push(piece);
    }
    make_names_unique(&mut pieces, &paths);
    Ok(pieces)
}

/// Pieces of the same name are prefixed with those of their parents, and numbered if that is not enough.
fn make_names_unique(pieces: &mut [Piece], paths: &[String]) {
    let mut counts: HashMap<String, usize> = HashMap::new();
    pieces.iter().for_each(|piece| *counts.entry(piece.name.clone()).or_default() += 1);
    let mut taken = HashSet::new();
    for (piece, path) in pieces.iter_mut().zip(paths) {
        let alone = counts[&piece.name] == 1;
        let name = if alone { piece.name.clone() } else { path.trim_start_matches('/').replace('/', "_") };
        let mut numbered = (2..).map(|k| format!("{name}_{k}"));
        piece.name = name.clone();
        while !taken.insert(piece.name.clone()) {
            piece.name = numbered.next().unwrap_or_default();
        }
    }
}

fn curves(archive: &mut Archive, object: usize) -> Result<Piece> {
    let geometry = archive.curves(object)?;
    let mut positions = geometry.points(archive, At::Sample(0))?;
    let world = archive.world(object, At::Sample(0))?;
    positions.iter_mut().for_each(|p| *p = transform_point(&world, p));
    let (mut lines, mut first) = (Vec::new(), 0u32);
    for count in geometry.curve_counts(archive, At::Sample(0))? {
        let end = first.checked_add(count).filter(|&end| end as usize <= positions.len());
        let end = end.ok_or_else(|| {
            let message = format!("the curves need more points than the {} in the file", positions.len());
            Error::new(Kind::CountMismatch, message).element(&archive.path_of(object))
        })?;
        lines.push((first..end).collect());
        first = end;
    }
    let widths = match geometry.map(archive, "width", At::Sample(0)) {
        Ok(map) if map.components == 1 => Some(spread(&map, &lines)),
        Err(error) if error.kind() != Kind::NotFound => return Err(error),
        _ => None,
    };
    // Widths scale with the unit of lengths.
    let scale = cbrt(linear(&world).determinant().abs());
    let widths = widths.map(|widths| widths.iter().map(|width| width * scale).collect());
    let mesh = Mesh { positions, face_offsets: vec![0], ..Mesh::default() };
    Ok(Piece { name: String::new(), mesh, lines, widths })
}

/// Constant, per-line or per-point widths, expanded to each point.
fn spread(map: &MapSample, lines: &[Vec<u32>]) -> Vec<Real> {
    let each = lines.iter().enumerate().flat_map(|(line, points)| points.iter().map(move |&p| (line, p)));
    let element = |(line, point): (usize, u32)| match map.scope {
        Scope::Constant => 0,
        Scope::Uniform => line,
        Scope::Vertex | Scope::Corner => point as usize,
    };
    each.map(|at| map.value(element(at))[0]).collect()
}

/// Merges pieces into one, as in a file without names. UVs and normals are kept if all faces have some.
pub fn joined(pieces: &[Piece]) -> Piece {
    let mut whole = Piece { mesh: Mesh { face_offsets: vec![0], ..Mesh::default() }, ..Piece::default() };
    let with_faces = || pieces.iter().map(|piece| &piece.mesh).filter(|mesh| mesh.face_count() > 0);
    for Piece { mesh, lines, .. } in pieces {
        let (first, corners) = (whole.mesh.positions.len() as u32, whole.mesh.corner_vertices.len() as u32);
        whole.mesh.positions.extend_from_slice(&mesh.positions);
        whole.mesh.corner_vertices.extend(mesh.corner_vertices.iter().map(|v| v + first));
        whole.mesh.face_offsets.extend(mesh.face_offsets.iter().skip(1).map(|corner| corner + corners));
        whole.lines.extend(lines.iter().map(|line| line.iter().map(|v| v + first).collect()));
    }
    whole.mesh.uvs = joined_layer(with_faces().map(|mesh| mesh.uvs.as_ref()));
    whole.mesh.normals = joined_layer(with_faces().map(|mesh| mesh.normals.as_ref()));
    whole
}

fn joined_layer<'a, T: Copy + 'a>(
    layers: impl Iterator<Item = Option<&'a CornerLayer<T>>>,
) -> Option<CornerLayer<T>> {
    let layers = layers.collect::<Option<Vec<_>>>().filter(|layers| !layers.is_empty())?;
    let mut whole = CornerLayer { values: Vec::new(), indices: Vec::new() };
    for layer in layers {
        let first = whole.values.len() as u32;
        whole.values.extend_from_slice(&layer.values);
        whole.indices.extend(layer.indices.iter().map(|index| index + first));
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_formats::alembic::{CurvesSample, MeshSample, Op, TimeSampling, Transform, Writer};
    use sinew_geometry::shapes;
    use sinew_math::Vec3;

    /// Two groups of hairs and a decal below a transform, and something elsewhere.
    fn groom(path: &Path) {
        let mut writer = Writer::create(path, TimeSampling::frames(1.0, 24.0)).unwrap();
        let root = writer.add_transform(None, "groom").unwrap();
        let ops = vec![Op::Translate(Vec3::y()), Op::Scale(Vec3::repeat(0.5))];
        writer.write_transform(root, &Transform { ops, inherits: true }).unwrap();
        let points: Vec<Vec3> = (0..5).map(|k| Vec3::x() * Real::from(k)).collect();
        for (name, counts, widths) in
            [("brows", [2, 3], Some(&[0.5, 0.25, 0.5, 0.25, 0.125][..])), ("lashes", [3, 2], None)]
        {
            let curves = writer.add_curves(Some(root), name).unwrap();
            let sample =
                CurvesSample { counts: &counts, positions: &points, widths, ..CurvesSample::default() };
            writer.write_curves(curves, &sample).unwrap();
        }
        let mesh = shapes::grid(1.0, 1.0, 1, 1);
        for (parent, name) in [(Some(root), "decal"), (None, "other")] {
            let object = writer.add_mesh(parent, name, &mesh).unwrap();
            let sample =
                MeshSample { positions: &mesh.positions, uvs: mesh.uvs.as_ref(), ..MeshSample::default() };
            writer.write_mesh(object, &sample).unwrap();
        }
        writer.commit().unwrap();
    }

    #[test]
    fn grooms_are_read_with_their_names_places_and_widths() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("groom.abc");
        groom(&path);
        let names = |path: &Path| -> Vec<String> {
            read(path).unwrap().into_iter().map(|piece| piece.name).collect()
        };
        assert_eq!(names(&path), ["other", "brows", "lashes", "decal"], "as the file has them");
        assert_eq!(names(&path.join("groom")), ["brows", "lashes", "decal"]);
        assert_eq!(names(&path.join("groom/lashes")), ["lashes"]);
        let pieces = read(&path.join("groom")).unwrap();
        assert_eq!(pieces[0].lines, [vec![0, 1], vec![2, 3, 4]]);
        assert_eq!(pieces[0].mesh.positions[3], Vec3::new(1.5, 1.0, 0.0));
        assert_eq!(
            pieces[0].widths.as_deref(),
            Some(&[0.25, 0.125, 0.25, 0.125, 0.0625][..]),
            "half as large"
        );
        assert!(pieces[1].widths.is_none() && pieces[2].lines.is_empty());
        assert_eq!(read(&path.join("nobody")).unwrap_err().kind(), Kind::NotFound);
        assert_eq!(read(&folder.path().join("hair.usda")).unwrap_err().kind(), Kind::Unsupported);
    }

    #[test]
    fn names_widths_and_empty_curves_stay_distinct() {
        let named = |name: &str| Piece { name: name.into(), ..Piece::default() };
        let mut pieces: Vec<Piece> = ["brow", "lash", "brow", "left_brow"].map(named).into();
        let paths = ["/left/brow", "/lash", "/right/brow", "/left_brow"].map(String::from);
        make_names_unique(&mut pieces, &paths);
        let names: Vec<&str> = pieces.iter().map(|piece| piece.name.as_str()).collect();
        assert_eq!(names, ["left_brow", "lash", "right_brow", "left_brow_2"]);
        let lines = [vec![0, 1], vec![], vec![2]];
        let map = |scope, values: &[Real]| MapSample {
            scope,
            components: 1,
            values: values.to_vec(),
            indices: (0..values.len() as u32).collect(),
        };
        assert_eq!(spread(&map(Scope::Constant, &[3.0]), &lines), [3.0; 3]);
        assert_eq!(spread(&map(Scope::Uniform, &[1.0, 2.0, 4.0]), &lines), [1.0, 1.0, 4.0]);
        assert_eq!(spread(&map(Scope::Vertex, &[1.0, 2.0, 4.0]), &lines), [1.0, 2.0, 4.0]);
    }

    #[test]
    fn pieces_become_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("groom.abc");
        groom(&path);
        let pieces = read(&path).unwrap();
        let whole = joined(&pieces);
        assert_eq!((whole.mesh.positions.len(), whole.mesh.face_count()), (5 + 5 + 4 + 4, 2));
        assert_eq!(whole.lines[2..], [vec![9, 10, 11], vec![12, 13]]);
        let (uvs, own) = (whole.mesh.uvs.as_ref().unwrap(), pieces[3].mesh.uvs.as_ref().unwrap());
        for corner in 0..4 {
            assert_eq!(
                whole.mesh.positions[whole.mesh.corner_vertices[4 + corner] as usize],
                pieces[3].mesh.positions[pieces[3].mesh.corner_vertices[corner] as usize]
            );
            let of = |uvs: &CornerLayer<_>, corner: usize| uvs.values[uvs.indices[corner] as usize];
            assert_eq!(of(uvs, 4 + corner), of(own, corner));
        }
        whole.mesh.check_counts().unwrap();
    }
}
