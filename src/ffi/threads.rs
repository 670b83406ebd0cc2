//! The threads of a context. Every step has threads of its own: in a shared pool a short step would wait for a long
//! one, and a worker of the long step that waits for its subtasks would start on the short one.

use crate::error::{Error, Kind, Result};
use std::mem::ManuallyDrop;
use std::num::NonZero;
use std::process;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// The maximum number of threads; more is a mistake in the config.
const MAX_THREADS: usize = 1024;

/// Where the steps of a context are computed.
pub(super) struct Threads {
    /// The number of threads of a step that runs alone; `None` if steps run on the callers' threads.
    most: Option<usize>,
    teams: Mutex<Teams>,
    process: u32,
}

#[derive(Default)]
struct Teams {
    /// Teams without work, the largest last.
    idle: Vec<Team>,
    busy: usize,
}

/// Threads that compute one step at a time.
struct Team {
    pool: ManuallyDrop<rayon::ThreadPool>,
    workers: Vec<JoinHandle<()>>,
    process: u32,
}

/// A working team, returned however the work ends.
struct Lease<'a> {
    threads: &'a Threads,
    team: Option<Team>,
}

impl Threads {
    /// `count` threads for each step, 0 for one per core.
    pub fn new(count: usize) -> Result<Self> {
        if count > MAX_THREADS {
            let message = format!("{count} threads; at most {MAX_THREADS} are possible");
            return Err(Error::new(Kind::OutOfRange, message));
        }
        let most = if count == 0 { thread::available_parallelism().map_or(1, NonZero::get) } else { count };
        Ok(Threads { most: Some(most), teams: Mutex::default(), process: process::id() })
    }

    /// Steps run on the threads of their callers.
    pub fn of_callers() -> Self {
        Threads { most: None, teams: Mutex::default(), process: process::id() }
    }

    /// Runs a step and waits for it.
    pub fn run<R: Send>(&self, step: impl FnOnce() -> Result<R> + Send) -> Result<R> {
        let Some(most) = self.most else { return on_this_thread(step) };
        if process::id() != self.process {
            let message = "this process was forked from the one that created the context, and threads do not survive \
                    a fork: create a context and nodes here, or use SINEW_ON_CALLING_THREAD";
            return Err(Error::new(Kind::Unsupported, message));
        }
        let lease = self.lease(most)?;
        match &lease.team {
            Some(team) => team.pool.install(step),
            None => Err(Error::new(Kind::Internal, "a step has no threads")),
        }
    }

    /// The largest idle team, or a new one with its share of the threads while others are working.
    fn lease(&self, most: usize) -> Result<Lease<'_>> {
        let (idle, busy) = {
            let mut teams = self.teams();
            teams.busy += 1;
            (teams.idle.pop(), teams.busy)
        };
        let mut lease = Lease { threads: self, team: idle };
        if lease.team.is_none() {
            lease.team = Some(Team::new((most / busy).max(1))?);
        }
        Ok(lease)
    }

    fn teams(&self) -> std::sync::MutexGuard<'_, Teams> {
        self.teams.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut teams = self.threads.teams();
        teams.busy -= 1;
        if let Some(team) = self.team.take() {
            let at = teams.idle.partition_point(|other| other.workers.len() < team.workers.len());
            teams.idle.insert(at, team);
        }
    }
}

impl Team {
    fn new(count: usize) -> Result<Self> {
        let mut workers = Vec::with_capacity(count);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|i| format!("sinew-{i}"))
            .spawn_handler(|worker| {
                let name = worker.name().map_or_else(|| "sinew".into(), ToString::to_string);
                workers.push(thread::Builder::new().name(name).spawn(|| worker.run())?);
                Ok(())
            })
            .build()
            .map_err(|e| Error::new(Kind::Io, format!("the threads could not be started: {e}")))?;
        Ok(Team { pool: ManuallyDrop::new(pool), workers, process: process::id() })
    }
}

impl Drop for Team {
    /// Waits for the threads to end: a host may unload the library next.
    fn drop(&mut self) {
        if process::id() != self.process {
            // A forked child has no threads to join; the memory they shared is left as it is.
            self.workers.drain(..).for_each(std::mem::forget);
            return;
        }
        // SAFETY: dropped once, here, and not used again.
        unsafe { ManuallyDrop::drop(&mut self.pool) };
        let me = thread::current().id();
        for worker in self.workers.drain(..).filter(|worker| worker.thread().id() != me) {
            // A worker that panicked has ended, too.
            let _ = worker.join();
        }
    }
}

/// Runs a step on this thread alone.
fn on_this_thread<R>(step: impl FnOnce() -> Result<R>) -> Result<R> {
    thread_local! {
        /// A pool that consists of this thread. It can be created only once and never released.
        static ALONE: Option<rayon::ThreadPool> =
            rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().ok();
    }
    // A thread that already belongs to a pool stays in it.
    let alone = rayon::current_thread_index().is_some() || ALONE.try_with(Option::is_some).unwrap_or(false);
    match alone {
        true => step(),
        false => Err(Error::new(Kind::Io, "this thread could not be set up for computing")),
    }
}
