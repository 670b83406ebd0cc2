//! `sinew info`: the contents of a file or a numbered sequence, and any problems.

mod written;

use super::progress::Frames;
use super::{Context, interrupt, print};
use crate::error::{Error, Kind, Result};
use crate::formats::alembic::{Archive, At, Geometry, ORIGINAL, Schema};
use crate::formats::cache::{CacheKind, CacheReader};
use crate::formats::inside::split;
use crate::formats::points::ObjSequence;
use crate::formats::rate::{self, Said};
use crate::formats::sequence::Pattern;
use crate::formats::strand_scene;
use crate::formats::usd::Stage;
use crate::formats::{Format, first_row, image, joints, map, obj, read_text, weights, xml};
use crate::geometry::{Finding, Mesh, MeshReport};
use crate::job::{Graph, SceneFile};
use crate::math::{Real, Vec3};
use crate::scene::frames::{format_frames, gaps};
use crate::scene::schema::Element;
use crate::scene::strand::StrandScene;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    /// Meshes (OBJ), numbered sequences ('body.%04d.obj'), point caches (PC2, MDD), Alembic (ABC), USD, tables (CSV),
    /// maps (JSON), pictures (PNG, EXR, JPEG, TIFF), scenes (XML), motions (BVH), reports and manifests of runs (JSON),
    /// whose files are compared with what was written.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Frames per second, for the times of MDD and Alembic; by default the file's rate, otherwise 24.
    #[arg(long)]
    fps: Option<Real>,
}

/// The contents of a file, and any problems.
struct Page {
    holds: Value,
    problems: Vec<String>,
}

impl From<Value> for Page {
    fn from(holds: Value) -> Self {
        Page { holds, problems: Vec::new() }
    }
}

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let mut all = Vec::new();
    let mut wrong = 0;
    for path in &args.files {
        let page = look(path, args.fps)?;
        wrong += page.problems.len();
        if context.json {
            all.push(json!({ "file": path, "holds": page.holds, "problems": page.problems }));
        } else {
            print(&page.text(path))?;
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

fn look(path: &Path, fps: Option<Real>) -> Result<Page> {
    match Format::of(path)? {
        Format::Obj if Pattern::parse(path)?.is_some() => sequence(path),
        Format::Obj => {
            let obj = obj::read(path)?;
            mesh_page(&obj.mesh, &obj.ignored).map_err(|e| e.file(path))
        }
        Format::Pc2 => cache(path, CacheKind::Pc2, fps),
        Format::Mdd => cache(path, CacheKind::Mdd, fps),
        Format::Abc => archive(path, fps),
        Format::Csv => table(path),
        Format::Json => json(path),
        Format::Png | Format::Exr | Format::Jpeg | Format::Tiff => picture(path),
        Format::Xml if xml::root(path)? == StrandScene::schema().name => strand_scene(path),
        Format::Xml => scene(path),
        Format::Usd | Format::Usda | Format::Usdc | Format::Usdz => usd(path),
        other @ Format::Glb => {
            let message = format!("{} is written, not read", other.row().title);
            Err(Error::new(Kind::Unsupported, message).file(path))
        }
        Format::Bvh => joints::read(path).map(|animation| joints_summary(&animation).into()),
    }
}

impl Page {
    fn text(&self, path: &Path) -> String {
        let mut text = format!("{}\n", path.display());
        for (name, value) in self.holds.as_object().into_iter().flatten() {
            let value = value.as_str().map_or_else(|| value.to_string(), String::from);
            text.push_str(&format!("  {name}: {value}\n"));
        }
        self.problems.iter().for_each(|problem| text.push_str(&format!("  problem: {problem}\n")));
        text
    }
}

/// At most this many indices are listed for one problem; the count is always complete.
const LISTED: usize = 8;

fn listed(finding: &Finding) -> String {
    let first: Vec<_> = finding.items.iter().take(LISTED).map(String::as_str).collect();
    let more = if finding.items.len() > LISTED { ", ..." } else { "" };
    format!("{} {}: {}{more}", finding.items.len(), finding.what, first.join(", "))
}

fn mesh_page(mesh: &Mesh, ignored: &[(String, u64)]) -> Result<Page> {
    let report = MeshReport::new(mesh)?;
    let skipped: Vec<_> = ignored.iter().map(|(word, count)| format!("{word} x {count}")).collect();
    let [low, high] = report.bounds;
    let mut holds = json!({
        "vertices": report.vertices, "edges": report.edges, "faces": report.faces,
        "triangles": report.triangles, "quads": report.quads, "n-gons": report.ngons.len(),
        "pieces": report.pieces, "Euler characteristic": report.euler_characteristic,
        "holes": report.holes.iter().map(|h| format!("{} edges at vertex {}", h.len(), h[0])).collect::<Vec<_>>(),
        "normals": mesh.normals.as_ref().map_or(0, |l| l.values.len()),
        "groups": mesh.groups.names, "objects": mesh.objects.names, "materials": mesh.materials.names,
        "bounds": [low.as_slice(), high.as_slice()], "skipped statements": skipped,
    });
    if let Some(uvs) = &report.uvs {
        holds["UV islands"] = uvs.islands.into();
        holds["UV seam edges"] = uvs.seams.into();
        holds["UV mirrored faces"] = uvs.mirrored.len().into();
    }
    Ok(Page { holds, problems: report.problems().iter().map(listed).collect() })
}

fn sequence(path: &Path) -> Result<Page> {
    let sequence = ObjSequence::open(path)?;
    let frames = sequence.frames();
    let mut problems = Vec::new();
    for (a, b) in gaps(frames) {
        problems.push(if a == b {
            format!("frame {a} is missing")
        } else {
            format!("frames {a}-{b} are missing")
        });
    }
    let mut page = mesh_page(sequence.first(), sequence.ignored()).map_err(|e| e.frame(frames[0]))?;
    problems.extend(page.problems.into_iter().map(|p| format!("frame {}: {p}", frames[0])));
    let control = interrupt::control();
    let bar = Frames::new(frames.len());
    for index in 1..frames.len() {
        control.check()?;
        problems.extend(sequence.read(index).err().map(|error| error.to_string()));
        bar.step();
    }
    page.holds["frames"] = format_frames(frames).into();
    Ok(Page { holds: page.holds, problems })
}

fn cache(path: &Path, kind: CacheKind, fps: Option<Real>) -> Result<Page> {
    let mut cache = CacheReader::open(path, kind)?;
    let (mut low, mut high) = (Vec3::repeat(Real::INFINITY), Vec3::repeat(Real::NEG_INFINITY));
    let mut problems = Vec::new();
    let mut points = Vec::new();
    let control = interrupt::control();
    let bar = Frames::new(cache.sample_count());
    for sample in 0..cache.sample_count() {
        control.check()?;
        match cache.read(sample, &mut points) {
            Ok(()) => points.iter().for_each(|p| (low, high) = (low.inf(p), high.sup(p))),
            Err(error) if error.kind() == Kind::NotFinite => problems.push(error.to_string()),
            Err(error) => return Err(error),
        }
        bar.step();
    }
    let said = Said::new([], &cache.seconds().unwrap_or_default());
    let fps = fps.or(said.rate()).unwrap_or(rate::USUAL);
    let frames = cache.frames(fps);
    let ends = frames.first().zip(frames.last()).map(|(a, b)| format!("{a} to {b}"));
    let holds = json!({
        "points": cache.point_count(), "samples": cache.sample_count(), "frames": ends,
        "bounds": [low.as_slice(), high.as_slice()],
    });
    Ok(Page { holds, problems })
}

/// The objects of an archive; every sample of every mesh is read.
fn archive(path: &Path, fps: Option<Real>) -> Result<Page> {
    let (file, _) = split(path).unwrap_or_else(|| (path.to_path_buf(), None));
    let mut archive = Archive::open(&file)?;
    let said = rate::of_archive(&archive, &[]).rate();
    let fps = fps.or(said).unwrap_or(rate::USUAL);
    let mut holds = json!({ "written by": archive.meta("_ai_Application"), "frames per second": said });
    if let Some(original) = archive.meta(ORIGINAL) {
        holds["layer over"] = json!([original]);
    }
    let mut problems = Vec::new();
    let control = interrupt::control();
    for object in 0..archive.objects().len() {
        let schema = archive.objects()[object].schema;
        let mut text = format!("{schema:?}");
        if schema == Schema::Curves {
            text = curves(&mut archive, object, fps, &mut problems)?;
        }
        if schema == Schema::Mesh {
            let mesh = archive.mesh(object)?;
            let times = mesh.times(&mut archive)?;
            let bar = Frames::new(times.len());
            let mut corners = (0, 0, 0);
            for &time in &times {
                control.check()?;
                match mesh.mesh(&mut archive, At::Nearest(time)) {
                    Ok(m) => {
                        corners = (m.positions.len(), m.face_count(), m.uvs.map_or(0, |l| l.values.len()))
                    }
                    Err(error) => problems.push(format!("at {time} s: {error}")),
                }
                bar.step();
            }
            let (vertices, faces, uvs) = corners;
            let over_time = over_time(&mesh, &times, fps);
            text = format!("Mesh, {vertices} vertices, {faces} faces, {uvs} UVs, {over_time}");
        }
        holds[archive.path_of(object)] = text.into();
    }
    Ok(Page { holds, problems })
}

/// The contents of curves in an archive; every sample of their points is read.
fn curves(archive: &mut Archive, object: usize, fps: Real, problems: &mut Vec<String>) -> Result<String> {
    let shape = archive.curves(object)?;
    let times = shape.times(archive)?;
    let control = interrupt::control();
    let mut most = (0, 0);
    for &time in &times {
        control.check()?;
        let at = At::Nearest(time);
        match shape.curve_counts(archive, at).and_then(|counts| Ok((counts, shape.points(archive, at)?))) {
            Ok((counts, points)) => most = (counts.len().max(most.0), points.len().max(most.1)),
            Err(error) => problems.push(format!("at {time} s: {error}")),
        }
    }
    let ((curves, points), over_time) = (most, over_time(&shape, &times, fps));
    Ok(format!("Curves, {curves} curves, {points} points, {over_time}"))
}

/// When an archive's geometry changes, and its maps.
fn over_time(shape: &Geometry, times: &[Real], fps: Real) -> String {
    let ends = [times[0] * fps, times[times.len() - 1] * fps];
    let maps: Vec<_> = shape.maps().collect();
    format!("{} samples, frames {} to {}, maps {maps:?}", times.len(), ends[0], ends[1])
}

/// The first row of a table shows its kind: joints have a matrix per row, weights the name of a joint or a header.
fn table(path: &Path) -> Result<Page> {
    let text = read_text(path)?;
    let first = first_row(&text);
    let is_number = |cell: &&str| cell.parse::<Real>().is_ok();
    let parsed = if first.len() == joints::COLUMNS {
        joints::parse(&text).map(|animation| joints_summary(&animation))
    } else if first.len() == weights::COLUMNS && !first.iter().all(is_number) {
        weights::contents(&text).map(|found| {
            json!({ "holds": "weights", "rows": found.rows, "vertices": found.vertices, "joints": found.joints })
        })
    } else {
        map::parse_csv(&text).map(|map| map_summary(&map))
    };
    parsed.map(Page::from).map_err(|e| e.file(path))
}

/// Every mesh and all curves are read at their first sample, and every skeleton completely.
fn usd(path: &Path) -> Result<Page> {
    let (file, _) = split(path).unwrap_or_else(|| (path.to_path_buf(), None));
    let stage = Stage::open(&file)?;
    let mut problems = Vec::new();
    let mut meshes = Vec::new();
    for mesh in stage.meshes() {
        let posing = stage.posing(mesh);
        problems.extend(posing.as_ref().err().map(ToString::to_string));
        let times = match &posing {
            Ok(Some(posing)) => posing.times(&stage)?,
            _ => stage.sample_times(mesh)?,
        };
        match stage.mesh_at(mesh, times.first().copied().unwrap_or(0.0), true) {
            Err(error) => problems.push(error.to_string()),
            Ok(read) => meshes.push(json!({
                "path": mesh, "vertices": read.positions.len(), "faces": read.face_count(),
                "samples": times.len(), "primvars": stage.primvars(mesh)?, "posed": !matches!(posing, Ok(None)),
            })),
        }
    }
    let skeletons: Vec<Value> = stage
        .skeletons()
        .into_iter()
        .map(|path| match stage.skeleton(path, None) {
            Ok(animation) => joints_summary(&animation),
            Err(error) => {
                problems.push(error.to_string());
                path.into()
            }
        })
        .collect();
    let mut curves = Vec::new();
    for path in stage.curves() {
        let times = stage.sample_times(path)?;
        match stage.curves_at(path, times.first().copied().unwrap_or(0.0)) {
            Err(error) => problems.push(error.to_string()),
            Ok(read) => curves.push(json!({
                "path": path, "curves": read.counts.len(), "points": read.points.len(), "samples": times.len(),
                "primvars": stage.primvars(path)?,
            })),
        }
    }
    let space = stage.space()?;
    let mut holds = json!({
        "meshes": meshes, "curves": curves, "skeletons": skeletons, "time codes per second": stage.time_codes_per_second(),
        "metres per unit": space.metres_per_unit(), "up axis": format!("{:?}", space.up()),
    });
    let below = stage.sublayers();
    if !below.is_empty() {
        holds["layer over"] = below.into();
    }
    Ok(Page { holds, problems })
}

fn joints_summary(animation: &joints::JointAnimation) -> Value {
    let frames: Vec<i64> = animation.frames.keys().copied().collect();
    json!({ "holds": "joints", "joints": animation.names, "frames": format_frames(&frames) })
}

fn map_summary(map: &map::VertexMap) -> Value {
    let low = map.values.iter().copied().fold(Real::INFINITY, Real::min);
    let high = map.values.iter().copied().fold(Real::NEG_INFINITY, Real::max);
    let vertices = map.values.len() / map.components.max(1);
    json!({ "holds": "a map", "values": vertices, "numbers per value": map.components, "range": [low, high] })
}

/// A map, or a run's report or manifest. The form of map with a default does not give the number of vertices: only
/// those listed are counted.
fn json(path: &Path) -> Result<Page> {
    let text = read_text(path)?;
    if let Ok(value) = serde_json::from_str::<Value>(&text)
        && let Some(page) = written::page(path, &value)?
    {
        return Ok(page);
    }
    let named = serde_json::from_str::<Value>(&text).ok().and_then(|value| {
        let keys = value.get("vertices")?.as_object()?.keys().filter_map(|k| k.parse::<u32>().ok());
        Some(keys.max().map_or(0, |highest| highest as usize + 1))
    });
    // A vertex beyond any mesh would allocate memory for all before it.
    if named.is_some_and(|vertices| vertices > 1 << 28) {
        return Err(Error::new(Kind::TooLarge, "it lists a vertex beyond 2^28").file(path));
    }
    let map = map::parse_json(&text, named.unwrap_or(0)).map_err(|e| e.file(path))?;
    let mut holds = map_summary(&map);
    if named.is_some() {
        holds["values"] = format!("up to vertex {}, the others have the default", map.values.len()).into();
    }
    Ok(holds.into())
}

fn picture(path: &Path) -> Result<Page> {
    let image = image::read(path)?;
    let low = image.pixels.iter().copied().fold(f32::INFINITY, f32::min);
    let high = image.pixels.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let kind = if image.channels == 1 { "grey" } else { "colours" };
    Ok(json!({ "pixels": [image.width, image.height], "numbers": kind, "range": [low, high] }).into())
}

/// A scene of strands is valid if a model can be built from it.
fn strand_scene(path: &Path) -> Result<Page> {
    let scene: StrandScene = xml::read(path)?;
    let mut holds =
        serde_json::to_value(&scene).map_err(|e| Error::new(Kind::Internal, e.to_string()).file(path))?;
    let built = strand_scene::open(scene.clone(), Some(path))
        .and_then(|(scene, meshes)| scene.build(&meshes).map_err(|e| e.file(path)));
    let problems = match built {
        Err(error) => vec![error.to_string()],
        Ok(built) => {
            let (unknowns, rows) = (built.model.unknowns(), built.model.rows());
            holds["computes"] = format!("{unknowns} unknowns under {rows} rows of constraints").into();
            Vec::new()
        }
    };
    Ok(Page { holds, problems })
}

/// A scene is valid if a job can be built from it.
fn scene(path: &Path) -> Result<Page> {
    let file = SceneFile::read(path)?;
    let mut holds = serde_json::to_value(&file.scene)
        .map_err(|e| Error::new(Kind::Internal, e.to_string()).file(path))?;
    let problems = match Graph::new(&file) {
        Err(error) => vec![error.to_string()],
        Ok(graph) => {
            let (frames, about) = (format_frames(graph.frames()), graph.about());
            holds["computes"] = format!("frames {frames} of {about}").into();
            Vec::new()
        }
    };
    Ok(Page { holds, problems })
}
