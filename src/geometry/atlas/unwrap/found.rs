//! Automatic charts: regions grown around seeds, divided until each can be flattened.

use super::cut::Cut;
use super::flatten::{Flat, Progress, flatten};
use super::{AutoCharts, Ground};
use crate::HalfEdges;
use crate::atlas::growth::Growth;
use crate::measure::triangle_area_vector;
use rayon::prelude::*;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};
use std::collections::HashMap;

/// Rounds of moving each seed to the middle of its region.
const CENTRINGS: usize = 4;
/// The part of the time that the first growth takes.
const GROWN: f64 = 0.1;
/// Rounds of moving single faces to the region that surrounds them more.
const SMOOTHINGS: usize = 10;
/// The length that a fold by 90 degrees adds to a path across it, relative to the size of a region: enough that a flat
/// side of a box is one region.
const FOLD: Real = 2.0;
/// The factor by which an edge counts in the surroundings of a face if it is folded by 90 degrees or more.
const AT_FOLD: Real = 0.05;

/// The charts, and each of them laid flat.
pub(super) fn find(ground: &Ground, auto: &AutoCharts, control: &Control) -> Result<(Cut, Vec<Flat>)> {
    let faces = Faces::new(ground);
    let size = (ground.areas.iter().sum::<Real>() / auto.count.max(1) as Real).sqrt();
    let way = |h: u32, twin: u32| {
        let [a, b] = [h, twin].map(|h| ground.edges.face(h) as usize);
        (faces.centres[a] - faces.centres[b]).norm()
            + FOLD * size * (1.0 - faces.normals[a].dot(&faces.normals[b]))
    };
    control.progress(0.0, "growing charts")?;
    let mut growth = centred(ground, &faces, auto.count, &way, control)?;
    let mut known = HashMap::new();
    // How many rounds there will be is not known: each is reported as a half of what is left.
    let mut left = 1.0 - GROWN;
    loop {
        control.check()?;
        let flawed = flawed(ground, &growth.labels, growth.count as usize);
        if flawed.contains(&true) {
            divide(&ground.edges, &mut growth, &flawed)?;
            continue;
        }
        let labels = smoothed(ground, &faces, &growth.labels, growth.count as usize);
        let cut = cut_between(ground, &labels);
        let flats = flat_charts(ground, &cut, &mut known, &control.part(1.0 - left, 1.0 - left / 2.0))?;
        left /= 2.0;
        let mut stretched = vec![false; growth.count as usize];
        for (chart, flat) in cut.charts.iter().zip(&flats) {
            let too_much = flat.stretch > auto.max_stretch || !flat.flipped.is_empty();
            stretched[labels[chart.faces[0] as usize] as usize] |= too_much;
        }
        let before = growth.count;
        growth.split(&stretched);
        if growth.count == before {
            return Ok((cut, flats));
        }
    }
}

/// Middles, normals and areas of polygons.
struct Faces {
    centres: Vec<Vec3>,
    normals: Vec<Vec3>,
    areas: Vec<Real>,
}

impl Faces {
    fn new(ground: &Ground) -> Self {
        let mut made = Faces { centres: Vec::new(), normals: Vec::new(), areas: Vec::new() };
        for face in 0..ground.edges.face_count() as u32 {
            let (mut vector, mut moment, mut area, mut plain) =
                (Vec3::zeros(), Vec3::zeros(), 0.0, Vec3::zeros());
            for t in ground.triangles(face) {
                let middle = ground.tri.points(t).iter().sum::<Vec3>() / 3.0;
                vector += triangle_area_vector(ground.tri.points(t));
                moment += middle * ground.areas[t];
                area += ground.areas[t];
                plain += middle / ground.triangles(face).len() as Real;
            }
            made.centres.push(if area > 0.0 { moment / area } else { plain });
            made.normals.push(vector.try_normalize(0.0).unwrap_or_default());
            made.areas.push(area);
        }
        made
    }

    /// The middle of the area of some faces; of their centres if they have no area.
    fn middle(&self, faces: &[usize]) -> Vec3 {
        let area: Real = faces.iter().map(|&f| self.areas[f]).sum();
        let weight = |f: usize| if area > 0.0 { self.areas[f] / area } else { 1.0 / faces.len() as Real };
        faces.iter().map(|&f| self.centres[f] * weight(f)).sum()
    }
}

/// Regions whose seeds are in their middles: about `wanted`, at least one for each connected piece.
fn centred<'a, W: Fn(u32, u32) -> Real>(
    ground: &'a Ground,
    faces: &Faces,
    wanted: usize,
    way: &'a W,
    control: &Control,
) -> Result<Growth<'a, &'a W>> {
    let (pieces, count) = ground.edges.components();
    let ends = by_label(&pieces, count).into_iter().filter_map(|piece| {
        let middle = faces.middle(&piece);
        let distance = |f: &usize| (faces.centres[*f] - middle).norm_squared();
        piece.into_iter().max_by(|a, b| distance(a).total_cmp(&distance(b)))
    });
    let mut growth = Growth::new(&ground.edges, way);
    ends.for_each(|face| growth.add(face as u32));
    for _ in growth.count as usize..wanted.min(ground.edges.face_count()) {
        control.check()?;
        growth.add_farthest(|_| true);
    }
    for _ in 0..CENTRINGS {
        control.check()?;
        let middles = by_label(&growth.labels, growth.count as usize).into_iter().filter_map(|region| {
            let middle = faces.middle(&region);
            let distance = |f: &usize| (faces.centres[*f] - middle).norm_squared();
            region.into_iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
        });
        let mut next = Growth::new(&ground.edges, way);
        middles.for_each(|face| next.add(face as u32));
        growth = next;
    }
    Ok(growth)
}

/// The faces of each label.
fn by_label(labels: &[u32], count: usize) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); count];
    labels.iter().enumerate().for_each(|(face, &label)| found[label as usize].push(face));
    found
}

fn cut_between(ground: &Ground, labels: &[u32]) -> Cut {
    let label = |h: u32| labels[ground.edges.face(h) as usize];
    Cut::new(ground, |h| ground.edges.twin(h).is_some_and(|twin| label(h) != label(twin)))
}

/// The regions that are in several parts, or cannot be laid flat, or have no face.
fn flawed(ground: &Ground, labels: &[u32], count: usize) -> Vec<bool> {
    let cut = cut_between(ground, labels);
    let (mut flawed, mut seen) = (vec![false; count], vec![false; count]);
    for (chart, part) in cut.charts.iter().enumerate() {
        let label = labels[part.faces[0] as usize] as usize;
        flawed[label] |= seen[label] || cut.flaw(chart).is_some();
        seen[label] = true;
    }
    flawed.iter_mut().zip(seen).for_each(|(flawed, seen)| *flawed |= !seen);
    flawed
}

/// Divides regions; if they are single faces, those around them.
fn divide<W: Fn(u32, u32) -> Real>(edges: &HalfEdges, growth: &mut Growth<W>, flawed: &[bool]) -> Result<()> {
    let before = growth.count;
    growth.split(flawed);
    if growth.count == before {
        let around = growth.beside(flawed);
        growth.split(&around);
    }
    if growth.count > before {
        return Ok(());
    }
    let is_flawed = |f: &usize| flawed[growth.labels[*f] as usize];
    let face = (0..edges.face_count()).find(is_flawed).unwrap_or(0);
    let message = "not even single faces can be charts here: they touch themselves, or have no area";
    Err(Error::new(Kind::Topology, message).face(face))
}

/// Moves each face that has more edges with another region than with its own to that region, all faces at once, as long
/// as all regions can be laid flat.
fn smoothed(ground: &Ground, faces: &Faces, labels: &[u32], count: usize) -> Vec<u32> {
    let edges = &ground.edges;
    let mut smooth = labels.to_vec();
    for _ in 0..SMOOTHINGS {
        let moved = |face: usize| {
            let mut shares: Vec<(u32, Real)> = vec![(smooth[face], 0.0)];
            for h in edges.face_corners(face).map(|h| h as u32) {
                let Some(twin) = edges.twin(h) else { continue };
                let other = edges.face(twin) as usize;
                let ends = [edges.origin(h), edges.target(h)].map(|v| ground.tri.positions[v as usize]);
                let length =
                    (ends[1] - ends[0]).norm() * faces.normals[face].dot(&faces.normals[other]).max(AT_FOLD);
                match shares.iter_mut().find(|(label, _)| *label == smooth[other]) {
                    Some((_, share)) => *share += length,
                    None => shares.push((smooth[other], length)),
                }
            }
            let own = shares[0];
            shares.into_iter().fold(own, |best, share| if share.1 > best.1 { share } else { best }).0
        };
        let next: Vec<u32> = (0..smooth.len()).map(moved).collect();
        if next == smooth || flawed(ground, &next, count).contains(&true) {
            break;
        }
        smooth = next;
    }
    smooth
}

/// Lays the charts flat, except those that were charts before.
fn flat_charts(
    ground: &Ground,
    cut: &Cut,
    known: &mut HashMap<Vec<u32>, Flat>,
    control: &Control,
) -> Result<Vec<Flat>> {
    let new = cut.charts.iter().filter(|chart| !known.contains_key(&chart.faces));
    let progress = Progress::new(control, new.map(|chart| chart.faces.len()).sum());
    let flat = |chart: usize| match known.get(&cut.charts[chart].faces) {
        Some(flat) => Ok(flat.clone()),
        None => flatten(ground, cut, chart, &progress),
    };
    let flats: Vec<Flat> = (0..cut.charts.len()).into_par_iter().map(flat).collect::<Result<_>>()?;
    *known = cut.charts.iter().zip(&flats).map(|(chart, flat)| (chart.faces.clone(), flat.clone())).collect();
    Ok(flats)
}
