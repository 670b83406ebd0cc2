//! A finger with its bones and tendons, generated from tables; \[HandThesis §3.1, §A\] built it from CT scans and by
//! hand.
//!
//! - \[HandThesis\] see [`sinew_strand`].
//! - \[HelpingHand\] the dimensions, moment arms and relative muscle strengths of hands, appendix A.
//!
//! [`measures`] holds the sizes of fingers, [`bones`] their bones and joints, [`tendons`] the strands, [`routing`] the
//! terms of their nodes and the planes that hold them, and `sites` where both are. This module builds the parts of a
//! model from them; [`hand`] places four fingers side by side, and `bands` connects them.
//!
//! # Steps
//! Steps of 1 ms are stable at the full strength of a muscle, applied at once; steps of 2 ms at a third of it. Strands
//! are as stiff as real tendons. A step rotates joints so far that a straight segment, linearised along its tangent, is
//! off by a few parts in 10,000 at the end of the step, which briefly amounts to a newton of tension. Longer steps damp
//! more: at 2 ms quick flexion lags by a tenth.

mod bands;
pub mod bones;
pub mod hand;
pub mod measures;
pub mod preset;
pub mod routing;
mod sites;
pub mod tendons;

use bones::{Bone, JOINTS, Knuckle, PIP, Resistance, Skeleton};
use measures::Finger;
use routing::{Cut, Hold, Kind, Row};
use sinew_base::error::Result;
use sinew_math::{Placement, Real, Vec3};
use sinew_strand::parts::{
    Belly, Body, Carrier, Curve, CurveShape, Fibre, Mode, Muscle, Node, Parts, Plane, Point, Pull, Rule,
    Settings, Strand,
};
use sites::{Bound, plane, site_place};
use std::f64::consts::PI;
use tendons::{Tendon, belly, site};

/// The options that differ from finger to finger.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The strands. One that is cut at its end pulls nothing, and so is left out.
    pub tendons: Vec<Tendon>,
    /// The length of the oblique ligament relative to what it spans when the finger is straight.
    pub ligament: Real,
    /// The freedom of the knuckle.
    pub knuckle: Knuckle,
    /// How joints resist.
    pub resistance: Resistance,
    /// Whether bands tie the extensors of neighbours to each other, in a hand.
    pub bands: bool,
    /// Settings of the model.
    pub settings: Settings,
}

impl Default for Options {
    /// A healthy finger, palm down.
    fn default() -> Self {
        Options {
            tendons: Tendon::ALL.to_vec(),
            ligament: 1.0,
            knuckle: Knuckle::default(),
            resistance: Resistance::default(),
            bands: false,
            settings: Settings::default(),
        }
    }
}

impl Options {
    /// A finger with these strands only, whose joints have no passive moments.
    pub fn only(tendons: &[Tendon]) -> Self {
        let resistance = Resistance { passive: false, ..Resistance::default() };
        Options { tendons: tendons.to_vec(), resistance, ..Options::default() }
    }

    /// A finger without these strands.
    pub fn without(missing: &[Tendon]) -> Self {
        let tendons = Tendon::ALL.into_iter().filter(|t| !missing.contains(t)).collect();
        Options { tendons, ..Options::default() }
    }

    /// The insertion into the middle bone is cut \[HandThesis fig. 3.9a\]: the extensor's slip, which the medial
    /// strands of the lumbrical and the interossei end in too.
    pub fn boutonniere() -> Self {
        Options::without(&[Tendon::Edc, Tendon::IntMed, Tendon::DiMed, Tendon::PiMed])
    }

    /// Only the oblique ligament is too long, by some 7 mm: more than all of the last joint's flexion takes up. It
    /// holds nothing, as if it were missing.
    pub fn long_ligament() -> Self {
        Options { ligament: LONG, ..Options::default() }
    }

    /// The oblique ligament is contracted, by 3 % or 1.4 mm. The last joint cannot flex while PIP is straight
    /// (Adkinson, Johnson, Chung, "The Clinical Implications of the Oblique Retinacular Ligament").
    pub fn tight_ligament() -> Self {
        Options { ligament: 0.97, ..Options::default() }
    }

    /// The oblique ligament is too long \[HandThesis fig. 3.9b\], and the palmar plate of PIP is lax, without which the
    /// joint cannot hyper-extend (the article "Swan Neck Deformity" of StatPearls names both the imbalance of tendons
    /// and the lax plate).
    pub fn swan_neck() -> Self {
        let resistance = Resistance { plate: -30.0, ..Resistance::default() };
        Options { ligament: LONG, resistance, ..Options::default() }
    }
}

/// The length of an oblique ligament that is too long, relative to a healthy one.
const LONG: Real = 1.15;

/// Young's modulus of tendon in Pa: 1.2 GPa (Maganaris and Paul, "In vivo human tendon mechanical properties", 1999).
const YOUNG: Real = 1.2e9;
/// The density of tendon and muscle tissue in kg/m^3.
const DENSITY: Real = 1100.0;
/// The viscosity of strands as a time in s: tendons lose a few percent of the energy of a stretch that takes a tenth of
/// a second.
const AXIAL_DAMPING: Real = 2e-3;
/// The rate in 1/s at which surrounding tissue damps a tendon's lateral motion: within a few hundredths of a second.
const LATERAL_DAMPING: Real = 50.0;

/// N per percent of a muscle's share: with it the deep flexor of an index finger pulls 120 N at most.
const STRENGTH: Real = 44.0;
/// A muscle at rest, as a spring in N/m: so weak that it takes half a newton over the full excursion of a tendon.
const MUSCLE_STIFFNESS: Real = 15.0;
/// The rest position of that spring, this far proximal to the start, in m: all strands are then taut with 0.15 N.
const MUSCLE_EASE: Real = 0.010;
/// In N s/m; chosen, not measured. With it a muscle at rest reels in 75 mm of tendon per second, which takes up the
/// slack when capsules or other muscles rotate joints. A slack muscle pulls too late, and goals do not foresee that.
const MUSCLE_DAMPING: Real = 2.0;
/// In s/m: fibres of the fingers' long muscles are about 6 cm (Lieber et al. 1992, "Architecture of selected muscles of
/// the arm and forearm"), and muscles shorten by at most about ten times the length of their fibres in a second.
const MUSCLE_FADING: Real = 1.0 / (10.0 * 0.06);

/// The parts of a finger. Bodies are in the order of [`Bone::ALL`], joints in that of [`JOINTS`], planes in that of
/// [`Cut::ALL`].
pub fn finger(finger: &Finger, options: &Options) -> Result<Parts> {
    let skeleton = Skeleton::new(finger);
    let bodies = Bone::ALL.map(|bone| skeleton.body(bone)).into_iter().collect::<Result<Vec<_>>>()?;
    let joint = |k| skeleton.joint(k, &bodies, options.knuckle, &options.resistance);
    let joints = (0..JOINTS.len()).map(joint).collect();
    let mut made = Made { finger, skeleton, places: places(&bodies), parts: Parts::default() };
    made.parts.settings = options.settings;
    made.parts.planes = Cut::ALL.iter().map(|&cut| made.plane(cut)).collect();
    for tendon in Tendon::ALL.into_iter().filter(|t| options.tendons.contains(t)) {
        let slack = if tendon == Tendon::Ol { options.ligament } else { 1.0 };
        made.strand(tendon, slack);
    }
    made.keep_planes_that_count();
    Ok(Parts { bodies, joints, ..made.parts })
}

/// Tendon tissue of a given radius.
fn fibre(radius: Real) -> Fibre {
    let area = PI * radius * radius;
    Fibre {
        stiffness: YOUNG * area,
        line_density: DENSITY * area,
        axial_damping: AXIAL_DAMPING,
        lateral_damping: LATERAL_DAMPING,
    }
}

fn places(bodies: &[Body]) -> Vec<Placement> {
    bodies.iter().map(|body| body.place).collect()
}

/// The parts built so far.
struct Made<'a> {
    finger: &'a Finger,
    skeleton: Skeleton,
    places: Vec<Placement>,
    parts: Parts,
}

impl Made<'_> {
    fn plane(&self, cut: Cut) -> Plane {
        plane(&self.skeleton, self.finger.digit, cut, &self.places)
    }

    fn strand(&mut self, tendon: Tendon, slack: Real) {
        let mut nodes: Vec<Node> = Vec::new();
        let (about, all) = (tendon.about(), tendon.nodes());
        for (k, row) in all.iter().enumerate() {
            let point = self.point(row, all);
            let at = &self.parts.points;
            let material = nodes.last().map_or(0.0, |last: &Node| {
                last.material + slack * (at[point].place - at[last.point].place).norm()
            });
            // Ends carry their material, whatever the table says of OL.
            let end = k == 0 || k + 1 == all.len();
            let mode = if end || row.kind == Kind::Lagrangian { Mode::Removed } else { Mode::Free };
            nodes.push(Node { point, material, mode });
        }
        nodes
            .last_mut()
            .into_iter()
            .for_each(|end| end.material += about.slack * self.skeleton.joints[PIP].half_depth);
        let (radius, fibre) = (about.radius, fibre(about.radius));
        self.parts.strands.push(Strand { name: tendon.name().into(), nodes, fibre, radius });
    }

    /// The point of a row, which may exist already.
    fn point(&mut self, row: &Row, all: &[Row]) -> usize {
        if let Some(known) = self.parts.points.iter().position(|point| point.name == row.site) {
            return known;
        }
        let point = self.parts.points.len();
        let (place, carrier) = match site(row.site) {
            Some(site @ &(_, bone, .., bounds)) => {
                self.parts.rules.extend(bounds.iter().map(|bound| rule(point, bound)));
                let carrier = if bounds.is_empty() { Carrier::Body(bone as usize) } else { Carrier::Nothing };
                (site_place(&self.skeleton, site, self.finger.crossed), carrier)
            }
            None => (self.muscle(row, point, all), Carrier::Nothing),
        };
        self.parts.points.push(Point { name: row.site.into(), place, carrier });
        point
    }

    /// A muscle with its line; where its point is.
    fn muscle(&mut self, row: &Row, point: usize, all: &[Row]) -> Vec3 {
        let Hold::Line(name) = row.hold else { return Vec3::zeros() };
        let (Some(muscle), Some(second)) = (belly(name), site(all[1].site)) else { return Vec3::zeros() };
        let tendons::Belly { bone, away, reach, shares } = *muscle;
        let start = site_place(&self.skeleton, second, self.finger.crossed) - Vec3::x() * away;
        let body = bone as usize;
        let end = |by: Real| self.places[body].point_inside(&(start + Vec3::x() * by));
        let curve = self.parts.curves.len();
        let shape = CurveShape::Line(end(reach), end(-reach));
        self.parts.curves.push(Curve {
            name: format!("{} {name} line", self.finger.digit),
            body: Some(body),
            shape,
        });
        self.parts.rules.push(Rule::Curve { point, curve });
        self.parts.muscles.push(Muscle {
            name: name.into(),
            strength: shares[self.finger.column] * STRENGTH,
            pull: Pull::Curve {
                point,
                curve,
                belly: Belly {
                    stiffness: MUSCLE_STIFFNESS,
                    rest: reach + MUSCLE_EASE,
                    damping: MUSCLE_DAMPING,
                    fading: MUSCLE_FADING,
                },
            },
        });
        start
    }

    /// Removes the cross-section of the bone from planes that no node needs to stay out of it.
    fn keep_planes_that_count(&mut self) {
        for (k, plane) in self.parts.planes.iter_mut().enumerate() {
            let counts = |rule: &Rule| matches!(rule, Rule::Bone { plane, .. } if *plane == k);
            plane.bone = plane.bone.filter(|_| self.parts.rules.iter().any(counts));
        }
    }
}

fn rule(point: usize, bound: &Bound) -> Rule {
    match *bound {
        Bound::Inside(cut) => Rule::Plane { point, plane: cut as usize, or_above: false },
        Bound::Above(cut) => Rule::Plane { point, plane: cut as usize, or_above: true },
        Bound::Outside(cut) => Rule::Bone { point, plane: cut as usize },
    }
}
