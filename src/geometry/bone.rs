//! A synthetic long bone with the features that tendons meet: two heads, a slender shaft, a hollow base, and a rolling
//! surface of two condyles with a groove between them.
//!
//! Bone coordinates: x along the bone from the base (0) to the tip (`length`), y dorsal, z to the side.

use super::mesh::Mesh;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::elementary::{atan2, exp, powf, sin, sin_cos};
use sinew_math::{Real, Vec2, Vec3};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Half the width (z) and half the thickness (y) of a bone at one position, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Girth {
    /// Half the width, to the sides.
    pub half_width: Real,
    /// Half the thickness, dorsal to palmar.
    pub half_depth: Real,
}

/// A long bone such as a phalanx. Lengths are in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LongBone {
    /// From the rim of the base to the tips of the condyles.
    pub length: Real,
    /// The base at its thickest.
    pub base: Girth,
    /// The shaft at its thinnest.
    pub shaft: Girth,
    /// The distal head. Half its thickness is the radius of its rolling surface.
    pub distal: Girth,
    /// The distance from the base to the shaft.
    pub base_length: Real,
    /// The same for the distal head; no less than its half thickness.
    pub distal_length: Real,
    /// A quarter of the vertices around. The number of triangles grows with its square: 5 gives 600.
    pub resolution: usize,
}

impl Default for LongBone {
    /// The proximal phalanx of an index finger: 40 mm, with a head 10 mm wide and 8 mm thick.
    fn default() -> Self {
        LongBone {
            length: 0.040,
            base: Girth { half_width: 0.0072, half_depth: 0.0058 },
            shaft: Girth { half_width: 0.0044, half_depth: 0.0034 },
            distal: Girth { half_width: 0.0055, half_depth: 0.0040 },
            base_length: 0.012,
            distal_length: 0.011,
            resolution: 5,
        }
    }
}

/// More vertices around than four times this are useless and may exhaust the memory.
const MAX_RESOLUTION: usize = 200;
/// The depth of the base's hollow, as a fraction of its half thickness: bases are shallow cups.
const HOLLOW: Real = 0.3;
/// The rounding of the rim: how much smaller than the base's thickest section it is, and how far in front of that
/// section it lies (as a fraction of the base's length).
const RIM: [Real; 2] = [0.82, 0.3];
/// The depth of the groove between the condyles, as a fraction of the rolling surface's radius, at the tip; on the
/// dorsal and the palmar side of the head. It is deepest on the palmar side: flexor tendons run there.
const GROOVE: [Real; 3] = [0.12, 0.10, 0.28];
/// Half the width of the groove, as a fraction of the half width of the head.
const GROOVE_WIDTH: Real = 0.4;
/// Sections are |y|^2 + |z|^n = 1: 2 is an ellipse, for base and shaft; the head's flat sides need more.
const ROUNDNESS: [Real; 2] = [2.0, 5.0];
/// How far the shaft is bent up in its middle, as a fraction of its half thickness: phalanges are concave on the palmar
/// side.
const ARCH: Real = 0.25;

/// A ring of vertices across the bone.
struct Ring {
    x: Real,
    girth: Girth,
    /// The exponent of the section's shape.
    roundness: Real,
    /// The height of its middle above the axis.
    rise: Real,
    /// Its share of the groove, 0 to 1.
    groove: Real,
}

impl LongBone {
    /// The closed triangle mesh.
    pub fn mesh(&self) -> Result<Mesh> {
        self.check()?;
        let around = 4 * self.resolution;
        let rings = self.rings();
        let mut positions = vec![Vec3::new(self.hollow(0.0), 0.0, 0.0)];
        for ring in &rings {
            positions.extend((0..around).map(|k| self.vertex(ring, TAU * k as Real / around as Real)));
        }
        positions.push(self.grooved(&Vec3::new(self.length, 0.0, 0.0), 1.0));
        self.reach_the_length(&mut positions);
        let triangles = tube(rings.len(), around);
        Ok(Mesh {
            positions,
            face_offsets: (0..=triangles.len() as u32).map(|t| 3 * t).collect(),
            corner_vertices: triangles.into_flattened(),
            ..Mesh::default()
        })
    }

    fn check(&self) -> Result<()> {
        let bad = |message: String| Err(Error::new(Kind::OutOfRange, message));
        let sizes = [
            ("length", self.length),
            ("base half width", self.base.half_width),
            ("base half depth", self.base.half_depth),
            ("shaft half width", self.shaft.half_width),
            ("shaft half depth", self.shaft.half_depth),
            ("distal half width", self.distal.half_width),
            ("distal half depth", self.distal.half_depth),
            ("base length", self.base_length),
            ("distal length", self.distal_length),
        ];
        if let Some((what, size)) = sizes.iter().find(|(_, size)| !(*size > 0.0 && size.is_finite())) {
            return bad(format!("the bone's {what} must be a positive number, not {size}"));
        }
        if self.base_length + self.distal_length > self.length {
            return bad(format!(
                "the bone's heads of {} and {} do not fit into its length of {}",
                self.base_length, self.distal_length, self.length
            ));
        }
        if self.distal.half_depth > self.distal_length {
            return bad(format!(
                "the distal head is {} long, less than the radius {} of its rolling surface",
                self.distal_length, self.distal.half_depth
            ));
        }
        if HOLLOW * self.base.half_depth > self.base_length {
            return bad(format!(
                "the base is {} long, less than the depth {} of its hollow",
                self.base_length,
                HOLLOW * self.base.half_depth
            ));
        }
        if !(2..=MAX_RESOLUTION).contains(&self.resolution) {
            return bad(format!("the resolution is {}, not from 2 to {MAX_RESOLUTION}", self.resolution));
        }
        Ok(())
    }

    /// From the middle of the hollow base across its rim and along the bone to the last ring before the tip.
    fn rings(&self) -> Vec<Ring> {
        let n = self.resolution;
        let scaled = |girth: Girth, by: Real| Girth {
            half_width: girth.half_width * by,
            half_depth: girth.half_depth * by,
        };
        let mut rings = Vec::new();
        let hollow = n.div_ceil(3);
        for k in 1..=hollow {
            let part = k as Real / (hollow + 1) as Real;
            let girth = scaled(self.base, RIM[0] * part);
            rings.push(Ring { x: self.hollow(part), girth, roundness: ROUNDNESS[0], rise: 0.0, groove: 0.0 });
        }
        let axis = self.length - self.distal.half_depth;
        let along = 2 * n - 1;
        rings.extend((0..along).map(|k| self.ring(axis * k as Real / along as Real)));
        // Around the rolling surface by equal angles; the tip closes it.
        let angle = |k: usize| FRAC_PI_2 * k as Real / n as Real;
        rings.extend((0..n - 1).map(|k| self.ring(axis + self.distal.half_depth * sin(angle(k)))));
        rings
    }

    /// The distance of the base's hollow from the rim's plane, at a fraction of the way from its middle to the rim.
    fn hollow(&self, part: Real) -> Real {
        HOLLOW * self.base.half_depth * (1.0 - part * part)
    }

    /// The ring at a distance from the base.
    fn ring(&self, x: Real) -> Ring {
        let girth = self.girth(x);
        let axis = self.length - self.distal.half_depth;
        let distal =
            smooth((x - (self.length - self.distal_length)) / (axis - self.length + self.distal_length));
        let middle = x / axis * (1.0 - x / axis) * 4.0;
        Ring {
            x,
            girth,
            roundness: ROUNDNESS[0] + (ROUNDNESS[1] - ROUNDNESS[0]) * distal,
            rise: ARCH * self.shaft.half_depth * smooth(middle.max(0.0)),
            groove: distal,
        }
    }

    /// Half width and half thickness at a distance from the base: those of cross-sections of the bone, except for the
    /// groove. The last part is the rolling surface (x - axis)^2 + y^2 = r^2, rounded at its sides.
    pub fn girth(&self, x: Real) -> Girth {
        let mix = |a: Girth, b: Girth, t: Real| Girth {
            half_width: a.half_width + (b.half_width - a.half_width) * t,
            half_depth: a.half_depth + (b.half_depth - a.half_depth) * t,
        };
        let axis = self.length - self.distal.half_depth;
        let widest = RIM[1] * self.base_length;
        let rim = 1.0 - (1.0 - RIM[0]) * (1.0 - x / widest).max(0.0).powi(2);
        let base = smooth((x - widest) / (self.base_length - widest));
        let start = self.length - self.distal_length;
        let distal = smooth((x - start) / (axis - start));
        let girth = mix(mix(self.base, self.shaft, base), self.distal, distal);
        let beyond = ((x - axis) / self.distal.half_depth).clamp(0.0, 1.0);
        let left = 1.0 - beyond * beyond;
        Girth {
            half_width: girth.half_width * rim * powf(left, 1.0 / ROUNDNESS[1]),
            half_depth: girth.half_depth * rim * left.sqrt(),
        }
    }

    fn vertex(&self, ring: &Ring, angle: Real) -> Vec3 {
        let unit = on_section(angle, ring.roundness);
        let y = ring.rise + ring.girth.half_depth * unit.x;
        self.grooved(&Vec3::new(ring.x, y, ring.girth.half_width * unit.y), ring.groove)
    }

    /// Pulls a point of the head towards the axis of the rolling surface where the groove is.
    fn grooved(&self, p: &Vec3, amount: Real) -> Vec3 {
        let axis = self.length - self.distal.half_depth;
        let ahead = (p.x - axis).max(0.0);
        // 0 straight ahead, 1 perpendicular to it.
        let aside = (atan2(p.y.abs(), ahead) / FRAC_PI_2).min(1.0);
        let side = if p.y > 0.0 { GROOVE[1] } else { GROOVE[2] };
        let depth = GROOVE[0] + (side - GROOVE[0]) * smooth(aside);
        let across = p.z / (GROOVE_WIDTH * self.distal.half_width);
        let scale = 1.0 - amount * depth * exp(-across * across);
        Vec3::new(p.x - ahead * (1.0 - scale), p.y * scale, p.z)
    }

    /// The condyles' tips are where the bone ends: the length lost to the groove and the rounding is restored by
    /// stretching the part beyond the axis of the rolling surface.
    fn reach_the_length(&self, positions: &mut [Vec3]) {
        let axis = self.length - self.distal.half_depth;
        let end = positions.iter().fold(axis, |end, p| end.max(p.x));
        if end > axis {
            let scale = self.distal.half_depth / (end - axis);
            positions.iter_mut().filter(|p| p.x > axis).for_each(|p| p.x = axis + (p.x - axis) * scale);
        }
    }
}

/// 0 below 0, 1 above 1, and 3 t^2 - 2 t^3 in between, which starts and ends with zero slope.
fn smooth(t: Real) -> Real {
    let t = if t.is_nan() { 1.0 } else { t.clamp(0.0, 1.0) };
    t * t * (3.0 - 2.0 * t)
}

/// The point of |y|^2 + |z|^n = 1 in a direction: y = r sin, z = r cos, r by Newton's method from outside, where the
/// function is convex and so never overshot.
fn on_section(angle: Real, exponent: Real) -> Vec2 {
    let (sine, cosine) = sin_cos(angle);
    let mut r = 1.0 / sine.abs().max(cosine.abs());
    for _ in 0..20 {
        let (a, b) = ((r * sine).powi(2), powf(r * cosine.abs(), exponent));
        r -= (a + b - 1.0) * r / (2.0 * a + exponent * b);
    }
    Vec2::new(r * sine, r * cosine)
}

/// The triangles of rings between two poles; the first vertex is one pole, the last the other. Rings run from z to y,
/// which is clockwise as seen against x.
fn tube(rings: usize, around: usize) -> Vec<[u32; 3]> {
    let vertex = |ring: usize, k: usize| (1 + ring * around + k % around) as u32;
    let last = (1 + rings * around) as u32;
    let mut triangles = Vec::new();
    for k in 0..around {
        triangles.push([0, vertex(0, k), vertex(0, k + 1)]);
        for ring in 0..rings - 1 {
            let [a, b] = [vertex(ring, k), vertex(ring, k + 1)];
            let [c, d] = [vertex(ring + 1, k), vertex(ring + 1, k + 1)];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
        triangles.push([vertex(rings - 1, k), last, vertex(rings - 1, k + 1)]);
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::super::{MassProperties, MeshReport, Section, Solid};
    use super::*;
    use proptest::prelude::*;
    use sinew_math::{Placement, Rotation};

    /// The plane across the bone at x, with its x axis along the bone's z and its y axis along -y.
    fn across(x: Real) -> Placement {
        let rotation = Rotation::from_basis_unchecked(&[Vec3::z(), -Vec3::y(), Vec3::x()]);
        Placement::new(rotation, Vec3::x() * x)
    }

    fn solid(bone: &LongBone) -> Solid {
        Solid::new(&bone.mesh().unwrap()).unwrap()
    }

    /// Where the line through a triangle's side passes through another triangle, both without their corners.
    fn pierces([p, q]: [Vec3; 2], [a, b, c]: [Vec3; 3]) -> bool {
        let volume = |a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3| (b - a).cross(&(c - a)).dot(&(d - a));
        let (above, below) = (volume(&a, &b, &c, &p), volume(&a, &b, &c, &q));
        let turns = [(a, b), (b, c), (c, a)].map(|(s, t)| volume(&p, &q, &s, &t));
        above * below < 0.0 && (turns.iter().all(|v| *v > 0.0) || turns.iter().all(|v| *v < 0.0))
    }

    fn crosses_itself(solid: &Solid) -> bool {
        (0..solid.triangles().len()).any(|t| {
            let vertices = solid.triangles()[t];
            let points = solid.points(t);
            (0..solid.triangles().len())
                .filter(|&s| !solid.triangles()[s].iter().any(|v| vertices.contains(v)))
                .any(|s| (0..3).any(|k| pierces([points[k], points[(k + 1) % 3]], solid.points(s))))
        })
    }

    #[test]
    fn it_is_closed_and_sound_at_every_resolution() {
        for resolution in [2, 3, 5, 9] {
            let bone = LongBone { resolution, ..LongBone::default() };
            let mesh = bone.mesh().unwrap();
            assert!(MeshReport::new(&mesh).unwrap().problems().is_empty());
            let solid = solid(&bone);
            assert_eq!(solid.edges().euler_characteristic(), 2);
            assert!(!crosses_itself(&solid), "{resolution}");
            let [low, high] = MeshReport::new(&mesh).unwrap().bounds;
            assert!(low.x == 0.0 && (high.x - bone.length).abs() < 1e-15, "{low} {high}");
        }
        assert_eq!(LongBone::default().mesh().unwrap().face_count(), 600);
    }

    #[test]
    fn its_volume_is_that_of_its_sections() {
        let bone = LongBone { resolution: 16, ..LongBone::default() };
        // For half an ellipse the area factor is pi; for the other shapes 4 times the integral of sqrt(1 - z^n).
        let factor = |n: Real| {
            let slices = 2000;
            let at = |k: usize| (1.0 - ((k as Real + 0.5) / slices as Real).powf(n)).sqrt();
            4.0 * (0..slices).map(at).sum::<Real>() / slices as Real
        };
        let count = 400;
        let slice = |k: usize| {
            let ring = bone.ring(bone.length * (k as Real + 0.5) / count as Real);
            factor(ring.roundness) * ring.girth.half_width * ring.girth.half_depth * bone.length
                / count as Real
        };
        let whole: Real = (0..count).map(slice).sum();
        let hollow = 0.5 * TAU / 2.0
            * HOLLOW
            * bone.base.half_depth
            * bone.base.half_width
            * bone.base.half_depth
            * RIM[0]
            * RIM[0];
        // The groove removes a few percent of the head.
        let part = solid(&bone).volume() / (whole - hollow);
        assert!((0.96..1.0).contains(&part), "{part}");
        // 2 g of bone; bones of hands have hundreds of milligrams to a few grams.
        let mass = MassProperties::of_solid(&solid(&bone), 1900.0).unwrap();
        assert!((0.002..0.008).contains(&mass.mass), "{}", mass.mass);
        let moments = mass.principal().moments;
        assert!(moments.x < 0.3 * moments.y && moments.x < 0.3 * moments.z);
    }

    #[test]
    fn sections_across_are_single_loops_of_its_girth() {
        let bone = LongBone { resolution: 12, ..LongBone::default() };
        let (solid, mut section) = (solid(&bone), Section::default());
        for part in [0.06, 0.1, 0.3, 0.5, 0.65, 0.8, 0.88] {
            let x = bone.length * part;
            section.update(&solid, &across(x)).unwrap();
            assert_eq!(section.loops().count(), 1, "{part}");
            let extent = |axis: usize| {
                let along = section.points().iter().map(|p| p[axis]);
                along.clone().fold(0.0, Real::max) - along.fold(0.0, Real::min)
            };
            let girth = bone.girth(x);
            assert!((extent(0) / (2.0 * girth.half_width) - 1.0).abs() < 0.03, "width at {part}");
            // The groove is deepest in the middle, where the head would be thickest.
            let depth = extent(1) / (2.0 * girth.half_depth);
            assert!((if part > 0.7 { 0.85..1.0 } else { 0.97..1.01 }).contains(&depth), "{depth} at {part}");
        }
    }

    #[test]
    fn the_base_is_hollow_and_the_condyles_have_a_notch() {
        let bone = LongBone { resolution: 12, ..LongBone::default() };
        let (solid, mut section) = (solid(&bone), Section::default());
        // Across the hollow the section is a ring; across the condyles' tips it is two pieces.
        section.update(&solid, &across(0.2 * HOLLOW * bone.base.half_depth)).unwrap();
        assert_eq!(section.loops().count(), 2);
        assert!(!section.contains(&Vec2::zeros()));
        section.update(&solid, &across(bone.length - 0.05 * bone.distal.half_depth)).unwrap();
        assert!(section.loops().count() == 2 && section.loops().all(|l| l.len() > 2));
        assert!(!section.contains(&Vec2::zeros()) && section.area() > 0.0);
        // In the head the palmar side is lower between the condyles than at them. The planes' y is palmar.
        let axis = bone.length - bone.distal.half_depth;
        section.update(&solid, &across(axis)).unwrap();
        let palmar = |z: Real| {
            (0..400)
                .map(|k| 2e-5 * f64::from(k))
                .filter(|&y| section.contains(&Vec2::new(z, y)))
                .fold(0.0, Real::max)
        };
        assert!(palmar(0.0) < 0.8 * palmar(0.6 * bone.distal.half_width));
        assert!(palmar(0.0) > 0.6 * bone.distal.half_depth);
    }

    #[test]
    fn measures_that_make_no_bone_are_named() {
        let refusal = |change: fn(&mut LongBone)| {
            let mut bone = LongBone::default();
            change(&mut bone);
            bone.mesh().unwrap_err().to_string()
        };
        assert!(refusal(|b| b.shaft.half_depth = 0.0).contains("shaft half depth"));
        assert!(refusal(|b| b.length = Real::NAN).contains("length"));
        assert!(refusal(|b| b.base_length = 0.035).contains("do not fit"));
        assert!(refusal(|b| b.distal_length = 0.003).contains("rolling surface"));
        assert!(refusal(|b| b.base_length = 0.001).contains("hollow"));
        assert!(refusal(|b| b.resolution = 1).contains("resolution"));
    }

    proptest! {
        #[test]
        fn bones_of_all_proportions_are_sound(
            length in 0.01..0.1f64, part in prop::array::uniform6(0.08..0.25f64), heads in prop::array::uniform2(0.26..0.5f64),
        ) {
            let girth = |k: usize| Girth { half_width: part[k] * length, half_depth: part[k + 1] * length };
            let bone = LongBone {
                length,
                base: girth(0),
                shaft: girth(2),
                distal: girth(4),
                base_length: heads[0] * length,
                distal_length: heads[1] * length,
                resolution: 3,
            };
            prop_assert!(!crosses_itself(&solid(&bone)));
        }
    }
}
