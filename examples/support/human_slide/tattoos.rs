//! Three tattoos as functions of the place on the body at rest: a honeycomb on the neck, a rosette on the shoulder,
//! bands around the forearm. Lengths are in metres.

use crate::human::{Human, Region};
use sinew::drawing::motifs::segment;
use sinew::math::{Real, Vec2, Vec3};
use std::f64::consts::{PI, TAU};

/// The parts of the body with tattoos.
pub const TATTOOED: [Region; 3] = [Region::Neck, Region::LeftShoulder, Region::LeftForearm];

/// The radii of the honeycomb, across and along the neck.
const HONEYCOMB: Vec2 = Vec2::new(0.054, 0.040);
/// The radius of the rosette.
const ROSETTE: Real = 0.056;
/// The length of the bands together.
const BANDS: Real = 0.128;

/// Where the tattoos are.
pub struct Tattoos {
    neck: Tube,
    forearm: Tube,
    /// The middle of the rosette, and the directions to the right, up and outwards there.
    shoulder: [Vec3; 4],
}

/// A limb, unrolled.
struct Tube {
    from: Vec3,
    along: Vec3,
    length: Real,
    /// Where its angle is 0, and a quarter turn.
    axes: [Vec3; 2],
}

impl Tube {
    fn new(from: Vec3, to: Vec3, front: Vec3) -> Self {
        let along = (to - from).normalize();
        let side = along.cross(&front).normalize();
        Tube { from, along, length: (to - from).norm(), axes: [side.cross(&along), side] }
    }

    /// The angle around it, how far along, and how far from its axis.
    fn place(&self, p: Vec3) -> [Real; 3] {
        let [x, y, s] = [self.axes[0], self.axes[1], self.along].map(|a| a.dot(&(p - self.from)));
        [y.atan2(x), s, x.hypot(y)]
    }
}

/// From 1 inside to 0 outside over a border of `SOFT` to either side; distances are negative inside.
fn cover(distance: Real) -> Real {
    const SOFT: Real = 0.00025;
    (0.5 - distance / (2.0 * SOFT)).clamp(0.0, 1.0)
}

/// A line of the given width along distance 0.
fn line(distance: Real, width: Real) -> Real {
    cover(distance.abs() - 0.5 * width)
}

impl Tattoos {
    pub fn new(human: &Human) -> Self {
        let [low, high] = ["neck01", "head"].map(|joint| human.joint(joint));
        let [elbow, wrist] = ["lowerarm01.L", "wrist.L"].map(|joint| human.joint(joint));
        let out = Vec3::new(0.86, 0.42, 0.28).normalize();
        let shoulder = human.joint("upperarm01.L");
        let place = human
            .region(Region::LeftShoulder)
            .iter()
            .zip(&human.mesh().positions)
            .filter(|(inside, _)| **inside)
            .map(|(_, &p)| p)
            .min_by_key(|p| ((p - shoulder - out * 0.1).norm() * 1e9) as u64)
            .unwrap_or(shoulder);
        let right = Vec3::y().cross(&out).normalize();
        Tattoos {
            neck: Tube::new(low, high, Vec3::new(0.93, 0.0, 0.36)),
            forearm: Tube::new(elbow, wrist, Vec3::x()),
            shoulder: [place, right, out.cross(&right), out],
        }
    }

    /// The part of the body whose tattoo is at a place.
    pub fn at(&self, p: Vec3) -> Option<Region> {
        let [_, s, radius] = self.forearm.place(p);
        if radius < 0.07 && (-0.002..BANDS + 0.002).contains(&(s - self.first_band())) {
            return Some(Region::LeftForearm);
        }
        let [middle, _, _, out] = self.shoulder;
        if (p - middle).norm() < ROSETTE && (p - middle).dot(&out) > -0.045 {
            return Some(Region::LeftShoulder);
        }
        let radius = self.neck.place(p)[2];
        let outside = (0.035..0.09).contains(&radius);
        (outside && self.on_neck(p).component_div(&HONEYCOMB).norm() < 1.0).then_some(Region::Neck)
    }

    /// How much ink is at a place.
    pub fn ink(&self, p: Vec3) -> Real {
        match self.at(p) {
            Some(Region::Neck) => self.honeycomb(self.on_neck(p)),
            Some(Region::LeftShoulder) => self.rosette(p),
            Some(_) => self.bands(p),
            None => 0.0,
        }
    }

    /// A place on the unrolled neck, from the middle of its tattoo.
    fn on_neck(&self, p: Vec3) -> Vec2 {
        let [angle, s, _] = self.neck.place(p);
        Vec2::new(angle * 0.058, s - 0.48 * self.neck.length)
    }

    /// How far along the forearm the bands begin.
    fn first_band(&self) -> Real {
        0.18 * self.forearm.length
    }

    /// Cells whose walls become thin towards the rim.
    fn honeycomb(&self, q: Vec2) -> Real {
        const CELL: Real = 0.0105;
        // Whole cells only.
        let inner = HONEYCOMB - Vec2::repeat(0.6 * CELL);
        let rim = 1.0 - q.component_div(&inner).norm();
        // The nearest cell centre of two rows.
        let size = Vec2::new(CELL, CELL * 3.0_f64.sqrt());
        let wrapped = |q: Vec2| q - q.component_div(&size).map(Real::round).component_mul(&size);
        let (a, b) = (wrapped(q), wrapped(q - size * 0.5));
        let (near, cell) = if a.norm() < b.norm() { (a, q - a) } else { (b, q - b) };
        let cell_rim = 1.0 - cell.component_div(&inner).norm();
        if cell_rim < 0.0 {
            return 0.0;
        }
        let wall = [0.0, PI / 3.0, -PI / 3.0]
            .map(|turn: Real| (near.x * turn.cos() + near.y * turn.sin()).abs())
            .into_iter()
            .fold(0.0, Real::max);
        let wide = 0.0009 + 0.0012 * rim.clamp(0.0, 1.0);
        let dot = cover(near.norm() - 0.0034 * cell_rim.sqrt());
        cover(0.5 * CELL - wide - wall).min(cover(wall - 0.5 * CELL + 0.0002)).max(dot)
    }

    /// Petals and rings around a place.
    fn rosette(&self, p: Vec3) -> Real {
        let [middle, right, up, _] = self.shoulder;
        let d = p - middle;
        // Nearly the distance along the skin from the middle.
        let r = d.norm();
        let angle = d.dot(&up).atan2(d.dot(&right));
        let petals = |count: Real, turn: Real, from: Real, to: Real, wide: Real| {
            let part = TAU / count;
            let a = (angle - turn * part).rem_euclid(part) - 0.5 * part;
            let t = ((r - from) / (to - from)).clamp(0.0, 1.0);
            let half = wide * (PI * t.powf(0.8)).sin();
            let inside = r > from && r < to;
            let off = (a * r).abs() - half;
            if inside { [line(off, 0.0011), cover(off + 0.0022) * cover(0.35 - t)] } else { [0.0; 2] }
        };
        let mut ink = line(r - 0.048, 0.0016).max(line(r - 0.0445, 0.0006)).max(line(r - 0.0115, 0.0010));
        for [edge, fill] in [
            petals(16.0, 0.5, 0.027, 0.0443, 0.0066),
            petals(8.0, 0.0, 0.0118, 0.0300, 0.0062),
            petals(8.0, 0.5, 0.0, 0.0112, 0.0024),
        ] {
            ink = ink.max(edge).max(fill);
        }
        let bead = TAU / 32.0;
        let a = (angle.rem_euclid(bead) - 0.5 * bead) * r;
        ink.max(cover(a.hypot(r - 0.0525) - 0.0016)).max(cover(r - 0.002))
    }

    /// Rings, a zigzag and diamonds around the forearm.
    fn bands(&self, p: Vec3) -> Real {
        let [angle, s, radius] = self.forearm.place(p);
        let s = s - self.first_band();
        let ring = |at: Real, wide: Real| line(s - at, wide);
        let mut ink = [
            (0.0, 0.0012),
            (0.004, 0.005),
            (0.040, 0.005),
            (0.044, 0.0012),
            (0.092, 0.0012),
            (0.096, 0.003),
            (0.124, 0.008),
        ]
        .map(|(at, wide)| ring(at, wide))
        .into_iter()
        .fold(0.0, Real::max);
        // A zigzag between the first rings, diamonds between the next.
        let around = |count: Real| ((angle / TAU * count).rem_euclid(1.0) - 0.5, TAU * radius / count);
        let (a, wide) = around(10.0);
        let q = Vec2::new(a.abs() * wide, s - 0.022);
        let zigzag = segment(q, Vec2::new(0.0, -0.009), Vec2::new(0.5 * wide, 0.009));
        ink = ink.max(cover(zigzag - 0.0016));
        let (a, wide) = around(8.0);
        let diamond = (a.abs() * 2.0 + ((s - 0.068) / 0.019).abs() - 1.0) * 0.4 * wide;
        ink = ink.max(line(diamond, 0.0012)).max(cover(diamond + 0.0042));
        let (a, wide) = around(16.0);
        ink.max(cover((a * wide).hypot(s - 0.1085) - 0.0026))
    }
}
