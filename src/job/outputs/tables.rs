//! The result of a frame as plain files: the body with slid UVs, the skin's points, maps.

use super::super::store::record::Part;
use super::Writer;
use super::skin::Skin;
use crate::store::record::FrameRecord;
use sinew_base::control::Control;
use sinew_base::error::Result;
use sinew_formats::{atomic, obj};
use sinew_geometry::{CornerLayer, Mesh};
use sinew_report::frame_file;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the mesh at rest.
const REST: &str = "rest.obj";

/// The tables of a node.
pub(super) struct Tables {
    folder: PathBuf,
    node: String,
    rest: Arc<Mesh>,
}

impl Tables {
    /// The tables of a skin, in a folder.
    pub fn new(folder: &Path, skin: &Skin) -> Self {
        Tables { folder: folder.into(), node: skin.node.clone(), rest: skin.rest.clone() }
    }

    fn of_frame(&self, frame: i64) -> [PathBuf; 3] {
        [("uv", "obj"), ("skin", "csv"), ("maps", "csv")]
            .map(|(name, ending)| frame_file(&self.folder, name, ending, frame))
    }
}

impl Writer for Tables {
    fn names(&self, frames: &[i64]) -> Result<Vec<PathBuf>> {
        let rest = std::iter::once(self.folder.join(REST));
        Ok(rest.chain(frames.iter().flat_map(|&frame| self.of_frame(frame))).collect())
    }

    fn begin(&self, _: &Control) -> Result<Vec<PathBuf>> {
        let path = self.folder.join(REST);
        obj::save(&path, &self.rest)?;
        Ok(vec![path])
    }

    fn write(&self, record: &FrameRecord, _: &Control) -> Result<Vec<PathBuf>> {
        let (files, part) = (self.of_frame(record.frame), record.part(&self.node));
        obj::save(&files[0], &slid_mesh(&self.rest, part))?;
        skin(&files[1], part)?;
        maps(&files[2], part)?;
        Ok(files.to_vec())
    }
}

/// The body with slid UVs, one per corner.
fn slid_mesh(rest: &Mesh, frame: Part) -> Mesh {
    let values = frame.uvs().to_vec();
    let indices = (0..values.len() as u32).collect();
    let uvs = (!values.is_empty()).then_some(CornerLayer { values, indices });
    Mesh { positions: frame.body().to_vec(), normals: None, uvs, ..rest.clone() }
}

fn skin(path: &Path, frame: Part) -> Result<()> {
    let points = frame.output("skin_points").chunks_exact(3);
    let weights = frame.output("skin_weights").chunks_exact(3);
    let rows = points.zip(frame.output("skin_faces")).zip(weights).enumerate();
    atomic::write(path, |file| {
        writeln!(file, "vertex,x,y,z,face,b0,b1,b2")?;
        for (v, ((p, face), b)) in rows {
            let face = *face as u64;
            writeln!(file, "{v},{},{},{},{face},{},{},{}", p[0], p[1], p[2], b[0], b[1], b[2])?;
        }
        Ok(())
    })
}

fn maps(path: &Path, frame: Part) -> Result<()> {
    let stretch = frame.output("stretch").chunks_exact(2);
    let rows = frame.output("slide_distance").iter().zip(stretch).zip(frame.output("wrinkle_amplitude"));
    atomic::write(path, |file| {
        writeln!(file, "vertex,slide,stretch_max,stretch_min,wrinkle")?;
        for (v, ((slide, stretch), wrinkle)) in rows.enumerate() {
            writeln!(file, "{v},{slide},{},{},{wrinkle}", stretch[0], stretch[1])?;
        }
        Ok(())
    })
}
