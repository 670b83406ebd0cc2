//! The numbering of unknowns and rows.

use super::counts::CONTACT_ROWS;
use super::parts::{Carrier, Mode, Parts, Pull};
use sinew_base::error::Result;

/// First unknowns and rows; `NONE` where there are none.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub unknowns: usize,
    pub rows: usize,
    /// Six for each body: angular, then linear velocity of its centre of mass, in the world's axes.
    pub bodies: Vec<usize>,
    /// Three for each free point.
    pub points: Vec<usize>,
    /// One for each node whose material slides, strand after strand.
    pub nodes: Vec<usize>,
    /// The first node of each strand, and the end.
    pub strands: Vec<usize>,
    /// The first rows of: scripted bodies, scripted nodes, joints, rules, segments.
    pub body_rows: Vec<usize>,
    pub node_rows: Vec<usize>,
    pub joint_rows: Vec<usize>,
    pub rule_rows: Vec<usize>,
    /// One for each segment, by its first node: material must not be used up.
    pub segment_rows: Vec<usize>,
    pub contact_rows: Vec<usize>,
    /// The muscle on each segment, by its first node.
    pub hills: Vec<usize>,
}

/// No unknown, no row.
pub(super) const NONE: usize = usize::MAX;

/// Assigns the numbers.
struct Counter(usize);

impl Counter {
    fn next(&mut self, wanted: bool, count: usize) -> usize {
        if !wanted || count == 0 {
            return NONE;
        }
        self.0 += count;
        self.0 - count
    }
}

impl Layout {
    pub fn new(parts: &Parts) -> Result<Self> {
        let mut next = Counter(0);
        let bodies: Vec<usize> = parts.bodies.iter().map(|b| next.next(b.mode != Mode::Removed, 6)).collect();
        let points = parts.points.iter().map(|p| next.next(p.carrier == Carrier::Nothing, 3)).collect();
        let all_nodes = || parts.strands.iter().flat_map(|strand| &strand.nodes);
        let nodes: Vec<usize> = all_nodes().map(|n| next.next(n.mode != Mode::Removed, 1)).collect();
        let mut strands = vec![0];
        for strand in &parts.strands {
            strands.push(strands[strands.len() - 1] + strand.nodes.len());
        }
        let unknowns = next.0;
        let mut next = Counter(0);
        let body_rows = parts.bodies.iter().map(|b| next.next(b.mode == Mode::Constrained, 6)).collect();
        let node_rows = all_nodes().map(|n| next.next(n.mode == Mode::Constrained, 1)).collect();
        let joint_rows = parts.joints.iter().map(|j| next.next(true, j.row_count())).collect();
        let rule_rows = parts.rules.iter().map(|r| next.next(true, r.row_count(parts))).collect();
        let mut segment_rows = vec![NONE; nodes.len()];
        for ends in strands.windows(2) {
            for k in ends[0]..ends[1] - 1 {
                segment_rows[k] = next.next(nodes[k] != NONE || nodes[k + 1] != NONE, 1);
            }
        }
        let contact_rows = parts.contacts.iter().map(|_| next.next(true, CONTACT_ROWS)).collect();
        let rows = next.0;
        let mut hills = vec![NONE; nodes.len()];
        for (m, muscle) in parts.muscles.iter().enumerate() {
            if let Pull::Segment(hill) = &muscle.pull {
                hills[strands[hill.strand] + hill.segment] = m;
            }
        }
        Ok(Layout {
            unknowns,
            rows,
            bodies,
            points,
            nodes,
            strands,
            body_rows,
            node_rows,
            joint_rows,
            rule_rows,
            segment_rows,
            contact_rows,
            hills,
        })
    }

    /// The rows of all segments, which are consecutive.
    pub fn rows_of_segments(&self) -> std::ops::Range<usize> {
        let mut rows = self.segment_rows.iter().filter(|row| **row != NONE);
        match (rows.next(), rows.next_back()) {
            (Some(&first), last) => first..last.unwrap_or(&first) + 1,
            (None, _) => 0..0,
        }
    }
}
