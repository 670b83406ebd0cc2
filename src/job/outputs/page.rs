//! The page for review, made from the tables of all frames.

use super::Writer;
use super::names::{inside, named};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::atomic;
use sinew_geometry::Mesh;
use sinew_report::{Report, Texture};
use sinew_scene::{OutputsElement, PageElement};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The page, and the folder of the tables that it shows.
pub(super) struct Page {
    folder: PathBuf,
    file: PathBuf,
    texture: Option<Texture>,
}

impl Page {
    /// Reads its texture; `rest` is the mesh of the tables.
    pub fn new(element: &PageElement, outputs: &OutputsElement, rest: Option<&Mesh>) -> Result<Self> {
        let wrong = |message: &str| Err(Error::new(Kind::InvalidArgument, message));
        match rest {
            None => return wrong("the page is made from the tables: add <tables/>"),
            Some(rest) if rest.uvs.is_none() => {
                return wrong("the page shows UVs, and the mesh at rest has none");
            }
            Some(_) => {}
        }
        named("page", element.file.as_ref(), &["html", "htm"])?;
        let texture = element.texture.as_ref().map(|path| Texture::read(path.as_ref())).transpose()?;
        let folder = Path::new(&outputs.folder);
        Ok(Page { folder: folder.into(), file: inside(folder, &element.file)?, texture })
    }
}

impl Writer for Page {
    fn names(&self, _: &[i64]) -> Result<Vec<PathBuf>> {
        Ok(vec![self.file.clone()])
    }

    fn write_page(&self, frames: &[i64]) -> Result<Option<PathBuf>> {
        let mut step = 1;
        let page = loop {
            let some: Vec<i64> = frames.iter().copied().step_by(step).collect();
            // Other outputs of the graph may be in the same folder, under names that mean something else on their own.
            let gathered = Report::gather_slide(&self.folder, Some(&some));
            match gathered.and_then(|report| report.page(None, self.texture.as_ref())) {
                // A long shot is thinned out; the page says which frames it has.
                Err(error) if error.kind() == Kind::TooLarge && some.len() > 1 => step *= 2,
                made => break made?,
            }
        };
        atomic::write(&self.file, |file| file.write_all(page.as_bytes()))?;
        Ok(Some(self.file.clone()))
    }
}
