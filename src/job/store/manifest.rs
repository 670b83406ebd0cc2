//! The files that a run read and wrote, each with its size and SHA-256.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::file;
use std::collections::HashMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The name of the list in the folder of the results.
pub(crate) const NAME: &str = "manifest.json";

/// A file with what is needed to see whether it has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name, relative to the results' folder if it lies inside.
    pub file: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// The SHA-256 of its bytes in hexadecimal.
    pub sha256: String,
}

impl Listed {
    /// Reads a file to hash it. It is listed relative to `folder` if it lies there.
    pub fn new(path: &Path, folder: &Path, control: &Control) -> Result<Self> {
        let failed = |e: std::io::Error| Error::io(path, &e);
        let mut input = file::open(path)?;
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

    /// The path of the file, relative to a folder.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(&self.file)
    }

    /// Whether it lies in the folder and nowhere else, whoever wrote the list.
    pub(crate) fn is_inside(&self) -> bool {
        self.file.components().all(|part| matches!(part, Component::Normal(_)))
    }

    /// Whether the file exists as listed.
    pub fn is_there(&self, folder: &Path, control: &Control) -> Result<bool> {
        match Listed::new(&self.path(folder), folder, control) {
            Ok(now) => Ok(now == *self),
            Err(error) if error.kind() == Kind::Cancelled => Err(error),
            Err(_) => Ok(false),
        }
    }

    /// As an entry of a manifest.
    pub fn to_json(&self) -> Value {
        json!({ "file": self.file.to_string_lossy(), "bytes": self.bytes, "sha256": self.sha256 })
    }

    /// Reads an entry of a manifest.
    pub fn from_json(value: &Value) -> Option<Self> {
        Some(Listed {
            file: value["file"].as_str()?.into(),
            bytes: value["bytes"].as_u64()?,
            sha256: value["sha256"].as_str()?.into(),
        })
    }
}

/// The manifest of an earlier run into a folder, if it can be read.
pub(crate) fn read(folder: &Path) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(folder.join(NAME)).ok()?).ok()
}

/// The files in the folder that an earlier run into it listed; none if no manifest can be read.
pub(crate) fn listed_before(folder: &Path) -> Vec<Listed> {
    let value = read(folder).unwrap_or_default();
    let of_frames = value["frames"].as_array().into_iter().flatten().map(|frame| &frame["files"]);
    let lists = of_frames.chain([&value["files"]]);
    let listed = lists.filter_map(Value::as_array).flatten().filter_map(Listed::from_json);
    listed.filter(Listed::is_inside).collect()
}

/// A file as it was when hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub listed: Listed,
    /// Its modification time, in ns since 1970.
    pub modified: u64,
    /// By which it is recognized without reading it, see [`identity`].
    pub identity: Option<[u64; 3]>,
}

impl Known {
    pub fn to_json(&self) -> Value {
        let mut value = self.listed.to_json();
        value["modified"] = json!(self.modified);
        value["identity"] = json!(self.identity);
        value
    }

    pub fn from_json(value: &Value) -> Option<Self> {
        let identity = serde_json::from_value(value["identity"].clone()).ok()?;
        Some(Known { listed: Listed::from_json(value)?, modified: value["modified"].as_u64()?, identity })
    }

    /// Whether a file has this one's size and modification time. Both can be put back.
    fn seems_at(&self, path: &Path) -> bool {
        stamp(path) == Some((self.listed.bytes, self.modified))
    }

    /// Whether a file certainly is this one, unchanged.
    pub fn is_at(&self, path: &Path) -> bool {
        self.identity.is_some() && self.seems_at(path) && identity(path) == self.identity
    }

    /// Whether a file has this one's contents; it is read if that is not certain.
    pub fn is_still(&self, path: &Path, control: &Control) -> Result<bool> {
        if self.is_at(path) {
            return Ok(true);
        }
        let now = Listed { file: path.into(), ..self.listed.clone() };
        now.is_there(Path::new(""), control)
    }
}

/// An input, to see whether it changes while a job runs.
pub(crate) struct Watched {
    path: PathBuf,
    known: Known,
}

impl Watched {
    /// Hashes a file, unless it certainly is the one known under its name. It is listed relative to `folder` if it lies
    /// there.
    pub fn new(
        path: &Path,
        folder: &Path,
        before: &HashMap<PathBuf, Known>,
        control: &Control,
    ) -> Result<Self> {
        let file = path.strip_prefix(folder).unwrap_or(path);
        let known = match before.get(file).filter(|known| known.is_at(path)) {
            Some(known) => known.clone(),
            None => {
                // Before reading: changes made meanwhile are noticed.
                let (modified, identity) = (stamp(path).map_or(0, |(_, modified)| modified), identity(path));
                Known { listed: Listed::new(path, folder, control)?, modified, identity }
            }
        };
        Ok(Watched { path: path.to_path_buf(), known })
    }

    /// Where it is.
    pub fn path(&self) -> &PathBuf {
        &self.path
    }

    /// As it is known.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// As it is listed.
    pub fn listed(&self) -> &Listed {
        &self.known.listed
    }

    /// An error when the file has changed since. Whatever the job read of it is what was hashed, see
    /// [`Reads`](sinew_formats::reads::Reads).
    pub fn check(&self, control: &Control) -> Result<()> {
        if self.known.seems_at(&self.path) || self.known.is_still(&self.path, control)? {
            return Ok(());
        }
        let message =
            "this file changed while the job ran: the results belong to what it held before; run again";
        Err(Error::new(Kind::Io, message).file(&self.path))
    }
}

/// The size and modification time of a file, the latter in ns since 1970.
pub(crate) fn stamp(path: &Path) -> Option<(u64, u64)> {
    let found = std::fs::metadata(path).ok()?;
    let modified = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((found.len(), u64::try_from(modified.as_nanos()).ok()?))
}

/// What nobody can put back once a file is changed or replaced: the time of its last change, as the system keeps it, in
/// ns since 1970, its inode and its device. None where the system has no such time, and for a file changed so recently
/// that a further change could have the same time.
fn identity(path: &Path) -> Option<[u64; 3]> {
    /// File systems count in steps of up to two seconds.
    const STEP: u64 = 2_000_000_000;
    let [changed, inode, device] = inode(&std::fs::metadata(path).ok()?)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    let is_over = changed.checked_add(STEP)? < u64::try_from(now.as_nanos()).ok()?;
    is_over.then_some([changed, inode, device])
}

#[cfg(unix)]
fn inode(found: &std::fs::Metadata) -> Option<[u64; 3]> {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(found.ctime()).ok()?;
    let changed = seconds.checked_mul(1_000_000_000)?.checked_add(u64::try_from(found.ctime_nsec()).ok()?)?;
    Some([changed, found.ino(), found.dev()])
}

#[cfg(not(unix))]
fn inode(_: &std::fs::Metadata) -> Option<[u64; 3]> {
    None
}

/// The SHA-256 of a text as read by this version of Sinew.
pub(crate) fn print_of(text: &str) -> String {
    fingerprint(text, std::iter::empty())
}

/// What distinguishes jobs: the scene, and the contents of the files that it reads.
pub(crate) fn fingerprint<'a>(scene: &str, inputs: impl Iterator<Item = &'a Listed>) -> String {
    let mut hash = Sha256::new();
    hash.update(sinew_version::VERSION);
    hash.update("\n");
    hash.update(scene);
    inputs.for_each(|input| hash.update(&input.sha256));
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
        assert_eq!(stopped.kind(), Kind::Cancelled, "a cancelled check must not report the file as missing");
    }
}
