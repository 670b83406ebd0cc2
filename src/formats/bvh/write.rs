//! Writing BVH.

use super::{Bvh, Channel};
use sinew_math::Vec3;
use std::io::{self, Write};

/// Deeper joints are not indented further, so that a long chain does not become a file of spaces.
const DEEPEST: usize = 16;

/// Writes a text; numbers have the shortest form that reads back as the same bits.
pub fn write(out: &mut impl Write, bvh: &Bvh) -> io::Result<()> {
    writeln!(out, "HIERARCHY")?;
    let mut open: Vec<usize> = Vec::new();
    for (index, joint) in bvh.joints.iter().enumerate() {
        while open.last().copied() != joint.parent && !open.is_empty() {
            open.pop();
            writeln!(out, "{}}}", blanks(open.len()))?;
        }
        let (outer, inner) = (blanks(open.len()), blanks(open.len() + 1));
        let word = if joint.parent.is_some() { "JOINT" } else { "ROOT" };
        writeln!(out, "{outer}{word} {}\n{outer}{{\n{inner}{}", joint.name, offset(&joint.offset))?;
        write!(out, "{inner}CHANNELS {}", joint.channels.len())?;
        for channel in &joint.channels {
            let (axis, kind) = match channel {
                Channel::Position(axis) => (axis, "position"),
                Channel::Rotation(axis) => (axis, "rotation"),
            };
            write!(out, " {}{kind}", ["X", "Y", "Z"][*axis])?;
        }
        writeln!(out)?;
        for end in &joint.ends {
            writeln!(out, "{inner}End Site\n{inner}{{\n{inner}\t{}\n{inner}}}", offset(end))?;
        }
        open.push(index);
    }
    while open.pop().is_some() {
        writeln!(out, "{}}}", blanks(open.len()))?;
    }
    writeln!(out, "MOTION\nFrames: {}\nFrame Time: {}", bvh.frame_count, bvh.frame_seconds)?;
    let size: usize = bvh.joints.iter().map(|j| j.channels.len()).sum();
    for frame in bvh.values.chunks(size.max(1)) {
        for (k, number) in frame.iter().enumerate() {
            write!(out, "{}{number}", if k > 0 { " " } else { "" })?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn blanks(depth: usize) -> String {
    "\t".repeat(depth.min(DEEPEST))
}

fn offset(v: &Vec3) -> String {
    format!("OFFSET {} {} {}", v.x, v.y, v.z)
}
