//! What the skin is made of: stretch and tension of a sheet that is held everywhere, and the sag of a strip.

use super::super::host::{Host, near, within};
use super::{CELLS, Strip, map, moved, sag, sheet, skin};
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec3};

super::super::rows! {
    "input rest" => rest,
    "input points" => points,
    "param young" => young,
    "param poisson" => poisson,
    "param thickness" => thickness,
    "param density" => density,
    "param material" | "choice material/stvk" => stvk,
    "choice material/neo_hookean" => neo_hookean,
    "choice material/fung" => fung,
    "param fung_exponent" => fung_exponent,
    "choice material/orthotropic" => orthotropic,
    "param fibre_ratio" => fibre_ratio,
    "input fibres" => fibres,
    "input thickness_map" => thickness_map,
    "input stiffness" => stiffness,
    "input density_map" => density_map,
    "input prestrain" => prestrain,
    "param gravity" => gravity,
    "input forces" => forces,
    "input acted" => acted,
    "output stretch" => stretch,
    "output stretch_direction" => stretch_direction,
    "output tension" => tension,
    "output load" => load,
    "output wrinkle_amplitude" => wrinkle_amplitude,
    "output wrinkle_crests" => wrinkle_crests,
}

/// How far the held sheet is stretched along x, and Green's strain there.
const LONGER: Real = 1.2;
const STRAIN: Real = 0.22;

/// A sheet of 0.2 by 0.1 m that is held everywhere, on a body that is stretched along x.
fn held(params: &[(&str, &str)], longer: Real) -> (Host, Mesh) {
    let mesh = sheet([0.2, 0.1], [4, 2]);
    let mut host = skin(&mesh, params);
    host.give("fixed", &map(&mesh, |_| 1.0));
    let there: Vec<Vec3> = mesh.positions.iter().map(|p| Vec3::new(longer * p.x, p.y, p.z)).collect();
    host.points("points", &there);
    (host, mesh)
}

/// That the tensions are h S11 l and h S22 / l, Cauchy's stress times the thickness now, in every vertex.
#[track_caller]
fn tensions_are(host: &mut Host, thickness: Real, stress: [Real; 2]) {
    host.frame(1);
    for found in host.read("tension").chunks_exact(2) {
        near(found[0], thickness * stress[0] * LONGER, 1e-9);
        near(found[1], thickness * stress[1] / LONGER, 1e-9);
    }
}

/// The stresses of St. Venant and Kirchhoff: E / (1 - nu^2) (E11, nu E11).
fn linear(young: Real, poisson: Real) -> [Real; 2] {
    let along = young / (1.0 - poisson * poisson) * STRAIN;
    [along, poisson * along]
}

/// That the sheet's larger tension at its left side and at its right side is so many times what it is without a map.
#[track_caller]
fn sides_bear(host: &mut Host, mesh: &Mesh, times: [Real; 2]) {
    host.frame(2);
    let tensions = host.read("tension");
    for (p, found) in mesh.positions.iter().zip(tensions.chunks_exact(2)) {
        if p.x == 0.0 || p.x == 0.2 {
            let side = usize::from(p.x > 0.1);
            near(found[0], 2e-3 * linear(3e4, 0.4)[0] * LONGER * times[side], 1e-9);
        }
    }
}

/// 1 left of the middle, 3 from there on.
fn halves(mesh: &Mesh) -> Vec<Real> {
    map(mesh, |p| if p.x < 0.09 { 1.0 } else { 3.0 })
}

fn rest() {
    let (mut host, mut mesh) = held(&[], 1.0);
    mesh.positions.iter_mut().for_each(|p| p.x *= 0.8);
    host.mesh("rest", &mesh);
    host.frame(1);
    host.read("stretch").chunks_exact(2).for_each(|found| within(found[0], 1.25, 1e-12));
}

fn points() {
    let (mut host, mesh) = held(&[], 1.5);
    host.frame(1);
    host.read("stretch").chunks_exact(2).for_each(|found| within(found[0], 1.5, 1e-12));
    let slid = host.vectors("slid_points");
    slid.iter().zip(&mesh.positions).for_each(|(there, p)| within(there.x, 1.5 * p.x, 1e-12));
}

fn young() {
    let (mut host, _) = held(&[("material", "stvk"), ("young", "12345")], LONGER);
    tensions_are(&mut host, 2e-3, linear(12345.0, 0.4));
}

fn poisson() {
    // No material keeps more than its volume.
    let mut given = Host::new("skin_slider", &[]);
    for (value, good) in [("0.5", true), ("0.51", false), ("0.6", false), ("-0.95", false), ("nan", false)] {
        let set = given.node.set_param_text("poisson", value);
        assert_eq!(set.is_ok(), good, "{value}: {set:?}");
    }
    let (mut host, _) = held(&[("material", "stvk"), ("poisson", "0.25")], LONGER);
    tensions_are(&mut host, 2e-3, linear(3e4, 0.25));
}

fn thickness() {
    let (mut host, _) = held(&[("material", "stvk"), ("thickness", "3e-3")], LONGER);
    tensions_are(&mut host, 3e-3, linear(3e4, 0.4));
    // Thicker skin is heavier and stiffer alike.
    near(-Strip::new(&[("gravity", "9.81"), ("thickness", "6e-3")]).rise(), sag(9.81), 0.02);
    let mut strip = Strip::new(&[("thickness", "6e-3")]);
    strip.pull(0.5);
    near(strip.rise(), moved(0.5) / 3.0, 0.02);
}

fn density() {
    near(-Strip::new(&[("gravity", "9.81"), ("density", "2750")]).rise(), 2.5 * sag(9.81), 0.02);
}

fn stvk() {
    let (mut host, _) = held(&[("material", "stvk")], LONGER);
    tensions_are(&mut host, 2e-3, linear(3e4, 0.4));
}

/// The stresses of psi = mu/2 (tr C - 2) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2 by C, for J = l.
fn neo_hookean_stress() -> [Real; 2] {
    let (lambda, mu) = (3e4 * 0.4 / (1.0 - 0.16), 3e4 / 2.8);
    let by_area = (lambda + mu) * (LONGER - 1.0) - mu;
    [mu + by_area / LONGER, mu + by_area * LONGER]
}

fn neo_hookean() {
    let (mut host, _) = held(&[("material", "neo_hookean")], LONGER);
    tensions_are(&mut host, 2e-3, neo_hookean_stress());
    // It is the default.
    let (mut host, _) = held(&[], LONGER);
    tensions_are(&mut host, 2e-3, neo_hookean_stress());
}

/// St. Venant and Kirchhoff's times exp(a W / E).
fn fung_stress(exponent: Real) -> [Real; 2] {
    let [along, across] = linear(3e4, 0.4);
    let growth = (exponent * 0.5 * along * STRAIN / 3e4).exp();
    [along * growth, across * growth]
}

fn fung() {
    let (mut host, _) = held(&[("material", "fung")], LONGER);
    tensions_are(&mut host, 2e-3, fung_stress(8.0));
}

fn fung_exponent() {
    let (mut host, _) = held(&[("material", "fung"), ("fung_exponent", "20")], LONGER);
    tensions_are(&mut host, 2e-3, fung_stress(20.0));
}

/// Stretched along fibres that are r times stiffer: E / (1 - nu^2 / r) (r E11, nu E11).
fn orthotropic_stress(ratio: Real) -> [Real; 2] {
    let scale = 3e4 / (1.0 - 0.16 / ratio) * STRAIN;
    [scale * ratio, scale * 0.4]
}

fn along_x(mesh: &Mesh) -> Vec<Vec3> {
    vec![Vec3::new(2.0, 0.0, 0.0); mesh.positions.len()]
}

fn orthotropic() {
    let (mut host, mesh) = held(&[("material", "orthotropic")], LONGER);
    host.points("fibres", &along_x(&mesh));
    tensions_are(&mut host, 2e-3, orthotropic_stress(3.0));
}

fn fibre_ratio() {
    let (mut host, mesh) = held(&[("material", "orthotropic"), ("fibre_ratio", "7")], LONGER);
    host.points("fibres", &along_x(&mesh));
    tensions_are(&mut host, 2e-3, orthotropic_stress(7.0));
}

/// Across the fibres it is as stiff as it says.
fn fibres() {
    let (mut host, mesh) = held(&[("material", "orthotropic")], LONGER);
    host.points("fibres", &vec![Vec3::new(0.0, 0.3, 0.0); mesh.positions.len()]);
    let scale = 3e4 / (1.0 - 0.16 / 3.0) * STRAIN;
    tensions_are(&mut host, 2e-3, [scale, 0.4 * scale]);
    // Fibres along x on the right side only: the denominator 1 - nu^2 / r is the same on both sides, so that side bears
    // three times as much.
    let turned = |p: &Vec3| if p.x < 0.09 { Vec3::new(0.0, 1.0, 0.0) } else { Vec3::new(1.0, 0.0, 0.0) };
    let directions: Vec<Vec3> = mesh.positions.iter().map(turned).collect();
    host.points("fibres", &directions);
    let times = scale / linear(3e4, 0.4)[0];
    sides_bear(&mut host, &mesh, [times, 3.0 * times]);
}

fn thickness_map() {
    let (mut host, mesh) = held(&[("material", "stvk")], LONGER);
    host.give("thickness_map", &map(&mesh, |_| 2.5));
    tensions_are(&mut host, 5e-3, linear(3e4, 0.4));
    host.give("thickness_map", &halves(&mesh));
    sides_bear(&mut host, &mesh, [1.0, 3.0]);
    // Thicker skin is heavier and stiffer alike.
    let mut strip = Strip::new(&[("gravity", "9.81")]);
    strip.paint("thickness_map", 2.5);
    near(-strip.rise(), sag(9.81), 0.02);
}

fn stiffness() {
    let (mut host, mesh) = held(&[("material", "stvk")], LONGER);
    host.give("stiffness", &map(&mesh, |_| 2.5));
    tensions_are(&mut host, 2e-3, linear(7.5e4, 0.4));
    host.give("stiffness", &halves(&mesh));
    sides_bear(&mut host, &mesh, [1.0, 3.0]);
    // The map makes skin stiffer, not heavier. It applies vertex by vertex: the softer half of a strip yields more.
    let mut strip = Strip::new(&[("gravity", "9.81")]);
    strip.paint("stiffness", 2.5);
    near(-strip.rise(), sag(9.81) / 2.5, 0.02);
    let mut strip = Strip::new(&[]);
    let halves = map(&strip.mesh, |p| if p.y < 0.1 { 1.0 } else { 3.0 });
    strip.host.give("stiffness", &halves);
    strip.pull(0.5);
    near(strip.rise(), 0.5 * moved(0.5), 0.05);
}

fn density_map() {
    let mut strip = Strip::new(&[("gravity", "9.81")]);
    strip.paint("density_map", 2.5);
    near(-strip.rise(), 2.5 * sag(9.81), 0.02);
    // Three times as heavy in its upper half: 5/4 and 7/4 of the sag in the middle of either half.
    let mut strip = Strip::new(&[("gravity", "9.81")]);
    let halves = map(&strip.mesh, |p| {
        if p.y < 0.0999 {
            1.0
        } else if p.y < 0.1001 {
            2.0
        } else {
            3.0
        }
    });
    strip.host.give("density_map", &halves);
    strip.rise();
    let ways = strip.host.vectors("slide_vector");
    near(-ways[3 * CELLS / 4 + 1].y, 1.25 * sag(9.81), 0.03);
    near(-ways[9 * CELLS / 4 + 1].y, 1.75 * sag(9.81), 0.03);
    // It is not stiffer.
    let mut strip = Strip::new(&[]);
    strip.paint("density_map", 2.5);
    strip.pull(0.5);
    near(strip.rise(), moved(0.5), 0.02);
}

fn prestrain() {
    let (mut host, mesh) = held(&[("material", "stvk")], 1.0);
    host.give("prestrain", &map(&mesh, |p| 0.1 + p.x));
    host.frame(1);
    let stretches = host.read("stretch");
    let aside = mesh.positions.iter().position(|p| (p.x - 0.15).abs() < 1e-9 && p.y == 0.05).unwrap();
    stretches[2 * aside..][..2].iter().for_each(|found| within(*found, 1.25, 1e-3));
    host.give("prestrain", &map(&mesh, |_| -0.25));
    host.frame(2);
    host.read("stretch").iter().for_each(|found| within(*found, 0.75, 1e-9));
    // Both ways alike, E / (1 - nu) E11 times the stretch squared: the thickness is that at rest.
    let stress = 3e4 / 0.6 * 0.5 * (0.75 * 0.75 - 1.0) * 0.75 * 0.75;
    host.read("tension").iter().for_each(|found| near(*found, 2e-3 * stress, 1e-9));
}

fn gravity() {
    near(-Strip::new(&[("gravity", "9.81")]).rise(), sag(9.81), 0.02);
    near(Strip::new(&[("gravity", "-4")]).rise(), sag(4.0), 0.02);
}

fn forces() {
    for force in [0.5, -0.25] {
        let mut strip = Strip::new(&[]);
        strip.pull(force);
        near(strip.rise(), moved(force), 0.02);
    }
}

fn stretch() {
    for longer in [1.3, 0.7] {
        let (mut host, _) = held(&[], longer);
        host.frame(1);
        for found in host.read("stretch").chunks_exact(2) {
            within(found[0], longer.max(1.0), 1e-12);
            within(found[1], longer.min(1.0), 1e-12);
        }
    }
}

/// Skin is stretched by what bones add to what shapes did.
fn acted() {
    let (mut host, mesh) = held(&[], 1.3);
    let acted: Vec<Vec3> = mesh.positions.iter().map(|p| Vec3::new(1.04 * p.x, p.y, p.z)).collect();
    host.points("acted", &acted);
    host.frame(1);
    for found in host.read("stretch").chunks_exact(2) {
        within(found[0], 1.25, 1e-12);
        within(found[1], 1.0, 1e-12);
    }
}

fn stretch_direction() {
    for (longer, expected) in [(1.3, [1.0, 0.0, 0.0]), (0.7, [0.0, 1.0, 0.0])] {
        let (mut host, _) = held(&[], longer);
        host.frame(1);
        let parallel = |found: &Vec3| found.cross(&Vec3::from(expected)).norm() < 1e-9;
        assert!(
            host.vectors("stretch_direction").iter().all(|d| parallel(d) && (d.norm() - 1.0).abs() < 1e-9)
        );
    }
    // A sheet whose left side is stretched along x, its right side along y: vertex by vertex.
    let (mut host, mesh) = held(&[], 1.0);
    let uneven = |p: &Vec3| {
        let taller = 1.0 + 0.3 * ((p.x - 0.1) / 0.05).clamp(0.0, 1.0);
        Vec3::new(1.3 * p.x.min(0.1) + (p.x - 0.1).max(0.0), taller * p.y, 0.0)
    };
    let there: Vec<Vec3> = mesh.positions.iter().map(uneven).collect();
    host.points("points", &there);
    host.frame(1);
    let found = host.vectors("stretch_direction");
    for (p, found) in mesh.positions.iter().zip(found).filter(|(p, _)| p.x == 0.0 || p.x == 0.2) {
        let axis = if p.x == 0.0 { found.x } else { found.y };
        near(axis.abs(), 1.0, 1e-6);
    }
}

/// Squeezed skin has the larger tension across: the order is by size, with sign.
fn tension() {
    let (mut host, _) = held(&[("material", "stvk")], 0.8);
    host.frame(1);
    let along = 3e4 / 0.84 * 0.5 * (0.64 - 1.0);
    for found in host.read("tension").chunks_exact(2) {
        near(found[0], 2e-3 * 0.4 * along / 0.8, 1e-9);
        near(found[1], 2e-3 * along * 0.8, 1e-9);
    }
}

/// All vertices of the stretched sheet's right side are pulled inwards by the tension times their width, those of the
/// left side the other way.
fn load() {
    let (mut host, mesh) = held(&[("material", "stvk")], LONGER);
    host.frame(1);
    let whole = 2e-3 * linear(3e4, 0.4)[0] * LONGER * 0.1;
    let loads = host.vectors("load");
    for (x, expected) in [(0.2, -whole), (0.0, whole), (0.1, 0.0)] {
        let there = mesh.positions.iter().zip(&loads).filter(|(p, _)| (p.x - x).abs() < 1e-9);
        within(there.map(|(_, load)| load.x).sum(), expected, 1e-9 * whole);
    }
}

/// A sheet whose left half is squeezed along x and whose right half is stretched.
fn half_squeezed() -> (Host, Mesh) {
    let (mut host, mesh) = held(&[("material", "stvk")], 1.0);
    let there: Vec<Vec3> = mesh
        .positions
        .iter()
        .map(|p| Vec3::new(0.8 * p.x.min(0.1) + 1.2 * (p.x - 0.1).max(0.0), p.y, 0.0))
        .collect();
    host.points("points", &there);
    host.frame(1);
    (host, mesh)
}

/// Skin of which 1 m lies on 0.8 m stands in waves: 25 % is in excess, k^2 = 4 e + 3 e^2 for a sine.
fn wrinkle_amplitude() {
    let (mut host, _) = held(&[("material", "stvk"), ("poisson", "0")], 0.8);
    host.frame(1);
    let expected = (4.0 * 0.25 + 3.0 * 0.0625 as Real).sqrt() / std::f64::consts::TAU;
    host.read("wrinkle_amplitude").iter().for_each(|found| near(*found, expected, 1e-6));
    let (mut host, _) = held(&[("material", "stvk")], 1.2);
    host.frame(1);
    assert!(host.read("wrinkle_amplitude").iter().all(|found| *found == 0.0));
    let (host, mesh) = half_squeezed();
    for (p, found) in mesh.positions.iter().zip(host.read("wrinkle_amplitude")) {
        assert_eq!(found > 0.0, p.x < 0.11, "{p}: {found}");
    }
}

/// Skin that is pulled one way and neither pulled nor squeezed the other is smooth, also in the round-off of a host
/// that keeps places in single precision.
#[test]
fn round_off_is_no_wrinkle() {
    let (mut host, mesh) = held(&[("material", "stvk"), ("poisson", "0")], 1.2);
    for turn in 0..12 {
        let (sin, cos) = (0.5 * Real::from(turn)).sin_cos();
        let turned = |p: &Vec3| {
            let (x, y) = (1.2 * p.x, p.y);
            Vec3::new(cos * x - sin * y, sin * x + cos * y, 0.5).map(|c| Real::from(c as f32))
        };
        let there: Vec<Vec3> = mesh.positions.iter().map(turned).collect();
        host.points("points", &there);
        host.frame(turn.into());
        let crests = host.vectors("wrinkle_crests");
        assert!(crests.iter().all(|d| *d == Vec3::zeros()), "{turn}");
        assert!(host.read("wrinkle_amplitude").iter().all(|a| *a == 0.0), "{turn}");
        // And it is there where it can be seen.
        let squeezed: Vec<Vec3> = there.iter().map(|p| p * 0.999).collect();
        host.points("points", &squeezed);
        host.frame(turn.into());
        assert!(host.read("wrinkle_amplitude").iter().all(|a| *a > 0.01), "{turn}");
    }
}

fn wrinkle_crests() {
    let (mut host, _) = held(&[("material", "stvk")], 0.8);
    host.frame(1);
    let crests = host.vectors("wrinkle_crests");
    crests.iter().for_each(|d| assert!((d.y.abs() - 1.0).abs() < 1e-9 && d.x.abs() < 1e-9, "{d}"));
    let (mut host, _) = held(&[("material", "stvk")], 1.2);
    host.frame(1);
    assert!(host.vectors("wrinkle_crests").iter().all(|d| *d == Vec3::zeros()));
    let (host, mesh) = half_squeezed();
    for (p, crests) in mesh.positions.iter().zip(host.vectors("wrinkle_crests")) {
        within(crests.norm(), Real::from(u8::from(p.x < 0.11)), 1e-9);
    }
}
