//! What the shot shows, in numbers.

use super::slide::Moment;
use super::tattoos::{TATTOOED, Tattoos};
use crate::human::{Human, Region};
use sinew::error::Result;
use sinew::geometry::TriMesh;
use sinew::geometry::measure::{larger_stretch, triangle_area_vector};
use sinew::math::{Real, Vec3};
use std::fmt;

/// A tattoo over the whole shot: skinned, and sliding.
struct Stretched {
    region: Region,
    /// The largest stretch.
    largest: [Real; 2],
    /// The largest part of its area that is stretched by more than a fifth.
    share: [Real; 2],
}

/// What the shot shows.
pub struct Figures {
    stretched: Vec<Stretched>,
    /// How far the skin of lips and eyelids slides at most, and at the end of the shot, in metres.
    drift: Vec<(Region, [Real; 2])>,
    /// How far any skin slides at most, and at the end.
    slide: [Real; 2],
    /// Milliseconds in the solver: the median frame and the slowest.
    solver: [Real; 2],
    /// Frames with a warning, of how many, and the last warning.
    warned: (usize, usize, Option<String>),
}

impl Figures {
    pub fn measure(human: &Human, tattoos: &Tattoos, moments: &[Moment]) -> Result<Figures> {
        let rest = TriMesh::from_mesh(human.mesh())?;
        let everywhere = vec![true; rest.positions.len()];
        let mut solver: Vec<Real> = moments.iter().skip(1).map(|m| m.solver).collect();
        solver.sort_by(Real::total_cmp);
        let warned: Vec<&Moment> = moments.iter().filter(|m| !m.warnings.is_empty()).collect();
        let drift = |region: Region| (region, slides(&rest, human.region(region), moments));
        Ok(Figures {
            stretched: TATTOOED.map(|region| stretched(&rest, tattoos, region, moments)).into(),
            drift: [Region::Lips, Region::Eyelids].map(drift).into(),
            slide: slides(&rest, &everywhere, moments),
            solver: [solver.get(solver.len() / 2), solver.last()].map(|ms| ms.copied().unwrap_or(0.0)),
            warned: (warned.len(), moments.len(), warned.last().map(|m| m.warnings.join("; "))),
        })
    }
}

/// The farthest slide of some vertices in any moment, and in the last one.
fn slides(rest: &TriMesh, of: &[bool], moments: &[Moment]) -> [Real; 2] {
    let farthest = |moment: &Moment| {
        let slid = moment.skin.iter().zip(&rest.positions).zip(of).filter(|(_, of)| **of);
        slid.map(|((now, home), _)| (now - home).norm()).fold(0.0, Real::max)
    };
    [moments.iter().map(farthest).fold(0.0, Real::max), moments.last().map_or(0.0, farthest)]
}

/// Measures where a tattoo is now.
fn stretched(rest: &TriMesh, tattoos: &Tattoos, region: Region, moments: &[Moment]) -> Stretched {
    let measure = |skin: &[Vec3], body: &[Vec3]| {
        let [mut largest, mut over, mut area]: [Real; 3] = [0.0; 3];
        for triangle in &rest.triangles {
            let (from, to) = (triangle.map(|v| skin[v as usize]), triangle.map(|v| body[v as usize]));
            if tattoos.at(from.iter().sum::<Vec3>() / 3.0) != Some(region) {
                continue;
            }
            let (stretch, size) = (larger_stretch(from, to), triangle_area_vector(to).norm());
            largest = largest.max(stretch);
            area += size;
            over += if stretch > 1.2 { size } else { 0.0 };
        }
        [largest, over / area]
    };
    let mut found = Stretched { region, largest: [0.0; 2], share: [0.0; 2] };
    for moment in moments {
        for (k, skin) in [&rest.positions, &moment.skin].into_iter().enumerate() {
            let [largest, share] = measure(skin, &moment.body);
            found.largest[k] = found.largest[k].max(largest);
            found.share[k] = found.share[k].max(share);
        }
    }
    found
}

/// A region in words.
pub fn name(region: Region) -> &'static str {
    match region {
        Region::Neck => "neck",
        Region::LeftShoulder => "shoulder",
        Region::LeftForearm => "forearm",
        Region::Lips => "lips",
        Region::Eyelids => "eyelids",
        _ => "elsewhere",
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{:48}{:>10}{:>10}", "", "skinning", "sliding")?;
        for Stretched { region, largest: [before, after], share } in &self.stretched {
            let (name, [was, is]) = (name(*region), share.map(|part| format!("{:.0} %", 100.0 * part)));
            writeln!(
                f,
                "{:48}{before:>10.2}{after:>10.2}",
                format!("tattoo on the {name}: largest stretch")
            )?;
            writeln!(f, "{:48}{was:>10}{is:>10}", format!("tattoo on the {name}: stretched by over 20 %"))?;
        }
        for (region, [most, end]) in &self.drift {
            let [most, end] = [most, end].map(|m| 1e3 * m);
            writeln!(f, "{} slide by at most {most:.2} mm, at the end {end:.2} mm", name(*region))?;
        }
        let [most, end] = self.slide.map(|m| 1e3 * m);
        writeln!(f, "the skin slides by at most {most:.1} mm, at the end {end:.2} mm")?;
        let ([median, slowest], (warned, frames, last)) = (self.solver, &self.warned);
        writeln!(f, "solver: {median:.0} ms a frame (median), at most {slowest:.0} ms")?;
        write!(f, "frames with warnings: {warned} of {frames}")?;
        last.iter().try_for_each(|text| write!(f, "; the last: {text}"))?;
        writeln!(f)
    }
}
