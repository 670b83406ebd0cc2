//! Curves from the ports of a node: any number of points, the number of points per curve, and maps on points, on the
//! segments between them, or on whole curves.

use super::super::store::arrays::points_of;
use super::super::store::record::FrameRecord;
use super::source::WrittenPort;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::shot::{CurvesData, Map};
use sinew_math::{Real, Vec3};
use sinew_strand::measures::at_nodes;
use std::ops::Range;

/// The sources of curves.
pub(super) struct CurveSources {
    pub points: WrittenPort,
    counts: WrittenPort,
    radii: Option<WrittenPort>,
    cuts: Option<WrittenPort>,
    maps: Vec<(WrittenPort, On)>,
    /// Whether each curve is a group of its own.
    groups: bool,
}

/// The curve attributes of an element.
pub(super) struct Besides {
    pub radii: Option<WrittenPort>,
    pub cuts: Option<WrittenPort>,
    pub groups: bool,
}

impl Besides {
    /// Whether any is set.
    pub fn is_some(&self) -> bool {
        self.radii.is_some() || self.cuts.is_some() || self.groups
    }
}

/// The scope of a map.
#[derive(Clone, Copy, PartialEq)]
enum On {
    Points,
    Segments,
    Curves,
}

/// A piece of a curve between its cuts: which curve, and its ranges of points and segments.
pub(super) struct Piece {
    pub curve: usize,
    pub points: Range<usize>,
    segments: Range<usize>,
}

impl CurveSources {
    /// Takes ports with any number of points and their counts; `rest` is the remaining ports.
    pub fn new(
        points: Option<WrittenPort>,
        counts: Option<WrittenPort>,
        rest: Vec<WrittenPort>,
        besides: Besides,
    ) -> Result<Option<Self>> {
        let wrong = |message: String| Err(Error::new(Kind::InvalidArgument, message));
        let besides_some = besides.is_some();
        let Besides { radii, cuts, groups } = besides;
        match (points, counts) {
            (Some(points), Some(counts)) => {
                let maps = rest.into_iter().map(|source| {
                    let on = on(&source, &points, &counts)?;
                    Ok((source, on))
                });
                let maps = maps.collect::<Result<_>>()?;
                if let Some(cuts) = cuts.as_ref().filter(|cuts| cuts.components() != 1) {
                    return wrong(format!("{} is not one number for each segment", cuts.key));
                }
                Ok(Some(CurveSources { points, counts, radii, cuts, maps, groups }))
            }
            (None, None) if rest.is_empty() && !besides_some => Ok(None),
            (Some(points), None) => wrong(format!(
                "{} is a list of points: curves also need the number of points of each; a table (.csv) can hold points alone",
                points.key
            )),
            _ => wrong("these are maps on curves: name the points and counts of the curves too".into()),
        }
    }

    /// Whether there are maps on the curves.
    pub fn has_maps(&self) -> bool {
        !self.maps.is_empty()
    }

    /// Whether there are radii.
    pub fn has_radii(&self) -> bool {
        self.radii.is_some()
    }

    /// The maps as files describe them.
    pub fn maps(&self) -> Vec<Map<'_>> {
        let each = self.maps.iter();
        each.map(|(source, on)| {
            let interpolation = if *on == On::Curves { "uniform" } else { "vertex" };
            Map { name: source.title(), interpolation, components: source.components() }
        })
        .collect()
    }

    /// The names of the groups, from the node's names for the curves; one group if curves are not separate.
    pub fn group_names(&self, record: &FrameRecord) -> Vec<String> {
        if !self.groups {
            return vec!["curves".into()];
        }
        self.curve_names(record)
    }

    /// The name of each curve.
    pub fn curve_names(&self, record: &FrameRecord) -> Vec<String> {
        let count = record.output(&self.counts.key).len();
        let names = self.counts.names(record, count);
        let item = self.counts.item();
        if names.is_empty() { (0..count).map(|k| format!("{item}_{k}")).collect() } else { names }
    }

    /// The curves in pieces; each names its own points.
    pub fn pieces(&self, record: &FrameRecord) -> Result<Vec<Piece>> {
        let counts: Vec<usize> = record.output(&self.counts.key).iter().map(|c| *c as usize).collect();
        let (total, points) = (counts.iter().sum::<usize>(), record.output(&self.points.key).len() / 3);
        if total != points {
            let message =
                format!("{} adds up to {total} points, {} has {points}", self.counts.key, self.points.key);
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let segments: usize = counts.iter().map(|count| count.saturating_sub(1)).sum();
        let on_segments = self.maps.iter().filter(|(_, on)| *on == On::Segments).map(|(source, _)| source);
        for source in on_segments.chain(&self.cuts) {
            let found = record.output(&source.key).len();
            if found != segments {
                let message = format!("{} has {found} items for {segments} segments of curves", source.key);
                return Err(Error::new(Kind::CountMismatch, message));
            }
        }
        let cuts = self.cuts.as_ref().map(|cuts| record.output(&cuts.key));
        let (mut pieces, mut point, mut segment) = (Vec::new(), 0, 0);
        for (curve, &count) in counts.iter().enumerate() {
            let segments = segment..segment + count.saturating_sub(1);
            match cuts {
                None => {
                    pieces.push(Piece { curve, points: point..point + count, segments: segments.clone() })
                }
                Some(cuts) => {
                    let mut from = 0;
                    for whole in cuts[segments.clone()].split(|cut| *cut != 0.0) {
                        let to = from + whole.len();
                        if to > from {
                            let points = point + from..point + to + 1;
                            pieces.push(Piece { curve, points, segments: segment + from..segment + to });
                        }
                        from = to + 1;
                    }
                }
            }
            (point, segment) = (point + count, segments.end);
        }
        Ok(pieces)
    }

    /// The points of a piece.
    pub fn path(&self, record: &FrameRecord, piece: &Piece) -> Vec<Vec3> {
        points_of(record.output(&self.points.key))[piece.points.clone()].to_vec()
    }

    /// The numbers of the first per-point map on a piece.
    pub fn first_on_points(&self, record: &FrameRecord, piece: &Piece) -> Option<Vec<Real>> {
        let mut maps = self.maps.iter();
        let first = maps.find(|(source, on)| *on != On::Curves && source.components() == 1);
        first.map(|(source, on)| values(source, *on, record, piece))
    }

    /// The radius of each curve.
    pub fn radius_each<'a>(&self, record: &'a FrameRecord) -> Result<&'a [Real]> {
        let counts = record.output(&self.counts.key).len();
        let radii = self.radii.as_ref().map_or(&[][..], |radii| record.output(&radii.key));
        if radii.len() == counts {
            return Ok(radii);
        }
        let message = format!("{} radii for {counts} curves: a tube has one", radii.len());
        Err(Error::new(Kind::CountMismatch, message))
    }

    /// A frame of each group, with the velocities of all points or none.
    pub fn data(&self, record: &FrameRecord, velocities: &[Vec3], groups: usize) -> Result<Vec<CurvesData>> {
        let pieces = self.pieces(record)?;
        let (curves, points) =
            (record.output(&self.counts.key).len(), record.output(&self.points.key).len() / 3);
        if self.groups && curves != groups {
            let message = format!("{curves} curves, and {groups} in the first frame");
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let radii = self.radii.as_ref().map_or(&[][..], |radii| record.output(&radii.key));
        if ![0, points, curves].contains(&radii.len()) {
            let message = format!("{} radii for {curves} curves of {points} points", radii.len());
            return Err(Error::new(Kind::CountMismatch, message));
        }
        let empty = CurvesData { maps: vec![Vec::new(); self.maps.len()], ..CurvesData::default() };
        let mut all = vec![empty; groups];
        for piece in &pieces {
            let data = &mut all[if self.groups { piece.curve } else { 0 }];
            data.counts.push(piece.points.len() as u32);
            data.points.extend(self.path(record, piece));
            data.velocities.extend(velocities.get(piece.points.clone()).into_iter().flatten());
            if radii.len() == points {
                data.widths.extend(radii[piece.points.clone()].iter().map(|radius| 2.0 * radius));
            } else if let Some(radius) = radii.get(piece.curve) {
                data.widths.extend(piece.points.clone().map(|_| 2.0 * radius));
            }
            for ((source, on), out) in self.maps.iter().zip(&mut data.maps) {
                out.extend(values(source, *on, record, piece));
            }
        }
        Ok(all)
    }
}

/// The scope of a port, by its items' names compared with those of points and counts.
fn on(source: &WrittenPort, points: &WrittenPort, counts: &WrittenPort) -> Result<On> {
    let (items, curve) = (source.port().items, counts.port().items);
    if items == points.port().items {
        return Ok(On::Points);
    }
    if items == curve {
        return Ok(On::Curves);
    }
    if items == format!("{curve} segment") && source.components() == 1 {
        return Ok(On::Segments);
    }
    let message = format!("{} belongs neither to the curves nor to their points or segments", source.key);
    Err(Error::new(Kind::InvalidArgument, message))
}

/// The numbers of a map on a piece. A point between two segments gets the mean of both.
fn values(source: &WrittenPort, on: On, record: &FrameRecord, piece: &Piece) -> Vec<Real> {
    let (numbers, components) = (record.output(&source.key), source.components());
    match on {
        On::Points => numbers[components * piece.points.start..components * piece.points.end].to_vec(),
        On::Curves => numbers[components * piece.curve..][..components].to_vec(),
        On::Segments if piece.segments.is_empty() => vec![0.0; piece.points.len()],
        On::Segments => at_nodes(&numbers[piece.segments.clone()]),
    }
}
