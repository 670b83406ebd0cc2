//! ST-maps, baked textures and padded ones of a job.

use super::super::graph::Graph;
use super::super::scene_file::SceneFile;
use super::super::store::record::{FrameRecord, Part};
use super::Writer;
use super::names::inside;
use super::skin::Skin;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::picture::{
    Crop, PLACEHOLDER, Writing, ending, fits_halves, placeholder, read_tile, tile_path, write, write_exr,
};
use sinew_formats::sequence::Pattern;
use sinew_geometry::{Mended, SurfacePoint};
use sinew_math::{Real, Vec3};
use sinew_scene::{
    BakeElement, BakeKind, FloatDepth, OutputsElement, Packing, PaddedElement, StMapDepth, StMapElement,
};
use sinew_texture::{
    CHANNELS, ColourSpace, Content, Depth, Layout, Picture, Room, Slide, SourceTexture, Texels, Tile, bake,
    halves_hold, padded, round_uvs, st_map,
};
use std::path::{Path, PathBuf};

/// The textures of a node, prepared once.
pub(super) struct Textures {
    /// Of the surface on which the node lets the skin slide.
    layout: Layout,
    /// That surface; none if it is the original mesh.
    mended: Option<Mended>,
    images: Vec<Image>,
    padded: Vec<Padded>,
    /// The node whose skin slides.
    node: String,
    /// The name of the job's file, written into the images.
    job: String,
    /// The memory for the sources.
    room: Room,
    warnings: Vec<String>,
}

/// An image per frame and tile.
struct Image {
    name: Name,
    texels: Vec<Texels>,
    what: What,
    packing: Packing,
    mipmaps: bool,
    crop: bool,
}

/// The contents of an image.
enum What {
    /// An ST-map; UVs are rounded to this many steps per texel.
    StMap { depth: StMapDepth, steps: u32 },
    /// A sliding texture, and how its floats are stored if not as in its file.
    Bake { source: SourceTexture, depth: Option<Depth> },
}

/// A texture continued across the seams, the same for all frames.
struct Padded {
    name: String,
    texels: Vec<Texels>,
    source: SourceTexture,
    packing: Packing,
    mipmaps: bool,
}

/// The memory limit for all source textures together; beyond it they are in files in the results' folder.
const SOURCES: u64 = 512 << 20;

/// The longest side of an image: a float ST-map of that size takes 4 GiB of memory, and as much again while it is
/// written.
const MOST_TEXELS: u32 = 16_384;
/// The channels of an ST-map for which three digits suffice: the distance of the UV, and whether there is an island.
const COARSE: &[usize] = &[2, 3];

/// Names with placeholders for the frame and the tile.
struct Name(String);

impl Name {
    fn new(path: &Path, tiles: &[Tile]) -> Result<Self> {
        let text = placeholder(&path.to_string_lossy());
        let wrong = |message: &str| Err(Error::new(Kind::InvalidArgument, message).file(path));
        if tiles.len() > 1 && !text.contains(PLACEHOLDER) {
            return wrong(
                "the UVs are in several tiles: a placeholder for the tile is expected, as in st.UDIM.%04d.exr",
            );
        }
        match Pattern::parse(Path::new(&text))? {
            Some(_) => Ok(Name(text)),
            None => wrong("a placeholder for the frame is expected in the name, as in st.%04d.exr"),
        }
    }

    fn path(&self, tile: Tile, frame: i64) -> Result<PathBuf> {
        let path = tile_path(&self.0, tile);
        Ok(Pattern::parse(&path)?.map_or(path, |pattern| pattern.path(frame)))
    }
}

/// At its texture's depth an image needs one particular format; only EXR has mipmaps.
fn check_ending(file: &str, source: &SourceTexture, mipmaps: bool) -> Result<()> {
    let ending = ending(source.depth());
    if !file.to_ascii_lowercase().ends_with(ending) {
        let message = format!("{file:?}: for the bit depth of its texture, the image must be .{ending}");
        return Err(Error::new(Kind::Unsupported, message));
    }
    if mipmaps && ending != "exr" {
        return Err(Error::new(Kind::Unsupported, format!("{file:?}: only EXR files have mipmaps")));
    }
    Ok(())
}

impl Textures {
    /// The requested textures of a skin; `None` without any.
    pub fn new(
        file: &SceneFile,
        outputs: &OutputsElement,
        skin: &Skin,
        graph: &Graph,
        control: &Control,
    ) -> Result<Option<Self>> {
        let st_maps: Vec<_> = outputs.st_maps.iter().filter(|e| skin.is(&e.node)).collect();
        let bakes: Vec<_> = outputs.bakes.iter().filter(|e| skin.is(&e.node)).collect();
        let paddeds: Vec<_> = outputs.padded.iter().filter(|e| skin.is(&e.node)).collect();
        let images = st_maps.iter().map(|e| &e.file).chain(bakes.iter().map(|e| &e.file));
        let images: Vec<&String> = images.chain(paddeds.iter().map(|e| &e.file)).collect();
        if images.is_empty() {
            return Ok(None);
        }
        let (folder, mesh) = (outputs.folder.as_str(), skin.rest.as_ref());
        images.iter().try_for_each(|name| inside(folder.as_ref(), name).map(drop))?;
        let placed = &|e| graph.member(skin.points).at_mesh(e);
        let mended = Some(Mended::new(mesh, &[]).map_err(placed)?).filter(|mended| !mended.is_plain());
        let layout = match &mended {
            Some(mended) => Layout::new(&mended.mesh)
                .map(|layout| layout.with_reported_faces(mended.faces().to_vec()))
                .map_err(|e| mended.given_place(e)),
            None => Layout::new(mesh),
        };
        let layout = layout.map_err(placed)?;
        let warnings = layout.warning().into_iter().chain(layout.outside_warning()).collect();
        let room = Room::new(SOURCES, folder.as_ref());
        let job = file.path.as_deref().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        let (images, padded) = (Vec::new(), Vec::new());
        let (node, job) = (skin.node.clone(), job.into());
        let mut made = Textures { layout, mended, images, padded, node, job, room, warnings };
        for element in st_maps {
            let added = made.add_st_map(folder, element, control);
            added.map_err(|e| file.place(e, "st_map", element.line))?;
        }
        for element in bakes {
            let added = made.add_bake(folder, element, control);
            added.map_err(|e| file.place(e, "bake", element.line))?;
        }
        for element in paddeds {
            let added = made.add_padded(folder, element, control);
            added.map_err(|e| file.place(e, "padded", element.line))?;
        }
        Ok(Some(made))
    }

    fn add_st_map(&mut self, folder: &str, element: &StMapElement, control: &Control) -> Result<()> {
        let name = Name::new(&Path::new(folder).join(&element.file), self.layout.tiles())?;
        if !element.file.ends_with(".exr") {
            let message = format!("{:?}: ST-maps are written as EXR", element.file);
            return Err(Error::new(Kind::Unsupported, message));
        }
        let texels = self.texels([element.size; 2], element.padding, control)?;
        let what = What::StMap { depth: element.depth, steps: element.steps };
        let (packing, crop) = (element.packing, element.crop);
        self.images.push(Image { name, texels, what, packing, mipmaps: false, crop });
        Ok(())
    }

    fn add_bake(&mut self, folder: &str, element: &BakeElement, control: &Control) -> Result<()> {
        let name = Name::new(&Path::new(folder).join(&element.file), self.layout.tiles())?;
        let source = self.source(&element.texture, element.kind, element.space, control)?;
        let depth = match (element.depth, source.depth()) {
            (None, _) => None,
            (Some(_), Depth::Bits8 | Depth::Bits16) => {
                let message = "depth is for floats, but the texture has integers";
                return Err(Error::new(Kind::Unsupported, message).file(Path::new(&element.texture)));
            }
            (Some(FloatDepth::Half), _) => Some(Depth::Half),
            (Some(FloatDepth::Float), _) => Some(Depth::Float),
        };
        check_ending(&element.file, &source, element.mipmaps)?;
        let size = element.size.map_or(source.size().map(|side| side as u32), |size| [size; 2]);
        let texels = self.texels(size, element.padding, control)?;
        let what = What::Bake { source, depth };
        let (packing, mipmaps, crop) = (element.packing, element.mipmaps, element.crop);
        if crop && (mipmaps || !element.file.ends_with(".exr")) {
            let message = "crop is for EXR files without mipmaps";
            return Err(Error::new(Kind::Unsupported, message));
        }
        self.images.push(Image { name, texels, what, packing, mipmaps, crop });
        Ok(())
    }

    fn add_padded(&mut self, folder: &str, element: &PaddedElement, control: &Control) -> Result<()> {
        let path = Path::new(folder).join(&element.file);
        let name = placeholder(&path.to_string_lossy());
        let wrong = |message: &str| Err(Error::new(Kind::InvalidArgument, message).file(&path));
        if Pattern::parse(Path::new(&name))?.is_some() {
            return wrong(
                "it is the same for all frames: its name must not have a placeholder for the frame",
            );
        }
        let one = !name.contains(PLACEHOLDER);
        if one && self.layout.tiles().len() > 1 {
            return wrong(
                "the UVs are in several tiles: a placeholder for the tile is expected, as in skin.UDIM.png",
            );
        }
        let source = self.source(&element.texture, element.kind, element.space, control)?;
        check_ending(&element.file, &source, element.mipmaps)?;
        let padding = element.padding as usize;
        let tiles = match one {
            true => self.layout.tiles().to_vec(),
            false => self.layout.tiles_with_padding(source.size(), padding),
        };
        let texels = tiles
            .into_iter()
            .map(|tile| Texels::new(&self.layout, tile, source.size_of(tile), padding, control));
        let texels = texels.collect::<Result<_>>()?;
        let (packing, mipmaps) = (element.packing, element.mipmaps);
        self.padded.push(Padded { name, texels, source, packing, mipmaps });
        Ok(())
    }

    /// Reads a texture.
    fn source(
        &mut self,
        texture: &str,
        kind: BakeKind,
        space: Option<ColourSpace>,
        control: &Control,
    ) -> Result<SourceTexture> {
        let content = match kind {
            BakeKind::Colour => Content::Colour,
            BakeKind::Data => Content::Data,
            BakeKind::Displacement => Content::Displacement { middle: None, scale: 1.0 },
            BakeKind::Normal => Content::Normal { green_down: false },
            BakeKind::NormalGreenDown => Content::Normal { green_down: true },
        };
        let (pattern, tiles) = (placeholder(texture), self.layout.tiles());
        let mut read = |tile| read_tile(&pattern, tiles, tile);
        SourceTexture::in_space(&self.layout, content, space, &mut read, &mut self.room, control)
            .map_err(|e| e.file(Path::new(texture)))
    }

    fn texels(&mut self, size: [u32; 2], padding: u32, control: &Control) -> Result<Vec<Texels>> {
        if size.iter().any(|side| !(1..=MOST_TEXELS).contains(side)) {
            let message =
                format!("{} by {} texels; sides of 1 to {MOST_TEXELS} are allowed", size[0], size[1]);
            return Err(Error::new(Kind::OutOfRange, message));
        }
        let size = size.map(|side| side as usize);
        let tiles = self.layout.tiles().iter();
        let texels = tiles.map(|&tile| Texels::new(&self.layout, tile, size, padding as usize, control));
        let texels = texels.collect::<Result<Vec<_>>>()?;
        for warning in texels.iter().filter_map(Texels::warning) {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
        Ok(texels)
    }

    /// The names of the images that are the same for all frames.
    fn fixed_names(&self) -> impl Iterator<Item = PathBuf> {
        let each =
            self.padded.iter().flat_map(|padded| padded.texels.iter().map(move |t| (padded, t.tile())));
        each.map(|(padded, tile)| tile_path(&padded.name, tile))
    }

    fn write_image(
        &self,
        path: &Path,
        image: &Image,
        texels: &Texels,
        slide: &Slide,
        note: &str,
        control: &Control,
    ) -> Result<()> {
        let writing = Writing { packing: image.packing, mipmaps: image.mipmaps, note, ..Writing::default() };
        match &image.what {
            What::Bake { source, depth } => {
                let baked = bake(&self.layout, texels, slide, source, control)?;
                let depth = depth.unwrap_or(baked.depth);
                let writing = Writing { crop: if image.crop { Crop::NotZero } else { Crop::No }, ..writing };
                write(path, &Picture { depth, ..baked }, &writing)
            }
            What::StMap { depth, steps } => {
                let mut map = st_map(&self.layout, texels, slide, control)?;
                let half = match depth {
                    StMapDepth::Auto => halves_hold(texels.size(), texels.tile()),
                    StMapDepth::Half => true,
                    StMapDepth::Float => false,
                };
                if *steps > 0 {
                    round_uvs(&mut map, *steps);
                }
                if half && fits_halves(&map) {
                    map.depth = Depth::Half;
                }
                // Texels beyond the islands and their padding fetch themselves, and so are not zero.
                let crop = if image.crop { Crop::To(texels.window()) } else { Crop::No };
                write_exr(path, &map, &CHANNELS, &Writing { coarse: COARSE, crop, ..writing })
            }
        }
    }

    /// The skin's points. The node gives the face and the weights in one of its triangles: the triangle that contains
    /// the point.
    fn skin(&self, skin: Part) -> Vec<SurfacePoint> {
        let (places, faces) = (skin.vectors("skin_points"), skin.output("skin_faces"));
        let weights = skin.output("skin_weights");
        let point =
            |v: usize| self.point(&places[v], faces[v] as usize, std::array::from_fn(|k| weights[3 * v + k]));
        let Some(mended) = &self.mended else { return (0..places.len()).map(point).collect() };
        let own = |vertex: usize| {
            // Where several fans meet in an original vertex, the node describes the first; others are treated as not
            // moved there.
            let of = mended.vertex_of();
            let reported = mended.members(vertex).iter().find(|&&v| of[v as usize] as usize == vertex);
            reported.map_or_else(|| self.layout.home(vertex), |&v| point(v as usize))
        };
        (0..mended.mesh.positions.len()).map(own).collect()
    }

    fn point(&self, place: &Vec3, face: usize, weights: [Real; 3]) -> SurfacePoint {
        let point = |triangle: usize| SurfacePoint { triangle: triangle as u32, weights };
        let off = |point: &SurfacePoint| (point.position(self.layout.triangles()) - place).norm_squared();
        let triangles = match &self.mended {
            None => self.layout.triangles_of(face),
            // Several triangles may remain of a face.
            Some(mended) => {
                let start = |face: usize| mended.faces().partition_point(|&f| (f as usize) < face);
                let start = |face: usize| self.layout.triangles_of(start(face)).start;
                start(face)..start(face + 1)
            }
        };
        let first = triangles.start;
        let nearest = triangles.map(point).min_by(|a, b| off(a).total_cmp(&off(b)));
        nearest.unwrap_or_else(|| point(first))
    }
}

impl Writer for Textures {
    fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        let mut names: Vec<PathBuf> = self.fixed_names().collect();
        for &frame in frames {
            for image in &self.images {
                let each = image.texels.iter().map(|texels| image.name.path(texels.tile(), frame));
                names.extend(each.collect::<Result<Vec<_>>>()?);
            }
        }
        Ok(names)
    }

    /// The warnings about the UVs.
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Writes the images that are the same for all frames.
    fn begin(&self, control: &Control) -> Result<Vec<PathBuf>> {
        for made in &self.padded {
            let writing = Writing {
                packing: made.packing,
                mipmaps: made.mipmaps,
                note: &self.job,
                ..Writing::default()
            };
            for texels in &made.texels {
                let picture = padded(&self.layout, texels, &made.source, control)?;
                write(&tile_path(&made.name, texels.tile()), &picture, &writing)?;
            }
        }
        Ok(self.fixed_names().collect())
    }

    fn write(&self, record: &FrameRecord, control: &Control) -> Result<Vec<PathBuf>> {
        if self.images.is_empty() {
            return Ok(Vec::new());
        }
        let slide = Slide::from_skin(&self.layout, &self.skin(record.part(&self.node)))?;
        let job = if self.job.is_empty() { String::new() } else { format!("{}, ", self.job) };
        let note = format!("{job}frame {}", record.frame);
        let mut files = Vec::new();
        for image in &self.images {
            for texels in &image.texels {
                let path = image.name.path(texels.tile(), record.frame)?;
                self.write_image(&path, image, texels, &slide, &note, control)?;
                files.push(path);
            }
        }
        Ok(files)
    }
}
