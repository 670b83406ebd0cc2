//! Opening files to read.

use super::reads::{BLOCK, Reads, Seen};
use sinew_base::error::{Error, Kind, Result};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// A file being read. What is read of it is compared with what was read before, if it was opened during
/// [`Reads::during`].
#[derive(Debug)]
pub struct Input {
    file: File,
    seen: Option<Seen>,
    /// The position of the next byte to hand out, and the block around it that was read last.
    position: u64,
    block: Vec<u8>,
    index: Option<usize>,
}

/// Opens a file. A folder, a pipe or a device is refused: reading one might never end.
pub fn open(path: &Path) -> Result<Input> {
    let failed = |e: &io::Error| Error::io(path, e);
    // Checked before opening, because opening a pipe waits for a writer.
    if !std::fs::metadata(path).map_err(|e| failed(&e))?.is_file() {
        let message = "this is not a file, but a folder, a pipe or a device";
        return Err(Error::new(Kind::InvalidArgument, message).file(path));
    }
    let file = File::open(path).map_err(|e| failed(&e))?;
    Ok(Input { file, seen: Reads::of(path), position: 0, block: Vec::new(), index: None })
}

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let Input { mut file, seen, .. } = open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|e| Error::io(path, &e))?;
    if let Some(seen) = seen {
        let blocks = (0..=bytes.len() / BLOCK).map(|k| &bytes[k * BLOCK..bytes.len().min((k + 1) * BLOCK)]);
        let mut recorded = blocks.enumerate().map(|(index, block)| seen.block(index, block));
        recorded.try_for_each(|known| known).map_err(|e| Error::io(path, &e))?;
    }
    Ok(bytes)
}

impl Input {
    /// Reads the block around the position, unless it is known.
    fn fill(&mut self, seen: &Seen) -> io::Result<()> {
        let index = usize::try_from(self.position / BLOCK as u64).map_err(io::Error::other)?;
        if self.index == Some(index) {
            return Ok(());
        }
        self.index = None;
        self.block.clear();
        self.file.seek(SeekFrom::Start(index as u64 * BLOCK as u64))?;
        Read::by_ref(&mut self.file).take(BLOCK as u64).read_to_end(&mut self.block)?;
        seen.block(index, &self.block)?;
        self.index = Some(index);
        Ok(())
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(seen) = self.seen.clone() else { return self.file.read(buffer) };
        self.fill(&seen)?;
        let within = (self.position % BLOCK as u64) as usize;
        let left = self.block.get(within..).unwrap_or_default();
        let count = left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for Input {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let to = match (&self.seen, to) {
            // The file's own position is wherever the last block ended.
            (Some(_), SeekFrom::Current(by)) => {
                let place = self.position.checked_add_signed(by);
                SeekFrom::Start(place.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?)
            }
            _ => to,
        };
        self.position = self.file.seek(to)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let kind = |path: &Path| read(path).unwrap_err().kind();
        assert_eq!(kind(folder.path()), Kind::InvalidArgument);
        assert_eq!(kind(&folder.path().join("none")), Kind::MissingFile);
        #[cfg(unix)]
        assert_eq!(kind(Path::new("/dev/zero")), Kind::InvalidArgument);
        let path = folder.path().join("file");
        std::fs::write(&path, b"abc").unwrap();
        assert_eq!(read(&path).unwrap(), b"abc");
    }
}
