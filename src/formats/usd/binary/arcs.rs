//! Composition arcs in .usdc.

use super::{Binary, Cursor, wrong};
use crate::usd::arcs::{Arcs, Edits, Target, TimeMap};
use crate::usd::prim::{Slot, Value};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;
use std::collections::BTreeMap;

/// Targets are few; a count beyond this is damage.
const MAX_ITEMS: usize = 1 << 16;

impl Binary {
    /// Reads one of a prim's fields that composition needs.
    pub(super) fn arc(&self, arcs: &mut Arcs, name: &str, rep: u64) -> Result<()> {
        match name {
            "references" => arcs.references = self.edits(rep, |cursor| self.target(cursor, true, true))?,
            "payload" => arcs.payloads = self.payloads(rep)?,
            "inheritPaths" => arcs.inherits = self.path_edits(rep)?,
            "specializes" => arcs.specializes = self.path_edits(rep)?,
            "variantSetNames" => {
                arcs.variant_sets = self.edits(rep, |cursor| Ok(self.string(cursor.u32()?)?.to_string()))?;
            }
            "variantSelection" => {
                let mut cursor = self.at(rep);
                for _ in 0..cursor.count()?.min(MAX_ITEMS) {
                    let (set, choice) = (cursor.u32()?, cursor.u32()?);
                    arcs.selections.insert(self.string(set)?.to_string(), self.string(choice)?.to_string());
                }
            }
            _ => {
                let stated = match self.value(rep)? {
                    Value::Numbers(n) if n.len() == 1 => n[0] != 0.0,
                    _ => return Err(wrong(format!("{name} is neither true nor false"))),
                };
                *(if name == "active" { &mut arcs.active } else { &mut arcs.instanceable }) = Some(stated);
            }
        }
        // Bit 4 of a list's header; what is inlined, or no list, has none.
        if !matches!(name, "active" | "instanceable" | "variantSelection") && self.reorders(rep)? {
            arcs.unsupported = Some("a reordered list of arcs");
        }
        Ok(())
    }

    fn reorders(&self, rep: u64) -> Result<bool> {
        let is_list = matches!(rep >> 48 & 0xff, 32..=35 | 55);
        Ok(is_list && self.at(rep).take(1)?[0] & 16 != 0)
    }

    /// The edits of a relationship's targets, or of a list of prims.
    pub(super) fn path_edits(&self, rep: u64) -> Result<Edits<String>> {
        self.edits(rep, |cursor| Ok(self.path(cursor.u32()?)?.to_string()))
    }

    fn path(&self, index: usize) -> Result<&str> {
        let path = self.paths.get(index).map(String::as_str);
        path.ok_or_else(|| wrong(format!("there is no path {index}; there are {}", self.paths.len())))
    }

    /// A list edit: a byte that says which lists follow, and these.
    fn edits<T>(&self, rep: u64, item: impl Fn(&mut Cursor) -> Result<T>) -> Result<Edits<T>> {
        if !matches!(rep >> 48 & 0xff, 32..=35 | 55) {
            return Err(wrong("a list of arcs or targets is of another type"));
        }
        let mut cursor = self.at(rep);
        let header = cursor.take(1)?[0];
        let mut edits = Edits::default();
        if header & 1 != 0 {
            edits.explicit = Some(Vec::new());
        }
        // The order in the file: explicit, added, prepended, appended, deleted, ordered.
        for bit in [2, 4, 32, 64, 8, 16] {
            if header & bit == 0 {
                continue;
            }
            let count = cursor.count()?;
            if count > MAX_ITEMS {
                return Err(Error::new(Kind::TooLarge, format!("a list of {count} arcs or targets")));
            }
            let list = (0..count).map(|_| item(&mut cursor)).collect::<Result<Vec<T>>>()?;
            match bit {
                2 => edits.explicit = Some(list),
                4 => edits.added = list,
                32 => edits.prepended = list,
                64 => edits.appended = list,
                8 => edits.deleted = list,
                _ => {}
            }
        }
        Ok(edits)
    }

    /// A single payload, as older versions have it, or a list.
    fn payloads(&self, rep: u64) -> Result<Edits<Target>> {
        let timed = self.version[1] >= 8;
        match rep >> 48 & 0xff {
            47 => {
                let target = self.target(&mut self.at(rep), timed, false)?;
                // An empty one is an explicit none.
                let none = target.asset.is_empty() && target.prim.is_empty();
                Ok(Edits { explicit: Some(if none { Vec::new() } else { vec![target] }), ..Edits::default() })
            }
            _ => self.edits(rep, |cursor| self.target(cursor, timed, false)),
        }
    }

    fn target(&self, cursor: &mut Cursor, timed: bool, commented: bool) -> Result<Target> {
        let (asset, prim) = (self.string(cursor.u32()?)?.to_string(), self.path(cursor.u32()?)?.to_string());
        let mut time = TimeMap::IDENTITY;
        if timed {
            let read = |cursor: &mut Cursor| cursor.u64().map(Real::from_bits);
            time = TimeMap { offset: read(cursor)?, scale: read(cursor)? };
        }
        if commented {
            // A dictionary: names, and offsets of values.
            let entries = cursor.count()?;
            cursor.take(entries.saturating_mul(12))?;
        }
        Ok(Target { asset, prim, time, ..Target::default() })
    }

    /// The layers below, and their offsets.
    pub(super) fn sublayers(&self, metadata: &BTreeMap<String, Slot>) -> Result<Vec<(String, TimeMap)>> {
        let rep = |name: &str| match metadata.get(name) {
            Some(Slot::Binary(rep)) => Some(*rep),
            _ => None,
        };
        let Some(files) = rep("subLayers").map(|rep| self.value(rep)).transpose()? else {
            return Ok(Vec::new());
        };
        let Value::Texts(files) = files else { return Err(wrong("the sublayers are not strings")) };
        let mut times = vec![TimeMap::IDENTITY; files.len()];
        if let Some(rep) = rep("subLayerOffsets").filter(|rep| rep >> 48 & 0xff == 49) {
            let mut cursor = self.at(rep);
            let count = cursor.count()?;
            for time in times.iter_mut().take(count) {
                *time =
                    TimeMap { offset: Real::from_bits(cursor.u64()?), scale: Real::from_bits(cursor.u64()?) };
            }
        }
        Ok(files.into_iter().zip(times).collect())
    }
}
