//! The working files in the results' folder: the folder `.sinew` (`.sinew-once` for a run that cannot be resumed), and
//! the file `.sinew-lock`, which is locked while a run lasts. In the folder runs keep what others need to resume:
//!
//! | file | what it holds | written |
//! |---|---|---|
//! | `job.json` | what was solved: the fingerprint of nodes, inputs and frames | at the start |
//! | `record.N.bin` | the result of the Nth frame | first; the one before is deleted if it is not needed any more |
//! | `done.N.json` | the frame's entry in the report, and its files | after the frame's files, by any run |
//! | `state.N.bin` | the nodes' state after the Nth frame | last; then the one before is deleted |
//! | `whole.json` | the files that hold all frames | after them |
//!
//! Each appears whole or not at all, so that the last state shows how far the solving has come. Every stored frame was
//! computed from the very bytes whose hashes are in `job.json`: a run that reads others stops before it stores anything
//! made of them, see [`Reads`](sinew_formats::reads::Reads).

use super::manifest::{Known, Listed};
use super::record::FrameRecord;
use serde_json::{Value, json};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::atomic;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) const NAME: &str = ".sinew";
/// The same for a run that cannot be resumed.
pub(crate) const ONCE: &str = ".sinew-once";
/// The file whose lock a run holds.
pub(crate) const LOCK: &str = ".sinew-lock";

/// Held as long as a run writes into a folder.
pub struct Lock {
    path: PathBuf,
    shared: bool,
    _file: File,
}

impl Lock {
    /// Locks the folder, exclusively or `shared` with others; an error if another run has it. Files that killed runs
    /// have left half-written are removed if nobody else can be writing them.
    pub fn new(results: &Path, shared: bool) -> Result<Self> {
        let path = results.join(LOCK);
        let failed = |e: std::io::Error| Error::io(&path, &e);
        let mut file =
            File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
        let taken = if shared { file.try_lock_shared() } else { file.try_lock() };
        if taken.is_err() {
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
        let entries = std::fs::read_dir(results).map_err(|e| Error::io(results, &e))?.flatten();
        for entry in entries.filter(|_| !shared) {
            let name = entry.file_name();
            if name.to_str().is_some_and(atomic::is_unfinished) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
        Ok(Lock { path, shared, _file: file })
    }
}

/// The name of this machine, if known.
fn host() -> String {
    let named = ["HOSTNAME", "COMPUTERNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    let named = named.or_else(|| std::fs::read_to_string("/proc/sys/kernel/hostname").ok());
    named.map_or_else(|| "an unnamed machine".into(), |name| name.trim().to_string())
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Others may hold it, and would no longer be noticed.
        if !self.shared {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// What is known about a frame whose files are written.
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
    /// Whether the runs in it cannot be resumed.
    once: bool,
}

/// What is solved: fingerprints of everything, and of the scene without the contents of files; the files.
pub struct Solves {
    pub all: String,
    pub scene: String,
    pub read: Vec<Listed>,
}

/// What earlier runs have solved.
#[derive(Default)]
pub struct Solved {
    /// The number of frames.
    pub frames: usize,
    /// The nodes' state after the last of them.
    pub state: Vec<u8>,
}

impl Work {
    /// The folder in that of the results, whatever is in it.
    fn of(results: &Path) -> Self {
        Work { folder: results.join(NAME), once: false }
    }

    /// The folder in that of the results, if it holds the same solve, with what was solved; otherwise emptied.
    pub fn open(results: &Path, solves: &Solves, inputs: &[Known], go_on: bool) -> Result<(Self, Solved)> {
        let work = Work::of(results);
        if go_on
            && work.solves().as_deref() == Some(&solves.all)
            && let Some(solved) = work.left()
        {
            return Ok((work, solved));
        }
        work.clear()?;
        std::fs::create_dir_all(&work.folder).map_err(|e| Error::io(&work.folder, &e))?;
        let inputs: Vec<Value> = inputs.iter().map(Known::to_json).collect();
        let head = json!({ "solves": solves.all, "scene": solves.scene, "inputs": inputs });
        let head = head.to_string();
        atomic::write(&work.folder.join("job.json"), |file| file.write_all(head.as_bytes()))?;
        Ok((work, Solved::default()))
    }

    /// The same for a run that only makes files from what was solved; an error if that was something else.
    pub fn find(results: &Path, solves: &str) -> Result<Self> {
        let work = Work::of(results);
        let message = match work.solves() {
            Some(known) if known == solves => return Ok(work),
            Some(_) => {
                "what was solved here belongs to another job, or its files have changed since: run only `solve` \
                 to start over"
            }
            None => "nothing has been solved yet: run only `solve` first",
        };
        Err(Error::new(Kind::MissingFile, message).file(results))
    }

    /// An empty folder for a run that cannot be resumed.
    pub fn once(results: &Path) -> Result<Self> {
        let work = Work { folder: results.join(ONCE), once: true };
        work.clear()?;
        std::fs::create_dir_all(&work.folder).map_err(|e| Error::io(&work.folder, &e))?;
        Ok(work)
    }

    /// The fingerprint of what is being solved in a results' folder.
    pub fn solves(&self) -> Option<String> {
        Some(self.head()?["solves"].as_str()?.to_string())
    }

    /// What was known of the inputs of what is being solved in a results' folder.
    pub fn inputs(results: &Path) -> Vec<Known> {
        let head = Work::of(results).head().unwrap_or_default();
        head["inputs"].as_array().into_iter().flatten().filter_map(Known::from_json).collect()
    }

    /// What is being solved in a results' folder, if it is not this: the fingerprint of its scene, what was known of
    /// the inputs, and how many frames are solved.
    pub fn before(results: &Path, solves: &str) -> Option<(String, Vec<Known>, usize)> {
        let work = Work::of(results);
        work.solves().filter(|known| known != solves)?;
        let scene = work.head()?["scene"].as_str().unwrap_or_default().to_string();
        Some((scene, Work::inputs(results), work.left().map_or(0, |solved| solved.frames)))
    }

    fn head(&self) -> Option<Value> {
        self.json("job.json")
    }

    fn json(&self, name: &str) -> Option<Value> {
        serde_json::from_slice(&std::fs::read(self.folder.join(name)).ok()?).ok()
    }

    /// What earlier runs solved, if it is complete.
    fn left(&self) -> Option<Solved> {
        let names = std::fs::read_dir(&self.folder).ok()?;
        let number = |name: &str| name.strip_prefix("state.")?.strip_suffix(".bin")?.parse::<usize>().ok();
        let last = names.filter_map(|entry| number(entry.ok()?.file_name().to_str()?)).max()?;
        self.has_moment(last).then_some(())?;
        Some(Solved { frames: last + 1, state: std::fs::read(self.path("state", last, "bin")).ok()? })
    }

    /// What is known about a frame whose files were written by this job.
    pub fn done(&self, job: &str, place: usize) -> Option<Done> {
        let mut value = self.json(&format!("done.{place}.json"))?;
        let files = value["files"].as_array()?.iter().map(Listed::from_json).collect::<Option<_>>()?;
        (value["job"] == job).then(|| Done { row: value["row"].take(), files })
    }

    /// Records that the files of a frame are written.
    pub fn finish(&self, job: &str, place: usize, done: &Done) -> Result<()> {
        let text = json!({ "job": job, "row": done.row, "files": listed(&done.files) }).to_string();
        atomic::write(&self.path("done", place, "json"), |file| file.write_all(text.as_bytes()))
    }

    /// The files that hold all frames, if this job has written them.
    pub fn whole(&self, job: &str) -> Option<Vec<Listed>> {
        let value = self.json("whole.json").filter(|value| value["job"] == job)?;
        value["files"].as_array()?.iter().map(Listed::from_json).collect()
    }

    /// Records that the files that hold all frames are written.
    pub fn finish_whole(&self, job: &str, files: &[Listed]) -> Result<()> {
        let text = json!({ "job": job, "files": listed(files) }).to_string();
        atomic::write(&self.folder.join("whole.json"), |file| file.write_all(text.as_bytes()))
    }

    fn path(&self, what: &str, place: usize, ending: &str) -> PathBuf {
        self.folder.join(format!("{what}.{place}.{ending}"))
    }

    /// Stores the result of a frame.
    pub fn store(&self, place: usize, record: &FrameRecord) -> Result<()> {
        let path = self.path("record", place, "bin");
        if self.once { record.save_for_now(&path) } else { record.save(&path) }
    }

    /// Whether the result of a frame is stored.
    pub fn has_moment(&self, place: usize) -> bool {
        self.path("record", place, "bin").is_file()
    }

    /// Deletes the result of a frame.
    pub fn forget_moment(&self, place: usize) {
        // A leftover is deleted with the folder.
        let _ = std::fs::remove_file(self.path("record", place, "bin"));
    }

    /// The result of a frame.
    pub fn record(&self, place: usize) -> Result<FrameRecord> {
        FrameRecord::load(&self.path("record", place, "bin"))
    }

    /// Stores the nodes' state after a solved frame.
    pub fn store_state(&self, place: usize, state: &[u8]) -> Result<()> {
        atomic::write(&self.path("state", place, "bin"), |file| file.write_all(state))?;
        if place > 0 {
            // A leftover is just older than the newest, which is used.
            let _ = std::fs::remove_file(self.path("state", place - 1, "bin"));
        }
        Ok(())
    }

    /// The files that unfinished runs into a folder have written.
    pub fn listed(results: &Path) -> Vec<Listed> {
        let work = Work::of(results);
        let entries = std::fs::read_dir(&work.folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let reported = names.filter_map(|name| work.json(&name).filter(|_| name.ends_with(".json")));
        let files = reported.flat_map(|reported| reported["files"].as_array().cloned().unwrap_or_default());
        files.filter_map(|file| Listed::from_json(&file)).filter(Listed::is_inside).collect()
    }

    /// Removes what runs into a folder have stored.
    pub fn remove(results: &Path) -> Result<()> {
        Work::of(results).clear()
    }

    /// Removes the folder.
    pub fn clear(&self) -> Result<()> {
        // Without this file nobody resumes from the remains of an interrupted removal.
        let _ = std::fs::remove_file(self.folder.join("job.json"));
        match std::fs::remove_dir_all(&self.folder) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::io(&self.folder, &e)),
            _ => Ok(()),
        }
    }
}

fn listed(files: &[Listed]) -> Vec<Value> {
    files.iter().map(Listed::to_json).collect()
}
