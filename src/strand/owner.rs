//! The owners of rows of constraints.

use super::layout::NONE;
use super::model::Model;

/// The owner of a row of constraints, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOwner {
    /// A scripted body.
    Body(usize),
    /// A scripted node: strand and node.
    Node(usize, usize),
    /// A joint.
    Joint(usize),
    /// A rule.
    Rule(usize),
    /// The material between a node and the next: strand and node.
    Segment(usize, usize),
    /// A contact.
    Contact(usize),
}

impl Model {
    /// Whether a row is measured in rad: that of a joint's rotation.
    pub fn is_turn(&self, row: usize) -> bool {
        let Some(RowOwner::Joint(j)) = self.owner_of_row(row) else { return false };
        let turns = self.parts().joints[j].axes[..3].iter().map(|axis| axis.row_count());
        row < self.layout.joint_rows[j] + turns.sum::<usize>()
    }

    /// The owner of a row; `None` beyond the last row.
    pub fn owner_of_row(&self, row: usize) -> Option<RowOwner> {
        let layout = &self.layout;
        let in_strand = |node: usize| {
            let strand = layout.strands.partition_point(|&first| first <= node) - 1;
            (strand, node - layout.strands[strand])
        };
        // The owner whose first row is the last one up to this.
        let last = |firsts: &[usize]| {
            let begun = firsts.iter().enumerate().filter(|(_, first)| **first <= row && **first != NONE);
            begun.max_by_key(|(_, first)| **first).map(|(k, first)| (*first, k))
        };
        let owners = [
            last(&layout.body_rows).map(|(first, k)| (first, RowOwner::Body(k))),
            last(&layout.node_rows).map(|(first, k)| {
                let (strand, node) = in_strand(k);
                (first, RowOwner::Node(strand, node))
            }),
            last(&layout.joint_rows).map(|(first, k)| (first, RowOwner::Joint(k))),
            last(&layout.rule_rows).map(|(first, k)| (first, RowOwner::Rule(k))),
            last(&layout.segment_rows).map(|(first, k)| {
                let (strand, node) = in_strand(k);
                (first, RowOwner::Segment(strand, node))
            }),
            last(&layout.contact_rows).map(|(first, k)| (first, RowOwner::Contact(k))),
        ];
        let owner = owners.into_iter().flatten().max_by_key(|(first, _)| *first);
        owner.filter(|_| row < layout.rows).map(|(_, owner)| owner)
    }
}
