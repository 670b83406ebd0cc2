mod filter;
mod layout;
mod normals;
mod seams;

use super::*;
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_geometry::{ClosestPoint, Mesh, SurfacePoint};
use sinew_math::{Real, Vec2, Vec3};

/// A mesh and everything that does not change with frames; all tiles of one size.
struct Body {
    mesh: Mesh,
    layout: Layout,
    texels: Vec<Texels>,
}

impl Body {
    fn new(mesh: Mesh, size: [usize; 2], padding: usize) -> Self {
        let layout = Layout::new(&mesh).unwrap();
        let texels = |tile: &Tile| Texels::new(&layout, *tile, size, padding, &Control::default()).unwrap();
        let texels = layout.tiles().iter().map(texels).collect();
        Body { mesh, layout, texels }
    }

    /// The picture of a function of the place on the surface, on islands only; `background` elsewhere.
    fn paint<const C: usize>(
        &self,
        background: f32,
        value: impl Fn(&Covered) -> [f32; C],
    ) -> Vec<(Tile, Picture)> {
        let paint = |texels: &Texels| {
            let [width, height] = texels.size();
            let mut numbers = vec![background; width * height * C];
            for (k, out) in numbers.chunks_exact_mut(C).enumerate() {
                if let Some(at) = texels.at(&self.layout, k % width, k / width).filter(|at| !at.padding) {
                    out.copy_from_slice(&value(&at));
                }
            }
            let mut picture = Picture::new([width, height], C, Depth::Float);
            picture.samples = Samples::F32(numbers);
            (texels.tile(), picture)
        };
        self.texels.iter().map(paint).collect()
    }

    fn bake(&self, slide: &Slide, content: Content, pictures: Vec<(Tile, Picture)>) -> Vec<Picture> {
        let source = source(&self.layout, content, pictures, &mut Room::unbounded()).unwrap();
        let bake = |texels: &Texels| bake(&self.layout, texels, slide, &source, &Control::default()).unwrap();
        self.texels.iter().map(bake).collect()
    }

    /// The largest difference from a function of the place, over the texels for which it has a value; and their number.
    fn compare<const C: usize>(
        &self,
        baked: &[Picture],
        expected: impl Fn(&Covered) -> Option<[f32; C]>,
    ) -> (f32, usize) {
        let (mut worst, mut count) = (0.0f32, 0);
        for (texels, picture) in self.texels.iter().zip(baked) {
            for (k, found) in floats(picture).chunks_exact(C).enumerate() {
                let at = texels.at(&self.layout, k % picture.width, k / picture.width);
                if let Some(wanted) = at.and_then(|at| expected(&at)) {
                    count += 1;
                    worst = (0..C).fold(worst, |w, c| w.max((found[c] - wanted[c]).abs()));
                }
            }
        }
        (worst, count)
    }

    fn place(&self, at: &Covered) -> Vec3 {
        at.on.position(&self.layout.tri)
    }

    /// The skin given by a function of the body's vertices, projected onto the surface.
    fn skin(&self, painted_at: impl Fn(&Vec3) -> Vec3) -> Vec<SurfacePoint> {
        let closest = ClosestPoint::new(&self.layout.tri).unwrap();
        self.mesh.positions.iter().map(|p| closest.find(&painted_at(p), Real::INFINITY).unwrap().on).collect()
    }
}

fn floats(picture: &Picture) -> &[f32] {
    match &picture.samples {
        Samples::F32(s) => s,
        _ => panic!("no floats"),
    }
}

/// The places around a prism by side number, which may be fractional: `cylinder`'s and a torus ring's vertices.
fn around(corner: impl Fn(Real) -> Vec3, place: Real) -> Vec3 {
    corner(place.floor()).lerp(&corner(place.floor() + 1.0), place - place.floor())
}

/// From pictures of the layout's tiles in their order.
fn source(
    layout: &Layout,
    content: Content,
    pictures: Vec<(Tile, Picture)>,
    room: &mut Room,
) -> Result<SourceTexture> {
    let mut left = pictures.into_iter();
    let mut read = |tile: Tile| {
        let (name, picture) = left.next().unwrap();
        assert_eq!(name, tile);
        Ok(picture)
    };
    SourceTexture::new(layout, content, &mut read, room, &Control::default())
}

/// Numbers without a pattern.
fn noise(k: usize) -> u32 {
    let mut x = (k as u32).wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995;
    x = (x ^ (x >> 15)).wrapping_mul(0x85eb_ca6b);
    x ^ (x >> 13)
}

/// The UVs of every corner after a map of the UVs.
fn mapped(mesh: &Mesh, map: impl Fn(Vec2) -> Vec2) -> Vec<Real> {
    let layer = mesh.uvs.as_ref().unwrap();
    layer.indices.iter().flat_map(|&i| <[Real; 2]>::from(map(layer.values[i as usize]))).collect()
}

/// A flat square in two islands: what has x > 0 is, in the UVs, mirrored, turned by a right angle, half as large, and
/// in another place, perhaps another tile.
fn patchwork(cells: usize, to: Vec2) -> Mesh {
    let mut mesh = sinew_geometry::shapes::grid(2.0, 2.0, cells, cells);
    let layer = mesh.uvs.as_mut().unwrap();
    let first_of_copies = layer.values.len() as u32;
    let whole: Vec<Vec2> = layer.values.clone();
    layer.values.extend(whole.iter().map(|uv| to + Vec2::new(uv.y, uv.x) * 0.5));
    // The left half stays at 0.05 to 0.4.
    layer.values[..whole.len()]
        .iter_mut()
        .for_each(|uv| *uv = Vec2::new(0.05 + 0.7 * uv.x, 0.05 + 0.9 * uv.y));
    for face in 0..mesh.face_offsets.len() - 1 {
        if face % cells >= cells / 2 {
            layer.indices[4 * face..4 * face + 4].iter_mut().for_each(|i| *i += first_of_copies);
        }
    }
    mesh
}
