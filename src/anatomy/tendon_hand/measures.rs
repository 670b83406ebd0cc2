//! How large fingers are \[HelpingHand table A.2\], and how far they spread.

use sinew_math::Real;

/// A phalanx with its flesh. Lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// From joint to joint, or to the tip of the finger.
    pub length: Real,
    /// Half its width, which the table calls its radius.
    pub half_width: Real,
    /// Half its thickness, dorsal to palmar.
    pub half_depth: Real,
    /// In kg.
    pub mass: Real,
}

/// A finger's measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finger {
    /// The roman numeral with which names of planes and lines begin: II for the index finger.
    pub digit: &'static str,
    /// From the wrist to the knuckle.
    pub palm: Real,
    /// Proximal, middle, distal phalanx.
    pub links: [Link; 3],
    /// How far the knuckle spreads, in degrees: ulnar (negative) and radial.
    pub spread: [Real; 2],
    /// Whether the muscle called DI lies on the ulnar side and PI on the radial side, the reverse of the index finger.
    pub crossed: bool,
    /// Its column in tables of fingers: 0 for the index finger, 3 for the little one.
    pub column: usize,
}

/// The table's hand is 43.83 units long; an adult's is 190 mm.
const METRES_PER_UNIT: Real = 0.190 / 43.83076923;
/// The table's unit of mass is that of the hand: 0.6 % of an adult of 75 kg (Winter, "Biomechanics and motor control of
/// human movement", table 4.1).
const HAND_MASS: Real = 0.45;
/// From the wrist to the knuckles, in the table's units: its row "Wrist".
const PALM: Real = 19.77;

/// Length, radius, thickness, mass: the rows MCP (proximal phalanx), PIP (middle), DIP (distal) of index, middle, ring
/// and little finger. The text gives the places of muscles divided by the radius and the thickness, and such quotients
/// reach 1 at the surface, so both are half measures: fingers twice as wide and thick are as large as real ones.
const ROWS: [[[Real; 4]; 3]; 4] = [
    [[10.38, 1.516, 1.75, 0.030], [6.57, 1.103, 1.38, 0.014], [5.29, 0.605, 0.863, 0.007]],
    [[11.12, 1.534, 2.10, 0.033], [7.446, 1.243, 1.80, 0.016], [5.29, 0.724, 1.12, 0.007]],
    [[10.65, 1.27, 2.055, 0.022], [7.35, 1.165, 1.750, 0.015], [5.29, 0.621, 0.956, 0.007]],
    [[8.58, 1.158, 1.21, 0.018], [5.29, 0.985, 1.181, 0.007], [5.0, 0.401, 0.91, 0.004]],
];
/// Their roman numbers.
const DIGITS: [&str; 4] = ["II", "III", "IV", "V"];
/// Abduction leads away from the middle finger, so for the ring and little fingers it is the turn towards the little
/// finger's side. The table gives the middle finger the same range to both sides.
const SPREAD: [[Real; 2]; 4] = [[-20.0, 20.0], [-10.0, 10.0], [-15.0, 5.0], [-20.0, 5.0]];
/// Every finger has one muscle on each side of its knuckle; there are two names for all. DI and PI are the first dorsal
/// and palmar interosseus in the index finger, the second and third dorsal in the middle one, which has no palmar one;
/// the fourth dorsal and second palmar in the ring finger; the abductor digiti minimi, which has a dorsal one's part
/// there, and the third palmar in the little one. The signs of the arms in table A.4 say at which sides they lie.
const CROSSED: [bool; 4] = [false, false, true, true];
impl Finger {
    /// The four fingers from index to little.
    pub fn all() -> [Finger; 4] {
        [0, 1, 2, 3].map(|k| Finger {
            digit: DIGITS[k],
            palm: PALM * METRES_PER_UNIT,
            links: ROWS[k].map(|[length, radius, thickness, mass]| Link {
                length: length * METRES_PER_UNIT,
                half_width: radius * METRES_PER_UNIT,
                half_depth: thickness * METRES_PER_UNIT,
                mass: mass * HAND_MASS,
            }),
            spread: SPREAD[k],
            crossed: CROSSED[k],
            column: k,
        })
    }

    /// The index finger.
    pub fn index() -> Finger {
        Finger::all()[0]
    }
}
