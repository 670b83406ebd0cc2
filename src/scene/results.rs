//! What the skin slider writes, as a scene describes it.

use super::Use;
use super::schema::{elements, word_attribute, words};
use crate::texture::ColourSpace;

elements! {
    /// What the skin slider writes, all into one folder, with report.json and manifest.json.
    "results" => ResultsElement {
        /// The folder; created if missing.
        "folder" folder: String;
        /// Per frame uv.%04d.obj, skin.%04d.csv and maps.%04d.csv, and once rest.obj; the page is built from them.
        "tables" tables: bool = "yes";
        children {
            /// The body with slid UVs and maps, all frames in one file.
            caches: Vec<CacheElement>;
            /// ST-maps.
            st_maps: Vec<StMapElement>;
            /// Baked textures, as they look after sliding.
            bakes: Vec<BakeElement>;
            /// Textures that continue across seams.
            padded: Vec<PaddedElement>;
            /// What rides on the skin.
            rides: Vec<RideElement>;
            /// The page for review.
            page: Option<PageElement>;
        }
    }

    /// The body with slid UVs and maps, all frames in one file.
    "cache" => CacheElement {
        /// Its name in the folder; the extension .abc, .usd, .usda, .usdc or, for viewing (UVs of one frame), .glb selects the format.
        "file" file: String;
        /// The name under which Alembic and USD store the slid rest position, for projections: Pref is known to renderers.
        "rest_name" rest_name: String = "skin";
        /// Whether the file is a layer: only UVs and maps over the mesh in the body's own file, which must be kept next to it and holds everything else.
        "layer" layer: LayerChoice = "auto";
        /// Whether the file stores the velocities of the body's points, in units per second, for motion blur: central differences between neighbouring samples. Alembic and USD support this; layers have no points.
        "velocities" velocities: bool = "no";
    }

    /// Per frame an image in the body's UV layout that stores for each texel which UV to fetch (R is u, G is v).
    "st_map" => StMapElement {
        /// Its name in the folder, with placeholders for the frame and, with several tiles, for the tile: st.UDIM.%04d.exr.
        "file" file: String;
        /// The width of a tile in texels.
        "size" size: u32 = "2048";
        /// Padding beyond the islands, continued across the seam, in texels.
        "padding" padding: u32 = "1";
        /// How UVs are stored. Half floats resolve a 16th of a texel in tiles up to 256 texels wide, up to 128 where u or v reaches 2, and so on.
        "depth" depth: StMapDepth = "auto";
        /// UVs are rounded to this many steps per texel, which makes files smaller; 0 keeps all bits.
        "steps" steps: u32 = "64";
        /// How the file is compressed.
        "packing" packing: Packing = "zip";
        /// Whether an EXR file holds only the rectangle in which islands are, as its data window; the display window is the whole tile.
        "crop" crop: bool = "no";
    }

    /// Per frame a texture in the body's UV layout as it looks after sliding.
    "bake" => BakeElement {
        /// The texture; UDIM in its name stands for the tile.
        "texture" texture: String;
        /// Its name in the folder, with placeholders for the frame and the tile: tattoo.UDIM.%04d.png.
        "file" file: String;
        /// What the texture holds.
        "kind" kind: BakeKind = "colour";
        /// The width of a tile in texels; that of the texture if omitted.
        "size" size: Option<u32>;
        /// Padding beyond the islands, continued across the seam, in texels.
        "padding" padding: u32 = "8";
        /// The colour space of the texture and of the result; if omitted, whole numbers are sRGB and floats linear, and what the texture declares (ICC, chromaticities) is passed on to the result.
        "space" space: Option<ColourSpace>;
        /// How floats are stored; as in the texture if omitted.
        "depth" depth: Option<FloatDepth>;
        /// How an EXR file is compressed.
        "packing" packing: Packing = "zip";
        /// Whether an EXR file is tiled and has mipmaps, as renderers want it.
        "mipmaps" mipmaps: bool = "no";
        /// Whether an EXR file holds only the rectangle in which islands are, as its data window; the display window is the whole tile.
        "crop" crop: bool = "no";
    }

    /// A copy of a texture, written once, that continues across the seams, for renderers that use slid UVs, preferably those of uv_seams=held.
    "padded" => PaddedElement {
        /// The texture; UDIM in its name stands for the tile.
        "texture" texture: String;
        /// Its name in the folder, with a placeholder for the tile where the texture has one: skin.UDIM.png. Where a gutter reaches into a tile without UVs, that tile gets a file too.
        "file" file: String;
        /// What the texture holds.
        "kind" kind: BakeKind = "colour";
        /// Padding beyond the islands, continued across the seam, in texels: at least as far as faces slide, which the report states; up to 512.
        "padding" padding: u32 = "64";
        /// The colour space, as for a bake.
        "space" space: Option<ColourSpace>;
        /// How an EXR file is compressed.
        "packing" packing: Packing = "zip";
        /// Whether an EXR file is tiled and has mipmaps, as renderers want it.
        "mipmaps" mipmaps: bool = "no";
    }

    /// Points, lines or a mesh that lie on the body at rest and ride on the skin: hair roots, curves, decals.
    "ride" => RideElement {
        /// What rides, as it lies on the body at rest: OBJ, or Alembic (groom.abc, groom.abc/brows; curves are polylines through their points, with their widths).
        "geometry" geometry: String;
        /// Its name in the folder: hair.abc, hair.%04d.obj, or hair.%04d.csv for the matrix of each riding point.
        "file" file: String;
    }

    /// One HTML file: standard skinning next to sliding, with plots and warnings.
    "page" => PageElement {
        /// Its name in the folder.
        "file" file: String;
        /// The texture to show; a checkerboard if omitted.
        "texture" texture: Option<String>;
    }
}

impl ResultsElement {
    /// Removes everything but what rides, which the node carries along.
    pub(super) fn leave_riders(&mut self) {
        self.tables = true;
        self.caches.clear();
        self.st_maps.clear();
        self.bakes.clear();
        self.padded.clear();
        self.page = None;
        self.rides.iter_mut().for_each(|ride| ride.file.clear());
    }

    /// File names that are relative to the scene's folder, not to the results'.
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
    /// Whether a file is a layer over the moving mesh or holds the whole mesh. A USD layer has the other file as a sublayer and shows the whole shot when opened; an Alembic layer is opened together with the other file and listed before it.
    LayerChoice ("auto, yes or no") {
        /// A layer if the body and the file are both USD and the body has the faces of the mesh at rest; otherwise the whole mesh.
        Auto = "auto",
        /// A layer, or an error saying why it cannot be one: the body must be of the same format, USD or Alembic, with the faces of the mesh at rest.
        Yes = "yes",
        /// The whole mesh.
        No = "no",
    }
}

word_attribute! {
    /// What a texture holds, which decides how its texels are blended.
    BakeKind ("colour, data, displacement, normal or normal_green_down") {
        /// Colours: 8-bit ones are sRGB and are blended in linear light.
        Colour = "colour",
        /// Numbers: masks, roughness.
        Data = "data",
        /// Heights; zero displacement is 0.5 in whole numbers, 0 in floats.
        Displacement = "displacement",
        /// Normals in tangent space, which turn with the skin; green is up, as in OpenGL.
        Normal = "normal",
        /// The same with green down, as in DirectX.
        NormalGreenDown = "normal_green_down",
    }
}

word_attribute! {
    /// How an EXR file is compressed.
    Packing ("zip, zips, piz, pxr24, rle or none") {
        /// Deflate over 16 rows.
        Zip = "zip",
        /// Deflate row by row; faster random access.
        Zips = "zips",
        /// Wavelets.
        Piz = "piz",
        /// Floats rounded to 24 bits, deflated; keeps 17 bits of a UV.
        Pxr24 = "pxr24",
        /// Runs of equal bytes.
        Rle = "rle",
        /// Uncompressed: large, but fastest.
        None = "none",
    }
}

word_attribute! {
    /// How the UVs of an ST-map are stored.
    StMapDepth ("auto, half or float") {
        /// Sixteen bits where they resolve a 16th of a texel, otherwise thirty-two.
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
