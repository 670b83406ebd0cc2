//! The page: one text with its style, its programs and its data.

use super::contents::{Frame, Report, UV_STEP};
use super::html::escaped;
use super::pack::{base64, deflated, planes};
use super::reported::Row;
use super::split::GridUv;
use rayon::prelude::*;
use serde_json::{Value, json};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::file;
use sinew_formats::provenance::PROGRAM;
use sinew_geometry::measure::bounds;
use sinew_math::{Real, Vec3};
use std::path::Path;

/// The largest page that is written, in bytes: browsers take longer and longer to open larger ones.
pub const MAX_PAGE: usize = 60 << 20;

const PAGE: &str = include_str!("page.html");
/// Colours and letters of all pages.
pub(super) const BASE: &str = include_str!("base.css");
const STYLES: [&str; 3] = [BASE, include_str!("style.css"), include_str!("panels.css")];
const SCRIPTS: [&str; 12] = [
    include_str!("state.js"),
    include_str!("decode.js"),
    include_str!("ramps.js"),
    include_str!("matrix.js"),
    include_str!("camera.js"),
    include_str!("shaders.js"),
    include_str!("muscles.js"),
    include_str!("view.js"),
    include_str!("plots.js"),
    include_str!("reported.js"),
    include_str!("controls.js"),
    include_str!("main.js"),
];

/// A picture shown on the skin.
#[derive(Clone, Debug, PartialEq)]
pub struct Texture {
    name: String,
    kind: &'static str,
    bytes: Vec<u8>,
}

impl Texture {
    /// Reads a PNG or JPEG file. Only its first bytes are checked: the browser decodes it.
    pub fn read(path: &Path) -> Result<Texture> {
        let size = std::fs::metadata(path).map_err(|e| Error::io(path, &e))?.len();
        // As text it takes a third more, and the frames need room.
        let room = MAX_PAGE as u64 / 2;
        if size > room {
            let message = format!("{size} bytes; a page has room for a texture of {room}");
            return Err(Error::new(Kind::TooLarge, message).file(path));
        }
        let bytes = file::read(path)?;
        let kind = match bytes.as_slice() {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => "image/png",
            [0xff, 0xd8, 0xff, ..] => "image/jpeg",
            _ => return Err(Error::new(Kind::Unsupported, "neither a PNG nor a JPEG image").file(path)),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Texture { name, kind, bytes })
    }
}

/// Quantization between the lowest and the highest number.
struct Grid {
    low: Real,
    step: Real,
}

impl Grid {
    fn between(low: Real, high: Real) -> Grid {
        let step = (high / 65535.0) - (low / 65535.0);
        Grid { low, step: if step > 0.0 { step } else { 1.0 } }
    }

    fn place(&self, value: Real) -> u32 {
        ((value - self.low) / self.step).round() as u32
    }
}

impl Report {
    /// Packs it. The title defaults to the folder's name. Refuses a page of more than [`MAX_PAGE`] bytes.
    pub fn page(&self, title: Option<&str>, texture: Option<&Texture>) -> Result<String> {
        let title = title.unwrap_or(&self.name);
        let (head, chunks) = self.pack(title, texture)?;
        let texture = texture.map(|t| (t, base64(&t.bytes)));
        let mut page = String::new();
        for line in PAGE.lines() {
            match line.trim() {
                "<!-- title -->" => {
                    page += &format!("<meta name=\"generator\" content=\"{PROGRAM}\">\n");
                    page += &format!("<title>{}</title>\n", escaped(title));
                }
                "<!-- style -->" => STYLES.iter().for_each(|s| page += &format!("<style>\n{s}</style>\n")),
                "<!-- data -->" => {
                    // In a script, only something that looks like a tag could end it.
                    let head = head.to_string().replace('<', "\\u003c");
                    page += &format!("<script type=\"application/json\" id=\"report\">{head}</script>\n");
                    let chunk = |name, text| {
                        format!("<script type=\"text/plain\" class=\"{name}\">{text}</script>\n")
                    };
                    chunks.iter().for_each(|text| page += &chunk("chunk", text));
                    texture.iter().for_each(|(_, text)| page += &chunk("texture", text));
                }
                "<!-- scripts -->" => {
                    SCRIPTS.iter().for_each(|s| page += &format!("<script>\n{s}</script>\n"));
                }
                _ => page += &format!("{line}\n"),
            }
        }
        if page.len() > MAX_PAGE { Err(self.too_large(page.len(), texture.is_some())) } else { Ok(page) }
    }

    fn too_large(&self, size: usize, has_texture: bool) -> Error {
        let rows = &self.run.rows;
        let message = format!(
            "the page would have {} MB, but the limit is {}; reduce it with --frames, such as {}-{}x{}{}",
            size.div_ceil(1 << 20),
            MAX_PAGE >> 20,
            rows[0].frame,
            rows[rows.len() - 1].frame,
            size.div_ceil(MAX_PAGE).max(2),
            if has_texture { ", or use a smaller texture" } else { "" },
        );
        Error::new(Kind::TooLarge, message)
    }

    /// The page's metadata, and the packed numbers: first those of all frames, then each frame's.
    fn pack(&self, title: &str, texture: Option<&Texture>) -> Result<(Value, Vec<String>)> {
        let boxes = self.boxes()?;
        let side = boxes.iter().map(|[low, high]| (high - low).max()).fold(0.0, Real::max);
        let place = Grid::between(0.0, side);
        let [low_uv, high_uv] = self.uv_range();
        let span = (0..2).map(|k| high_uv[k].abs_diff(low_uv[k])).max().unwrap_or(0);
        let uv_width = if span < 1 << 16 { 2 } else { 3 + usize::from(span >= 1 << 24) };
        let maps = self.map_grids();
        let numbers = |k: usize| {
            let (frame, [low, _]) = (&self.frames[k], boxes[k]);
            let positions: Vec<u32> =
                components(&frame.positions, |p| (p - low).into()).map(|x| place.place(x)).collect();
            let maps = maps.iter().enumerate().flat_map(|(m, grid)| frame.map(m).map(|x| grid.place(x)));
            (positions, grid_numbers(&frame.uvs, low_uv), maps.collect::<Vec<_>>())
        };
        let frames = (0..self.frames.len()).into_par_iter().map(|k| {
            let ((p, u, m), mut bytes) = (numbers(k), Vec::new());
            let (p0, u0, m0) = if k == 0 { Default::default() } else { numbers(k - 1) };
            planes(&p, &p0, 2, &mut bytes);
            planes(&u, &u0, uv_width, &mut bytes);
            planes(&m, &m0, 2, &mut bytes);
            deflated(&bytes)
        });
        let mut chunks = vec![self.surface(low_uv, uv_width)];
        chunks.par_extend(frames);
        let head = json!({
            "title": title, "version": sinew_version::VERSION, "about": self.run.about, "notes": self.run.notes,
            "vertices": self.frames[0].positions.len(), "split": self.split.len(),
            "triangles": self.triangles.len(), "faces": self.faces, "rest": self.rest_uvs.is_some(),
            "positions": { "step": place.step, "corners": boxes.iter().map(|b| b[0].as_slice()).collect::<Vec<_>>() },
            "uvs": { "step": UV_STEP, "low": low_uv, "bytes": uv_width },
            "maps": (!maps.is_empty())
                .then(|| maps.iter().map(|g| json!({ "low": g.low, "step": g.step })).collect::<Vec<_>>()),
            "rows": self.run.rows.iter().map(row).collect::<Vec<_>>(),
            "warnings": self.run.warnings.iter().map(|w| json!({ "frame": w.frame, "text": w.text })).collect::<Vec<_>>(),
            "parts": self.parts.map(|p| json!({ "skin": p.skin, "skinned": p.skinned, "muscles": p.muscles })),
            "texture": texture.map(|t| json!({ "name": t.name, "kind": t.kind })),
        });
        Ok((head, chunks))
    }

    /// The smallest and largest coordinates of each frame.
    fn boxes(&self) -> Result<Vec<[Vec3; 2]>> {
        let around = |(frame, row): (&Frame, &Row)| {
            if frame.positions.is_empty() {
                return Err(Error::new(Kind::MissingInput, "the body has no vertex").frame(row.frame));
            }
            let [low, high] = bounds(&frame.positions);
            match (high - low).max() {
                // A float on the graphics card holds no more, and squares must stay finite.
                side if side < 1e18 => Ok([low, high]),
                side => {
                    let message = format!("the body is {side} across, too large for a page");
                    Err(Error::new(Kind::OutOfRange, message).frame(row.frame))
                }
            }
        };
        self.frames.iter().zip(&self.run.rows).map(around).collect()
    }

    fn uv_range(&self) -> [GridUv; 2] {
        let all = self.frames.iter().map(|f| &f.uvs).chain(&self.rest_uvs).flatten();
        let range = all.fold([[i32::MAX; 2], [i32::MIN; 2]], |[low, high], uv| {
            [[low[0].min(uv[0]), low[1].min(uv[1])], [high[0].max(uv[0]), high[1].max(uv[1])]]
        });
        if range[0][0] > range[1][0] { [[0; 2]; 2] } else { range }
    }

    fn map_grids(&self) -> Vec<Grid> {
        let grid = |m: usize| {
            let values = self.frames.iter().flat_map(|frame| frame.map(m));
            let [low, high] =
                values.fold([Real::INFINITY, Real::NEG_INFINITY], |[low, high], v| [low.min(v), high.max(v)]);
            Grid::between(low, high)
        };
        (0..self.frames[0].map_count()).map(grid).collect()
    }

    /// What is the same in all frames.
    fn surface(&self, low_uv: GridUv, uv_width: usize) -> String {
        let mut bytes = Vec::new();
        planes(self.triangles.as_flattened(), &[], 4, &mut bytes);
        planes(&self.split, &[], 4, &mut bytes);
        if let Some(uvs) = &self.rest_uvs {
            planes(&grid_numbers(uvs, low_uv), &[], uv_width, &mut bytes);
        }
        deflated(&bytes)
    }
}

/// The first components of all, then the second ones, and so on: neighbours are alike.
fn components<'a, T, const N: usize>(
    all: &'a [T],
    of: impl Fn(&T) -> [Real; N] + Copy + 'a,
) -> impl Iterator<Item = Real> + 'a {
    (0..N).flat_map(move |k| all.iter().map(move |t| of(t)[k]))
}

fn grid_numbers(uvs: &[GridUv], low: GridUv) -> Vec<u32> {
    (0..2).flat_map(|k| uvs.iter().map(move |uv| uv[k].abs_diff(low[k]))).collect()
}

fn row(row: &Row) -> Value {
    json!({
        "frame": row.frame, "kept": row.kept, "iterations": row.iterations, "residual": row.residual,
        "energy_before": row.energy_before, "energy_after": row.energy_after,
        "inverted_triangles": row.inverted_triangles, "maximal_stretch": row.maximal_stretch,
        "milliseconds": row.milliseconds,
    })
}
