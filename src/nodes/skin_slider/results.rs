//! The outputs of the node.

use super::super::descriptor::{Direction, Port};
use super::super::time::Frame;
use super::super::value::{Inputs, Outputs};
use super::DESCRIPTOR;
use rayon::prelude::*;
use sinew_base::error::Result;
use sinew_geometry::atlas::{IslandUvs, SeamFaces, SeamSide, SlidUvs, UvScratch};
use sinew_geometry::{Mesh, SurfacePoint};
use sinew_math::{Real, Vec3};
use sinew_skin::inverse::{Image, Ride, Slid, bind};
use sinew_skin::measure::{Gauge, Measures};
use sinew_skin::model::Model;
use std::time::Instant;

/// Which outputs are computed; each level includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wanted {
    Skin,
    Measures,
    All,
}

impl Wanted {
    /// What the parameter says, and no more than for the outputs that will be read.
    pub(super) fn of(inputs: &Inputs) -> Result<Self> {
        let most = inputs.pick("outputs", &[Wanted::All, Wanted::Measures, Wanted::Skin])?;
        let mut read = Wanted::Skin;
        for port in DESCRIPTOR.ports.iter().filter(|port| port.direction == Direction::Output) {
            if inputs.wants(port.id)? {
                read = read.max(Wanted::with(port));
            }
        }
        Ok(most.min(read))
    }

    /// The first level at which an output is computed.
    fn with(output: &Port) -> Self {
        match output.id {
            "skin_points" | "skin_faces" | "skin_weights" | "uvs" => Wanted::Skin,
            "slid_points" | "rider_points" | "rider_matrices" | "rider_inside" => Wanted::All,
            _ => Wanted::Measures,
        }
    }
}

/// The number of items of an output where it is not that of the inputs with the same items: nothing is written that is
/// not wanted.
pub(super) fn count(output: &Port, inputs: &Inputs) -> Result<Option<usize>> {
    let is_written = match output.id {
        // Whoever reads them: jumps at seams are counted in them.
        "uvs" => return Ok(inputs.mesh("rest")?.uvs.is_none().then_some(0)),
        "rider_points" | "rider_matrices" | "rider_inside" => inputs.reals("riders").is_ok(),
        _ => true,
    };
    let is_read = inputs.wants(output.id)? && Wanted::of(inputs)? >= Wanted::with(output);
    Ok((!is_read || !is_written).then_some(0))
}

/// The UVs of a frame.
struct LastUvs {
    frame: Frame,
    side: SeamSide,
    points: Vec<SurfacePoint>,
    uvs: Vec<Real>,
}

/// Derives outputs from a skin.
pub(super) struct Results {
    uvs: Option<IslandUvs>,
    uv_scratch: UvScratch,
    /// The chart from which the faces of this frame are seen.
    pub(super) seam_side: SeamSide,
    /// What was written last, to detect jumps.
    last: Option<LastUvs>,
    pub(super) seams: SeamFaces,
    corners: usize,
    /// The rest position of the skin at each vertex.
    placed: Vec<Vec3>,
    gauge: Gauge,
    pub(super) measures: Measures,
    image: Image,
    /// Where the skin of each rest vertex is now.
    slid: Vec<Slid>,
    homes: Vec<SurfacePoint>,
    /// The riders as given with their distance from the facet below, the skin there, where that is now, and how it lies
    /// there.
    given: Vec<[Vec3; 2]>,
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
            uv_scratch: UvScratch::default(),
            seam_side: SeamSide::Nearest,
            last: None,
            seams: SeamFaces::default(),
            corners: mesh.corner_vertices.len(),
            placed: Vec::new(),
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
        let mesh = model.rest.mesh();
        let facet =
            |on: &SurfacePoint| mesh.triangles[on.triangle as usize].map(|v| mesh.positions[v as usize]);
        let given = places.iter().zip(&self.riders).map(|(place, on)| [*place, place - on.mix(facet(on))]);
        self.given = given.collect();
        Ok(())
    }

    /// Writes the outputs; returns the seconds spent on the skin with its UVs, the measures, the slid geometry.
    pub(super) fn write(
        &mut self,
        model: &Model,
        skin: &[SurfacePoint],
        body: &[Vec3],
        inputs: &Inputs,
        outputs: &mut Outputs,
    ) -> Result<[Real; 3]> {
        let clock = Instant::now();
        let (rest, wanted) = (&model.rest, Wanted::of(inputs)?);
        let mut out = Room { inputs, outputs, wanted };
        write(out.reals("skin_points", skin.len())?, skin, |point| model.at_rest().place(point).into());
        let face = |point: &SurfacePoint| {
            [Real::from(rest.mesh().faces.get(point.triangle as usize).copied().unwrap_or(point.triangle))]
        };
        write(out.reals("skin_faces", skin.len())?, skin, face);
        write(out.reals("skin_weights", skin.len())?, skin, |point| point.weights);
        self.write_uvs(skin, out.outputs)?;
        let uvs = clock.elapsed().as_secs_f64();
        if wanted >= Wanted::Measures {
            let places = skin.par_iter().with_min_len(AT_ONCE).map(|point| rest.place(point));
            places.collect_into_vec(&mut self.placed);
            self.gauge.measure_placed(model, skin, &self.placed, body, &mut self.measures)?;
        } else {
            self.measures = Measures::default();
        }
        self.write_measures(&mut out)?;
        let measures = clock.elapsed().as_secs_f64();
        if wanted >= Wanted::All {
            self.image.update_placed(model, skin, &self.placed)?;
            // Not from the last answers: those of a frame depend on that frame alone.
            find_from_rest(&mut self.image, model, &self.homes, &mut self.slid)?;
            find_from_rest(&mut self.image, model, &self.riders, &mut self.ridden)?;
            if !self.riders.is_empty() {
                self.image.ride(model, body, &self.riders, &self.ridden, &mut self.rides)?;
            }
        }
        let place = |slid: &Slid| {
            let corners = rest.mesh().triangles[slid.on.triangle as usize].map(|v| body[v as usize]);
            <[Real; 3]>::from(slid.on.mix(corners))
        };
        let riders = self.ridden.len();
        write(out.reals("slid_points", self.slid.len())?, &self.slid, place);
        write(out.reals("rider_points", riders)?, &self.ridden, place);
        let matrices = out.reals("rider_matrices", riders)?.chunks_exact_mut(16);
        matrices.zip(self.rides.iter().zip(&self.given)).for_each(|(out, (ride, [given, off]))| {
            out.copy_from_slice(&ride_matrix(ride, off, given));
        });
        let inside = out.reals("rider_inside", riders)?;
        inside.iter_mut().zip(&self.ridden).for_each(|(out, slid)| *out = Real::from(u8::from(slid.inside)));
        Ok([uvs, measures - uvs, clock.elapsed().as_secs_f64() - measures])
    }

    fn write_measures(&self, out: &mut Room) -> Result<()> {
        let Measures { vertices, slides, loads, .. } = &self.measures;
        let n = vertices.len();
        write(out.reals("stretch", n)?, vertices, |m| m.stretches);
        write(out.reals("tension", n)?, vertices, |m| m.tensions);
        write(out.reals("stretch_direction", n)?, vertices, |m| m.directions[0].into());
        write(out.reals("wrinkle_crests", n)?, vertices, |m| m.wrinkles.crests.into());
        write(out.reals("wrinkle_amplitude", n)?, vertices, |m| [m.wrinkles.amplitude()]);
        write(out.reals("slide_vector", n)?, slides, |slide| slide.way.into());
        write(out.reals("slide_distance", n)?, slides, |slide| [slide.distance]);
        write(out.reals("load", n)?, loads, |load| load.force.into());
        Ok(())
    }

    fn write_uvs(&mut self, skin: &[SurfacePoint], outputs: &mut Outputs) -> Result<()> {
        let Some(uvs) = &self.uvs else {
            outputs.reals("uvs", 0)?;
            return Ok(());
        };
        let out = outputs.reals("uvs", self.corners)?;
        uvs.all_uvs(skin, self.seam_side, &mut self.uv_scratch, out).map_err(|e| e.port("uvs"))
    }

    /// Whether the UVs of that frame are those written last, from the same side.
    pub(super) fn has_last(&self, frame: Frame) -> bool {
        self.last.as_ref().is_some_and(|last| (last.frame, last.side) == (frame, self.seam_side))
    }

    /// Recomputes the previous frame's UVs, if others or none were written last.
    pub(super) fn set_last(&mut self, frame: Frame, skin: &[SurfacePoint]) -> Result<()> {
        let Some(uvs) = &self.uvs else { return Ok(()) };
        let mut found = vec![0.0; 2 * self.corners];
        uvs.all_uvs(skin, self.seam_side, &mut self.uv_scratch, &mut found).map_err(|e| e.port("uvs"))?;
        self.last = Some(LastUvs { frame, side: self.seam_side, points: skin.to_vec(), uvs: found });
        Ok(())
    }

    /// Counts the effects of seams on the UVs that were written, compared with the previous frame if there is one, and
    /// keeps them for the next.
    pub(super) fn count_seams(
        &mut self,
        frame: Frame,
        before: Option<Frame>,
        skin: &[SurfacePoint],
        outputs: &mut Outputs,
    ) -> Result<()> {
        let Some(uvs) = &self.uvs else { return Ok(()) };
        let written: &[Real] = outputs.reals("uvs", self.corners)?;
        let last = self.last.as_ref().filter(|last| before == Some(last.frame));
        let last = last.map(|last| SlidUvs { points: &last.points, uvs: &last.uvs });
        self.seams = uvs.seam_faces(SlidUvs { points: skin, uvs: written }, last, &self.uv_scratch);
        let kept = self.last.get_or_insert_with(|| LastUvs {
            frame,
            side: self.seam_side,
            points: Vec::new(),
            uvs: Vec::new(),
        });
        (kept.frame, kept.side) = (frame, self.seam_side);
        kept.points.clear();
        kept.points.extend_from_slice(skin);
        kept.uvs.clear();
        kept.uvs.extend_from_slice(written);
        Ok(())
    }
}

fn find_from_rest(
    image: &mut Image,
    model: &Model,
    points: &[SurfacePoint],
    slid: &mut [Slid],
) -> Result<()> {
    slid.iter_mut().zip(points).for_each(|(slid, home)| *slid = Slid::at_rest(*home));
    image.find(model, points, slid)
}

/// The outputs, with room where a level computes them and someone reads them.
struct Room<'a, 'b> {
    inputs: &'a Inputs<'b>,
    outputs: &'a mut Outputs,
    wanted: Wanted,
}

impl Room<'_, '_> {
    fn reals(&mut self, id: &str, items: usize) -> Result<&mut [Real]> {
        let port = DESCRIPTOR.ports.iter().find(|port| port.id == id);
        let is_computed = port.is_some_and(|port| self.wanted >= Wanted::with(port));
        self.outputs.reals(id, if is_computed && self.inputs.wants(id)? { items } else { 0 })
    }
}

/// Points that one thread takes at a time.
const AT_ONCE: usize = 1024;

/// Writes N numbers per item, as far as there is room.
fn write<T: Sync, const N: usize>(out: &mut [Real], items: &[T], numbers: impl Fn(&T) -> [Real; N] + Sync) {
    let each = out.par_chunks_exact_mut(N).zip(items).with_min_len(AT_ONCE);
    each.for_each(|(out, item)| out.copy_from_slice(&numbers(item)));
}

/// Row by row, the transform that rotates what is fixed to a rider about it and moves it along: the place on the skin
/// maps to the place on the body, and what stood `off` the skin stands off the body.
fn ride_matrix(ride: &Ride, off: &Vec3, given: &Vec3) -> [Real; 16] {
    let moved = ride.position + ride.turn * (off - given);
    std::array::from_fn(|k| match (k / 4, k % 4) {
        (3, column) => Real::from(u8::from(column == 3)),
        (row, 3) => moved[row],
        (row, column) => ride.turn[(row, column)],
    })
}
