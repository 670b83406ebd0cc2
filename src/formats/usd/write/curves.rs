//! Groups of curves: `BasisCurves`, whose vertices may differ from frame to frame.

use super::prim::{Attribute, Constant, Fixed, Prim, flat3, no_interpolation};
use super::{Curves, CurvesData, FrameData};
use crate::names::identifier;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::measure::bounds;
use sinew_math::{Real, Vec3};

/// Refuses a frame with other groups than expected, or with curves whose vertices do not match their counts.
pub(super) fn check(groups: &[CurvesData], expected: usize) -> Result<()> {
    if groups.len() != expected {
        let message = format!("{} groups of curves, {expected} are expected", groups.len());
        return Err(Error::new(Kind::CountMismatch, message));
    }
    match groups.iter().find(|group| group.points.len() != vertices(group)) {
        None => Ok(()),
        Some(group) => {
            let message = format!("{} vertices of curves that have {}", group.points.len(), vertices(group));
            Err(Error::new(Kind::CountMismatch, message))
        }
    }
}

/// The properties of a group.
pub(super) fn curves<'a>(curves: &Curves<'a>, index: usize, first: &FrameData) -> Result<Prim<'a>> {
    let constants = vec![Constant { name: "type".into(), value: Fixed::Text("linear") }];
    let counts = |group: &CurvesData| group.counts.iter().copied().map(Real::from).collect();
    let mut attributes = vec![
        Attribute::varying(
            ["int[]", "curveVertexCounts"],
            "",
            1,
            move |data| of(data, index, |group| group.counts.len()),
            move |data| of(data, index, counts),
        ),
        Attribute::varying(["float3[]", "extent"], "", 3, |_| 2, move |data| of(data, index, extent)),
        Attribute::varying(
            ["point3f[]", "points"],
            "",
            3,
            move |data| of(data, index, vertices),
            move |data| of(data, index, |group| flat3(&group.points)),
        ),
    ];
    if of(first, index, |group| !group.velocities.is_empty()) {
        attributes.push(Attribute::varying(
            ["vector3f[]", "velocities"],
            "",
            3,
            move |data| of(data, index, vertices),
            move |data| of(data, index, |group| flat3(&group.velocities)),
        ));
    }
    if !curves.widths.is_empty() {
        let count = count(curves.widths)?;
        attributes.push(Attribute::varying(
            ["float[]", "widths"],
            curves.widths,
            1,
            move |data| of(data, index, count),
            move |data| of(data, index, |group| group.widths.clone()),
        ));
    }
    for (place, map) in curves.maps.iter().enumerate() {
        let count = count(map.interpolation)?;
        let pick = move |group: &CurvesData| group.maps.get(place).cloned().unwrap_or_default();
        let attribute =
            Attribute::of_map(map, move |data| of(data, index, count), move |data| of(data, index, pick));
        attributes.push(attribute?);
    }
    Ok(Prim { type_name: "BasisCurves", name: identifier(curves.name), constants, attributes })
}

/// A group in a frame; [`check`] has ensured that it exists.
fn of<T: Default>(data: &FrameData, index: usize, take: impl Fn(&CurvesData) -> T) -> T {
    data.curves.get(index).map(take).unwrap_or_default()
}

/// The number of values of an interpolation on curves.
fn count(interpolation: &str) -> Result<fn(&CurvesData) -> usize> {
    match interpolation {
        "constant" => Ok(|_| 1),
        "uniform" => Ok(|group| group.counts.len()),
        "vertex" => Ok(vertices),
        other => Err(no_interpolation(other)),
    }
}

fn vertices(group: &CurvesData) -> usize {
    group.counts.iter().map(|&count| count as usize).sum()
}

/// The bounding box of curves, including their widths.
fn extent(group: &CurvesData) -> Vec<Real> {
    let half = Vec3::repeat(0.5 * group.widths.iter().copied().fold(0.0, Real::max));
    let [low, high] = bounds(&group.points);
    flat3(&[low - half, high + half])
}
