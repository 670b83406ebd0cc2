//! Jobs: a scene from its files to all its outputs, as the command line runs it.

use super::context::{Callbacks, Shared, SinewContext};
use super::pointers::{null, put, put_bytes, text, text_if_any};
use super::status::{SinewStatus, guard, take_turn};
use super::structs::{Sized10, read_struct};
use crate::control::{Control, Level, Listener};
use crate::error::{Error, Kind, Result};
use crate::job::{Plan, Request, Watch, Way};
use crate::scene::frames::parse_frames;
use std::ffi::c_char;
use std::sync::{Arc, Mutex};

/// SinewJobConfig.flags: start over from the first frame, even if an earlier run could be resumed.
pub const SINEW_JOB_RESTART: u32 = 1;
/// SinewJobConfig.flags: keep the results of the nodes in the output folder, so that a job with other images need not
/// compute them again.
pub const SINEW_JOB_KEEP: u32 = 2;
/// SinewJobConfig.flags: check everything that can be checked before the first frame, and write nothing.
pub const SINEW_JOB_DRY_RUN: u32 = 4;

/// What a job runs, and how; the options of `sinew run`. All zero except struct_size and scene is a good default. Since
/// ABI 1.10.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct SinewJobConfig {
    /// sizeof(SinewJobConfig)
    pub struct_size: u32,
    /// 0, or SINEW_JOB_RESTART, SINEW_JOB_KEEP and SINEW_JOB_DRY_RUN, added up.
    pub flags: u32,
    /// The path of the scene file, which has outputs. The names in it are relative to its folder.
    pub scene: *const c_char,
    /// The folder to write into, or NULL for that of the scene.
    pub folder: *const c_char,
    /// The part of the job that is done: "solve", "images", "caches" or "page"; NULL for everything.
    pub only: *const c_char,
    /// Only these of the job's frames, such as "1-48" or "1,5,9", or NULL.
    pub frames: *const c_char,
    /// Parameters that override those of the scene: each is NAME=VALUE, or NODE.NAME=VALUE if there are several nodes.
    pub settings: *const *const c_char,
    /// The number of settings, at most 4096.
    pub setting_count: u32,
    /// Zero.
    pub reserved: u32,
}

// SAFETY: repr(C), begins with its struct_size, plain numbers and pointers.
unsafe impl Sized10 for SinewJobConfig {
    const NAME: &'static str = "SinewJobConfig";
    // As it was in version 1.10, which has brought it.
    const SIZE_1_0: usize = 56;
}

/// More settings cannot be meant: they may lie beyond the caller's memory.
const MOST_SETTINGS: u32 = 4096;

/// A job. Opaque. Since ABI 1.10.
pub struct SinewJob {
    context: Arc<Shared>,
    /// For cancelling only; the listener of a run is that of the context.
    control: Control,
    work: Mutex<Work>,
}

struct Work {
    request: Request,
    dry_run: bool,
    report: String,
}

/// The report where no run has had an outcome.
const NO_REPORT: &str = "{}";

/// What a host hears of a run. Log lines of nodes are not for it: the warnings of the job contain them, with their
/// frames.
#[derive(Clone)]
struct Heard(Arc<Callbacks>);

impl Listener for Heard {
    fn progress(&self, done: f64, task: &str) -> bool {
        self.0.progress(done, task)
    }
}

impl Watch for Heard {
    fn note(&mut self, text: &str) {
        self.0.log(Level::Info, text);
    }

    fn warn(&mut self, text: &str) {
        self.0.log(Level::Warning, text);
    }
}

impl Work {
    /// # Safety
    /// `config` is NULL or readable for its `struct_size` bytes, and so are its texts.
    unsafe fn read(config: *const SinewJobConfig) -> Result<Self> {
        // SAFETY: the caller's promise, here and below.
        let c = unsafe { read_struct(config)? };
        let is_set = |flag: u32| c.flags & flag != 0;
        if is_set(!(SINEW_JOB_RESTART | SINEW_JOB_KEEP | SINEW_JOB_DRY_RUN)) {
            let message = format!("{} is not a combination of job flags", c.flags);
            return Err(Error::new(Kind::InvalidArgument, message));
        }
        // SAFETY: as above.
        let (scene, folder, only, frames) = unsafe {
            (
                text(c.scene, "scene")?,
                text_if_any(c.folder, "folder")?,
                text_if_any(c.only, "only")?,
                text_if_any(c.frames, "frames")?,
            )
        };
        let unknown =
            |e| Error::new(Kind::InvalidArgument, format!("only {:?}: {e}", only.unwrap_or_default()));
        let plan = Plan {
            way: if is_set(SINEW_JOB_RESTART) { Way::Restart } else { Way::GoOn },
            only: only.map(str::parse).transpose().map_err(unknown)?,
            frames: frames.map(parse_frames).transpose()?,
            keep: is_set(SINEW_JOB_KEEP),
            resume: None,
        };
        let request = Request {
            scene: scene.into(),
            // SAFETY: as above.
            settings: unsafe { settings(&c)? },
            folder: folder.map(Into::into),
            plan,
        };
        Ok(Work { request, dry_run: is_set(SINEW_JOB_DRY_RUN), report: NO_REPORT.into() })
    }

    /// Returns the report of the run, and whether all frames are right.
    fn run(&self, control: &Control, mut heard: Heard) -> Result<(String, Result<()>)> {
        if self.dry_run {
            let look = self.request.look(control)?;
            look.warnings.iter().for_each(|warning| heard.warn(warning));
            return Ok((look.to_json().to_string(), Ok(())));
        }
        let outcome = self.request.run(control, &mut heard)?;
        Ok((outcome.summary.report.to_string(), outcome.check()))
    }
}

/// # Safety
/// `settings` is NULL or readable for as many pointers as there are settings, each NULL or terminated text.
unsafe fn settings(c: &SinewJobConfig) -> Result<Vec<String>> {
    if c.setting_count > MOST_SETTINGS {
        let message = format!("setting_count is {}; at most {MOST_SETTINGS} are possible", c.setting_count);
        return Err(Error::new(Kind::TooLarge, message));
    }
    if c.settings.is_null() && c.setting_count > 0 {
        return Err(null("settings"));
    }
    let setting = |k: u32| {
        // SAFETY: not NULL, so readable for that many; alignment is not assumed.
        unsafe { text(c.settings.add(k as usize).read_unaligned(), "a setting") }.map(String::from)
    };
    (0..c.setting_count).map(setting).collect()
}

/// # Safety
/// `job` is NULL or alive.
unsafe fn handle<'a>(job: *mut SinewJob) -> Result<&'a SinewJob> {
    // SAFETY: the caller's promise; shared, because another thread may cancel at the same time.
    unsafe { job.as_ref() }.ok_or_else(|| null("job"))
}

/// `[thread-safe]` Creates a job, with the threads and callbacks of a context. The scene is read by each run. Since ABI
/// 1.10.
///
/// # Safety
/// `context` is NULL or alive; `config` is NULL or readable for its `struct_size` bytes, and so are its texts; `job` is
/// NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_job_create(
    context: *const SinewContext,
    config: *const SinewJobConfig,
    job: *mut *mut SinewJob,
) -> SinewStatus {
    guard(|| {
        if context.is_null() || job.is_null() {
            return Err(null(if context.is_null() { "context" } else { "job" }));
        }
        // SAFETY: the caller's promise above.
        let (context, work) = unsafe { ((*context).0.clone(), Mutex::new(Work::read(config)?)) };
        let made = SinewJob { context, control: Control::default(), work };
        // SAFETY: as above.
        unsafe { put(job, "job", Box::into_raw(Box::new(made))) }
    })
}

/// `[one call per handle at a time]` Runs a job as `sinew run` does: computes and writes what earlier runs, of this
/// handle or any program, have left to do, and writes the same bytes. Every file appears whole or not at all. A run
/// that was cancelled, failed or killed is resumed by the next. The task that the progress callback gets begins with
/// the frame that is computed; the log callback gets notes (2) and warnings (1). If frames failed, and the scene lets
/// the last good result stand in for them, or if results are wrong, everything is written and there is a report, but
/// the status is not SINEW_OK. Since ABI 1.10.
///
/// # Safety
/// `job` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_job_run(job: *mut SinewJob) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        let job = unsafe { handle(job)? };
        let mut work = take_turn(&job.work, "the job")?;
        work.report = NO_REPORT.into();
        job.control.reset();
        let heard = Heard(job.context.callbacks.clone());
        let control = job.control.heard_by(Arc::new(heard.clone()));
        let (report, is_right) = job.context.threads.run(|| work.run(&control, heard))?;
        work.report = report;
        is_right
    })
}

/// `[one call per handle at a time]` The outcome of the last run, as JSON by the rules of sinew_node_get_text: the
/// object that `sinew --json run` prints, which is also in report.json; after a dry run that of `sinew --json run
/// --dry-run` ("frames", "reads", "writes", "warnings"); "{}" where there is none. Since ABI 1.10.
///
/// # Safety
/// `job` is NULL or alive; `buffer` is NULL or writable for `size` bytes; `needed` is NULL or writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_job_report(
    job: *mut SinewJob,
    buffer: *mut u8,
    size: u64,
    needed: *mut u64,
) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        let work = take_turn(&unsafe { handle(job)? }.work, "the job")?;
        // SAFETY: as above.
        unsafe { put_bytes(work.report.as_bytes(), buffer, size, needed) }
    })
}

/// `[thread-safe]` Asks the running call on a job to stop; it soon returns SINEW_CANCELLED, and another run resumes. If
/// none is running, nothing happens; sinew_node_cancel says how a host loses no cancel. Since ABI 1.10.
///
/// # Safety
/// `job` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_job_cancel(job: *mut SinewJob) -> SinewStatus {
    guard(|| {
        // SAFETY: the caller's promise above.
        unsafe { handle(job) }?.control.cancel();
        Ok(())
    })
}

/// `[one call per handle at a time]` Destroys a job; its files stay. No other call on it may be running. NULL is
/// allowed. Since ABI 1.10.
///
/// # Safety
/// `job` is NULL or came from `sinew_job_create` and was not destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sinew_job_destroy(job: *mut SinewJob) {
    guard(|| {
        if !job.is_null() {
            // SAFETY: the caller gives back what Box::into_raw gave.
            drop(unsafe { Box::from_raw(job) });
        }
        Ok(())
    });
}
