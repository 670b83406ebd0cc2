//! What was read of which files, so that a file which changes between two reads is noticed, however briefly it
//! differed.
//!
//! Every block that is read while [`Reads::during`] runs is hashed and compared with what was read there before. A pass
//! over a whole file, such as the one that computes its SHA-256, thereby proves that everything used of the file,
//! before and after that pass, is what was hashed. Neither times nor sizes of files are trusted. Blocks are small
//! compared to a frame of a large file, so that little is hashed beyond what is used.

use sha2::{Digest, Sha256};
use sinew_base::error::{Error, Kind, Result};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of a block.
pub(super) const BLOCK: usize = 1 << 16;
/// Bytes kept of a block's SHA-256: blocks that agree in them are equal.
const KEPT: usize = 16;

thread_local! {
    static CURRENT: RefCell<Option<Reads>> = const { RefCell::new(None) };
}

/// A record of reads. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Reads(Arc<Mutex<BTreeMap<PathBuf, Seen>>>);

/// What was read of one file. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen(Arc<Mutex<Blocks>>);

#[derive(Debug, Default)]
struct Blocks {
    hashes: Vec<Option<[u8; KEPT]>>,
    has_changed: bool,
}

impl Reads {
    /// Runs `work`, and records what this thread opens meanwhile: its contents, whenever they are read.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        /// Puts back the record before, whichever way `work` ends.
        struct Restore(Option<Reads>);
        impl Drop for Restore {
            fn drop(&mut self) {
                CURRENT.set(self.0.take());
            }
        }
        let _restore = Restore(CURRENT.replace(Some(self.clone())));
        work()
    }

    /// The files that were opened.
    pub fn files(&self) -> Vec<PathBuf> {
        locked(&self.0).keys().cloned().collect()
    }

    /// An error that names a file which has changed between two reads.
    pub fn check(&self) -> Result<()> {
        let changed = |seen: &Seen| locked(&seen.0).has_changed;
        match locked(&self.0).iter().find(|(_, seen)| changed(seen)) {
            Some((path, _)) => Err(Error::new(Kind::Io, CHANGED).file(path)),
            None => Ok(()),
        }
    }

    /// What the current thread's record, if it has one, holds of a file.
    pub(super) fn of(path: &Path) -> Option<Seen> {
        let current = CURRENT.with_borrow(Clone::clone)?;
        let mut files = locked(&current.0);
        Some(files.entry(path.to_path_buf()).or_default().clone())
    }
}

/// What is said about a file that changed between two reads.
const CHANGED: &str = "this file changed while the job ran; nothing made from it since is kept: run again";

impl Seen {
    /// Records a block; an error if it was another before. One that is shorter than [`BLOCK`] ends the file.
    pub(super) fn block(&self, index: usize, bytes: &[u8]) -> std::io::Result<()> {
        let mut hash = [0; KEPT];
        hash.copy_from_slice(&Sha256::digest(bytes)[..KEPT]);
        let mut blocks = locked(&self.0);
        if blocks.hashes.len() <= index {
            blocks.hashes.resize(index + 1, None);
        }
        if *blocks.hashes[index].get_or_insert(hash) == hash {
            return Ok(());
        }
        blocks.has_changed = true;
        Err(std::io::Error::other(CHANGED))
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whatever panicked left a whole hash or none.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file;
    use std::io::{Read, Seek, SeekFrom};

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|k| (k * 31 % 251) as u8).collect()
    }

    #[test]
    fn files_read_in_pieces_have_their_bytes_whatever_the_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for count in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7] {
            let all = bytes(count);
            std::fs::write(&path, &all).unwrap();
            let reads = Reads::default();
            let mut input = reads.during(|| file::open(&path)).unwrap();
            assert_eq!(input.seek(SeekFrom::End(0)).unwrap(), count as u64);
            for at in [count / 2, 0, count.saturating_sub(1), count, count + 5] {
                assert_eq!(input.seek(SeekFrom::Start(at as u64)).unwrap(), at as u64);
                let mut rest = Vec::new();
                input.read_to_end(&mut rest).unwrap();
                assert!(rest == all[at.min(count)..], "{count} bytes from {at}");
                assert_eq!(input.stream_position().unwrap(), at.max(count) as u64);
            }
            assert!(reads.during(|| file::read(&path)).unwrap() == all);
            assert_eq!((reads.check(), reads.files()), (Ok(()), vec![path.clone()]));
        }
    }

    /// By length, by one bit in the middle, and both ways round; a time put back hides nothing.
    #[test]
    fn any_change_is_noticed_by_the_next_read_of_it_and_by_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let (last, count) = (2 * BLOCK + 5, 2 * BLOCK + 6);
        let written = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut all = bytes(count);
            change(&mut all);
            std::fs::write(&path, all).unwrap();
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
            std::fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        };
        type Change<'a> = &'a dyn Fn(&mut Vec<u8>);
        let changes: [Change; 4] =
            [&|all| all[last] ^= 1, &|all| all.truncate(last), &|all| all.push(0), &|all| {
                all.extend(bytes(3 * BLOCK))
            }];
        for change in changes {
            written(&|_| {});
            let reads = Reads::default();
            reads.during(|| file::read(&path)).unwrap();
            let mut input = reads.during(|| file::open(&path)).unwrap();
            written(change);
            let mut begin = [0; 9];
            input.read_exact(&mut begin).unwrap();
            assert_eq!((begin.as_slice(), reads.check()), (&bytes(9)[..], Ok(())), "nothing of it was read");
            input.seek(SeekFrom::Start(2 * BLOCK as u64)).unwrap();
            assert!(input.read_to_end(&mut Vec::new()).is_err());
            written(&|_| {});
            reads.during(|| file::read(&path)).unwrap();
            let error = reads.check().unwrap_err();
            assert_eq!((error.kind(), error.place().file.as_deref()), (Kind::Io, Some(path.as_path())));
            assert!(error.message().contains("changed while the job ran"), "{error}");
        }
    }

    #[test]
    fn what_other_threads_and_later_work_open_is_no_concern() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "a").unwrap();
        let reads = Reads::default();
        reads.during(|| std::thread::scope(|s| drop(s.spawn(|| file::read(&path)).join())));
        file::read(&path).unwrap();
        assert_eq!(reads.files(), Vec::<PathBuf>::new());
    }
}
