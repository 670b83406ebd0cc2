//! Which files a run read and wrote, each with its size and SHA-256.

use crate::control::Control;
use crate::error::{Error, Kind, Result};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A file with what tells whether it has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name, from the folder of the results where it lies inside.
    pub file: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// The SHA-256 of its bytes in hexadecimal.
    pub sha256: String,
}

impl Listed {
    /// Reads a file through. It is listed by its name from `folder` when it lies there.
    pub fn new(path: &Path, folder: &Path, control: &Control) -> Result<Self> {
        let failed = |e: std::io::Error| Error::io(path, &e);
        let mut input = File::open(path).map_err(failed)?;
        let (mut hash, mut bytes, mut buffer) = (Sha256::new(), 0, vec![0; 1 << 18]);
        loop {
            control.check()?;
            match input.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    hash.update(&buffer[..count]);
                    bytes += count as u64;
                }
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(failed(e)),
            }
        }
        let file = path.strip_prefix(folder).unwrap_or(path).to_path_buf();
        Ok(Listed { file, bytes, sha256: hexadecimal(&hash.finalize()) })
    }

    /// Whether the file is there as it is listed.
    pub fn is_there(&self, folder: &Path, control: &Control) -> Result<bool> {
        match Listed::new(&folder.join(&self.file), folder, control) {
            Ok(now) => Ok(now == *self),
            Err(error) if error.kind() == Kind::Cancelled => Err(error),
            Err(_) => Ok(false),
        }
    }

    pub(super) fn to_json(&self) -> Value {
        json!({ "file": self.file.to_string_lossy(), "bytes": self.bytes, "sha256": self.sha256 })
    }

    pub(super) fn from_json(value: &Value) -> Option<Self> {
        Some(Listed {
            file: value["file"].as_str()?.into(),
            bytes: value["bytes"].as_u64()?,
            sha256: value["sha256"].as_str()?.into(),
        })
    }
}

/// What tells one job from another: what the scene says, and what stands in the files that it reads.
pub(super) fn fingerprint(scene: &str, inputs: &[Listed]) -> String {
    let mut hash = Sha256::new();
    hash.update(concat!(env!("CARGO_PKG_VERSION"), "\n"));
    hash.update(scene);
    inputs.iter().for_each(|input| hash.update(&input.sha256));
    hexadecimal(&hash.finalize())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_listed_with_the_hash_that_others_print() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "abc").unwrap();
        let control = Control::default();
        let listed = Listed::new(&path, folder.path(), &control).unwrap();
        // FIPS 180-4's example.
        assert_eq!(listed.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!((listed.file.as_path(), listed.bytes), (Path::new("a.txt"), 3));
        assert_eq!(Listed::from_json(&listed.to_json()), Some(listed.clone()));
        assert!(listed.is_there(folder.path(), &control).unwrap());
        assert!(!listed.is_there(Path::new("elsewhere"), &control).unwrap());
        assert!(Listed::new(&folder.path().join("b"), folder.path(), &control).is_err());
        control.cancel();
        let stopped = listed.is_there(folder.path(), &control).unwrap_err();
        assert_eq!(stopped.kind(), Kind::Cancelled, "that is no file that is gone");
    }
}
