//! The strands of a finger: for each its radius, its muscle, its nodes and what holds them as listed in \[HandThesis
//! tables A.1 to A.10\], and the places of the points that it does not share with a strand above it, which are ours.
//! A strand is an entry of [`Tendon`] here and nothing elsewhere.
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
use super::routing::{AT_DIP, AT_MCP, AT_PIP, BESIDE_PIP, Cut, Row, inserts, line, slides, through};
use super::sites::Along::{Base, Head, Part};
use super::sites::{
    BESIDE_BASE, BESIDE_HEAD, DIP_HEAD, MCP_BASE, MCP_HEAD, OBLIQUE, PIP_HEAD, PLANE0, PLANE1, SIDE, Site,
};
use sinew_math::Real;

/// A muscle on its line, by the name of its strand. Extrinsic muscles lie proximal to the wrist; flexors of the fingers
/// move by up to 40 mm (Brand and Hollister, "Clinical mechanics of the hand", 1993), intrinsic ones by half of that.
/// From straight to a fist the deep flexor of the middle finger, whose joints are the thickest here, moves by 60 mm.
pub(super) struct Belly {
    /// The bone that carries the line.
    pub bone: Bone,
    /// The start of the muscle's point on it, in m proximal to the strand's second node.
    pub away: Real,
    /// How far that point may move, in m, to either end.
    pub reach: Real,
    /// The share in percent that it has of the tension of all muscles of the forearm and hand in the index, middle,
    /// ring and little finger \[HelpingHand tables A.1, A.3\]. Extensor indicis and digiti minimi are left out, as
    /// \[HandThesis §3.1\] does.
    pub shares: [Real; 4],
}

/// What is known about a strand.
pub(super) struct About {
    /// Its name; for those listed in the tables, their name there.
    pub name: &'static str,
    /// In m: flexors' areas are 7 and 5 mm^2, the extensor's slips and bands 1 to 2 mm^2.
    pub radius: Real,
    /// How much longer than its path it is, in radii of PIP.
    pub slack: Real,
    pub muscle: Option<Belly>,
    pub nodes: &'static [Row],
    /// Positions are relative to the joints' radii and widths, so that one table serves every finger. Flexors' moment
    /// arms follow \[HelpingHand table A.4\]: FDP 11.1, 7.9, 4.1 mm at MCP, PIP, DIP, FDS 11.9 and 6.2 mm; the
    /// extensors' are the radii of the heads around which they run.
    ///
    /// Nodes on both sides of a joint are far enough from it not to pass each other at the limit of flexion a: farther
    /// than their palmar distance times tan(a / 2).
    pub sites: &'static [Site],
}

macro_rules! tendons {
    ($( #[doc = $doc:literal] $tendon:ident $name:literal { $($about:tt)* } )*) => {
        /// The strands of a finger, those of the tables first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Tendon {
            $( #[doc = $doc] $tendon, )*
        }

        impl Tendon {
            /// All.
            pub const ALL: [Tendon; ABOUT.len()] = [$( Tendon::$tendon, )*];
        }

        const ABOUT: &[About] = &[$( About { name: $name, $($about)* }, )*];
    };
}

impl Tendon {
    /// Those of the tables, in their order.
    pub const TABLED: [Tendon; 9] = *Self::ALL.first_chunk().unwrap();

    pub(super) fn about(self) -> &'static About {
        &ABOUT[self as usize]
    }

    /// Its name; for those listed in the tables, their name there.
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// Its nodes.
    pub fn nodes(self) -> &'static [Row] {
        self.about().nodes
    }
}

/// A point by its name; none for the first ones of muscles, which their lines place.
pub(super) fn site(name: &str) -> Option<&'static Site> {
    ABOUT.iter().flat_map(|about| about.sites).find(|site| site.0 == name)
}

/// A muscle by the name of its strand.
pub(super) fn belly(name: &str) -> Option<&'static Belly> {
    ABOUT.iter().find(|about| about.name == name)?.muscle.as_ref()
}

tendons! {
    /// Dorsal interosseus.
    Di "DI" {
        radius: 0.0010, slack: 0.0,
        muscle: Some(Belly { bone: Metacarpal, away: 0.035, reach: 0.020, shares: [2.5, 1.4, 1.5, 1.4] }),
        nodes: &[
            line("DI", "DI 1"),
            through(Metacarpal, "DI 2"),
            inserts(Proximal, "DI 3"),
        ],
        sites: &[
            ("DI 2", Metacarpal, Head(1.3), -0.5, 1.15, &[]),
            ("DI 3", Proximal, Base(1.5), -0.5, 1.1, &[]),
        ],
    }
    /// Palmar interosseus.
    Pi "PI" {
        radius: 0.0010, slack: 0.0,
        muscle: Some(Belly { bone: Metacarpal, away: 0.035, reach: 0.020, shares: [1.3, 1.5, 1.2, 1.0] }),
        nodes: &[
            line("PI", "PI 1"),
            through(Metacarpal, "PI 2"),
            inserts(Proximal, "PI 3"),
        ],
        sites: &[
            ("PI 2", Metacarpal, Head(1.3), -0.9, -1.1, &[]),
            ("PI 3", Proximal, Base(1.5), -0.9, -1.05, &[]),
        ],
    }
    /// Flexor digitorum profundus: the deep flexor, to the distal bone.
    Fdp "FDP" {
        radius: 0.0015, slack: 0.0,
        muscle: Some(Belly { bone: Wrist, away: 0.065, reach: 0.070, shares: [2.7, 3.4, 3.0, 2.8] }),
        nodes: &[
            line("FDP", "FDP 1"),
            through(Wrist, "FDP 2"),
            through(Metacarpal, "FDP 3"),
            through(Proximal, "FDP 4"),
            through(Proximal, "FDP 5"),
            through(Middle, "FDP 6"),
            through(Middle, "FDP 7"),
            inserts(Distal, "FDP 8"),
        ],
        sites: &[
            ("FDP 2", Wrist, Base(0.0), -1.2, 0.0, &[]),
            ("FDP 3", Metacarpal, Head(1.8), -1.6, 0.0, &[]),
            ("FDP 4", Proximal, Base(1.8), -1.6, 0.0, &[]),
            ("FDP 5", Proximal, Head(1.95), -1.45, 0.0, &[]),
            ("FDP 6", Middle, Base(1.95), -1.45, 0.0, &[]),
            ("FDP 7", Middle, Head(1.6), -1.22, 0.0, &[]),
            ("FDP 8", Distal, Base(1.6), -1.22, 0.0, &[]),
        ],
    }
    /// Flexor digitorum superficialis: to the middle bone.
    Fds "FDS" {
        radius: 0.0013, slack: 0.0,
        muscle: Some(Belly { bone: Wrist, away: 0.065, reach: 0.070, shares: [2.0, 3.4, 2.0, 0.9] }),
        nodes: &[
            line("FDS", "FDS 1"),
            through(Wrist, "FDS 2"),
            through(Metacarpal, "FDS 3"),
            through(Proximal, "FDS 4"),
            through(Proximal, "FDS 5"),
            inserts(Middle, "FDS 6"),
        ],
        sites: &[
            ("FDS 2", Wrist, Base(0.0), -1.6, 0.0, &[]),
            ("FDS 3", Metacarpal, Head(1.9), -1.75, 0.0, &[]),
            ("FDS 4", Proximal, Base(1.9), -1.75, 0.0, &[]),
            ("FDS 5", Proximal, Head(1.7), -1.15, 0.4, &[]),
            ("FDS 6", Middle, Base(1.7), -1.15, 0.4, &[]),
        ],
    }
    /// Extensor digitorum communis; its slip to the middle bone.
    Edc "EDC" {
        radius: 0.0008, slack: SLIP_SLACK,
        muscle: Some(Belly { bone: Wrist, away: 0.065, reach: 0.070, shares: [1.0, 1.9, 1.7, 0.9] }),
        nodes: &[
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
        ],
        sites: &[
            ("EDC 2", Wrist, Base(0.0), 1.3, 0.0, &[]),
            ("EDC 3", Metacarpal, Part(0.4), 1.0, 0.0, &[]),
            ("EDC 4", Metacarpal, Head(2.0), 1.05, 0.0, &[]),
            ("EDC 5", Metacarpal, Head(PLANE1), 1.02, 0.0, MCP_HEAD),
            ("EDC 6", Proximal, Base(PLANE0), 1.08, 0.0, MCP_BASE),
            ("EDC 7", Proximal, Base(2.4), 0.95, 0.0, &[]),
            ("EDC 8", Proximal, Part(0.55), 0.95, 0.0, &[]),
            ("EDC 9", Proximal, Head(1.8), 1.02, 0.0, &[]),
            ("EDC 10", Proximal, Head(PLANE1), 1.02, 0.0, PIP_HEAD),
            ("EDC 11", Middle, Base(1.5), 1.0, 0.0, &[]),
        ],
    }
    /// Intrinsic medial: from the lumbrical to the middle bone.
    IntMed "IntMed" {
        radius: 0.0006, slack: 0.0,
        muscle: None,
        nodes: &[
            line("LUM", "LUM 1"),
            through(Metacarpal, "LUM 2"),
            through(Proximal, "LUM 3"),
            slides(&[], &[Cut::ProximalHplane], "LUM 4"),
            through(Proximal, "IntMed 5"),
            through(Proximal, "EDC 9"),
            slides(AT_PIP, &[], "EDC 10"),
            inserts(Middle, "EDC 11"),
        ],
        sites: &[
            ("IntMed 5", Proximal, Part(0.62), 0.8, 0.7, &[]),
        ],
    }
    /// Extrinsic lateral: from the extensor to the distal bone.
    ExtLat "ExtLat" {
        radius: 0.0007, slack: 0.0,
        muscle: None,
        nodes: &[
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
        ],
        sites: &[
            ("ExtLat 9", Proximal, Head(PLANE1), 0.4, 1.2, BESIDE_HEAD),
            ("ExtLat 10", Middle, Base(PLANE0), 0.4, 1.15, BESIDE_BASE),
            ("ExtLat 11", Middle, Base(2.2), 0.75, 0.7, &[]),
            ("ExtLat 12", Middle, Part(0.62), 1.15, 0.4, &[]),
            ("ExtLat 13", Middle, Head(2.0), 1.02, 0.0, &[]),
            ("ExtLat 14", Middle, Head(PLANE1), 1.02, 0.0, DIP_HEAD),
            ("ExtLat 15", Distal, Base(1.5), 1.0, 0.0, &[]),
        ],
    }
    /// Lumbrical: to the distal bone.
    Lum "LUM" {
        radius: 0.0006, slack: 0.0,
        muscle: Some(Belly { bone: Metacarpal, away: 0.040, reach: 0.030, shares: [0.2, 0.2, 0.1, 0.1] }),
        nodes: &[
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
        ],
        sites: &[
            ("LUM 2", Metacarpal, Head(1.4), -1.0, 1.1, &[]),
            ("LUM 3", Proximal, Base(1.6), -0.7, 1.1, &[]),
            ("LUM 4", Proximal, Part(0.5), 0.1, 1.0, SIDE),
        ],
    }
    /// Oblique ligament: from the palmar side of the proximal to the dorsal side of the distal bone. No muscle.
    Ol "OL" {
        radius: 0.0005, slack: 0.0,
        muscle: None,
        nodes: &[
            through(Proximal, "OL 1"),
            through(Proximal, "OL 2"),
            slides(&[Cut::MiddlePlane0], &[Cut::MiddleHplane], "OL 3"),
            through(Middle, "ExtLat 13"),
            slides(AT_DIP, &[], "ExtLat 14"),
            inserts(Distal, "ExtLat 15"),
        ],
        sites: &[
            ("OL 1", Proximal, Head(2.4), PALMAR - 0.2, 1.0, &[]),
            ("OL 2", Proximal, Head(0.15), PALMAR, 1.05, &[]),
            ("OL 3", Middle, Base(PLANE0), 0.1, 1.15, OBLIQUE),
        ],
    }
    /// The wing of the dorsal interosseus, to the distal bone. Added by us.
    DiLat "DILat" {
        radius: 0.0006, slack: 0.0,
        muscle: None,
        nodes: &[
            line("DI", "DI 1"),
            through(Metacarpal, "DI 2"),
            through(Proximal, "DI 3"),
            through(Proximal, "DI 4"),
            through(Middle, "DI 5"),
            through(Middle, "ExtLat 13"),
            slides(AT_DIP, &[], "ExtLat 14"),
            inserts(Distal, "ExtLat 15"),
        ],
        sites: &[
            ("DI 4", Proximal, Head(0.0), WING, 1.15, &[]),
            ("DI 5", Middle, Part(0.62), 1.1, 0.5, &[]),
        ],
    }
    /// The wing of the palmar interosseus. Added by us.
    PiLat "PILat" {
        radius: 0.0006, slack: 0.0,
        muscle: None,
        nodes: &[
            line("PI", "PI 1"),
            through(Metacarpal, "PI 2"),
            through(Proximal, "PI 3"),
            through(Proximal, "PI 4"),
            through(Middle, "PI 5"),
            through(Middle, "ExtLat 13"),
            slides(AT_DIP, &[], "ExtLat 14"),
            inserts(Distal, "ExtLat 15"),
        ],
        sites: &[
            ("PI 4", Proximal, Head(0.0), WING, -1.15, &[]),
            ("PI 5", Middle, Part(0.62), 1.1, -0.5, &[]),
        ],
    }
    /// The medial slip of the dorsal interosseus, to the middle bone. Added by us.
    DiMed "DIMed" {
        radius: 0.0006, slack: MEDIAL_SLACK,
        muscle: None,
        nodes: &[
            line("DI", "DI 1"),
            through(Metacarpal, "DI 2"),
            through(Proximal, "DI 3"),
            through(Proximal, "DI 6"),
            through(Proximal, "EDC 9"),
            slides(AT_PIP, &[], "EDC 10"),
            inserts(Middle, "EDC 11"),
        ],
        sites: &[
            ("DI 6", Proximal, Part(0.62), 0.8, 0.7, &[]),
        ],
    }
    /// The medial slip of the palmar interosseus.
    PiMed "PIMed" {
        radius: 0.0006, slack: MEDIAL_SLACK,
        muscle: None,
        nodes: &[
            line("PI", "PI 1"),
            through(Metacarpal, "PI 2"),
            through(Proximal, "PI 3"),
            through(Proximal, "PI 6"),
            through(Proximal, "EDC 9"),
            slides(AT_PIP, &[], "EDC 10"),
            inserts(Middle, "EDC 11"),
        ],
        sites: &[
            ("PI 6", Proximal, Part(0.62), 0.8, -0.7, &[]),
        ],
    }
}

/// How much longer than the path to the middle bone the extensor's slip to it is, in radii of PIP: nearly a millimetre.
/// So the extensor pulls at the last bone first and does not extend PIP alone, which no flexor could compensate: those
/// of PIP flex the knuckle as much as the extensor extends it. Chosen; how the slips of extensors are balanced is not
/// in the sources.
const SLIP_SLACK: Real = 0.18;
/// The same of the interossei's slips: half a millimetre. Without it they extend PIP alone, too; with as much as the
/// extensor's they leave PIP flexed by more than 10 degrees. Chosen.
const MEDIAL_SLACK: Real = 0.1;

/// How far above the axis of PIP the wings of the interossei run, in radii: their moment arm there is 1.6 mm
/// \[HelpingHand table A.4\].
const WING: Real = 0.3;

/// Where the oblique ligament passes the head of the proximal bone, in radii from the axis of PIP. Its node beyond the
/// joint slides to where the ligament is shortest. It passes so near the axis that its moment arm is nearly even, 2.2
/// to 2.7 mm in an index finger up to 50 degrees, against 3.4 mm at DIP: taut when the finger is nearly straight, it
/// gives way for DIP to be flexed by 33, 59 and 78 degrees with PIP at 30, 60 and 90 (tests/hand/anatomy.rs). So both
/// joints flex together \[HandThesis §3.4\], and a fist closes all the same.
///
/// In dissected fingers it lies palmar to the axis only where PIP is flexed (El-Gammal, Steyers, Blair, Maynard,
/// "Anatomy of the oblique retinacular ligament of the index finger", 1993). With an arm that grows from zero, DIP
/// would flex by 12 degrees at 30 of PIP: held so straight, it leaves the lateral band slack, the extensor pulls at PIP
/// alone, and no muscles could extend the knuckle without PIP.
const PALMAR: Real = -0.45;
