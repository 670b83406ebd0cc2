//! Her skin as a texture in the body's own UVs: complexion, lips, brows, nails, a swimsuit, and the tattoos.

use super::noise::{dots, noise};
use super::tattoos::Tattoos;
use crate::human::Human;
use sinew::anatomy::shaping::{hill, step};
use sinew::control::Control;
use sinew::drawing::motifs::rgb;
use sinew::error::Result;
use sinew::formats::image::Image;
use sinew::geometry::TriMesh;
use sinew::math::{Real, Vec2, Vec3};
use sinew::texture::{Layout, Texels, Tile};

/// The side in texels of the table that maps UVs to the body, and its padding around the islands.
const SIZE: usize = 2048;
const PADDING: usize = 64;

/// The texture.
pub struct Paint {
    layout: Layout,
    texels: Texels,
    /// The UVs of each triangle's corners.
    uvs: Vec<[Vec2; 3]>,
    rest: TriMesh,
    lips: Image,
    eyelids: Image,
    nails: Image,
    mouth: Image,
    ears: Image,
    eyes: [Vec3; 2],
    pub tattoos: Tattoos,
}

impl Paint {
    pub fn new(human: &Human) -> Result<Self> {
        let mesh = human.mesh();
        let layout = Layout::new(mesh)?;
        let tile = Tile { u: 0, v: 0 };
        let texels = Texels::new(&layout, tile, [SIZE; 2], PADDING, &Control::default())?;
        let rest = TriMesh::from_mesh(mesh)?;
        let layer = mesh.uvs.clone().unwrap_or_default();
        let uv = |corner: u32| layer.values[layer.indices[corner as usize] as usize];
        let uvs = rest.corners.iter().map(|corners| corners.map(uv)).collect();
        Ok(Paint {
            lips: human.mask("lips")?,
            eyelids: human.mask("eyelids")?,
            nails: human.mask("fingernails")?,
            mouth: human.mask("inside-mouth")?,
            ears: human.mask("ears")?,
            eyes: ["eye.L", "eye.R"].map(|joint| human.joint(joint)),
            tattoos: Tattoos::new(human),
            layout,
            texels,
            uvs,
            rest,
        })
    }

    /// The colour in linear light at a UV.
    pub fn colour(&self, uv: Vec2) -> Vec3 {
        let Some(p) = self.place(uv) else { return rgb(SKIN) };
        let ink = self.tattoos.ink(p);
        let skin = self.complexion(p, uv);
        let tattoo = rgb(0x1c2a38).lerp(&skin, 0.14 + 0.04 * noise(p * 900.0));
        skin.lerp(&tattoo, ink)
    }

    /// The place on the body at rest.
    fn place(&self, uv: Vec2) -> Option<Vec3> {
        let texel = |x: Real| (x * SIZE as Real).clamp(0.0, SIZE as Real - 1.0) as usize;
        let found = self.texels.at(&self.layout, texel(uv.x), texel(1.0 - uv.y))?;
        let triangle = found.on.triangle as usize;
        let points = self.rest.points(triangle);
        if found.padding {
            return Some(found.on.mix(points));
        }
        // Finer than the texel.
        let [a, b, c] = self.uvs[triangle];
        let area = (b - a).perp(&(c - a));
        let weights = [(b - uv).perp(&(c - uv)), (c - uv).perp(&(a - uv)), (a - uv).perp(&(b - uv))];
        Some((0..3).map(|k| points[k] * (weights[k] / area)).sum())
    }

    fn complexion(&self, p: Vec3, uv: Vec2) -> Vec3 {
        let at = |mask: &Image| step(0.2, 0.8, mask.sample(uv, 0));
        let mottled = 1.0 + 0.05 * noise(p * 220.0) + 0.04 * noise(p * 800.0) + 0.03 * noise(p * 40.0);
        let [left, right] = self.eyes;
        let middle = (left + right) * 0.5;
        let side = Vec3::new(p.x.abs(), p.y, p.z);
        let cheek = middle + Vec3::new(0.042, -0.035, 0.01);
        let flush = 0.55 * hill((side - cheek).norm() / 0.022)
            + 0.3 * hill((p - middle - Vec3::new(0.0, -0.035, 0.045)).norm() / 0.014);
        let skin = rgb(SKIN).lerp(&rgb(0xcc8672), flush.min(1.0)) * mottled;
        let skin = skin.lerp(&rgb(0xa86a50), 0.35 * dots(p / 0.011));
        let skin = skin.lerp(&rgb(0xb9806e), 0.35 * at(&self.eyelids));
        let skin = skin.lerp(&rgb(0xa8524e), 0.85 * at(&self.lips));
        let skin = skin.lerp(&rgb(0xe8bdb0), 0.8 * at(&self.nails));
        let skin = skin.lerp(&rgb(HAIR), brow(side - Vec3::new(left.x, left.y, left.z)));
        let skin = skin.lerp(&rgb(HAIR), self.hair(p) * (1.0 - at(&self.ears)));
        let skin = skin.lerp(&rgb(0x5a2424), at(&self.mouth));
        skin.lerp(&(rgb(0x23404a) * (1.0 + 0.12 * noise(p * 1500.0))), suit(p))
    }

    /// Hair cropped short.
    fn hair(&self, p: Vec3) -> Real {
        let d = p - (self.eyes[0] + self.eyes[1]) * 0.5;
        let line = 0.083 + 1.05 * (d.z - 0.015).min(0.0) - 0.25 * d.x.abs();
        let thick = step(-0.004, 0.010, d.y - line.max(-0.075) - 0.002 * noise(p * 240.0));
        thick * (0.86 + 0.10 * noise(p * 1100.0))
    }
}

const SKIN: u32 = 0xdcab8f;
pub const HAIR: u32 = 0x3a2a22;

/// The brow over an eye, at an offset from the eye's centre.
fn brow(d: Vec3) -> Real {
    let t = ((d.x + 0.016) / 0.038).clamp(0.0, 1.0);
    let height = 0.0195 + 0.0065 * (1.0 - (2.0 * t - 1.25).powi(2));
    let half = 0.0031 * (1.0 - t).powf(0.4) + 0.0004;
    let inside = step(-0.018, -0.013, d.x) * (1.0 - step(0.020, 0.024, d.x));
    0.8 * inside * (1.0 - step(0.5 * half, 1.3 * half, (d.y - height).abs())) * step(0.0, 0.005, d.z)
}

/// A swimsuit.
fn suit(p: Vec3) -> Real {
    let edge = |inside: Real| step(-0.0012, 0.0012, inside);
    let high = 1.215 - 0.25 * (p.x.abs() - 0.05).max(0.0) + 0.25 * p.z.min(0.0);
    let low = 0.715 + 0.75 * (p.x.abs() - 0.03).max(0.0);
    // The arms are farther out.
    let wide = 0.150 + 0.3 * (1.12 - p.y).max(0.0);
    edge(high - p.y) * edge(p.y - low) * edge(wide - p.x.abs())
}
