//! Numbers by which runs are judged: percentiles, how far two runs are apart, second differences, pops.

use sinew::geometry::Mesh;
use sinew::math::{Real, Vec3};

/// A pop has a second difference of more than this part of the body's height: 4 mm on a person. Less, in one frame and
/// with nothing moving below, is hard to see.
const POP: Real = 0.0025;
/// And of more than this many times the largest second difference of the body around it.
const POP_BY_BODY: Real = 3.0;

/// The value below which that fraction of all values lies; 0 if there are none.
pub fn percentile(mut values: Vec<Real>, part: Real) -> Real {
    if values.is_empty() {
        return 0.0;
    }
    let place = ((values.len() - 1) as Real * part).round() as usize;
    *values.select_nth_unstable_by(place, Real::total_cmp).1
}

pub fn median(values: &[Real]) -> Real {
    percentile(values.to_vec(), 0.5)
}

pub fn largest(values: &[Real]) -> Real {
    values.iter().copied().fold(0.0, Real::max)
}

/// p99 of their lengths.
pub fn p99<'a>(values: impl Iterator<Item = &'a Vec3>) -> Real {
    percentile(values.map(Vec3::norm).collect(), 0.99)
}

/// How far the slide of two runs is apart.
pub struct Apart {
    /// p99 over vertices and frames of the difference, over p99 of the slide; none where nothing slides.
    pub ratio: Option<Real>,
    /// The frame, from 0, of which p99 of the difference is largest, and the ratio of that frame alone.
    pub worst: (usize, Real),
}

impl Apart {
    /// `other` at the frames of `slides`.
    pub fn new<'a>(slides: &[Vec<Vec3>], other: impl Iterator<Item = &'a Vec<Vec3>>) -> Apart {
        let apart: Vec<Vec<Vec3>> =
            slides.iter().zip(other).map(|(a, b)| a.iter().zip(b).map(|(a, b)| a - b).collect()).collect();
        let of_frames: Vec<Real> = apart.iter().map(|frame| p99(frame.iter())).collect();
        let worst = (0..apart.len()).max_by(|&a, &b| of_frames[a].total_cmp(&of_frames[b])).unwrap_or(0);
        let slide = p99(slides.iter().flatten());
        let own = p99(slides.iter().skip(worst).take(1).flatten());
        Apart {
            ratio: (slide > 0.0).then(|| p99(apart.iter().flatten()) / slide),
            worst: (worst, of_frames.get(worst).map_or(0.0, |apart| apart / own)),
        }
    }
}

/// p99 and maximum of lengths over vertices and frames, in millimetres.
#[derive(Default)]
pub struct Lengths {
    pub p99: Real,
    pub max: Real,
}

impl Lengths {
    pub fn new(frames: &[Vec<Real>]) -> Lengths {
        let all = frames.concat();
        Lengths { max: 1e3 * largest(&all), p99: 1e3 * percentile(all, 0.99) }
    }
}

/// The length of every vector.
pub fn norms(frames: &[Vec<Vec3>]) -> Vec<Vec<Real>> {
    frames.iter().map(|frame| frame.iter().map(Vec3::norm).collect()).collect()
}

/// A vertex whose skin jumps in a frame though the body below does not; lengths in metres.
#[derive(Clone, Copy)]
pub struct Pop {
    /// The middle one of three frames, from 0.
    pub frame: usize,
    pub vertex: usize,
    pub slide: Real,
    pub body: Real,
}

/// |x(k+1) - 2 x(k) + x(k-1)| by frame and vertex, from the second frame to the last but one.
pub fn second_differences(frames: &[Vec<Vec3>]) -> Vec<Vec<Real>> {
    let second = |three: &[Vec<Vec3>]| {
        (0..three[0].len()).map(|v| (three[2][v] - three[1][v] * 2.0 + three[0][v]).norm()).collect()
    };
    frames.windows(3).map(second).collect()
}

/// All pops, by second differences of the slide and of the body.
pub fn pops(rest: &Mesh, height: Real, slide: &[Vec<Real>], body: &[Vec<Real>]) -> Vec<Pop> {
    let mut pops = Vec::new();
    for (k, (slide, body)) in slide.iter().zip(body).enumerate() {
        let around = around(rest, body);
        let pop = |v: usize| Pop { frame: k + 1, vertex: v, slide: slide[v], body: around[v] };
        let jumps = |p: &Pop| p.slide > POP * height && p.slide > POP_BY_BODY * p.body;
        pops.extend((0..slide.len()).map(pop).filter(jumps));
    }
    pops
}

/// The largest value of each vertex and of all that share a face with it.
fn around(mesh: &Mesh, values: &[Real]) -> Vec<Real> {
    let mut around = values.to_vec();
    for face in 0..mesh.face_count() {
        let most = mesh.face(face).iter().fold(0.0, |most: Real, &v| most.max(values[v as usize]));
        for &v in mesh.face(face) {
            around[v as usize] = around[v as usize].max(most);
        }
    }
    around
}
