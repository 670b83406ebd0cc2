//! What the skin slider writes, as a scene tells it.

use super::Use;
use super::schema::{elements, word_attribute, words};
use crate::texture::ColourSpace;

elements! {
    /// What the skin slider writes, all into one folder, with report.json and manifest.json.
    "results" => ResultsElement {
        /// The folder; it is made when it is missing.
        "folder" folder: String;
        /// Per frame uv.%04d.obj, skin.%04d.csv and maps.%04d.csv, and once rest.obj; the page is made of them.
        "tables" tables: bool = "yes";
        children {
            /// The body with slid UVs and maps, all frames in one file.
            caches: Vec<CacheElement>;
            /// ST-maps.
            st_maps: Vec<StMapElement>;
            /// Textures that slid.
            bakes: Vec<BakeElement>;
            /// Textures that go on over seams.
            padded: Vec<PaddedElement>;
            /// What rides on the skin.
            rides: Vec<RideElement>;
            /// The page to look at.
            page: Option<PageElement>;
        }
    }

    /// The body with slid UVs and maps, all frames in one file.
    "cache" => CacheElement {
        /// Its name in the folder; the ending .abc, .usd, .usda, .usdc or, for viewing (UVs of one frame), .glb tells the format.
        "file" file: String;
        /// The name under which Alembic and USD hold the slid rest position, for projections: Pref is known to renderers.
        "rest_name" rest_name: String = "skin";
        /// Whether the file is a layer: only UVs and maps, over the body's mesh in the body's own file, which stays beside it and has all else.
        "layer" layer: LayerChoice = "auto";
        /// Whether the file tells how fast the body's points move, in units per second, for motion blur: from the moment before to the one after. Alembic and USD can, layers have no points.
        "velocities" velocities: bool = "no";
    }

    /// Per frame an image in the body's UV layout that tells for each texel which UV to fetch (R is u, G is v).
    "st_map" => StMapElement {
        /// Its name in the folder, with places for the frame and, with several tiles, for the tile: st.UDIM.%04d.exr.
        "file" file: String;
        /// Texels in a row of a tile.
        "size" size: u32 = "2048";
        /// Texels beyond the islands that go on over the seam.
        "padding" padding: u32 = "1";
        /// How UVs are stored. Sixteen bits hold a 16th of a texel up to 256 texels in a row, 128 where u or v reaches 2, and so on.
        "depth" depth: StMapDepth = "auto";
        /// UVs are rounded to so many steps to a texel, which makes files smaller; 0 keeps all bits.
        "steps" steps: u32 = "64";
        /// How the file is packed.
        "packing" packing: Packing = "zip";
        /// Whether an EXR file holds only the rectangle in which islands are, as its data window; the display window is the whole tile.
        "crop" crop: bool = "no";
    }

    /// Per frame a texture in the body's UV layout as it looks after sliding.
    "bake" => BakeElement {
        /// The texture; UDIM in its name stands for the tile.
        "texture" texture: String;
        /// Its name in the folder, with places for the frame and the tile: tattoo.UDIM.%04d.png.
        "file" file: String;
        /// What the texture holds.
        "kind" kind: BakeKind = "colour";
        /// Texels in a row of a tile; as the texture has when left out.
        "size" size: Option<u32>;
        /// Texels beyond the islands that go on over the seam.
        "padding" padding: u32 = "8";
        /// The space of the colours, in which the result is too; when left out whole numbers are sRGB, floats linear, and what the texture says (ICC, chromaticities) goes on into the result.
        "space" space: Option<ColourSpace>;
        /// Of floats, how they are stored; as the texture when left out.
        "depth" depth: Option<FloatDepth>;
        /// How an EXR file is packed.
        "packing" packing: Packing = "zip";
        /// Whether an EXR file is tiled and has smaller copies of itself, as renderers want it.
        "mipmaps" mipmaps: bool = "no";
        /// Whether an EXR file holds only the rectangle in which islands are, as its data window; the display window is the whole tile.
        "crop" crop: bool = "no";
    }

    /// Once, a copy of a texture that goes on over the seams, for renderers that get slid UVs, best those of uv_seams=held.
    "padded" => PaddedElement {
        /// The texture; UDIM in its name stands for the tile.
        "texture" texture: String;
        /// Its name in the folder, with a place for the tile where the texture has one: skin.UDIM.png. Where a gutter reaches into a tile without UVs, that tile gets a file too.
        "file" file: String;
        /// What the texture holds.
        "kind" kind: BakeKind = "colour";
        /// Texels beyond the islands that go on over the seam: as far as faces slide, which the report tells; up to 512.
        "padding" padding: u32 = "64";
        /// The space of the colours, as for a bake.
        "space" space: Option<ColourSpace>;
        /// How an EXR file is packed.
        "packing" packing: Packing = "zip";
        /// Whether an EXR file is tiled and has smaller copies of itself, as renderers want it.
        "mipmaps" mipmaps: bool = "no";
    }

    /// Points, lines or a mesh that lie on the body at rest and ride on the skin: hair roots, curves, decals.
    "ride" => RideElement {
        /// What rides, where it lies on the body at rest: OBJ, or Alembic (groom.abc, groom.abc/brows; curves are lines through their points, with their widths).
        "geometry" geometry: String;
        /// Its name in the folder: hair.abc, hair.%04d.obj, or hair.%04d.csv for the matrix of each point that rides.
        "file" file: String;
    }

    /// One HTML file: standard skinning beside sliding, with plots and warnings.
    "page" => PageElement {
        /// Its name in the folder.
        "file" file: String;
        /// The texture to show; squares when left out.
        "texture" texture: Option<String>;
    }
}

impl ResultsElement {
    /// Takes everything out but what rides, which the node carries along.
    pub(super) fn leave_riders(&mut self) {
        self.tables = true;
        self.caches.clear();
        self.st_maps.clear();
        self.bakes.clear();
        self.padded.clear();
        self.page = None;
        self.rides.iter_mut().for_each(|ride| ride.file.clear());
    }

    /// The names of files that count from the scene's folder, not from the results'.
    pub(super) fn outer_files_mut(&mut self) -> impl Iterator<Item = (Use, &mut String)> {
        let textures = self.bakes.iter_mut().map(|e| &mut e.texture);
        let textures = textures.chain(self.padded.iter_mut().map(|e| &mut e.texture));
        let geometry = self.rides.iter_mut().map(|e| &mut e.geometry);
        let shown = self.page.iter_mut().filter_map(|e| e.texture.as_mut());
        let read = textures.chain(geometry).chain(shown).map(|file| (Use::Read, file));
        std::iter::once((Use::Written, &mut self.folder)).chain(read)
    }
}

word_attribute! {
    /// Whether a file is a layer over the mesh that moves, or holds the whole mesh. A layer of USD has the other file as a sublayer and shows the whole shot when it is opened; one of Alembic is opened together with the other, before which it stands.
    LayerChoice ("auto, yes or no") {
        /// A layer where the body and the file are both USD and the body has the faces of the mesh at rest; else the whole mesh.
        Auto = "auto",
        /// A layer, or an error that says why there can be none: the body must be of the same format, USD or Alembic, with the faces of the mesh at rest.
        Yes = "yes",
        /// The whole mesh.
        No = "no",
    }
}

word_attribute! {
    /// What a texture holds, which decides how its texels mix.
    BakeKind ("colour, data, displacement, normal or normal_green_down") {
        /// Colours: 8-bit ones are sRGB and mix as light.
        Colour = "colour",
        /// Numbers: masks, roughness.
        Data = "data",
        /// Heights; none is 0.5 in whole numbers, 0 in floats.
        Displacement = "displacement",
        /// Normals in tangent space, which turn with the skin; green is up, as in OpenGL.
        Normal = "normal",
        /// The same with green down, as in DirectX.
        NormalGreenDown = "normal_green_down",
    }
}

word_attribute! {
    /// How an EXR file is packed.
    Packing ("zip, zips, piz, pxr24, rle or none") {
        /// Deflate over 16 rows.
        Zip = "zip",
        /// Deflate row by row, quicker to open at one place.
        Zips = "zips",
        /// Wavelets.
        Piz = "piz",
        /// Floats of 24 bits, deflated: 17 bits of a UV.
        Pxr24 = "pxr24",
        /// Runs of equal bytes.
        Rle = "rle",
        /// Not at all: large, and the least work.
        None = "none",
    }
}

word_attribute! {
    /// How the UVs of an ST-map are stored.
    StMapDepth ("auto, half or float") {
        /// With sixteen bits where they hold a 16th of a texel, else with thirty-two.
        Auto = "auto",
        /// With sixteen bits.
        Half = "half",
        /// With thirty-two bits.
        Float = "float",
    }
}

word_attribute! {
    /// How floats are stored.
    FloatDepth ("half or float") {
        /// With sixteen bits.
        Half = "half",
        /// With thirty-two bits.
        Float = "float",
    }
}

words! {
    ColourSpace ("srgb, linear, acescg, aces, display_p3 or raw") {
        Srgb = "srgb",
        Linear = "linear",
        AcesCg = "acescg",
        Aces = "aces",
        DisplayP3 = "display_p3",
        Raw = "raw",
    }
}
