//! The outputs of the node.

use super::super::value::Outputs;
use crate::error::Result;
use crate::geometry::atlas::IslandUvs;
use crate::geometry::{Mesh, SurfacePoint};
use crate::math::{Real, Vec2, Vec3};
use crate::skin::inverse::{Image, Ride, Slid, bind};
use crate::skin::measure::{Gauge, Measures};
use crate::skin::model::Model;
use rayon::prelude::*;
use std::ops::Range;
use std::time::Instant;

/// Which outputs are computed; each takes those before it along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wanted {
    Skin,
    Measures,
    All,
}

/// What turns a skin into outputs.
pub(super) struct Results {
    uvs: Option<IslandUvs>,
    /// The first corner of each face, and the end; the vertices of the corners.
    offsets: Vec<u32>,
    vertices: Vec<u32>,
    gauge: Gauge,
    pub(super) measures: Measures,
    image: Image,
    /// Where the skin of each vertex at rest is now.
    slid: Vec<Slid>,
    homes: Vec<SurfacePoint>,
    /// Where the riders were given, the skin under them, where that is now, and how it lies there.
    given: Vec<Vec3>,
    riders: Vec<SurfacePoint>,
    ridden: Vec<Slid>,
    rides: Vec<Ride>,
}

impl Results {
    pub(super) fn new(mesh: &Mesh, model: &Model) -> Result<Self> {
        let uvs = match &mesh.uvs {
            Some(_) => Some(IslandUvs::new(mesh, model.rest.mesh(), model.rest.edges())?),
            None => None,
        };
        let homes = model.rest.home();
        Ok(Results {
            uvs,
            offsets: mesh.face_offsets.clone(),
            vertices: mesh.corner_vertices.clone(),
            gauge: Gauge::new(model),
            measures: Measures::default(),
            image: Image::new(model)?,
            slid: homes.iter().map(|&home| Slid::at_rest(home)).collect(),
            homes,
            given: Vec::new(),
            riders: Vec::new(),
            ridden: Vec::new(),
            rides: Vec::new(),
        })
    }

    /// The points that ride on the skin, by their places on the body at rest.
    pub(super) fn set_riders(&mut self, model: &Model, places: &[Vec3]) -> Result<()> {
        self.riders = bind(model, places)?;
        self.ridden = self.riders.iter().map(|&point| Slid::at_rest(point)).collect();
        self.rides = vec![Ride::default(); places.len()];
        self.given = places.to_vec();
        Ok(())
    }

    /// Seconds in: the skin with its UVs, measures, slid geometry.
    pub(super) fn write(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        body: &[Vec3],
        wanted: Wanted,
        outputs: &mut Outputs,
    ) -> Result<[Real; 3]> {
        let clock = Instant::now();
        let (rest, n) = (&model.rest, skin.len());
        let places = outputs.reals("skin_points", n)?.par_chunks_exact_mut(3).with_min_len(POINTS_AT_ONCE);
        places.zip(skin).for_each(|(out, point)| out.copy_from_slice(rest.place(point).as_slice()));
        let face = |point: &SurfacePoint| {
            Real::from(rest.mesh().faces.get(point.triangle as usize).copied().unwrap_or(point.triangle))
        };
        outputs.reals("skin_faces", n)?.iter_mut().zip(skin).for_each(|(out, point)| *out = face(point));
        let weights = outputs.reals("skin_weights", n)?.chunks_exact_mut(3);
        weights.zip(skin).for_each(|(out, point)| out.copy_from_slice(&point.weights));
        self.write_uvs(skin, outputs)?;
        let uvs = clock.elapsed().as_secs_f64();
        if wanted >= Wanted::Measures {
            self.gauge.measure(model, skin, body, &mut self.measures)?;
        } else {
            self.measures = Measures::default();
        }
        self.write_measures(outputs)?;
        let measures = clock.elapsed().as_secs_f64();
        if wanted >= Wanted::All {
            self.image.update(model, skin)?;
            self.image.find(model, &self.homes, &mut self.slid)?;
            self.image.find(model, &self.riders, &mut self.ridden)?;
            if !self.riders.is_empty() {
                self.image.ride(model, body, &self.riders, &self.ridden, &mut self.rides)?;
            }
        }
        let place = |slid: &Slid| {
            slid.on.mix(rest.mesh().triangles[slid.on.triangle as usize].map(|v| body[v as usize]))
        };
        let some = |count: usize| if wanted >= Wanted::All { count } else { 0 };
        vectors(outputs.reals("slid_points", some(n))?, self.slid.iter().map(place));
        vectors(outputs.reals("rider_points", some(self.ridden.len()))?, self.ridden.iter().map(place));
        let matrices = outputs.reals("rider_matrices", some(self.ridden.len()))?.chunks_exact_mut(16);
        let rides = self.rides.iter().zip(&self.given).zip(&self.riders);
        matrices.zip(rides).for_each(|(out, ((ride, given), point))| {
            out.copy_from_slice(&ride_matrix(ride, given - rest.place(point), given));
        });
        let inside = outputs.reals("rider_inside", some(self.ridden.len()))?;
        inside.iter_mut().zip(&self.ridden).for_each(|(out, slid)| *out = Real::from(u8::from(slid.inside)));
        Ok([uvs, measures - uvs, clock.elapsed().as_secs_f64() - measures])
    }

    fn write_measures(&self, outputs: &mut Outputs) -> Result<()> {
        let (measures, n) = (&self.measures.vertices, self.measures.vertices.len());
        let pairs = |out: &mut [Real], get: &dyn Fn(usize) -> [Real; 2]| {
            out.chunks_exact_mut(2).enumerate().for_each(|(v, out)| out.copy_from_slice(&get(v)));
        };
        pairs(outputs.reals("stretch", n)?, &|v| measures[v].stretches);
        pairs(outputs.reals("tension", n)?, &|v| measures[v].tensions);
        vectors(outputs.reals("stretch_direction", n)?, measures.iter().map(|m| m.directions[0]));
        vectors(outputs.reals("wrinkle_crests", n)?, measures.iter().map(|m| m.wrinkles.crests));
        let wrinkles = outputs.reals("wrinkle_amplitude", n)?.iter_mut();
        wrinkles.zip(measures).for_each(|(out, m)| *out = m.wrinkles.amplitude());
        vectors(outputs.reals("slide_vector", n)?, self.measures.slides.iter().map(|s| s.way));
        let distances = outputs.reals("slide_distance", n)?.iter_mut();
        distances.zip(&self.measures.slides).for_each(|(out, slide)| *out = slide.distance);
        vectors(outputs.reals("load", n)?, self.measures.loads.iter().map(|load| load.force));
        Ok(())
    }

    fn write_uvs(&self, skin: &[SurfacePoint], outputs: &mut Outputs) -> Result<()> {
        let Some(uvs) = &self.uvs else {
            outputs.reals("uvs", 0)?;
            return Ok(());
        };
        let out = outputs.reals("uvs", self.vertices.len())?;
        let task = FaceUvs { uvs, offsets: &self.offsets, vertices: &self.vertices, skin };
        task.write(0..self.offsets.len().saturating_sub(1), out)
    }
}

/// The UVs of a run of faces.
struct FaceUvs<'a> {
    uvs: &'a IslandUvs,
    offsets: &'a [u32],
    vertices: &'a [u32],
    skin: &'a [SurfacePoint],
}

/// Points and faces that one thread takes at a time.
const POINTS_AT_ONCE: usize = 1024;
const FACES_AT_ONCE: usize = 512;

impl FaceUvs<'_> {
    /// Writes the UVs of the corners of `faces`, halves in parallel.
    fn write(&self, faces: Range<usize>, out: &mut [Real]) -> Result<()> {
        if faces.len() > FACES_AT_ONCE {
            let middle = faces.start + faces.len() / 2;
            let corners = (self.offsets[middle] - self.offsets[faces.start]) as usize;
            let (before, after) = out.split_at_mut(2 * corners);
            let (first, second) = rayon::join(
                || self.write(faces.start..middle, before),
                || self.write(middle..faces.end, after),
            );
            return first.and(second);
        }
        let (mut points, mut found): (Vec<SurfacePoint>, Vec<Vec2>) = (Vec::new(), Vec::new());
        let first = self.offsets[faces.start];
        for face in faces {
            let range = self.offsets[face] as usize..self.offsets[face + 1] as usize;
            points.clear();
            points.extend(self.vertices[range.clone()].iter().map(|&v| self.skin[v as usize]));
            found.resize(points.len(), Vec2::zeros());
            self.uvs.face_uvs(&points, face, &mut found).map_err(|e| e.port("uvs"))?;
            for (corner, uv) in range.zip(&found) {
                let at = 2 * (corner - first as usize);
                out[at..at + 2].copy_from_slice(uv.as_slice());
            }
        }
        Ok(())
    }
}

/// Row after row, the map that turns what is fixed to a rider about it and takes it along: the place on the skin goes to
/// the place on the body, and what stood `off` the skin stands off the body.
fn ride_matrix(ride: &Ride, off: Vec3, given: &Vec3) -> [Real; 16] {
    let moved = ride.position + ride.turn * (off - given);
    std::array::from_fn(|k| match (k / 4, k % 4) {
        (3, column) => Real::from(u8::from(column == 3)),
        (row, 3) => moved[row],
        (row, column) => ride.turn[(row, column)],
    })
}

fn vectors(out: &mut [Real], values: impl Iterator<Item = Vec3>) {
    out.chunks_exact_mut(3).zip(values).for_each(|(out, value)| out.copy_from_slice(value.as_slice()));
}
