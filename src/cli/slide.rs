//! `sinew slide`: the skin slider over a sequence of body meshes.

use super::progress::Shown;
use super::run::{print_outcome, save_scene};
use super::space::space;
use super::{Context, check_state, interrupt, split};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::points::PointSource;
use sinew_formats::{Format, endings};
use sinew_job::{Job, Plan, SceneFile, named};
use sinew_math::Real;
use sinew_scene::frames::{FrameRange, parse_frames};
use sinew_scene::schema::{Attribute, Line};
use sinew_scene::{
    BakeElement, BakeKind, CacheElement, FramesElement, LayerChoice, OutputsElement, Packing, ParamElement,
    Scene, StMapDepth, StMapElement, SubdivideElement, TablesElement,
};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(super) struct Args {
    /// The body at rest (OBJ, Alembic, USD or glTF, with UVs if slid UVs are wanted). Before the first frame the skin
    /// matches it.
    #[arg(long)]
    rest: PathBuf,
    /// The length of one unit of all files, in metres: 0.01 for centimetres. By default USD files specify their own,
    /// others are in metres.
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    unit: Option<Real>,
    /// The axis that points up in all files: y (default) or z.
    #[arg(long, value_name = "AXIS")]
    up: Option<String>,
    #[arg(long, help = format!(
        "The animated body: 'body.%04d.obj' or another file with moving points ({}); 'shot.abc/root/body', or the same \
         in USD or glTF, names one mesh of several",
        endings(|row| row.read.points.is_some() && row.format != Format::Obj)
    ))]
    body: PathBuf,
    /// The body before bones move it, after its blend shapes: another file with moving points, or the body's own, of
    /// which the blend shapes alone are read. By default that is so where a USD or glTF body has both.
    #[arg(long)]
    acted: Option<PathBuf>,
    /// The frames, such as 1-48, 1-48x2 or 1,5,9; all available ones by default.
    #[arg(long, allow_hyphen_values = true)]
    frames: Option<String>,
    /// Frames per second; by default the body's file's rate (Alembic, USD, glTF, MDD), otherwise 24.
    #[arg(long, allow_negative_numbers = true)]
    fps: Option<Real>,
    /// The mesh at rest and the body are cages: the skin slides on their Catmull-Clark limit surface, meshed by
    /// subdividing the cage's faces this many times. Requires a build with OpenSubdiv.
    #[arg(long, value_name = "LEVEL")]
    subdivide: Option<u32>,
    /// A map: NAME=FILE (CSV, JSON, PNG, EXR, JPEG, TIFF), one value per vertex. `sinew nodes skin_slider` lists them;
    /// the most important are fixed (held where 0.5 or more) and slide (three numbers: the only direction allowed).
    #[arg(long = "map", value_name = "NAME=FILE")]
    maps: Vec<String>,
    /// General constraints G v = g (CSV): `row,vertex,x,y,z` and, if the right-hand side of a row is not 0, `,speed` in
    /// m/s.
    /// Rows and vertices are counted from 0; x, y, z multiply the velocity at which the skin slides there.
    #[arg(long, value_name = "FILE")]
    rows: Option<PathBuf>,
    /// A parameter: NAME=VALUE. `sinew nodes skin_slider` lists them.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// The folder to write into: rest.obj, uv.%04d.obj, skin.%04d.csv, maps.%04d.csv and report.json. Created if
    /// missing.
    #[arg(long)]
    out: PathBuf,
    /// Write the body with slid UVs and maps, all frames in one Alembic file.
    #[arg(long, value_name = "FILE.abc")]
    out_abc: Option<PathBuf>,
    /// The same as a USD file: .usd or .usdc in binary, .usda as text. If the body is a mesh of a USD file, the
    /// result is a layer over that file.
    #[arg(long, value_name = "FILE.usdc")]
    out_usd: Option<PathBuf>,
    /// Write the whole mesh even if a layer over the body's own USD file would do.
    #[arg(long)]
    whole_mesh: bool,
    /// Write an ST-map per frame and tile: 'st.%04d.exr' or 'st.<UDIM>.%04d.exr'.
    #[arg(long, value_name = "FILE")]
    stmap: Option<PathBuf>,
    /// Bake a texture as it looks after sliding: TEXTURE=FILE, such as 'tattoo.png=baked/tattoo.%04d.png', with <UDIM>
    /// in both for tiles. Prefix a texture that is not colour with its kind: data:, displacement:, normal:,
    /// normal_green_down:.
    #[arg(long = "bake", value_name = "[KIND:]TEXTURE=FILE")]
    bakes: Vec<String>,
    /// The width in texels of ST-maps (default 2048) and baked textures (default: as the texture).
    #[arg(long)]
    size: Option<u32>,
    /// Continue from a state written by --save-state.
    #[arg(long, value_name = "STATE")]
    resume: Option<PathBuf>,
    /// Write the skin's state after the last frame.
    #[arg(long, value_name = "STATE")]
    save_state: Option<PathBuf>,
    /// Write the scene that would be computed, and stop.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["resume", "save_state"])]
    save_scene: Option<PathBuf>,
    /// Let --save-scene replace an existing file.
    #[arg(long, requires = "save_scene")]
    force: bool,
}

/// The inputs that have an option of their own.
const OPTIONS: &[(&str, &str)] =
    &[("rest", "--rest"), ("points", "--body"), ("acted", "--acted"), ("rows", "--rows")];

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    let endings: [(_, &Option<PathBuf>, &[&str]); 3] = [
        ("--out-abc", &args.out_abc, &["abc"]),
        ("--out-usd", &args.out_usd, &["usd", "usdc", "usda"]),
        ("--stmap", &args.stmap, &["exr"]),
    ];
    for (option, path, endings) in endings {
        path.as_deref().map_or(Ok(()), |path| named(option, path, endings))?;
    }
    args.save_state.as_deref().map_or(Ok(()), |path| check_state("--save-state", path))?;
    let scene = scene(args)?;
    let file = SceneFile::of(scene).with_options(OPTIONS);
    if let Some(path) = &args.save_scene {
        return save_scene(path, file, args.force, context);
    }
    let control = interrupt::control();
    let plan = Plan { resume: args.resume.clone(), ..Plan::once() };
    let mut job = Job::new(&file, plan, &control)?;
    let outcome = job.play(&control, &mut Shown::new(context))?;
    if let Some(path) = &args.save_state {
        job.save_state(path)?;
    }
    print_outcome(&outcome, context)
}

/// Whether the body's file says that blend shapes and bones move it. A file that cannot be read is an error later on.
fn acts(body: &Path) -> bool {
    PointSource::open(body, None).is_ok_and(|source| source.acts())
}

/// The options as a scene.
fn scene(args: &Args) -> Result<Scene> {
    let line = Line(0);
    let name = |path: &Path| path.to_string_lossy().into_owned();
    let mut scene = Scene::of_node("skin_slider");
    let range = args.frames.as_deref().map(parse_frames).transpose()?.map(FrameRange);
    scene.frames = Some(FramesElement { range, fps: args.fps, samples: 1, line });
    scene.space = space(args.unit, args.up.as_deref())?;
    let node = &mut scene.nodes[0];
    node.feed("rest", name(&args.rest));
    node.feed("points", name(&args.body));
    if let Some(acted) = args.acted.as_ref().or_else(|| acts(&args.body).then_some(&args.body)) {
        node.feed("acted", name(acted));
    }
    node.subdivide = args.subdivide.map(SubdivideElement::to_level);
    if let Some(rows) = &args.rows {
        node.feed("rows", name(rows));
    }
    for text in &args.params {
        let (id, value) = split("--set", text)?;
        node.params.push(ParamElement::of(&id, value));
    }
    for text in &args.maps {
        let (port, file) = split("--map", text)?;
        node.feed(&port, file);
    }
    scene.outputs = Some(outputs(args)?);
    Ok(scene)
}

/// The outputs that the options request. Names are relative to the current folder, not to the folder of `--out` as in a
/// scene.
fn outputs(args: &Args) -> Result<OutputsElement> {
    let line = Line(0);
    let absolute = |path: &Path| std::path::absolute(path).map_err(|e| Error::io(path, &e));
    let folder = absolute(&args.out)?;
    let named = |path: &Path| -> Result<String> {
        let path = absolute(path)?;
        Ok(path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().into_owned())
    };
    let layer = if args.whole_mesh { LayerChoice::No } else { LayerChoice::Auto };
    let caches = args.out_abc.iter().chain(&args.out_usd);
    let caches = caches.map(|path| {
        let (rest_name, node) = ("skin".into(), None);
        Ok(CacheElement { file: named(path)?, rest_name, layer, velocities: false, node, line })
    });
    let st_map = |path: &PathBuf| {
        let (file, size) = (named(path)?, args.size.unwrap_or(2048));
        let (depth, packing) = (StMapDepth::Auto, Packing::Zip);
        Ok(StMapElement { file, size, padding: 1, depth, steps: 64, packing, crop: false, node: None, line })
    };
    let bake = |text: &String| {
        let Some((texture, file)) = text.split_once('=') else {
            let message =
                format!("--bake {text}: TEXTURE=FILE is expected, as in tattoo.png=tattoo.%04d.png");
            return Err(Error::new(Kind::InvalidArgument, message));
        };
        let (kind, texture) = bake_kind(texture)?;
        let (texture, file) = (texture.to_string(), named(file.as_ref())?);
        let (space, depth, packing) = (None, None, Packing::Zip);
        Ok(BakeElement {
            texture,
            file,
            kind,
            size: args.size,
            padding: 8,
            space,
            depth,
            packing,
            mipmaps: false,
            crop: false,
            node: None,
            line,
        })
    };
    Ok(OutputsElement {
        tables: Some(TablesElement { node: None, line }),
        caches: caches.collect::<Result<_>>()?,
        st_maps: args.stmap.iter().map(st_map).collect::<Result<_>>()?,
        bakes: args.bakes.iter().map(bake).collect::<Result<_>>()?,
        ..OutputsElement::new(args.out.to_string_lossy().into_owned())
    })
}

/// A texture's kind, and its name. A single letter before a colon is a drive.
fn bake_kind(text: &str) -> Result<(BakeKind, &str)> {
    let Some((word, texture)) = text.split_once(':').filter(|(word, _)| word.len() > 1) else {
        return Ok((BakeKind::Colour, text));
    };
    match BakeKind::parse(word) {
        Some(kind) => Ok((kind, texture)),
        None if Path::new(text).exists() => Ok((BakeKind::Colour, text)),
        None => {
            let message = format!("--bake {text}: {word:?} is not one of {}", BakeKind::EXPECTED);
            Err(Error::new(Kind::InvalidArgument, message))
        }
    }
}
