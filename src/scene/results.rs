//! What the skin slider writes, as a scene tells it.

use super::Use;
use super::schema::{elements, word_attribute};

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
    }

    /// Per frame an image in the body's UV layout that tells for each texel which UV to fetch (R is u, G is v).
    "st_map" => StMapElement {
        /// Its name in the folder, with places for the frame and, with several tiles, for the tile: st.UDIM.%04d.exr.
        "file" file: String;
        /// Texels in a row of a tile.
        "size" size: u32 = "2048";
        /// Texels beyond the islands that go on over the seam.
        "padding" padding: u32 = "1";
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
        self.folder.clear();
        self.tables = true;
        self.caches.clear();
        self.st_maps.clear();
        self.bakes.clear();
        self.page = None;
        self.rides.iter_mut().for_each(|ride| ride.file.clear());
    }

    /// The names of files that count from the scene's folder, not from the results'.
    pub(super) fn outer_files_mut(&mut self) -> impl Iterator<Item = (Use, &mut String)> {
        let textures = self.bakes.iter_mut().map(|e| &mut e.texture);
        let geometry = self.rides.iter_mut().map(|e| &mut e.geometry);
        let shown = self.page.iter_mut().filter_map(|e| e.texture.as_mut());
        let read = textures.chain(geometry).chain(shown).map(|file| (Use::Read, file));
        std::iter::once((Use::Written, &mut self.folder)).chain(read)
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
