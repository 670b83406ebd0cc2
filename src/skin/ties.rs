//! Ties between skin and body derived from the body's shape.
//!
//! Nobody paints where lips, eyelids, ears and nails hold the skin, so it is derived from the shape: the tissue below
//! lets the skin slide over a length proportional to the body's radius of curvature. With the membrane's stiffness e
//! (N/m) and a tie stiffness k per square metre, a pull at the skin decays as exp(-x / l), l = sqrt(e / k): a decay
//! length l needs k = e / l^2.

use super::rest::Rest;
use sinew_geometry::measure::{self, Bend};
use sinew_math::Real;

/// The longest length, as a fraction of the body's size: flat parts still depend on the rest of the body.
const LONGEST: Real = 0.2;
/// At a border of the surface, as a fraction of the edges there: it is held, as the rim of a mouth or of a sleeve is.
const AT_BORDER: Real = 0.02;
/// The shortest length as a fraction of the edges at a vertex. Shorter ones hold no better and are badly conditioned.
const SHORTEST: Real = 0.01;
/// Where the normals at both ends of an edge differ by more than about this angle, the mesh hardly resolves the
/// surface, and the length falls steeply; where they differ by more than the second one, as at tips and edges of
/// blades, the skin is held. In radians, root mean square over the edges at a vertex.
const COARSE: Real = 0.5;
const STEEPLY: i32 = 6;
const UNKNOWN: Real = 1.0;
/// The length over which half-held skin slides, as a fraction of the body's size; see [`held`].
const HALF_HELD: Real = 0.05;

/// The stiffness of the ties at each vertex per square metre, for skin of the stiffness `membrane`: a pull at it decays
/// over `reach` times the body's radius of curvature. With zero reach there are none.
pub fn natural(rest: &Rest, membrane: Real, reach: Real) -> Vec<Real> {
    let longest = LONGEST * rest.extent();
    let tie = |bend: &Bend, on_border: bool| {
        let edge = bend.edge();
        let resolved = 1.0 / (1.0 + (bend.angle() / COARSE).powi(STEEPLY));
        let length = (reach * bend.radius()).min(longest) * resolved;
        let length = if on_border { length.min(AT_BORDER * edge) } else { length };
        membrane / length.max(SHORTEST * edge).powi(2)
    };
    let tied = |bend: &Bend| reach > 0.0 && bend.edge() > 0.0;
    let tie = |(bend, on_border)| if tied(&bend) { tie(&bend, on_border) } else { 0.0 };
    bends(rest).into_iter().zip(borders(rest)).map(tie).collect()
}

/// The vertices at which the mesh does not resolve the surface well enough for skin to slide there.
pub fn unknown(rest: &Rest) -> impl Iterator<Item = bool> {
    bends(rest).into_iter().map(|bend| bend.edge() > 0.0 && bend.angle() > UNKNOWN)
}

/// The stiffness per square metre of the tie of a vertex that is held by the fraction `hold`, between 0 and 1: at one
/// half the skin slides over a twentieth of the body's size.
pub fn held(rest: &Rest, membrane: Real, hold: Real) -> Real {
    let length = HALF_HELD * rest.extent();
    membrane / (length * length) * hold / (1.0 - hold)
}

fn bends(rest: &Rest) -> Vec<Bend> {
    measure::bends(rest.mesh(), |v| rest.vertex_normal(v))
}

/// Whether each vertex is on a border.
fn borders(rest: &Rest) -> Vec<bool> {
    let mut on_border = vec![false; rest.mesh().positions.len()];
    let edges = rest.edges();
    for h in (0..edges.len() as u32).filter(|h| edges.twin(*h).is_none()) {
        on_border[edges.origin(h) as usize] = true;
        on_border[edges.target(h) as usize] = true;
    }
    on_border
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::{TriMesh, shapes};

    fn rest(mesh: &sinew_geometry::Mesh) -> Rest {
        Rest::new(TriMesh::from_mesh(mesh).unwrap()).unwrap()
    }

    #[test]
    fn ties_follow_the_radius_in_any_unit_and_hold_borders() {
        let membrane = 60.0;
        for size in [0.01, 1.0, 100.0] {
            let sphere = rest(&shapes::sphere(size, 4));
            for tie in natural(&sphere, membrane, 0.2) {
                let expected = membrane / (0.2 * size).powi(2);
                assert!((tie / expected - 1.0).abs() < 0.05, "{tie} {expected}");
            }
            assert!(natural(&sphere, membrane, 0.0).iter().all(|tie| *tie == 0.0));
        }
        let tube = rest(&shapes::cylinder(0.05, 0.4, 32, 32));
        let ties = natural(&tube, membrane, 3.0);
        let middle = ties[16 * 32];
        assert!(ties[..32].iter().all(|tie| *tie > 100.0 * middle), "{} {middle}", ties[0]);
    }

    #[test]
    fn skin_is_held_where_the_mesh_does_not_know_the_surface() {
        let held = |mesh: &sinew_geometry::Mesh| unknown(&rest(mesh)).filter(|unknown| *unknown).count();
        assert_eq!(held(&shapes::cylinder(0.05, 0.4, 12, 24)), 0);
        assert_eq!(held(&shapes::cube(1.0, 1)), 8);
        assert_eq!(held(&shapes::cube(1.0, 8)), 0);
    }

    #[test]
    fn half_held_skin_slides_over_a_twentieth_of_the_body() {
        let tube = rest(&shapes::cylinder(0.05, 0.4, 32, 32));
        let length = |hold: Real| (60.0 / held(&tube, 60.0, hold)).sqrt() / tube.extent();
        assert!((length(0.5) - 0.05).abs() < 1e-12);
        assert!(length(0.1) > length(0.5) && length(0.99) < 0.006 && held(&tube, 60.0, 0.0) == 0.0);
    }
}
