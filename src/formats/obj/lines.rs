//! Polylines: the OBJ statement `l`.

use crate::atomic;
use sinew_base::error::Result;
use sinew_geometry::Mesh;
use sinew_math::Vec3;
use std::io::{self, Write};
use std::path::Path;

/// Writes named polylines into a file, whole or not at all; each is a group.
pub fn save_lines(path: &Path, lines: &[(&str, &[Vec3])]) -> Result<()> {
    atomic::write(path, |file| write_lines(file, lines))
}

fn write_lines(out: &mut impl Write, lines: &[(&str, &[Vec3])]) -> io::Result<()> {
    let mut first = 1;
    for (name, points) in lines {
        for p in *points {
            writeln!(out, "v {} {} {}", p.x, p.y, p.z)?;
        }
        super::write::write_name(out, "g", name)?;
        write_line(out, first..first + points.len())?;
        first += points.len();
    }
    Ok(())
}

/// Writes a mesh and polylines through its vertices into a file, whole or not at all.
pub fn save_with_lines(path: &Path, mesh: &Mesh, lines: &[Vec<u32>]) -> Result<()> {
    mesh.check_counts().map_err(|e| e.file(path))?;
    atomic::write(path, |file| {
        super::write(file, mesh)?;
        // The format has no line without points.
        lines
            .iter()
            .filter(|line| !line.is_empty())
            .try_for_each(|line| write_line(file, line.iter().map(|v| *v as usize + 1)))
    })
}

fn write_line(out: &mut impl Write, points: impl Iterator<Item = usize>) -> io::Result<()> {
    let indices: Vec<String> = points.map(|k| k.to_string()).collect();
    writeln!(out, "l {}", indices.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::shapes;

    #[test]
    fn lines_through_the_vertices_of_a_mesh_come_back() {
        let mesh = shapes::grid(1.0, 1.0, 2, 1);
        let lines = vec![vec![0, 5], vec![4, 2, 0]];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obj");
        save_with_lines(&path, &mesh, &lines).unwrap();
        let back = super::super::read(&path).unwrap();
        assert_eq!((back.mesh, back.lines), (mesh, lines));
        for (wrong, stated) in
            [("l 1", "two points"), ("l 1 9", "vertex index 9"), ("l 1/1 x", "not an index")]
        {
            let error = super::super::parse(format!("v 0 0 0\n{wrong}\n").as_bytes()).unwrap_err();
            assert!(error.to_string().contains(stated) && error.place().line == Some(2), "{error}");
        }
    }

    #[test]
    fn lines_are_groups_and_count_on() {
        let mut out = Vec::new();
        let p = |x| Vec3::new(x, 0.0, 0.5);
        write_lines(&mut out, &[("a", &[p(0.0), p(1.0)]), ("b\\", &[p(2.0), p(3.0), p(4.0)])]).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with("v 0 0 0.5\nv 1 0 0.5\ng a\nl 1 2\nv 2"), "{text}");
        assert!(text.ends_with("g b\\ \nl 3 4 5\n"), "{text}");
    }
}
