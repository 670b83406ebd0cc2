//! Mutation testing by one build: every chosen mutant is compiled behind a switch, which is turned at run time.
//!
//! One mutant at a time, as `cargo mutants` builds them, costs minutes each in a crate of this size. Here instead:
//!
//! 1. [`sample`]: `cargo mutants --list` says what can be changed; a sample is drawn that depends on the seed alone.
//! 2. [`instrument`]: a copy of the crate, target/mutants/tree, in which `a + b` reads
//!    `(if sinew_base::mutation::on(7) { a - b } else { a + b })`; a function that returns another value does so first.
//! 3. [`compile`]: mutants that the compiler rejects are dropped, by the places of its messages; then all tests are
//!    built.
//! 4. [`run`]: every test once, alone, recording how long it takes and which mutants it reaches; then every mutant with
//!    the tests that reach it, until one fails or hangs: quick ones first, and those that caught many.
//!
//! Left out: code inside macro calls, constants (a switch is not `const`), functions that return an `impl Trait`
//! returning another value, documentation tests, tests that take longer than `--longest` seconds (soaks, whole demos)
//! and those that fail in the copy without any mutant (those that read the tree itself). After `--budget` seconds of
//! tests without a failure a mutant counts as a survivor.

mod compile;
mod instrument;
mod run;
mod sample;

use run::Outcome;
use std::error::Error;
use std::path::PathBuf;

/// What the command line asks for.
pub struct Options {
    pub modules: Vec<String>,
    /// Mutants drawn of each module.
    pub sample: usize,
    pub seed: u64,
    /// Tests that take longer are left out, in seconds.
    pub longest: f64,
    /// Seconds of tests for one mutant.
    pub budget: f64,
    /// A file with the names of the mutants to run, as an earlier run printed those that survived; all others are left
    /// out.
    pub only: Option<String>,
}

/// Where everything is written, from the crate's root.
pub fn work() -> PathBuf {
    PathBuf::from("target/mutants")
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options =
        Options { modules: Vec::new(), sample: 100, seed: 1, longest: 20.0, budget: 60.0, only: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if !word.starts_with("--") {
            options.modules.push(word);
            continue;
        }
        let value = words.next().ok_or(format!("{word} needs a value"))?;
        match word.as_str() {
            "--sample" => options.sample = value.parse()?,
            "--seed" => options.seed = value.parse()?,
            "--longest" => options.longest = value.parse()?,
            "--budget" => options.budget = value.parse()?,
            "--only" => options.only = Some(std::fs::read_to_string(value)?),
            _ => return Err(format!("{word} is no option").into()),
        }
    }
    if options.modules.is_empty() {
        return Err("say which modules of src, as in: sh tests/mutants.sh solve".into());
    }
    Ok(options)
}

fn work_through(options: &Options) -> Result<(), Box<dyn Error>> {
    let mutants = sample::draw(options)?;
    let (rejected, binaries) = compile::build(&mutants)?;
    let compiled: Vec<_> = mutants.iter().filter(|m| !rejected.contains(&m.id)).collect();
    eprintln!(
        "{} mutants drawn, {} compile, in {} test programs",
        mutants.len(),
        compiled.len(),
        binaries.len()
    );
    let tests = run::record(&binaries, mutants.len(), options)?;
    let outcomes = run::run_all(&compiled, &tests, options)?;
    print(options, &outcomes);
    Ok(())
}

/// The table of all modules, then every mutant that no test noticed.
fn print(options: &Options, outcomes: &[(&sample::Mutant, Outcome)]) {
    let columns = [Outcome::Caught, Outcome::Hung, Outcome::Unreached, Outcome::Survived];
    print!("{:<10} {:>9}", "module", "mutants");
    columns.iter().for_each(|outcome| print!(" {:>9}", format!("{outcome:?}").to_lowercase()));
    println!();
    for module in &options.modules {
        let of_module: Vec<Outcome> =
            outcomes.iter().filter(|(m, _)| m.module == *module).map(|(_, outcome)| *outcome).collect();
        print!("{module:<10} {:>9}", of_module.len());
        for column in columns {
            print!(" {:>9}", of_module.iter().filter(|&&outcome| outcome == column).count());
        }
        println!();
    }
    for (mutant, outcome) in outcomes {
        if matches!(outcome, Outcome::Unreached | Outcome::Survived) {
            println!("{outcome:?}: {}", mutant.name);
        }
    }
}

fn main() {
    if let Err(error) = options().and_then(|o| work_through(&o)) {
        eprintln!("mutants: {error}");
        std::process::exit(1);
    }
}
