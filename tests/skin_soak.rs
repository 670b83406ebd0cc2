//! Thousands of frames of bodies that no animator would make: nothing panics, nothing becomes NaN, no triangle of skin
//! stays turned over, and the skin recovers when the body does.

#[path = "support/soak.rs"]
mod soak;

use sinew::control::Control;
use sinew::energy::{Constants, MATERIALS, Material, MaterialKind};
use sinew::geometry::{Mesh, TriMesh, shapes};
use sinew::math::{Real, Vec3};
use sinew::skin::model::{Hold, Mode, Model, Settings};
use sinew::skin::production::{Inputs, Runner};

/// splitmix64: the same frames in every run.
struct Dice(u64);

impl Dice {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// -1..1.
    fn real(&mut self) -> Real {
        (self.bits() >> 11) as Real / (1u64 << 52) as Real - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.real(), self.real(), self.real())
    }

    fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }
}

fn meshes() -> Vec<Mesh> {
    let mut bumpy = shapes::sphere(0.1, 1);
    let mut dice = Dice(7);
    bumpy.positions.iter_mut().for_each(|p| *p *= 1.0 + 0.2 * dice.real());
    vec![
        shapes::torus(0.1, 0.04, 12, 8),
        shapes::cylinder(0.05, 0.2, 10, 8),
        shapes::grid(0.2, 0.2, 8, 8),
        bumpy,
    ]
}

fn materials() -> Vec<Material> {
    let of = |kind: &MaterialKind| {
        let own = kind.about.own.map_or(0.0, |own| own.default);
        (kind.make)(&Constants { young: 3e4, poisson: if kind.about.directed { 0.3 } else { 0.4 }, own })
    };
    MATERIALS.iter().map(|kind| of(kind).unwrap()).collect()
}

/// Where the next body is: mostly moved a little, sometimes much worse.
fn disturb(dice: &mut Dice, rest: &[Vec3], body: &[Vec3]) -> Vec<Vec3> {
    let size = 0.2;
    match dice.below(40) {
        // A teleport, a turn, a mirror.
        0 => body.iter().map(|p| p + Vec3::new(1e3, -5.0, 2.0)).collect(),
        1 => body.iter().map(|p| Vec3::new(p.z, p.x, p.y)).collect(),
        2 => body.iter().map(|p| Vec3::new(-p.x, p.y, p.z)).collect(),
        // Flat, a line, a point.
        3 => body.iter().map(|p| Vec3::new(p.x, 0.0, p.z)).collect(),
        4 => body.iter().map(|p| Vec3::new(p.x, 0.0, 0.0)).collect(),
        5 => vec![Vec3::new(0.1, 0.2, 0.3); rest.len()],
        // Noise larger than the triangles, one vertex far away, huge, tiny.
        6 => rest.iter().map(|p| p + dice.vector() * (0.3 * size)).collect(),
        7 => {
            let (far, mut body) = (dice.below(rest.len() as u64) as usize, body.to_vec());
            body[far] += dice.vector() * 10.0;
            body
        }
        8 => rest.iter().map(|p| p * 1e4).collect(),
        9 => rest.iter().map(|p| p * 1e-4).collect(),
        // Folded in the middle, back at rest.
        10 => body.iter().map(|p| Vec3::new(p.x.abs(), p.y, p.z)).collect(),
        11..=15 => rest.to_vec(),
        _ => {
            let (axis, phase, push) = (dice.vector(), 9.0 * dice.real(), 0.1 * dice.real());
            let wave = |p: &Vec3| (30.0 * p.dot(&axis) + phase).sin() * push;
            rest.iter().map(|p| p * (1.0 + wave(p)) + axis * (0.1 * wave(p))).collect()
        }
    }
}

#[test]
fn frames_that_no_animator_would_make() {
    let control = Control::default();
    let (mut frames, mut kept, mut warned, mut turned) = (0, 0, 0, 0);
    for (m, mesh) in meshes().into_iter().enumerate() {
        for (k, material) in materials().into_iter().enumerate() {
            let mut dice = Dice((10 * m + k) as u64);
            let mode = if (m + k) % 2 == 0 { Mode::Quasistatic } else { Mode::Dynamic };
            let settings =
                Settings { mode, zeta: dice.real().abs(), max_iterations: 4, ..Settings::new(material) };
            let mut model = Model::new(TriMesh::from_mesh(&mesh).unwrap(), settings).unwrap();
            let rest = mesh.positions.clone();
            let holds: Vec<_> = (0..rest.len())
                .map(|v| match dice.below(12) {
                    0 => Hold::Fixed,
                    1 => Hold::Along(Vec3::new(0.3, 1.0, v as Real / 50.0)),
                    _ => Hold::Free,
                })
                .collect();
            model.set_holds(&holds).unwrap();
            let mut skin = Runner::new(&model).unwrap();
            let mut body = rest.clone();
            for frame in 0..soak::rounds(160) {
                body = disturb(&mut dice, &rest, &body);
                let mut given = body.clone();
                if dice.below(50) == 0 {
                    given[dice.below(rest.len() as u64) as usize].x = Real::NAN;
                }
                let inputs = Inputs { body: &given, seconds: 1.0 / 24.0, substeps: 1, forces: &[] };
                let report = skin.step(&model, &inputs, &control).unwrap();
                skin.state
                    .check(&model)
                    .unwrap_or_else(|e| panic!("mesh {m}, material {k}, frame {frame}: {e}"));
                frames += 1;
                kept += usize::from(report.kept);
                warned += usize::from(!report.warnings.is_empty());
                turned += usize::from(!report.inverted.is_empty());
            }
            // The body comes back, and so does the skin.
            let mut left = 0.0;
            for _ in 0..60 {
                let inputs = Inputs { body: &rest, seconds: 1.0 / 24.0, substeps: 4, forces: &[] };
                let report = skin.step(&model, &inputs, &control).unwrap();
                assert!(report.inverted.is_empty(), "mesh {m}, material {k}: {:?}", report.inverted);
                left = report.energy[1];
            }
            let scale = 3e4 * 2e-3 * model.rest.areas().iter().sum::<Real>();
            assert!(left < 0.05 * scale, "mesh {m}, material {k}: energy {left:.1e} is left");
        }
    }
    println!(
        "{frames} frames: {kept} bodies not finite, {warned} with a warning, {turned} with skin turned over"
    );
    assert!(kept * 200 > frames && turned == 0);
}
