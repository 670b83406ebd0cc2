//! The nodes of a finger's strands and what holds them, as listed in \[HandThesis tables A.1 to A.10\].
//!
//! # Ambiguities in the tables
//! - The text counts 11 planes, table A.1 lists 10: the eleventh is `Distal plane0`, to which some nodes refer, between
//!   the middle and the distal bone. `Middle plane0` lies between the proximal and the middle bone; the table prints
//!   the metacarpal.
//! - Nodes that list both planes of a joint cannot lie in both. Where there are two such nodes (EDC 5 and 6), the first
//!   lies in the plane of the bone before the joint, the second in that of the bone after it. Where there is one (EDC
//!   10, ExtLat 14), it lies in the first: on the head around which the tendon runs. `Distal plane0` is then not used.
//! - ExtLat 9 and 10 list `hplane` (may slide in the palmar direction as far as this plane, not beyond), LUM 5 and 6,
//!   the same points, `vplane`. The first lets lateral bands fall as the text says, so it is used, and one node lies in
//!   each of the two planes.
//! - IntMed 4 has only an inequality: the node could slide along the bone, and material could slide through it, which
//!   are two unknowns for one motion. A plane across the bone that we added, `Proximal tplane`, holds it.
//! - OL 1 is listed as Eulerian. Material would run out through that end of the strand, so here the node is Lagrangian.
//! - DI ends on the proximal bone, as its table says, not on the middle one, as its text says.
//! - The thesis omits the ulnar side of its index finger. So its interossei end on the proximal bone and move the
//!   knuckle only, while they extend PIP and DIP in people \[HelpingHand tables 3.2, A.4\] (Lauer, Kilgore, Peckham,
//!   Bhadra, "The function of the finger intrinsic muscles in response to electrical stimulation"). Four strands of
//!   ours do so: `DILat` and `PILat`, their wings, run from the muscle past the side of PIP into the terminal tendon;
//!   `DIMed` and `PIMed`, their medial slips, into the extensor's slip to the middle bone, as `IntMed` does for the
//!   lumbrical. With wings alone, whose arm at PIP is half of that at DIP, DIP would hyper-extend before PIP is
//!   straight.
//! - The text says "II IntMed line" for LUM's muscle once; there is no such line, the tables say `LUM line`.

use super::bones::Bone;
use super::bones::Bone::{Distal, Metacarpal, Middle, Proximal, Wrist};

/// The strands of a finger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tendon {
    /// Dorsal interosseus.
    Di,
    /// Palmar interosseus.
    Pi,
    /// Flexor digitorum profundus: the deep flexor, to the distal bone.
    Fdp,
    /// Flexor digitorum superficialis: to the middle bone.
    Fds,
    /// Extensor digitorum communis; its slip to the middle bone.
    Edc,
    /// Intrinsic medial: from the lumbrical to the middle bone.
    IntMed,
    /// Extrinsic lateral: from the extensor to the distal bone.
    ExtLat,
    /// Lumbrical: to the distal bone.
    Lum,
    /// Oblique ligament: from the palmar side of the proximal to the dorsal side of the distal bone. No muscle.
    Ol,
    /// The wing of the dorsal interosseus, to the distal bone. Added by us.
    DiLat,
    /// The wing of the palmar interosseus. Added by us.
    PiLat,
    /// The medial slip of the dorsal interosseus, to the middle bone. Added by us.
    DiMed,
    /// The medial slip of the palmar interosseus.
    PiMed,
}

impl Tendon {
    /// All, those of the tables first.
    pub const ALL: [Tendon; 13] = [
        Tendon::Di,
        Tendon::Pi,
        Tendon::Fdp,
        Tendon::Fds,
        Tendon::Edc,
        Tendon::IntMed,
        Tendon::ExtLat,
        Tendon::Lum,
        Tendon::Ol,
        Tendon::DiLat,
        Tendon::PiLat,
        Tendon::DiMed,
        Tendon::PiMed,
    ];

    /// Those of the tables, in their order.
    pub const TABLED: [Tendon; 9] = *Self::ALL.first_chunk().unwrap();

    /// Its name; for those listed in the tables, their name there.
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 13] = [
            "DI", "PI", "FDP", "FDS", "EDC", "IntMed", "ExtLat", "LUM", "OL", "DILat", "PILat", "DIMed",
            "PIMed",
        ];
        NAMES[self as usize]
    }
}

/// The planes of a finger \[HandThesis table A.1\]: `plane0` lies at the proximal, `plane1` at the distal end of its
/// bone, between that bone and the next; `hplane` separates dorsal from palmar, `vplane` the sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// On the head at MCP.
    MetacarpalPlane1,
    /// In the notch of the head at MCP.
    MetacarpalVplane,
    /// Through the base at MCP.
    ProximalPlane0,
    /// Below the axis of PIP.
    ProximalHplane,
    /// In the notch of the head at PIP.
    ProximalVplane,
    /// On the head at PIP.
    ProximalPlane1,
    /// Through the base at PIP.
    MiddlePlane0,
    /// Below the axis of DIP.
    MiddleHplane,
    /// In the notch of the head at DIP.
    MiddleVplane,
    /// On the head at DIP.
    MiddlePlane1,
    /// Through the base at DIP.
    DistalPlane0,
    /// Across the middle of the proximal bone; added by us, not in the table.
    ProximalTplane,
}

impl Cut {
    /// All.
    pub const ALL: [Cut; 12] = [
        Cut::MetacarpalPlane1,
        Cut::MetacarpalVplane,
        Cut::ProximalPlane0,
        Cut::ProximalHplane,
        Cut::ProximalVplane,
        Cut::ProximalPlane1,
        Cut::MiddlePlane0,
        Cut::MiddleHplane,
        Cut::MiddleVplane,
        Cut::MiddlePlane1,
        Cut::DistalPlane0,
        Cut::ProximalTplane,
    ];

    /// The bone in its name, and the rest of the name.
    pub fn name(self) -> (Bone, &'static str) {
        match self {
            Cut::MetacarpalPlane1 => (Metacarpal, "plane1"),
            Cut::MetacarpalVplane => (Metacarpal, "vplane"),
            Cut::ProximalPlane0 => (Proximal, "plane0"),
            Cut::ProximalHplane => (Proximal, "hplane"),
            Cut::ProximalVplane => (Proximal, "vplane"),
            Cut::ProximalPlane1 => (Proximal, "plane1"),
            Cut::ProximalTplane => (Proximal, "tplane"),
            Cut::MiddlePlane0 => (Middle, "plane0"),
            Cut::MiddleHplane => (Middle, "hplane"),
            Cut::MiddleVplane => (Middle, "vplane"),
            Cut::MiddlePlane1 => (Middle, "plane1"),
            Cut::DistalPlane0 => (Distal, "plane0"),
        }
    }

    /// The bones that move it: one, or the two between which it is blended.
    pub fn parents(self) -> (Bone, Option<Bone>) {
        match self {
            Cut::MetacarpalPlane1 | Cut::ProximalPlane0 => (Metacarpal, Some(Proximal)),
            Cut::ProximalPlane1 | Cut::MiddlePlane0 => (Proximal, Some(Middle)),
            Cut::MiddlePlane1 | Cut::DistalPlane0 => (Middle, Some(Distal)),
            fixed => (fixed.name().0, None),
        }
    }
}

/// Whether material slides through a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It carries its material.
    Lagrangian,
    /// Material slides through.
    Eulerian,
}

/// What holds a node, according to the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// A line, by the name of its muscle.
    Line(&'static str),
    /// A place on a bone.
    Frame(Bone),
    /// Planes in which it lies, and planes below which it must not go.
    Planes(&'static [Cut], &'static [Cut]),
}

/// A node of a strand, in the order of the strand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Whether material slides through.
    pub kind: Kind,
    /// What holds it.
    pub hold: Hold,
    /// Its point. Nodes of several strands that share a point name the same one.
    pub site: &'static str,
}

const fn line(muscle: &'static str, site: &'static str) -> Row {
    Row { kind: Kind::Lagrangian, hold: Hold::Line(muscle), site }
}

const fn through(bone: Bone, site: &'static str) -> Row {
    Row { kind: Kind::Eulerian, hold: Hold::Frame(bone), site }
}

const fn inserts(bone: Bone, site: &'static str) -> Row {
    Row { kind: Kind::Lagrangian, hold: Hold::Frame(bone), site }
}

const fn slides(inside: &'static [Cut], above: &'static [Cut], site: &'static str) -> Row {
    Row { kind: Kind::Eulerian, hold: Hold::Planes(inside, above), site }
}

const AT_MCP: &[Cut] = &[Cut::MetacarpalPlane1, Cut::ProximalPlane0, Cut::MetacarpalVplane];
const AT_PIP: &[Cut] = &[Cut::ProximalPlane1, Cut::MiddlePlane0, Cut::ProximalVplane];
const AT_DIP: &[Cut] = &[Cut::MiddlePlane1, Cut::DistalPlane0, Cut::MiddleVplane];
const BESIDE_PIP: &[Cut] = &[Cut::ProximalPlane1, Cut::MiddlePlane0];

const DI: &[Row] = &[line("DI", "DI 1"), through(Metacarpal, "DI 2"), inserts(Proximal, "DI 3")];
const PI: &[Row] = &[line("PI", "PI 1"), through(Metacarpal, "PI 2"), inserts(Proximal, "PI 3")];
const FDP: &[Row] = &[
    line("FDP", "FDP 1"),
    through(Wrist, "FDP 2"),
    through(Metacarpal, "FDP 3"),
    through(Proximal, "FDP 4"),
    through(Proximal, "FDP 5"),
    through(Middle, "FDP 6"),
    through(Middle, "FDP 7"),
    inserts(Distal, "FDP 8"),
];
const FDS: &[Row] = &[
    line("FDS", "FDS 1"),
    through(Wrist, "FDS 2"),
    through(Metacarpal, "FDS 3"),
    through(Proximal, "FDS 4"),
    through(Proximal, "FDS 5"),
    inserts(Middle, "FDS 6"),
];
const EDC: &[Row] = &[
    line("EDC", "EDC 1"),
    through(Wrist, "EDC 2"),
    through(Metacarpal, "EDC 3"),
    through(Metacarpal, "EDC 4"),
    slides(AT_MCP, &[], "EDC 5"),
    slides(AT_MCP, &[], "EDC 6"),
    through(Proximal, "EDC 7"),
    through(Proximal, "EDC 8"),
    through(Proximal, "EDC 9"),
    slides(AT_PIP, &[], "EDC 10"),
    inserts(Middle, "EDC 11"),
];
const INT_MED: &[Row] = &[
    line("LUM", "LUM 1"),
    through(Metacarpal, "LUM 2"),
    through(Proximal, "LUM 3"),
    slides(&[], &[Cut::ProximalHplane], "LUM 4"),
    through(Proximal, "IntMed 5"),
    through(Proximal, "EDC 9"),
    slides(AT_PIP, &[], "EDC 10"),
    inserts(Middle, "EDC 11"),
];
const EXT_LAT: &[Row] = &[
    line("EDC", "EDC 1"),
    through(Wrist, "EDC 2"),
    through(Metacarpal, "EDC 3"),
    through(Metacarpal, "EDC 4"),
    slides(AT_MCP, &[], "EDC 5"),
    slides(AT_MCP, &[], "EDC 6"),
    through(Proximal, "EDC 7"),
    through(Proximal, "EDC 8"),
    slides(BESIDE_PIP, &[Cut::ProximalHplane], "ExtLat 9"),
    slides(BESIDE_PIP, &[Cut::ProximalHplane], "ExtLat 10"),
    through(Middle, "ExtLat 11"),
    through(Middle, "ExtLat 12"),
    through(Middle, "ExtLat 13"),
    slides(AT_DIP, &[], "ExtLat 14"),
    inserts(Distal, "ExtLat 15"),
];
const LUM: &[Row] = &[
    line("LUM", "LUM 1"),
    through(Metacarpal, "LUM 2"),
    through(Proximal, "LUM 3"),
    slides(&[], &[Cut::ProximalHplane], "LUM 4"),
    slides(AT_PIP, &[], "ExtLat 9"),
    slides(AT_PIP, &[], "ExtLat 10"),
    through(Middle, "ExtLat 11"),
    through(Middle, "ExtLat 12"),
    through(Middle, "ExtLat 13"),
    slides(AT_DIP, &[], "ExtLat 14"),
    inserts(Distal, "ExtLat 15"),
];
const OL: &[Row] = &[
    through(Proximal, "OL 1"),
    through(Proximal, "OL 2"),
    slides(&[Cut::MiddlePlane0], &[Cut::MiddleHplane], "OL 3"),
    through(Middle, "ExtLat 13"),
    slides(AT_DIP, &[], "ExtLat 14"),
    inserts(Distal, "ExtLat 15"),
];

const DI_LAT: &[Row] = &[
    line("DI", "DI 1"),
    through(Metacarpal, "DI 2"),
    through(Proximal, "DI 3"),
    through(Proximal, "DI 4"),
    through(Middle, "DI 5"),
    through(Middle, "ExtLat 13"),
    slides(AT_DIP, &[], "ExtLat 14"),
    inserts(Distal, "ExtLat 15"),
];
const PI_LAT: &[Row] = &[
    line("PI", "PI 1"),
    through(Metacarpal, "PI 2"),
    through(Proximal, "PI 3"),
    through(Proximal, "PI 4"),
    through(Middle, "PI 5"),
    through(Middle, "ExtLat 13"),
    slides(AT_DIP, &[], "ExtLat 14"),
    inserts(Distal, "ExtLat 15"),
];

const DI_MED: &[Row] = &[
    line("DI", "DI 1"),
    through(Metacarpal, "DI 2"),
    through(Proximal, "DI 3"),
    through(Proximal, "DI 6"),
    through(Proximal, "EDC 9"),
    slides(AT_PIP, &[], "EDC 10"),
    inserts(Middle, "EDC 11"),
];
const PI_MED: &[Row] = &[
    line("PI", "PI 1"),
    through(Metacarpal, "PI 2"),
    through(Proximal, "PI 3"),
    through(Proximal, "PI 6"),
    through(Proximal, "EDC 9"),
    slides(AT_PIP, &[], "EDC 10"),
    inserts(Middle, "EDC 11"),
];

/// The nodes of a strand.
pub fn rows(tendon: Tendon) -> &'static [Row] {
    [DI, PI, FDP, FDS, EDC, INT_MED, EXT_LAT, LUM, OL, DI_LAT, PI_LAT, DI_MED, PI_MED][tendon as usize]
}
