//! ST-maps and baked textures of a job.

use super::moment::Part;
use super::scene_file::SceneFile;
use crate::control::Control;
use crate::error::{Error, Kind, Result};
use crate::formats::picture::{PLACEHOLDER, ending, placeholder, read_tile, tile_path, write, write_exr};
use crate::formats::sequence::Pattern;
use crate::geometry::{Mended, Mesh, SurfacePoint};
use crate::math::{Real, Vec3};
use crate::scene::{BakeElement, BakeKind, ResultsElement, StMapElement};
use crate::texture::{CHANNELS, Content, Layout, Room, Slide, Source, Texels, Tile, bake, st_map};
use std::path::{Path, PathBuf};

/// The textures of a job, prepared once.
pub struct Textures {
    /// Of the surface on which the node lets the skin slide.
    layout: Layout,
    /// That surface; none where it is the given mesh.
    mended: Option<Mended>,
    images: Vec<Image>,
    /// For the sources.
    room: Room,
    warnings: Vec<String>,
}

/// An image per frame and tile.
struct Image {
    name: Name,
    texels: Vec<Texels>,
    /// The texture that slides; none for an ST-map.
    source: Option<Source>,
}

/// Bytes that all source textures together may take in memory; beyond, they lie in files of the results' folder.
const SOURCES: u64 = 512 << 20;

/// The longest side of an image: a float ST-map of that size takes 1 GiB.
const MOST_TEXELS: u32 = 8192;

/// Names with places for the frame and the tile.
struct Name(String);

impl Name {
    fn new(path: &Path, tiles: &[Tile]) -> Result<Self> {
        let text = placeholder(&path.to_string_lossy());
        let wrong = |message: &str| Err(Error::new(Kind::InvalidArgument, message).file(path));
        if tiles.len() > 1 && !text.contains(PLACEHOLDER) {
            return wrong(
                "the UVs are in several tiles: a place for the tile is expected, as in st.UDIM.%04d.exr",
            );
        }
        match Pattern::parse(Path::new(&text))? {
            Some(_) => Ok(Name(text)),
            None => wrong("a place for the frame is expected in the name, as in st.%04d.exr"),
        }
    }

    fn path(&self, tile: Tile, frame: i64) -> Result<PathBuf> {
        let path = tile_path(&self.0, tile);
        Ok(Pattern::parse(&path)?.map_or(path, |pattern| pattern.path(frame)))
    }
}

impl Textures {
    /// What the results ask for; none when that is nothing.
    pub fn new(
        file: &SceneFile,
        results: &ResultsElement,
        mesh: &Mesh,
        placed: &dyn Fn(Error) -> Error,
        control: &Control,
    ) -> Result<Option<Self>> {
        if results.st_maps.is_empty() && results.bakes.is_empty() {
            return Ok(None);
        }
        let mended = Some(Mended::new(mesh, &[]).map_err(placed)?).filter(|mended| !mended.is_plain());
        let layout = match &mended {
            Some(mended) => Layout::new(&mended.mesh)
                .map(|layout| layout.with_told_faces(mended.faces().to_vec()))
                .map_err(|e| mended.given_place(e)),
            None => Layout::new(mesh),
        };
        let layout = layout.map_err(placed)?;
        let warnings = layout.warning().into_iter().collect();
        let room = Room::new(SOURCES, Path::new(&results.folder));
        let mut made = Textures { layout, mended, images: Vec::new(), room, warnings };
        for element in &results.st_maps {
            let added = made.add_st_map(&results.folder, element, control);
            added.map_err(|e| file.place(e, "st_map", element.line))?;
        }
        for element in &results.bakes {
            let added = made.add_bake(&results.folder, element, control);
            added.map_err(|e| file.place(e, "bake", element.line))?;
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
        self.images.push(Image { name, texels, source: None });
        Ok(())
    }

    fn add_bake(&mut self, folder: &str, element: &BakeElement, control: &Control) -> Result<()> {
        let name = Name::new(&Path::new(folder).join(&element.file), self.layout.tiles())?;
        let content = match element.kind {
            BakeKind::Colour => Content::Colour,
            BakeKind::Data => Content::Data,
            BakeKind::Displacement => Content::Displacement { middle: None, scale: 1.0 },
            BakeKind::Normal => Content::Normal { green_down: false },
            BakeKind::NormalGreenDown => Content::Normal { green_down: true },
        };
        let (texture, tiles) = (placeholder(&element.texture), self.layout.tiles());
        let mut read = |tile| read_tile(&texture, tiles, tile);
        let source = Source::new(&self.layout, content, &mut read, &mut self.room, control)
            .map_err(|e| e.file(Path::new(&element.texture)))?;
        if !element.file.to_ascii_lowercase().ends_with(ending(source.depth())) {
            let message = format!(
                "{:?}: as deep as its texture the image is written as .{}",
                element.file,
                ending(source.depth())
            );
            return Err(Error::new(Kind::Unsupported, message));
        }
        let size = element.size.map_or(source.size().map(|side| side as u32), |size| [size; 2]);
        let texels = self.texels(size, element.padding, control)?;
        self.images.push(Image { name, texels, source: Some(source) });
        Ok(())
    }

    fn texels(&mut self, size: [u32; 2], padding: u32, control: &Control) -> Result<Vec<Texels>> {
        if size.iter().any(|side| !(1..=MOST_TEXELS).contains(side)) {
            let message = format!("{} by {} texels; sides of 1 to {MOST_TEXELS} can be", size[0], size[1]);
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

    /// What is odd about the UVs.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The names of a frame's images.
    pub fn names(&self, frame: i64) -> Result<Vec<PathBuf>> {
        let each =
            self.images.iter().flat_map(|image| image.texels.iter().map(move |texels| (image, texels)));
        each.map(|(image, texels)| image.name.path(texels.tile(), frame)).collect()
    }

    /// Writes a frame's images and returns their names.
    pub fn write(&self, skin: Part, control: &Control) -> Result<Vec<PathBuf>> {
        let slide = Slide::from_skin(&self.layout, &self.skin(skin))?;
        let mut files = Vec::new();
        for image in &self.images {
            for texels in &image.texels {
                let path = image.name.path(texels.tile(), skin.moment.frame)?;
                match &image.source {
                    Some(source) => write(&path, &bake(&self.layout, texels, &slide, source, control)?)?,
                    None => write_exr(&path, &st_map(&self.layout, texels, &slide, control)?, &CHANNELS)?,
                }
                files.push(path);
            }
        }
        Ok(files)
    }

    /// The skin's points. The node tells the face and the weights in one of its triangles: the one in which they are at
    /// the point.
    fn skin(&self, skin: Part) -> Vec<SurfacePoint> {
        let (places, faces) = (skin.vectors("skin_points"), skin.output("skin_faces"));
        let weights = skin.output("skin_weights");
        let point =
            |v: usize| self.point(&places[v], faces[v] as usize, std::array::from_fn(|k| weights[3 * v + k]));
        let Some(mended) = &self.mended else { return (0..places.len()).map(point).collect() };
        let own = |vertex: usize| {
            // Of several fans that meet in a given vertex it tells of the first; others are taken for unmoved there.
            let of = mended.vertex_of();
            let told = mended.members(vertex).iter().find(|&&v| of[v as usize] as usize == vertex);
            told.map_or_else(|| self.layout.home(vertex), |&v| point(v as usize))
        };
        (0..mended.mesh.positions.len()).map(own).collect()
    }

    fn point(&self, place: &Vec3, face: usize, weights: [Real; 3]) -> SurfacePoint {
        let point = |triangle: usize| SurfacePoint { triangle: triangle as u32, weights };
        let off = |point: &SurfacePoint| (point.position(self.layout.triangles()) - place).norm_squared();
        let triangles = match &self.mended {
            None => self.layout.triangles_of(face),
            // What is left of a face may be several.
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
