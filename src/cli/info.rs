//! `sinew info`: what a file or a numbered sequence holds, and what is wrong with it.

use super::{Context, interrupt, print};
use crate::error::{Error, Kind, Result};
use crate::formats::obj;
use crate::formats::sequence::Pattern;
use crate::geometry::Mesh;
use crate::math::Vec3;
use crate::scene::frames::{format_frames, gaps};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    /// OBJ files, or numbered sequences such as 'body.%04d.obj' and 'body.####.obj'.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let mut all = Vec::new();
    let mut wrong = 0;
    for path in &args.files {
        let (summary, problems) = match Pattern::parse(path)? {
            Some(pattern) => sequence(path, &pattern)?,
            None => {
                let obj = obj::read(path)?;
                (summary(&obj.mesh, &obj.ignored), problems(&obj.mesh))
            }
        };
        wrong += problems.len();
        if context.json {
            all.push(json!({ "file": path, "holds": summary, "problems": problems }));
        } else {
            print(&page(path, &summary, &problems))?;
        }
    }
    if context.json {
        print(&format!("{:#}\n", Value::from(all)))?;
    }
    match wrong {
        0 => Ok(()),
        _ => Err(Error::new(Kind::Degenerate, format!("problems found: {wrong}"))),
    }
}

fn page(path: &Path, summary: &Value, problems: &[String]) -> String {
    let mut text = format!("{}\n", path.display());
    for (name, value) in summary.as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), String::from);
        text.push_str(&format!("  {name}: {value}\n"));
    }
    problems.iter().for_each(|problem| text.push_str(&format!("  problem: {problem}\n")));
    text
}

fn bounds(mesh: &Mesh) -> (Vec3, Vec3) {
    let first = mesh.positions.first().copied().unwrap_or_default();
    mesh.positions.iter().fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)))
}

fn summary(mesh: &Mesh, ignored: &[(String, u64)]) -> Value {
    let (low, high) = bounds(mesh);
    let sizes = |n: usize| (0..mesh.face_count()).filter(|&f| mesh.face(f).len() == n).count();
    let skipped: Vec<_> = ignored.iter().map(|(word, count)| format!("{word} x {count}")).collect();
    json!({
        "vertices": mesh.positions.len(), "faces": mesh.face_count(),
        "triangles": sizes(3), "quads": sizes(4), "corners": mesh.corner_vertices.len(),
        "uvs": mesh.uvs.as_ref().map_or(0, |l| l.values.len()),
        "normals": mesh.normals.as_ref().map_or(0, |l| l.values.len()),
        "groups": mesh.groups.names, "materials": mesh.materials.names,
        "bounds": [low.as_slice(), high.as_slice()], "skipped statements": skipped,
    })
}

/// At most this many indices are listed for one problem; the count is always whole.
const LISTED: usize = 8;

fn problem(what: &str, items: &[usize]) -> Option<String> {
    let first: Vec<_> = items.iter().take(LISTED).map(usize::to_string).collect();
    let more = if items.len() > LISTED { ", ..." } else { "" };
    (!items.is_empty()).then(|| format!("{} {what}: {}{more}", items.len(), first.join(", ")))
}

fn problems(mesh: &Mesh) -> Vec<String> {
    let mut used = vec![false; mesh.positions.len()];
    mesh.corner_vertices.iter().for_each(|&v| used[v as usize] = true);
    let isolated: Vec<usize> = (0..used.len()).filter(|&v| !used[v]).collect();
    let faces = || 0..mesh.face_count();
    let repeats = |f: &usize| {
        let mut vertices = mesh.face(*f).to_vec();
        vertices.sort_unstable();
        vertices.windows(2).any(|w| w[0] == w[1])
    };
    let repeated: Vec<usize> = faces().filter(repeats).collect();
    let flat: Vec<usize> = faces().filter(|&f| is_flat(mesh, f)).collect();
    [
        problem("vertices in no face", &isolated),
        problem("faces that use a vertex twice", &repeated),
        problem("faces without area", &flat),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A polygon's area vector against its size: below 1e-12 of the square of its extent nothing is left but round-off.
fn is_flat(mesh: &Mesh, face: usize) -> bool {
    let points: Vec<Vec3> = mesh.face(face).iter().map(|&v| mesh.positions[v as usize]).collect();
    let origin = points[0];
    let extent = points.iter().map(|p| (p - origin).norm()).fold(0.0, f64::max);
    let area: Vec3 = points.windows(2).map(|w| (w[0] - origin).cross(&(w[1] - origin)) * 0.5).sum();
    area.norm() <= 1e-12 * extent * extent
}

fn sequence(path: &Path, pattern: &Pattern) -> Result<(Value, Vec<String>)> {
    let frames = pattern.scan()?;
    let Some(&first) = frames.first() else {
        return Err(Error::new(Kind::MissingFile, "no frame of this sequence is there").file(path));
    };
    let mut found = Vec::new();
    for (a, b) in gaps(&frames) {
        found.push(if a == b {
            format!("frame {a} is missing")
        } else {
            format!("frames {a}-{b} are missing")
        });
    }
    let control = interrupt::control();
    let rest = obj::read(&pattern.path(first)).map_err(|e| e.frame(first))?;
    found.extend(problems(&rest.mesh).into_iter().map(|p| format!("frame {first}: {p}")));
    for &frame in &frames[1..] {
        control.check()?;
        match obj::read(&pattern.path(frame)) {
            Err(error) => found.push(error.frame(frame).to_string()),
            Ok(obj) => found
                .extend(topology_change(&rest.mesh, &obj.mesh).map(|what| format!("frame {frame}: {what}"))),
        }
    }
    let mut summary = summary(&rest.mesh, &rest.ignored);
    summary["frames"] = format_frames(&frames).into();
    Ok((summary, found))
}

fn topology_change(first: &Mesh, now: &Mesh) -> Option<String> {
    if first.positions.len() != now.positions.len() {
        return Some(format!(
            "{} vertices, the first frame has {}",
            now.positions.len(),
            first.positions.len()
        ));
    }
    if first.face_count() != now.face_count() {
        return Some(format!("{} faces, the first frame has {}", now.face_count(), first.face_count()));
    }
    let face = (0..first.face_count()).find(|&f| first.face(f) != now.face(f))?;
    Some(format!("face {face} has other vertices than in the first frame"))
}
