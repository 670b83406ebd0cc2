//! What a job writes: one list of elements in `<outputs>`, where ports of any node (`<write>`) stand beside what is
//! made from sliding skin.
//!
//! Every kind of output is an element of its own with a writer of its own, because a person looks for the thing that
//! they want (an ST-map, a page), not for a port. The list belongs to the scene and not to a node: all of it goes into
//! one folder, with one report. An element about sliding skin names its node only where a scene has several such nodes.

use super::Use;
use super::schema::{Line, elements, word_attribute, words};
use sinew_texture::ColourSpace;

elements! {
    /// What is written, all into one folder.
    "outputs" => OutputsElement {
        /// The folder; created if missing.
        "folder" folder: String;
        /// What happens at a frame whose inputs are not finite.
        "broken" broken: Broken = "keep";
        /// Whether report.json and manifest.json are written as well.
        "report" report: bool = "yes";
        children {
            /// Any outputs of nodes.
            writes: Vec<WriteElement>;
            /// The skin as plain files.
            tables: Option<TablesElement>;
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

    /// A file, or one per frame, and what goes into it.
    "write" => WriteElement {
        /// The file's name in the folder. The extension selects the format, as `sinew formats` lists: most hold all
        /// frames; .obj needs a placeholder for the frame (body.%04d.obj), .csv and .json may have one.
        "file" file: String;
        /// What goes into it: NODE.PORT, or NAME=NODE.PORT to rename it in the file, separated by spaces: points with
        /// UVs and maps, curves with their counts, or, for tables, any ports with equally many items.
        "from" from: String;
        /// A file with the faces of the points; if omitted, those of the mesh given to the node.
        "faces" faces: Option<String>;
        /// For curves, their radii, as NODE.PORT.
        "radii" radii: Option<String>;
        /// Whether the file is a layer: UVs, maps and, in USD, points over the mesh in the file that fed the nodes,
        /// which must be kept next to it. By default it is one if no points are named and that file has the same
        /// format, USD or Alembic. With yes, moved points are written at the mesh's own path, in its own space, so that
        /// everything else about it stays: names, hierarchy, subsets, materials, UVs.
        "layer" layer: LayerChoice = "auto";
        /// For curves, a number for each segment between two points, as NODE.PORT: where it is not 0 the curve is cut,
        /// and each piece becomes a curve.
        "cuts" cuts: Option<String>;
        /// Whether each curve becomes a group of its own or, in a file without curves, each part of the mesh, such as a
        /// muscle, a mesh of its own below a common parent, under the name that the node gives it. Meshes apart are
        /// written to .abc, .usd, .usda and .usdc, and as objects to .obj.
        "groups" groups: bool = "no";
        /// For curves with a radius each, written to .obj: the number of sides of tubes drawn in place of lines. Their
        /// v is the first per-point number, or the distance along the curve if there is none.
        "tubes" tubes: Option<u32>;
        /// Whether the file stores the velocities of the points, in units per second, for motion blur: central
        /// differences between neighbouring samples. Alembic and USD support this.
        "velocities" velocities: bool = "no";
        /// For tables, what a row stands for, in the singular; if omitted, the port's item, or joint for matrices
        /// alone.
        "item" item: Option<String>;
    }

    /// The skin as plain files: per frame uv.%04d.obj (the body with slid UVs), skin.%04d.csv and maps.%04d.csv, and
    /// once rest.obj.
    "tables" => TablesElement {
        /// The node whose skin slides, if there are several.
        "node" node: Option<String>;
    }

    /// The body with slid UVs and maps, all frames in one file.
    "cache" => CacheElement {
        /// Its name in the folder. The extension selects the format, Alembic or one of USD's; or, for viewing, binary
        /// glTF, which has the UVs of one frame.
        "file" file: String;
        /// The name under which Alembic and USD store the slid rest position, for projections: Pref is known to
        /// renderers.
        "rest_name" rest_name: String = "skin";
        /// Whether the file is a layer: only UVs and maps over the mesh in the body's own file, which must be kept next
        /// to it and holds everything else.
        "layer" layer: LayerChoice = "auto";
        /// Whether the file stores the velocities of the body's points, in units per second, for motion blur: central
        /// differences between neighbouring samples. Alembic and USD support this; layers have no points.
        "velocities" velocities: bool = "no";
        /// The node whose skin slides, if there are several.
        "node" node: Option<String>;
    }

    /// Per frame an image in the body's UV layout that stores for each texel which UV to fetch (R is u, G is v).
    "st_map" => StMapElement {
        /// Its name in the folder, with placeholders for the frame and, with several tiles, for the tile:
        /// st.UDIM.%04d.exr.
        "file" file: String;
        /// The width of a tile in texels.
        "size" size: u32 = "2048";
        /// Padding beyond the islands, continued across the seam, in texels.
        "padding" padding: u32 = "1";
        /// How UVs are stored. Half floats resolve a 16th of a texel in tiles up to 256 texels wide, up to 128 where u
        /// or v reaches 2, and so on.
        "depth" depth: StMapDepth = "auto";
        /// UVs are rounded to this many steps per texel, which makes files smaller; 0 keeps all bits.
        "steps" steps: u32 = "64";
        /// How the file is compressed.
        "packing" packing: Packing = "zip";
        /// Whether an EXR file holds only the rectangle in which islands are, as its data window; the display window is
        /// the whole tile.
        "crop" crop: bool = "no";
        /// The node whose skin slides, if there are several.
        "node" node: Option<String>;
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
        /// The colour space of the texture and of the result; if omitted, whole numbers are sRGB and floats linear, and
        /// what the texture declares (ICC, chromaticities) is passed on to the result.
        "space" space: Option<ColourSpace>;
        /// How floats are stored; as in the texture if omitted.
        "depth" depth: Option<FloatDepth>;
        /// How an EXR file is compressed.
        "packing" packing: Packing = "zip";
        /// Whether an EXR file is tiled and has mipmaps, as renderers want it.
        "mipmaps" mipmaps: bool = "no";
        /// Whether an EXR file holds only the rectangle in which islands are, as its data window; the display window is
        /// the whole tile.
        "crop" crop: bool = "no";
        /// The node whose skin slides, if there are several.
        "node" node: Option<String>;
    }

    /// A copy of a texture, written once, that continues across the seams, for renderers that use slid UVs, preferably
    /// those of uv_seams=held.
    "padded" => PaddedElement {
        /// The texture; UDIM in its name stands for the tile.
        "texture" texture: String;
        /// Its name in the folder, with a placeholder for the tile where the texture has one: skin.UDIM.png. Where a
        /// gutter reaches into a tile without UVs, that tile gets a file too.
        "file" file: String;
        /// What the texture holds.
        "kind" kind: BakeKind = "colour";
        /// Padding beyond the islands, continued across the seam, in texels: at least as far as faces slide, which the
        /// report states; up to 512.
        "padding" padding: u32 = "64";
        /// The colour space, as for a bake.
        "space" space: Option<ColourSpace>;
        /// How an EXR file is compressed.
        "packing" packing: Packing = "zip";
        /// Whether an EXR file is tiled and has mipmaps, as renderers want it.
        "mipmaps" mipmaps: bool = "no";
        /// The node whose skin slides, if there are several.
        "node" node: Option<String>;
    }

    /// Points, lines or a mesh that lie on the body at rest and ride on the skin: hair roots, curves, decals.
    "ride" => RideElement {
        /// What rides, as it lies on the body at rest: OBJ, or Alembic (groom.abc, groom.abc/brows; curves are
        /// polylines through their points, with their widths).
        "geometry" geometry: String;
        /// Its name in the folder: hair.abc, hair.%04d.obj, or hair.%04d.csv for the matrix of each riding point.
        "file" file: String;
        /// The node whose skin slides, if there are several.
        "node" node: Option<String>;
    }

    /// One HTML file made from the tables: standard skinning next to sliding, with plots and warnings.
    "page" => PageElement {
        /// Its name in the folder.
        "file" file: String;
        /// The texture to show; a checkerboard if omitted.
        "texture" texture: Option<String>;
    }
}

impl OutputsElement {
    /// Nothing yet, into a folder.
    pub fn new(folder: String) -> Self {
        OutputsElement {
            folder,
            broken: Broken::Keep,
            report: true,
            writes: Vec::new(),
            tables: None,
            caches: Vec::new(),
            st_maps: Vec::new(),
            bakes: Vec::new(),
            padded: Vec::new(),
            rides: Vec::new(),
            page: None,
            line: Line(0),
        }
    }

    /// The elements about sliding skin, in the order in which their kinds are listed: the node that each names, its
    /// element's name and its line.
    pub fn about_skin(&self) -> impl Iterator<Item = (Option<&str>, &'static str, Line)> {
        let tables = self.tables.iter().map(|e| (&e.node, "tables", e.line));
        let caches = self.caches.iter().map(|e| (&e.node, "cache", e.line));
        let st_maps = self.st_maps.iter().map(|e| (&e.node, "st_map", e.line));
        let bakes = self.bakes.iter().map(|e| (&e.node, "bake", e.line));
        let padded = self.padded.iter().map(|e| (&e.node, "padded", e.line));
        let rides = self.rides.iter().map(|e| (&e.node, "ride", e.line));
        let all = tables.chain(caches).chain(st_maps).chain(bakes).chain(padded).chain(rides);
        all.map(|(node, element, line)| (node.as_deref(), element, line))
    }

    /// Removes everything but what rides, which the node carries along.
    pub(super) fn leave_riders(&mut self) {
        self.writes.clear();
        self.tables = None;
        self.caches.clear();
        self.st_maps.clear();
        self.bakes.clear();
        self.padded.clear();
        self.page = None;
        self.rides.iter_mut().for_each(|ride| ride.file.clear());
    }

    /// File names that are relative to the scene's folder, not to the outputs'.
    pub(super) fn outer_files_mut(&mut self) -> impl Iterator<Item = (Use, &mut String)> {
        let faces = self.writes.iter_mut().filter_map(|e| e.faces.as_mut());
        let textures = self.bakes.iter_mut().map(|e| &mut e.texture);
        let textures = textures.chain(self.padded.iter_mut().map(|e| &mut e.texture));
        let geometry = self.rides.iter_mut().map(|e| &mut e.geometry);
        let shown = self.page.iter_mut().filter_map(|e| e.texture.as_mut());
        let read = faces.chain(textures).chain(geometry).chain(shown).map(|file| (Use::Read, file));
        std::iter::once((Use::Written, &mut self.folder)).chain(read)
    }
}

impl WriteElement {
    /// A file of these outputs alone, which is not a layer.
    pub fn new(file: String, from: String, line: Line) -> Self {
        WriteElement {
            file,
            from,
            faces: None,
            radii: None,
            layer: LayerChoice::No,
            cuts: None,
            groups: false,
            velocities: false,
            tubes: None,
            item: None,
            line,
        }
    }
}

word_attribute! {
    /// What happens at a frame whose inputs are not finite.
    Broken ("stop or keep") {
        /// The job stops there with an error.
        Stop = "stop",
        /// The last good result is written instead, and the job fails at the end.
        Keep = "keep",
    }
}

word_attribute! {
    /// Whether a file is a layer over the moving mesh or holds the whole mesh. A USD layer has the other file as a
    /// sublayer and shows the whole shot when opened; an Alembic layer is opened together with the other file and
    /// listed before it.
    LayerChoice ("auto, yes or no") {
        /// A layer if the body and the file are both USD and the body has the faces of the mesh at rest; otherwise the
        /// whole mesh.
        Auto = "auto",
        /// A layer, or an error saying why it cannot be one: the body must be of the same format, USD or Alembic, with
        /// the faces of the mesh at rest.
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
