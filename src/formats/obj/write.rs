//! The OBJ writer.

use crate::atomic;
use sinew_base::error::Result;
use sinew_geometry::{FaceLabels, Mesh, NO_VALUE};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file, whole or not at all.
pub fn save(path: &Path, mesh: &Mesh) -> Result<()> {
    mesh.check_counts().map_err(|e| e.file(path))?;
    atomic::write(path, |file| write(file, mesh))
}

/// Writes a mesh that [`Mesh::check_counts`] accepts. Numbers have the shortest form that reads back as the same bits.
pub fn write(out: &mut impl Write, mesh: &Mesh) -> io::Result<()> {
    for p in &mesh.positions {
        writeln!(out, "v {} {} {}", p.x, p.y, p.z)?;
    }
    for uv in mesh.uvs.iter().flat_map(|layer| &layer.values) {
        writeln!(out, "vt {} {}", uv.x, uv.y)?;
    }
    for n in mesh.normals.iter().flat_map(|layer| &layer.values) {
        writeln!(out, "vn {} {} {}", n.x, n.y, n.z)?;
    }
    let mut current = [NO_VALUE; 3];
    for face in 0..mesh.face_count() {
        let labels = [("o", &mesh.objects), ("g", &mesh.groups), ("usemtl", &mesh.materials)];
        for ((word, labels), current) in labels.into_iter().zip(&mut current) {
            write_label(out, word, labels, face, current)?;
        }
        write_face(out, mesh, face)?;
    }
    Ok(())
}

fn write_label(
    out: &mut impl Write,
    word: &str,
    labels: &FaceLabels,
    face: usize,
    current: &mut u32,
) -> io::Result<()> {
    let label = labels.of_face.get(face).copied().unwrap_or(NO_VALUE);
    if label == *current {
        return Ok(());
    }
    *current = label;
    // Without a name the statement clears the last one.
    write_name(out, word, labels.names.get(label as usize).map_or("", String::as_str))
}

/// A statement that sets a name.
pub(super) fn write_name(out: &mut impl Write, word: &str, name: &str) -> io::Result<()> {
    // A backslash at the end of the line would join it with the next.
    let end = if name.ends_with('\\') { " " } else { "" };
    writeln!(out, "{word} {name}{end}")
}

fn write_face(out: &mut impl Write, mesh: &Mesh, face: usize) -> io::Result<()> {
    out.write_all(b"f")?;
    for corner in mesh.corners(face) {
        write!(out, " {}", mesh.corner_vertices[corner] + 1)?;
        let index = |indices: Option<&Vec<u32>>| indices.map_or(NO_VALUE, |i| i[corner]);
        let uv = index(mesh.uvs.as_ref().map(|l| &l.indices));
        let normal = index(mesh.normals.as_ref().map(|l| &l.indices));
        match (uv, normal) {
            (NO_VALUE, NO_VALUE) => {}
            (uv, NO_VALUE) => write!(out, "/{}", uv + 1)?,
            (NO_VALUE, normal) => write!(out, "//{}", normal + 1)?,
            (uv, normal) => write!(out, "/{}/{}", uv + 1, normal + 1)?,
        }
    }
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use proptest::prelude::*;
    use sinew_geometry::CornerLayer;
    use sinew_math::{Vec2, Vec3};

    /// A mesh with n-gons, where each layer's corner randomly has a value or not.
    fn any_mesh() -> impl Strategy<Value = Mesh> {
        let positions = prop::collection::vec(prop::array::uniform3(-1e6..1e6f64), 3..20);
        let faces = prop::collection::vec((3..6usize, any::<[u32; 6]>(), any::<[u32; 6]>()), 1..20);
        (positions, faces).prop_map(|(positions, faces)| {
            let mut mesh = Mesh { face_offsets: vec![0], ..Mesh::default() };
            let mut uvs =
                CornerLayer { values: vec![Vec2::new(0.1, -0.3), Vec2::new(1e-300, 3.0)], indices: vec![] };
            for (size, vertices, choices) in faces {
                for i in 0..size {
                    mesh.corner_vertices.push(vertices[i] % positions.len() as u32);
                    uvs.indices.push([0, 1, NO_VALUE][choices[i] as usize % 3]);
                }
                mesh.face_offsets.push(mesh.corner_vertices.len() as u32);
                mesh.groups.of_face.push([0, 1, NO_VALUE][choices[0] as usize % 3]);
            }
            mesh.positions = positions.into_iter().map(Vec3::from).collect();
            mesh.groups.names = vec!["a".into(), "b c".into()];
            uvs.indices[0] = 0;
            mesh.uvs = Some(uvs);
            mesh
        })
    }

    /// The reader numbers labels in the order of their first face, so compare the names themselves.
    fn names(labels: &FaceLabels, faces: usize) -> Vec<&str> {
        let name = |face| labels.of_face.get(face).and_then(|&i| labels.names.get(i as usize));
        (0..faces).map(|face| name(face).map_or("", String::as_str)).collect()
    }

    #[test]
    fn a_name_that_ends_with_a_backslash_comes_back() {
        let mesh = parse(&b"v 0 0 0\ng a\\ \nf 1 1 1\n"[..]).unwrap().mesh;
        assert_eq!(mesh.groups.names, ["a\\"]);
        let mut text = Vec::new();
        write(&mut text, &mesh).unwrap();
        assert_eq!(parse(text.as_slice()).unwrap().mesh, mesh);
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back_bit_for_bit(mesh in any_mesh()) {
            let mut text = Vec::new();
            write(&mut text, &mesh).unwrap();
            let mut back = parse(text.as_slice()).unwrap().mesh;
            prop_assert_eq!(names(&back.groups, mesh.face_count()), names(&mesh.groups, mesh.face_count()));
            back.groups = mesh.groups.clone();
            prop_assert_eq!(back, mesh);
        }
    }
}
