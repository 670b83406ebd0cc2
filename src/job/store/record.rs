//! The result of a frame: the numbers of all requested ports, and the report. It can be stored, so that files are made
//! from it later, by this run or another one.

use super::arrays::{points_of, uvs_of};
use serde_json::{Value, json};
use sinew_base::bytes::{Reader, put_counted, put_reals, seal};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::atomic;
use sinew_formats::file;
use sinew_math::{Affine, Real, Vec2, Vec3};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"SINEWMO3";

/// The numbers of ports by NODE.PORT. Copies share them.
pub type Numbers = Vec<(String, Arc<Vec<Real>>)>;

/// One frame. Copies share its numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameRecord {
    /// Its number.
    pub frame: i64,
    /// The frame's entry in the report.
    pub row: Value,
    /// The names of outputs' items, by node and kind of item; null if not requested.
    pub names: Value,
    /// The numbers of ports by NODE.PORT.
    pub outputs: Numbers,
    /// The same for the samples since the frame before, if there are any.
    pub between: Vec<Numbers>,
}

/// The result of one node in a frame.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// The frame.
    pub record: &'a FrameRecord,
    /// The node's name.
    pub node: &'a str,
}

impl<'a> Part<'a> {
    /// The numbers of a port; none if it is absent.
    pub fn output(self, port: &str) -> &'a [Real] {
        let is_its = |key: &str| {
            key.strip_prefix(self.node).and_then(|rest| rest.strip_prefix('.')).is_some_and(|id| id == port)
        };
        self.record.outputs.iter().find(|(key, _)| is_its(key)).map_or(&[], |(_, values)| values)
    }

    /// A port's numbers as points or vectors.
    pub fn vectors(self, port: &str) -> &'a [Vec3] {
        points_of(self.output(port))
    }

    /// The body's vertices.
    pub fn body(self) -> &'a [Vec3] {
        self.vectors("points")
    }

    /// The slid UVs of the corners.
    pub fn uvs(self) -> &'a [Vec2] {
        uvs_of(self.output("uvs"))
    }

    /// The transform of each rider from rest to now.
    pub fn rider_matrices(self) -> Vec<Affine> {
        self.output("rider_matrices").chunks_exact(16).map(|m| Affine::from_row_slice(&m[..12])).collect()
    }
}

impl FrameRecord {
    /// The numbers of a port by NODE.PORT; none if it is absent.
    pub fn output(&self, key: &str) -> &[Real] {
        self.outputs.iter().find(|(id, _)| id == key).map_or(&[], |(_, values)| values)
    }

    /// The result of one node.
    pub fn part<'a>(&'a self, node: &'a str) -> Part<'a> {
        Part { record: self, node }
    }

    /// Stores it, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        let bytes = self.encode();
        atomic::write(path, |file| file.write_all(&bytes))
    }

    /// Stores it for this process alone, without flushing to disk.
    pub fn save_for_now(&self, path: &Path) -> Result<()> {
        std::fs::write(path, self.encode()).map_err(|e| Error::io(path, &e))
    }

    fn encode(&self) -> Vec<u8> {
        let counts =
            |all: &Numbers| all.iter().map(|(id, values)| json!([id, values.len()])).collect::<Value>();
        let head = json!({
            "frame": self.frame,
            "row": self.row,
            "names": self.names,
            "outputs": counts(&self.outputs),
            "between": self.between.iter().map(counts).collect::<Value>(),
        });
        let head = head.to_string();
        let mut bytes = MAGIC.to_vec();
        put_counted(&mut bytes, head.as_bytes());
        let arrays = || self.outputs.iter().chain(self.between.iter().flatten()).map(|(_, values)| values);
        bytes.reserve_exact(8 * arrays().map(|values| values.len()).sum::<usize>() + 4);
        arrays().for_each(|values| put_reals(&mut bytes, values.iter()));
        seal(&mut bytes);
        bytes
    }

    /// Reads what [`FrameRecord::save`] stored.
    pub fn load(path: &Path) -> Result<Self> {
        let bytes = file::read(path)?;
        let damaged = || Error::new(Kind::Parse, "the stored frame is damaged").file(path);
        decode(&bytes).ok_or_else(damaged)
    }
}

fn decode(bytes: &[u8]) -> Option<FrameRecord> {
    let mut reader = Reader::sealed("the stored frame", MAGIC, bytes).ok()?;
    let (head, rest) = (reader.counted().ok()?, reader.take_rest());
    let head: Value = serde_json::from_slice(head).ok()?;
    let mut numbers = rest.chunks_exact(8).filter_map(|b| Some(Real::from_le_bytes(b.try_into().ok()?)));
    let mut take = |count: usize| -> Option<Vec<Real>> {
        let taken: Vec<Real> = numbers.by_ref().take(count).collect();
        (taken.len() == count).then_some(taken)
    };
    let count = |value: &Value| usize::try_from(value.as_u64()?).ok();
    let mut all = |counts: &Value| -> Option<Numbers> {
        let entries = counts.as_array()?.iter();
        entries
            .map(|entry| Some((entry[0].as_str()?.to_string(), Arc::new(take(count(&entry[1])?)?))))
            .collect()
    };
    Some(FrameRecord {
        frame: head["frame"].as_i64()?,
        row: head["row"].clone(),
        names: head["names"].clone(),
        outputs: all(&head["outputs"])?,
        between: head["between"].as_array()?.iter().map(all).collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stored_frame_comes_back_to_the_bit_and_a_damaged_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.bin");
        let record = FrameRecord {
            frame: -3,
            row: json!({ "frame": -3, "kept": false, "residual": 1e-9 }),
            names: json!({ "arm": { "joints": ["elbow"] } }),
            outputs: vec![
                ("skin.points".into(), Arc::new(vec![0.1, -0.0, 1e300])),
                ("skin.uvs".into(), Arc::new(vec![0.1, 1.0 / 3.0])),
                ("a.load".into(), Arc::default()),
            ],
            between: vec![vec![("skin.points".into(), Arc::new(vec![0.5, 2.0, -3.0]))], Vec::new()],
        };
        let skin = record.part("skin");
        assert_eq!(
            (skin.body(), skin.uvs()),
            (&[Vec3::new(0.1, -0.0, 1e300)][..], &[Vec2::new(0.1, 1.0 / 3.0)][..])
        );
        assert_eq!(record.part("ski").output("n.uvs"), [0.0; 0]);
        record.save(&path).unwrap();
        assert_eq!(FrameRecord::load(&path).unwrap(), record);
        let bytes = std::fs::read(&path).unwrap();
        for length in 0..bytes.len() {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert_eq!(FrameRecord::load(&path).unwrap_err().kind(), Kind::Parse, "{length} bytes");
        }
        for at in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[at] ^= 4;
            assert!(decode(&wrong).is_none(), "byte {at}");
        }
    }
}
