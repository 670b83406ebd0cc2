//! What OBJ files hold.

use crate::contents::{Asked, Contents};
use crate::obj;
use crate::points::{MovingPoints, ObjSequence};
use crate::sequence::Pattern;
use serde_json::json;
use sinew_base::error::Result;
use sinew_geometry::{Finding, Mesh, MeshReport};
use sinew_scene::frames::{format_frames, gaps};
use std::path::Path;

/// A mesh, or a sequence, whose files are all read.
pub fn describe(path: &Path, asked: &Asked) -> Result<Contents> {
    if Pattern::parse(path)?.is_some() {
        return sequence(path, asked);
    }
    let obj = obj::read(path)?;
    mesh(&obj.mesh, &obj.ignored).map_err(|e| e.file(path))
}

/// At most this many indices are listed for one problem; the count is always complete.
const LISTED: usize = 8;

fn listed(finding: &Finding) -> String {
    let first: Vec<_> = finding.items.iter().take(LISTED).map(String::as_str).collect();
    let more = if finding.items.len() > LISTED { ", ..." } else { "" };
    format!("{} {}: {}{more}", finding.items.len(), finding.what, first.join(", "))
}

/// The first few of many; the last item says how many there are besides.
fn first_of(mut all: impl Iterator<Item = String>) -> Vec<String> {
    let mut first: Vec<String> = all.by_ref().take(LISTED).collect();
    let more = all.count();
    first.extend((more > 0).then(|| format!("and {more} more")));
    first
}

fn mesh(mesh: &Mesh, ignored: &[(String, u64)]) -> Result<Contents> {
    let report = MeshReport::new(mesh)?;
    let skipped: Vec<_> = ignored.iter().map(|(word, count)| format!("{word} x {count}")).collect();
    let [low, high] = report.bounds;
    let mut holds = json!({
        "vertices": report.vertices, "edges": report.edges, "faces": report.faces,
        "triangles": report.triangles, "quads": report.quads, "n-gons": report.ngons.len(),
        "pieces": report.pieces, "Euler characteristic": report.euler_characteristic,
        "holes": first_of(report.holes.iter().map(|h| format!("{} edges at vertex {}", h.len(), h[0]))),
        "normals": mesh.normals.as_ref().map_or(0, |l| l.values.len()),
        "groups": mesh.groups.names, "objects": mesh.objects.names, "materials": mesh.materials.names,
        "bounds": [low.as_slice(), high.as_slice()], "skipped statements": skipped,
    });
    if let Some(uvs) = &report.uvs {
        holds["UV islands"] = uvs.islands.into();
        holds["UV seam edges"] = uvs.seams.into();
        holds["UV mirrored faces"] = uvs.mirrored.len().into();
    }
    Ok(Contents { holds, problems: report.problems().iter().map(listed).collect() })
}

fn sequence(path: &Path, asked: &Asked) -> Result<Contents> {
    let mut sequence = ObjSequence::open(path)?;
    let frames = sequence.frames().to_vec();
    let mut problems = Vec::new();
    for (a, b) in gaps(&frames) {
        problems.push(if a == b {
            format!("frame {a} is missing")
        } else {
            format!("frames {a}-{b} are missing")
        });
    }
    let mut page = mesh(sequence.first(), sequence.ignored()).map_err(|e| e.frame(frames[0]))?;
    problems.extend(page.problems.into_iter().map(|p| format!("frame {}: {p}", frames[0])));
    for index in 1..frames.len() {
        (asked.step)(index, frames.len())?;
        problems.extend(sequence.read(index).err().map(|error| error.to_string()));
    }
    page.holds["frames"] = format_frames(&frames).into();
    Ok(Contents { holds: page.holds, problems })
}
