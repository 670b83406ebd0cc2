//! Opening files to read.

use crate::error::{Error, Kind, Result};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Opens a file. A folder, a pipe or a device is refused: reading one might never end.
pub fn open(path: &Path) -> Result<File> {
    let failed = |e: &std::io::Error| Error::io(path, e);
    // Checked before opening, because opening a pipe waits for a writer.
    if !std::fs::metadata(path).map_err(|e| failed(&e))?.is_file() {
        let message = "this is not a file, but a folder, a pipe or a device";
        return Err(Error::new(Kind::InvalidArgument, message).file(path));
    }
    File::open(path).map_err(|e| failed(&e))
}

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|e| Error::io(path, &e))?;
    Ok(bytes)
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
