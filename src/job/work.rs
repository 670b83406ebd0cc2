//! What stands in the results' folder while a job runs: the folder `.sinew` (`.sinew-once` for a run that nobody goes on
//! from), and the file `.sinew-lock`, which is locked as long as the run lasts. In the folder a run keeps what it needs to go on after it was killed:
//!
//! | file | what it holds | written |
//! |---|---|---|
//! | `job.json` | the job's fingerprint | at the start |
//! | `moment.N.bin` | what the Nth frame gave | before the frame's files; when no file is to hold all frames, the one before goes |
//! | `done.N.json` | the frame's entry in the report, and its files | after them |
//! | `state.N.bin` | what the skin remembers after the Nth frame | last; then that before it goes |
//!
//! Each appears whole or not at all, so that the last state tells how far the run has come.

use super::manifest::Listed;
use super::moment::Moment;
use crate::error::{Error, Kind, Result};
use crate::formats::atomic;
use serde_json::{Value, json};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

const NAME: &str = ".sinew";
/// The same for a run that nobody goes on from.
const ONCE: &str = ".sinew-once";
/// The file whose lock a run holds.
const LOCK: &str = ".sinew-lock";

/// Held as long as a run writes into a folder.
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the folder; an error when another run has it. What killed runs have left half-written goes.
    pub fn new(results: &Path) -> Result<Self> {
        let path = results.join(LOCK);
        let failed = |e: std::io::Error| Error::io(&path, &e);
        let mut file =
            File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        if file.try_lock().is_err() {
            let holder = std::fs::read_to_string(&path).unwrap_or_default();
            let message = match holder.trim() {
                "" => "another run is writing into this folder".to_string(),
                holder => format!("another run is writing into this folder: {holder:.200}"),
            };
            return Err(Error::new(Kind::Io, message).file(results));
        }
        file.set_len(0)
            .and_then(|()| writeln!(file, "process {} on {}", std::process::id(), host()))
            .map_err(failed)?;
        for entry in std::fs::read_dir(results).map_err(|e| Error::io(results, &e))?.flatten() {
            let name = entry.file_name();
            if name.to_str().is_some_and(atomic::is_unfinished) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
        Ok(Lock { path, _file: file })
    }
}

/// The name of this machine, as far as it is told.
fn host() -> String {
    let named = ["HOSTNAME", "COMPUTERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let named = named.or_else(|| std::fs::read_to_string("/proc/sys/kernel/hostname").ok());
    named.map_or_else(|| "an unnamed machine".into(), |name| name.trim().to_string())
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// What is known of a frame whose files are written.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// Its entry in the report.
    pub row: Value,
    /// Its files.
    pub files: Vec<Listed>,
}

/// The folder.
pub struct Work {
    folder: PathBuf,
}

impl Work {
    /// The folder in that of the results, as an earlier run of the same job left it, with the frames that are done and
    /// the state after them; else empty.
    pub fn open(results: &Path, fingerprint: &str, go_on: bool) -> Result<(Self, Vec<Done>, Vec<u8>)> {
        let work = Work { folder: results.join(NAME) };
        if go_on
            && work.fingerprint().as_deref() == Some(fingerprint)
            && let Some((done, state)) = work.left()
        {
            return Ok((work, done, state));
        }
        work.clear()?;
        std::fs::create_dir_all(&work.folder).map_err(|e| Error::io(&work.folder, &e))?;
        let head = json!({ "job": fingerprint }).to_string();
        atomic::write(&work.folder.join("job.json"), |file| file.write_all(head.as_bytes()))?;
        Ok((work, Vec::new(), Vec::new()))
    }

    /// An empty folder for a run that nobody goes on from.
    pub fn once(results: &Path) -> Result<Self> {
        let work = Work { folder: results.join(ONCE) };
        work.clear()?;
        std::fs::create_dir_all(&work.folder).map_err(|e| Error::io(&work.folder, &e))?;
        Ok(work)
    }

    /// Whether an unfinished run of another job is in the results' folder.
    pub fn is_of_another(results: &Path, fingerprint: &str) -> bool {
        let work = Work { folder: results.join(NAME) };
        work.fingerprint().is_some_and(|known| known != fingerprint)
    }

    fn fingerprint(&self) -> Option<String> {
        let text = std::fs::read(self.folder.join("job.json")).ok()?;
        let head: Value = serde_json::from_slice(&text).ok()?;
        Some(head["job"].as_str()?.to_string())
    }

    /// What an earlier run left, when it is all there.
    fn left(&self) -> Option<(Vec<Done>, Vec<u8>)> {
        let names = std::fs::read_dir(&self.folder).ok()?;
        let number = |name: &str| name.strip_prefix("state.")?.strip_suffix(".bin")?.parse::<usize>().ok();
        let last = names.filter_map(|entry| number(entry.ok()?.file_name().to_str()?)).max()?;
        let done = (0..=last).map(|place| self.done(place)).collect::<Option<Vec<_>>>()?;
        self.has_moment(last).then_some(())?;
        Some((done, std::fs::read(self.path("state", last, "bin")).ok()?))
    }

    fn done(&self, place: usize) -> Option<Done> {
        let text = std::fs::read(self.path("done", place, "json")).ok()?;
        let mut value: Value = serde_json::from_slice(&text).ok()?;
        let files = value["files"].as_array()?.iter().map(Listed::from_json).collect::<Option<_>>()?;
        Some(Done { row: value["row"].take(), files })
    }

    fn path(&self, what: &str, place: usize, ending: &str) -> PathBuf {
        self.folder.join(format!("{what}.{place}.{ending}"))
    }

    /// Stores what a frame gave.
    pub fn store(&self, place: usize, moment: &Moment) -> Result<()> {
        moment.save(&self.path("moment", place, "bin"))
    }

    /// Whether what a frame gave is stored.
    pub fn has_moment(&self, place: usize) -> bool {
        self.path("moment", place, "bin").is_file()
    }

    /// What a frame gave is needed no more.
    pub fn forget_moment(&self, place: usize) {
        // One that stays behind goes with the folder.
        let _ = std::fs::remove_file(self.path("moment", place, "bin"));
    }

    /// What a frame gave.
    pub fn moment(&self, place: usize) -> Result<Moment> {
        Moment::load(&self.path("moment", place, "bin"))
    }

    /// The frame's files are written, and this is the state after it.
    pub fn finish(&self, place: usize, done: &Done, state: &[u8]) -> Result<()> {
        let files: Vec<Value> = done.files.iter().map(Listed::to_json).collect();
        let text = json!({ "row": done.row, "files": files }).to_string();
        atomic::write(&self.path("done", place, "json"), |file| file.write_all(text.as_bytes()))?;
        atomic::write(&self.path("state", place, "bin"), |file| file.write_all(state))?;
        if place > 0 {
            // One that stays behind is only older than the newest, which counts.
            let _ = std::fs::remove_file(self.path("state", place - 1, "bin"));
        }
        Ok(())
    }

    /// Takes the folder away.
    pub fn clear(&self) -> Result<()> {
        // Without this file nobody goes on from what a kill in the midst leaves.
        let _ = std::fs::remove_file(self.folder.join("job.json"));
        match std::fs::remove_dir_all(&self.folder) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io(&self.folder, &e)),
            _ => Ok(()),
        }
    }
}
