//! Checks the names of results: each must lie in the results folder, no file is written twice, and none replaces an
//! input, a folder, or what Sinew itself keeps beside the results.

use super::super::store::finished;
use super::super::store::work;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::inside::whole;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

/// A file of the results: in their folder, or anywhere if its path is absolute.
pub(super) fn inside(folder: &Path, file: &str) -> Result<PathBuf> {
    let path = Path::new(file);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if plain || path.is_absolute() {
        return Ok(folder.join(path));
    }
    let message = format!("{file:?} is not in the results' folder");
    Err(Error::new(Kind::InvalidArgument, message))
}

/// Checks that a file's name ends as its format does: `what` names the element or the option.
pub fn named(what: &str, file: &Path, endings: &[&str]) -> Result<()> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if endings.iter().any(|known| known.eq_ignore_ascii_case(ending)) {
        return Ok(());
    }
    let known: Vec<String> = endings.iter().map(|known| format!(".{known}")).collect();
    let message = format!("{what} writes {}: its name must end like that", known.join(" or "));
    Err(Error::new(Kind::InvalidArgument, message).file(file))
}

/// Whether Sinew itself keeps files under a name in a results' folder, on disks that ignore case, too.
fn is_ours(name: &OsStr) -> bool {
    [work::NAME, work::ONCE, work::LOCK, finished::NAME].iter().any(|ours| name.eq_ignore_ascii_case(ours))
}

/// Whether a file of the results would be among those that Sinew itself keeps in the results' folder, which it
/// overwrites and removes; or the folder is one of these. Both by their canonical names.
fn is_among_ours(folder: &Path, path: &Path) -> bool {
    let first = path.strip_prefix(folder).ok().and_then(|below| below.components().next());
    first.is_some_and(|first| is_ours(first.as_os_str())) || folder.file_name().is_some_and(is_ours)
}

/// Checks everything that a job reads against everything that it will write, most of it into a folder.
pub fn check(folder: &Path, read: &[PathBuf], written: &[PathBuf]) -> Result<()> {
    let mut folders = Folders::default();
    let read: HashSet<PathBuf> = read.iter().map(|path| folders.whole(path)).collect();
    let mut taken = HashSet::new();
    let whole_folder = whole(&folder.join("results")).parent().map_or_else(PathBuf::new, Path::to_path_buf);
    for path in written {
        let whole = folders.whole(path);
        let message = if read.contains(&whole) {
            "the job reads this file: it would be overwritten"
        } else if is_among_ours(&whole_folder, &whole) {
            "Sinew keeps its own files under this name and removes them: choose another"
        } else if !taken.insert(whole) {
            "two of the results would have this name"
        } else if path.is_dir() {
            "a folder has this name"
        } else {
            continue;
        };
        return Err(Error::new(Kind::InvalidArgument, message).file(path));
    }
    Ok(())
}

/// The folders of files; each is resolved once however many files it has.
#[derive(Default)]
struct Folders<'a>(HashMap<&'a Path, PathBuf>);

impl<'a> Folders<'a> {
    /// The name of a file as [`whole`] has it.
    fn whole(&mut self, path: &'a Path) -> PathBuf {
        let folder = path.parent().unwrap_or(Path::new(""));
        if let (Some(known), Some(name)) = (self.0.get(folder), path.file_name()) {
            return known.join(name);
        }
        let whole = whole(path);
        // For something inside a file, the folder is that of the file.
        if let Some(known) = whole.parent().filter(|_| whole.file_name() == path.file_name()) {
            self.0.insert(folder, known.to_path_buf());
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_meet_are_reported_however_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("a")).unwrap();
        let at = |name: &str| folder.path().join(name);
        let reported = |read: &[&str], written: &[&str]| {
            let paths = |names: &[&str]| names.iter().map(|name| at(name)).collect::<Vec<_>>();
            check(folder.path(), &paths(read), &paths(written)).err().map(|e| e.message().to_string())
        };
        assert_eq!(reported(&["x.obj", "a/y.obj"], &["y.obj", "a/x.obj", "new/x.obj"]), None);
        assert!(reported(&["a/x.obj"], &["a/../a/x.obj"]).unwrap().contains("overwritten"));
        assert!(reported(&[], &["a/x.obj", "a/./x.obj"]).unwrap().contains("two of the results"));
        assert!(reported(&[], &["new/x.obj", "new/x.obj"]).unwrap().contains("two of the results"));
        assert!(reported(&[], &["a"]).unwrap().contains("a folder"));
        for ours in
            [".sinew/x.abc", "./.sinew/a/x.abc", ".SINEW-once/x.pc2", ".sinew-finished.json", ".sinew-lock"]
        {
            assert!(reported(&[], &[ours]).unwrap().contains("keeps its own files"), "{ours}");
        }
        let way = ["new/../.sinew/x.abc", ".sinew/new/../x.abc", "new/.././a/../.sinew-once/x.abc"];
        way.iter().for_each(|ours| {
            assert!(reported(&[], &[ours]).unwrap().contains("keeps its own files"), "{ours}")
        });
        assert_eq!(reported(&[], &[".sinew/../x.abc"]), None, "it leads out again");
        assert_eq!(reported(&[".sinew/y.obj"], &["a/.sinew/x.obj", ".sinewy.abc", "sinew/x.abc"]), None);
        let folder = at(".sinew");
        assert!(check(&folder, &[], &[folder.join("x.abc")]).is_err(), "the results' folder itself");
    }
}
