//! The JSON of a file: what is read of it. Everything else in it is ignored.

use serde::Deserialize;
use sinew_base::error::{Error, Kind};
use sinew_math::Real;
use sinew_math::elementary::{cos, sin};
use std::collections::BTreeMap;

/// The kinds of chunks, "JSON" and "BIN\0".
pub(super) const JSON: u32 = 0x4E4F_534A;
pub(super) const BINARY: u32 = 0x004E_4942;

/// The types of numbers.
pub(super) const BYTE: u32 = 5120;
pub(super) const UNSIGNED_BYTE: u32 = 5121;
pub(super) const SHORT: u32 = 5122;
pub(super) const UNSIGNED_SHORT: u32 = 5123;
pub(super) const UNSIGNED_INT: u32 = 5125;
pub(super) const FLOAT: u32 = 5126;

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Version,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
    pub scene: Option<usize>,
    pub scenes: Vec<Scene>,
    pub nodes: Vec<Node>,
    pub meshes: Vec<MeshEntry>,
    pub skins: Vec<Skin>,
    pub animations: Vec<Animation>,
    pub accessors: Vec<Accessor>,
    pub buffer_views: Vec<BufferView>,
    pub buffers: Vec<Buffer>,
    pub materials: Vec<Material>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Version {
    pub version: String,
    pub min_version: Option<String>,
    pub generator: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Scene {
    pub nodes: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    pub name: Option<String>,
    pub children: Vec<usize>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    pub weights: Option<Vec<Real>>,
    pub matrix: Option<Box<[Real; 16]>>,
    pub translation: Option<[Real; 3]>,
    pub rotation: Option<[Real; 4]>,
    pub scale: Option<[Real; 3]>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MeshEntry {
    pub primitives: Vec<Primitive>,
    pub weights: Option<Vec<Real>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Primitive {
    pub attributes: BTreeMap<String, usize>,
    pub indices: Option<usize>,
    pub material: Option<usize>,
    pub mode: Option<u32>,
    pub targets: Vec<Target>,
}

/// The offsets of a blend shape at weight 1.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(default)]
pub(super) struct Target {
    #[serde(rename = "POSITION")]
    pub position: Option<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Skin {
    pub name: Option<String>,
    pub inverse_bind_matrices: Option<usize>,
    pub joints: Vec<usize>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Animation {
    pub name: Option<String>,
    pub channels: Vec<Channel>,
    pub samplers: Vec<Sampler>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Channel {
    pub sampler: usize,
    pub target: ChannelTarget,
}

#[derive(Debug, Deserialize)]
pub(super) struct ChannelTarget {
    pub node: Option<usize>,
    pub path: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sampler {
    pub input: usize,
    pub output: usize,
    #[serde(default)]
    pub interpolation: Interpolation,
}

/// How values between two keys follow from them.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
pub(super) enum Interpolation {
    #[serde(rename = "STEP")]
    Step,
    #[default]
    #[serde(rename = "LINEAR")]
    Linear,
    #[serde(rename = "CUBICSPLINE")]
    Cubic,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<Box<Sparse>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sparse {
    pub count: usize,
    pub indices: SparsePart,
    pub values: SparsePart,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparsePart {
    pub buffer_view: usize,
    #[serde(default)]
    pub byte_offset: usize,
    /// Of indices alone.
    #[serde(default)]
    pub component_type: u32,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub uri: Option<String>,
    pub byte_length: usize,
}

/// What the surface looks like: its name, and how its textures are laid over the UVs.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Material {
    pub name: Option<String>,
    pbr_metallic_roughness: Roughness,
    normal_texture: TextureInfo,
    occlusion_texture: TextureInfo,
    emissive_texture: TextureInfo,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Roughness {
    base_color_texture: TextureInfo,
    metallic_roughness_texture: TextureInfo,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct TextureInfo {
    tex_coord: usize,
    extensions: TextureExtensions,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct TextureExtensions {
    #[serde(rename = "KHR_texture_transform")]
    transform: Option<TextureTransform>,
}

/// `KHR_texture_transform`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TextureTransform {
    offset: [Real; 2],
    /// Counter-clockwise, in radians; v points down.
    rotation: Real,
    scale: [Real; 2],
    /// Another set of UVs.
    tex_coord: Option<usize>,
}

impl Default for TextureTransform {
    fn default() -> Self {
        TextureTransform { offset: [0.0; 2], rotation: 0.0, scale: [1.0; 2], tex_coord: None }
    }
}

impl Material {
    /// How the first set of UVs is transformed for the first texture that says so, the base colour before others.
    pub fn texture_transform(&self) -> Option<TextureTransform> {
        let Roughness { base_color_texture: base, metallic_roughness_texture: rough } =
            &self.pbr_metallic_roughness;
        let all = [base, &self.normal_texture, &self.emissive_texture, &self.occlusion_texture, rough];
        all.into_iter().find_map(|info| {
            let transform = info.extensions.transform?;
            (transform.tex_coord.unwrap_or(info.tex_coord) == 0).then_some(transform)
        })
    }
}

impl TextureTransform {
    /// Where it leads a UV.
    pub fn apply(&self, [u, v]: [Real; 2]) -> [Real; 2] {
        let [u, v] = [u * self.scale[0], v * self.scale[1]];
        let (sin, cos) = (sin(self.rotation), cos(self.rotation));
        [self.offset[0] + (cos * u + sin * v), self.offset[1] + (cos * v - sin * u)]
    }
}

/// The error for an index of something that is not there.
pub(super) fn missing(what: &str, index: usize, count: usize) -> Error {
    Error::new(Kind::OutOfRange, format!("there is no {what} {index}: there are {count}, counted from 0"))
}
