//! The mesh on which the skin is computed: the original one, or a decimated one whose result is transferred.

use super::super::value::Inputs;
use super::given;
use rayon::prelude::*;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::{Carrier, CarryScratch, MapError, SurfacePoint, decimate};
use sinew_math::{Real, Vec2, Vec3};
use sinew_skin::model::{Anchor, Hold, Maps, Model, Row, Settings};
use sinew_skin::rest::Rest;
use sinew_skin::{production, ties};

/// A decimated model.
pub(super) struct Proxy {
    pub(super) model: Model,
    /// The original vertex of each vertex.
    pub(super) vertices: Vec<u32>,
    carrier: Carrier,
    scratch: CarryScratch,
}

/// The inputs of a mesh's model besides its shape, by the vertices of the original mesh.
pub(super) struct Painted {
    pub(super) holds: Vec<Hold>,
    pub(super) maps: Maps,
}

impl Painted {
    pub(super) fn new(inputs: &Inputs, n: usize) -> Result<Self> {
        Ok(Painted { holds: given::holds(inputs, n)?, maps: given::maps(inputs, n)? })
    }

    /// Holds free vertices where the mesh barely resolves the surface.
    pub(super) fn hold_unknown(&mut self, rest: &Rest) {
        let free = self.holds.iter_mut().zip(ties::unknown(rest)).filter(|(hold, _)| **hold == Hold::Free);
        free.filter(|(_, unknown)| *unknown).for_each(|(hold, _)| *hold = Hold::Fixed);
    }

    /// The values at some of the vertices.
    fn at(&self, vertices: &[u32]) -> Painted {
        fn some<T: Copy>(values: &[T], vertices: &[u32]) -> Vec<T> {
            vertices.iter().map(|&v| values[v as usize]).collect()
        }
        let maps = &self.maps;
        Painted {
            holds: some(&self.holds, vertices),
            maps: Maps {
                thickness: some(&maps.thickness, vertices),
                stiffness: some(&maps.stiffness, vertices),
                density: some(&maps.density, vertices),
                prestrain: some(&maps.prestrain, vertices),
                fibres: some(&maps.fibres, vertices),
            },
        }
    }
}

impl Proxy {
    /// A proxy of about that many triangles; vertices where holding begins or ends stay, and so do painted ones.
    pub(super) fn new(
        full: &Model,
        triangles: usize,
        keep: &[Real],
        settings: Settings,
        painted: &Painted,
        control: &Control,
    ) -> Result<Self> {
        let (mesh, edges) = (full.rest.mesh(), full.rest.edges());
        let mut keep: Vec<bool> = keep.iter().map(|k| *k >= 0.5).collect();
        let held = |v: u32| painted.holds[v as usize] == Hold::Fixed;
        for corners in &mesh.triangles {
            let some_held = corners.iter().any(|&v| held(v)) && !corners.iter().all(|&v| held(v));
            corners.iter().filter(|&&v| some_held && held(v)).for_each(|&v| keep[v as usize] = true);
        }
        for (keep, hold) in keep.iter_mut().zip(&painted.holds) {
            *keep |= matches!(hold, Hold::Along(_));
        }
        for (v, _) in full.rows().iter().flat_map(|row| &row.terms) {
            keep[*v as usize] = true;
        }
        let coarse = decimate(mesh, edges, triangles, &keep, control)?;
        let carrier = Carrier::new(mesh, edges, &coarse)?;
        let mut model = Model::new(coarse.mesh, settings)?;
        let own = painted.at(&coarse.vertices);
        model.set_holds(&own.holds)?;
        model.set_maps(own.maps)?;
        model.set_rows(renumbered(full.rows(), &coarse.vertices)?)?;
        Ok(Proxy { model, vertices: coarse.vertices, carrier, scratch: CarryScratch::default() })
    }

    /// The body at the vertices.
    pub(super) fn body(&self, full: &[Vec3]) -> Vec<Vec3> {
        self.vertices.iter().map(|&v| full[v as usize]).collect()
    }

    /// The forces on the original mesh, which may be none.
    pub(super) fn forces(&self, full: &[Vec3]) -> Vec<Vec3> {
        if full.is_empty() { Vec::new() } else { self.carrier.gather(full) }
    }

    /// The soft ties of the original mesh.
    pub(super) fn set_anchors(&mut self, full: &[Anchor]) -> Result<()> {
        let parts: Vec<Vec2> = full.iter().map(|anchor| Vec2::new(anchor.soft, anchor.stiff)).collect();
        let anchor =
            |(sum, &v): (Vec2, &u32)| Anchor { soft: sum.x, stiff: sum.y, toe: full[v as usize].toe };
        let anchors: Vec<Anchor> =
            self.carrier.gather(&parts).into_iter().zip(&self.vertices).map(anchor).collect();
        self.model.set_anchors(&anchors)
    }

    /// The skin on the original mesh, whose surface at rest is `rest`.
    pub(super) fn carry(
        &mut self,
        rest: &Rest,
        skin: &[SurfacePoint],
        out: &mut [SurfacePoint],
    ) -> Result<()> {
        self.carrier.carry(skin, &mut self.scratch, out)?;
        out.par_iter_mut().with_min_len(512).enumerate().for_each(|(v, point)| bring_back(rest, v, point));
        Ok(())
    }
}

/// Skin that lies turned over on a vertex goes back towards its home until it no longer does. At the corner of a mouth
/// a proxy is too coarse to hold the skin of one lip, which would go around the edge onto the other.
fn bring_back(rest: &Rest, vertex: usize, point: &mut SurfacePoint) {
    let normal = rest.vertex_normal(vertex);
    let is_over = |point: &SurfacePoint| normal.dot(&rest.normal(point)) < OVER;
    if !is_over(point) {
        return;
    }
    let Some(home) = rest.vertex(vertex) else { return };
    let way = rest.place(point) - rest.mesh().positions[vertex];
    let nearer = (1..=HALVINGS).map(|k| rest.slid(&home, &(way * 0.5_f64.powi(k))));
    *point = nearer.into_iter().find(|point| !is_over(point)).unwrap_or(home);
}

/// The cosine of the angle between the normals at a vertex and at its skin, both at rest, beyond which that is turned
/// over: on all triangles, no skin of a human in motion is.
const OVER: Real = -0.3;
/// How often the way is halved.
const HALVINGS: i32 = 4;

/// Constraints over the vertices of a proxy, which has all that they name.
fn renumbered(rows: &[Row], vertices: &[u32]) -> Result<Vec<Row>> {
    let own = |(v, vector): &(u32, Vec3)| {
        let place = vertices.iter().position(|own| own == v);
        let lost = || Error::new(Kind::Internal, "a vertex of a row is not in the proxy").vertex(*v as usize);
        place.map(|place| (place as u32, *vector)).ok_or_else(lost)
    };
    let of =
        |row: &Row| Ok(Row { terms: row.terms.iter().map(own).collect::<Result<_>>()?, speed: row.speed });
    rows.iter().map(of).collect()
}

/// The distance of a transferred skin from the one computed on all triangles, root mean square and largest, in mean
/// edges.
pub(super) fn compare(
    full: &Model,
    carried: &[SurfacePoint],
    reference: &mut production::Runner,
    inputs: &production::Inputs,
    control: &Control,
) -> Result<[Real; 2]> {
    reference.step(full, inputs, control)?;
    let error = MapError::new(full.rest.mesh(), full.rest.edges(), carried, &reference.state.skin)?;
    Ok([error.rms, error.max])
}
