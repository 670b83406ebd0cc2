//! Polylines: the OBJ statement `l`.

use crate::error::Result;
use crate::formats::atomic;
use crate::math::Vec3;
use std::io::{self, Write};
use std::path::Path;

/// Writes named polylines into a file, whole or not at all; each is a group.
pub fn save_lines(path: &Path, lines: &[(&str, Vec<Vec3>)]) -> Result<()> {
    atomic::write(path, |file| write_lines(file, lines))
}

fn write_lines(out: &mut impl Write, lines: &[(&str, Vec<Vec3>)]) -> io::Result<()> {
    let mut first = 1;
    for (name, points) in lines {
        for p in points {
            writeln!(out, "v {} {} {}", p.x, p.y, p.z)?;
        }
        super::write::write_name(out, "g", name)?;
        let indices: Vec<String> = (first..first + points.len()).map(|k| k.to_string()).collect();
        writeln!(out, "l {}", indices.join(" "))?;
        first += points.len();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_groups_and_count_on() {
        let mut out = Vec::new();
        let p = |x| Vec3::new(x, 0.0, 0.5);
        write_lines(&mut out, &[("a", vec![p(0.0), p(1.0)]), ("b\\", vec![p(2.0), p(3.0), p(4.0)])]).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with("v 0 0 0.5\nv 1 0 0.5\ng a\nl 1 2\nv 2"), "{text}");
        assert!(text.ends_with("g b\\ \nl 3 4 5\n"), "{text}");
    }
}
