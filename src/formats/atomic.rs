//! Atomic writes: a file appears complete or not at all. And folders for files.

use sinew_base::error::{Error, Kind, Result};
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Distinguishes files of one process that are written at the same time.
static COUNTER: AtomicU64 = AtomicU64::new(0);

/// A file that is written under a temporary name in its own folder and renamed on [`AtomicFile::commit`]. Dropped
/// before that, it leaves nothing behind, and an existing file of that name stays.
pub struct AtomicFile {
    target: PathBuf,
    temporary: PathBuf,
    writer: Option<BufWriter<File>>,
}

impl AtomicFile {
    /// Starts to write `path`.
    pub fn create(path: &Path) -> Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        loop {
            let serial = COUNTER.fetch_add(1, Ordering::Relaxed);
            let temporary = path.with_file_name(format!(".{name}.{}-{serial}.part", std::process::id()));
            let file = match File::options().read(true).write(true).create_new(true).open(&temporary) {
                // A killed process with the same id, as is common in containers, left one behind.
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => continue,
                opened => opened.map_err(|e| Error::io(path, &e))?,
            };
            let writer = Some(BufWriter::with_capacity(1 << 18, file));
            return Ok(AtomicFile { target: path.to_path_buf(), temporary, writer });
        }
    }

    /// Writes bytes; an error names the file.
    pub fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes).map_err(|e| Error::io(&self.target, &e))
    }

    /// Seeks to a position from the start; an error names the file.
    pub fn go_to(&mut self, place: u64) -> Result<()> {
        self.seek(SeekFrom::Start(place)).map(drop).map_err(|e| Error::io(&self.target, &e))
    }

    /// Flushes the file to disk and gives it its name.
    pub fn commit(mut self) -> Result<()> {
        self.finish().map_err(|e| Error::io(&self.target, &e))
    }

    fn finish(&mut self) -> std::io::Result<()> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let closed =
            writer.into_inner().map_err(std::io::IntoInnerError::into_error).and_then(|f| f.sync_data());
        let renamed = closed.and_then(|()| std::fs::rename(&self.temporary, &self.target));
        if renamed.is_err() {
            // The first error is the one to report; a second one cannot be handled any better.
            let _ = std::fs::remove_file(&self.temporary);
        }
        renamed
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.writer.as_mut().map_or(Ok(0), |w| w.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), |w| w.flush())
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.writer.as_mut().map_or(Ok(0), |w| w.seek(to))
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            // Without flushing: the file is discarded.
            drop(writer.into_parts());
            let _ = std::fs::remove_file(&self.temporary);
        }
    }
}

/// Whether a name is a temporary one.
pub fn is_unfinished(name: &str) -> bool {
    let inner = name.strip_prefix('.').and_then(|name| name.strip_suffix(".part"));
    let serial =
        inner.and_then(|inner| inner.rsplit_once('.')).and_then(|(_, serial)| serial.split_once('-'));
    serial.is_some_and(|(a, b)| a.parse::<u32>().is_ok() && b.parse::<u64>().is_ok())
}

/// Makes a folder and those above it; what goes wrong says whether a file is in the way.
pub fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder).map_err(|e| match folder.ancestors().find(|outer| outer.is_file()) {
        Some(file) => Error::new(Kind::Io, "this is a file, but a folder is expected here").file(file),
        None => Error::io(folder, &e),
    })
}

/// Writes a whole file through `fill`.
pub fn write(path: &Path, fill: impl FnOnce(&mut AtomicFile) -> std::io::Result<()>) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    fill(&mut file).map_err(|e| Error::io(path, &e))?;
    file.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_in_the_place_of_a_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out");
        std::fs::write(&file, "").unwrap();
        for wanted in [file.clone(), file.join("deeper/still")] {
            let error = make_folder(&wanted).unwrap_err();
            assert!(error.message().contains("a folder is expected"), "{error}");
            assert_eq!(error.place().file.as_deref(), Some(&*file));
        }
        for _ in 0..2 {
            make_folder(&folder.path().join("a/b")).unwrap();
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        let unfinished: Vec<String> =
            names(folder.path()).into_iter().filter(|name| is_unfinished(name)).collect();
        assert!(unfinished.len() == 1 && !is_unfinished(".download.part") && !is_unfinished("a.1-2.part"));
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        drop(file);
        assert_eq!((std::fs::read(&path).unwrap().as_slice(), names(folder.path()).len()), (&b"old"[..], 1));
        write(&path, |f| f.write_all(b"new")).unwrap();
        assert_eq!((std::fs::read(&path).unwrap().as_slice(), names(folder.path()).len()), (&b"new"[..], 1));
    }

    #[test]
    fn what_a_killed_process_left_is_in_nobodys_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let next = COUNTER.load(Ordering::Relaxed);
        for serial in next..next + 50 {
            let left = folder.path().join(format!(".a.txt.{}-{serial}.part", std::process::id()));
            std::fs::write(left, "half").unwrap();
        }
        write(&path, |f| f.write_all(b"whole")).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"whole");
    }

    #[test]
    fn errors_name_the_file_and_leave_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let nowhere = folder.path().join("no/such/a.txt");
        let error = AtomicFile::create(&nowhere).err().unwrap();
        assert_eq!(
            (error.kind(), error.place().file.as_deref()),
            (Kind::MissingFile, Some(nowhere.as_path()))
        );
        let disk_full = |_: &mut AtomicFile| Err(std::io::Error::from(std::io::ErrorKind::StorageFull));
        let error = write(&folder.path().join("a.txt"), disk_full).unwrap_err();
        assert_eq!((error.kind(), names(folder.path()).len()), (Kind::Io, 0));
        // A folder has the name, so the rename must fail.
        std::fs::create_dir(folder.path().join("b")).unwrap();
        assert!(write(&folder.path().join("b"), |f| f.write_all(b"x")).is_err());
        assert_eq!(names(folder.path()), ["b"]);
    }
}
