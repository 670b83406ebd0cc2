//! Runs tests, one process each: first recording what they reach, then with a mutant on.

use crate::sample::Mutant;
use crate::{Options, work};
use std::error::Error;
use std::fs;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A test and what it reaches.
#[derive(Clone)]
pub struct Test {
    program: PathBuf,
    name: String,
    seconds: f64,
    reached: Vec<usize>,
    /// Mutants that it caught in this run.
    caught: Arc<AtomicUsize>,
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    /// A test failed.
    Caught,
    /// A test took far longer than without it and was ended.
    Hung,
    /// No test runs this code.
    Unreached,
    /// Every test that reaches it passed.
    Survived,
}

/// Runs one test alone, for `limit` seconds at most: [`Outcome::Survived`] when it passes.
fn run_test(program: &Path, name: &str, mutation: &str, limit: f64) -> Result<Outcome, Box<dyn Error>> {
    let mut command = Command::new(program);
    command.args(["--exact", name, "--test-threads", "1"]).env("SINEW_MUTATION", mutation);
    command.current_dir(work().join("tree")).process_group(0);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if status.success() { Outcome::Survived } else { Outcome::Caught });
        }
        if start.elapsed().as_secs_f64() > limit {
            // The test and what it started.
            Command::new("kill").args(["-9", "--", &format!("-{}", child.id())]).status()?;
            child.wait()?;
            return Ok(Outcome::Hung);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// `results[i] = f(i)` on all cores.
fn parallel<T: Send>(
    count: usize,
    f: impl Fn(usize) -> Result<T, Box<dyn Error>> + Sync,
) -> Result<Vec<T>, Box<dyn Error>> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let worker = || {
        loop {
            let i = next.fetch_add(1, Relaxed);
            if i >= count {
                break;
            }
            let result = f(i).map_err(|e| e.to_string());
            results.lock().expect("no worker panics").push((i, result));
            if (i + 1) % 100 == 0 {
                eprintln!("{} of {count}", i + 1);
            }
        }
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        (0..cores).for_each(|_| drop(scope.spawn(worker)));
    });
    let mut results = results.into_inner().expect("no worker panics");
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result.map_err(Into::into)).collect()
}

/// Runs every test once and says which are left out. A program that hasn't changed isn't recorded again.
pub fn record(programs: &[PathBuf], mutants: usize, options: &Options) -> Result<Vec<Test>, Box<dyn Error>> {
    let folder = fs::canonicalize(work())?.join("recorded");
    fs::create_dir_all(&folder)?;
    let mut tests = Vec::new();
    for program in programs {
        let listing = Command::new(program).args(["--list", "--format", "terse"]).output()?;
        let listing = String::from_utf8(listing.stdout)?;
        tests.extend(
            listing.lines().filter_map(|l| l.strip_suffix(": test")).map(|t| (program, t.to_string())),
        );
    }
    let recorded = parallel(tests.len(), |i| {
        let (program, name) = &tests[i];
        let stem = program.file_name().unwrap_or_default().to_string_lossy();
        let path = folder.join(format!("{stem}-{}", name.replace("::", ".")));
        let modified = |path: &Path| fs::metadata(path).and_then(|m| m.modified());
        let bytes = match modified(&path).is_ok_and(|m| modified(program).is_ok_and(|p| p < m)) {
            true => fs::read(&path)?,
            false => {
                fs::write(&path, vec![0; mutants])?;
                let start = Instant::now();
                let outcome =
                    run_test(program, name, &format!("record:{}", path.display()), options.longest)?;
                let mut bytes = fs::read(&path)?;
                let seconds =
                    if outcome == Outcome::Survived { start.elapsed().as_secs_f64() } else { f64::INFINITY };
                bytes.extend(seconds.to_le_bytes());
                fs::write(&path, &bytes)?;
                bytes
            }
        };
        let (reached, seconds) = bytes.split_at_checked(mutants).ok_or("a record of other mutants")?;
        let seconds = f64::from_le_bytes(seconds.try_into()?);
        let reached = (0..mutants).filter(|&m| reached[m] != 0).collect();
        Ok(Test {
            program: program.to_path_buf(),
            name: name.clone(),
            seconds,
            reached,
            caught: Arc::default(),
        })
    })?;
    let (mut kept, left_out): (Vec<Test>, Vec<Test>) =
        recorded.into_iter().partition(|t| t.seconds.is_finite());
    for test in left_out {
        eprintln!("left out: {} of {}", test.name, test.program.display());
    }
    kept.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    eprintln!(
        "{} tests, {:.0} s one after the other",
        kept.len(),
        kept.iter().map(|t| t.seconds).sum::<f64>()
    );
    Ok(kept)
}

/// Runs every mutant; what noticed each is written to outcomes.txt at once.
pub fn run_all<'a>(
    mutants: &[&'a Mutant],
    tests: &[Test],
    options: &Options,
) -> Result<Vec<(&'a Mutant, Outcome)>, Box<dyn Error>> {
    let chosen: Vec<&&Mutant> = mutants
        .iter()
        .filter(|m| options.only.as_ref().is_none_or(|names| names.contains(&m.name)))
        .collect();
    let log = Mutex::new(fs::File::create(work().join("outcomes.txt"))?);
    let outcomes = parallel(chosen.len(), |i| {
        let (outcome, by) = run_one(chosen[i], tests, options)?;
        writeln!(log.lock().expect("no worker panics"), "{outcome:?}: {}: {by}", chosen[i].name)?;
        Ok(outcome)
    })?;
    Ok(chosen.iter().zip(outcomes).map(|(m, outcome)| (**m, outcome)).collect())
}

/// Quick tests come first, and those that caught many.
fn run_one(mutant: &Mutant, tests: &[Test], options: &Options) -> Result<(Outcome, String), Box<dyn Error>> {
    let mut reaching: Vec<&Test> =
        tests.iter().filter(|t| t.reached.binary_search(&mutant.id).is_ok()).collect();
    if reaching.is_empty() {
        return Ok((Outcome::Unreached, "no test".into()));
    }
    reaching.sort_by_cached_key(|t| Duration::from_secs_f64(t.seconds / (1 + t.caught.load(Relaxed)) as f64));
    let start = Instant::now();
    for (i, test) in reaching.iter().enumerate() {
        if start.elapsed().as_secs_f64() > options.budget {
            return Ok((Outcome::Survived, format!("{i} of {} tests", reaching.len())));
        }
        // Other programs may run beside this one; only a true hang takes this much longer.
        let outcome = run_test(&test.program, &test.name, &mutant.id.to_string(), 20.0 + 5.0 * test.seconds)?;
        if outcome != Outcome::Survived {
            test.caught.fetch_add(1, Relaxed);
            return Ok((outcome, test.name.clone()));
        }
    }
    Ok((Outcome::Survived, format!("all {} tests", reaching.len())))
}
