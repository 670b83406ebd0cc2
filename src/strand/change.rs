//! Changes to strands and ties between frames: cutting segments, adding or removing material, releasing constraints.
//! All of them are part of the state, so a saved state includes them.

use super::layout::NONE;
use super::model::Model;
use super::owner::RowOwner;
use super::parts::{Carrier, End, Fibre, Mode, Muscle, Node, Pull};
use super::state::State;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use sinew_solve::boxed::RowState;

impl State {
    /// Cuts a segment of a strand, the one between its nodes `segment` and `segment + 1`. From then on it bears no
    /// load: it has neither stiffness nor viscosity along itself; half of its mass goes with each end, and the
    /// surroundings still act on them. The energy of its stretch is lost. Its stumps do not run out through a node;
    /// once all its material has passed, it stops there like a knot.
    pub fn cut(&mut self, model: &Model, strand: usize, segment: usize) -> Result<()> {
        let node = self.first_node(model, strand, segment)?;
        self.cut[node] = true;
        Ok(())
    }

    /// Adds material to a segment of a strand, or removes it if `metres` is negative: the material coordinates of the
    /// nodes after it increase by that much. If a reel is at the last node, and so tracks what it has drawn in there,
    /// those of the nodes before it decrease instead; with reels at both ends, the first one counts it as let out. A
    /// thousandth of the segment's initial material must remain.
    pub fn lengthen(&mut self, model: &Model, strand: usize, segment: usize, metres: Real) -> Result<()> {
        let node = self.first_node(model, strand, segment)?;
        let authored = &model.parts().strands[strand];
        let name = &authored.name;
        if model.layout.hills[node] != NONE {
            let message = format!(
                "segment {segment} of strand \"{name}\" is a muscle; only tendon segments can be changed"
            );
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        let there = self.material[node + 1] - self.material[node];
        let left = there + metres;
        if !(left.is_finite() && left >= authored.least_material(segment)) {
            let message = format!(
                "strand \"{name}\" has {there} m of material in its segment {segment}; it cannot change by {metres} m"
            );
            return Err(Error::new(Kind::OutOfRange, message));
        }
        let at_last = |muscle: &Muscle| match muscle.pull {
            Pull::Reel { strand: of, end, .. } => of == strand && end == End::Last,
            Pull::Curve { .. } | Pull::Segment(_) => false,
        };
        let [begin, end] = [0, 1].map(|k| model.layout.strands[strand + k]);
        if model.parts().muscles.iter().any(at_last) {
            self.material[begin..=node].iter_mut().for_each(|material| *material -= metres);
        } else {
            self.material[node + 1..end].iter_mut().for_each(|material| *material += metres);
        }
        Ok(())
    }

    /// Releases a joint, a rule or a contact: from then on it acts as if it were absent, including its limits, springs
    /// and friction. The last rule of a point at which material slides must stay: nothing else would hold either.
    pub fn release(&mut self, model: &Model, what: RowOwner) -> Result<()> {
        let named = match what {
            RowOwner::Joint(_) | RowOwner::Rule(_) | RowOwner::Contact(_) => true,
            RowOwner::Body(_) | RowOwner::Node(..) | RowOwner::Segment(..) => false,
        };
        self.check(model)?;
        if let RowOwner::Rule(rule) = what {
            self.holds_elsewhere(model, rule)?;
        }
        let rows = (0..model.rows()).filter(|&row| named && model.owner_of_row(row) == Some(what));
        let mut found = false;
        for row in rows {
            found = true;
            (self.released[row], self.impulses[row], self.active[row]) = (true, 0.0, RowState::AtLow);
        }
        match found {
            true => Ok(()),
            false => Err(Error::new(Kind::NotFound, format!("there is no {what:?} to release"))),
        }
    }

    /// Rejects the release of the only rule that holds a point at which material slides.
    fn holds_elsewhere(&self, model: &Model, rule: usize) -> Result<()> {
        let parts = model.parts();
        let holds =
            |r: usize, point: usize| parts.rules[r].binds(point) && !self.released[model.layout.rule_rows[r]];
        let alone = |point: usize| (0..parts.rules.len()).all(|r| (r == rule) == holds(r, point));
        for strand in &parts.strands {
            let slides =
                |node: &Node| parts.points[node.point].carrier == Carrier::Nothing && node.mode == Mode::Free;
            let left = strand.nodes.iter().position(|node| slides(node) && alone(node.point));
            if let Some(k) = left.filter(|_| rule < parts.rules.len()) {
                let name = &strand.name;
                let message = format!(
                    "strand \"{name}\" would have a node {k} at which neither the place nor the material is held"
                );
                return Err(Error::new(Kind::Degenerate, message));
            }
        }
        Ok(())
    }

    /// The first node of a segment, numbered among all.
    fn first_node(&self, model: &Model, strand: usize, segment: usize) -> Result<usize> {
        self.check(model)?;
        let Some(there) = model.parts().strands.get(strand) else {
            let message = format!("there is no strand {strand} of {}", model.parts().strands.len());
            return Err(Error::new(Kind::NotFound, message));
        };
        if segment + 1 >= there.nodes.len() {
            let count = there.nodes.len() - 1;
            let message = format!("strand \"{}\" has no segment {segment} of {count}", there.name);
            return Err(Error::new(Kind::NotFound, message));
        }
        Ok(model.layout.strands[strand] + segment)
    }

    /// The material of a segment now, by its first node among all. A muscle segment pulls by its own law.
    pub(super) fn fibre(&self, model: &Model, strand: usize, node: usize) -> Fibre {
        let fibre = model.parts().strands[strand].fibre;
        let bears = !self.cut[node] && model.layout.hills[node] == NONE;
        if !bears { Fibre { stiffness: 0.0, axial_damping: 0.0, ..fibre } } else { fibre }
    }
}
