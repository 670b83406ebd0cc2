//! The command line, one file per command.
// Tests may call the methods of f64: they compare with a tolerance.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod convert;
mod demo;
mod info;
mod interrupt;
mod muscles;
mod nodes;
mod progress;
mod report;
mod run;
mod scene;
mod skin;
mod slide;
mod space;
mod strand;

use clap::{CommandFactory, Parser, Subcommand};
use sinew_base::error::{Error, Kind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::LazyLock;

/// Skin, tendon and muscle post-process for animation.
#[derive(Parser)]
#[command(name = "sinew", version = VERSION.as_str(), after_help = EXIT_CODES)]
struct Cli {
    /// Number of threads, up to 1024; 0 for one per core. Results do not depend on it.
    #[arg(short = 'j', long, global = true, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=MOST_THREADS))]
    threads: u16,
    /// Print machine-readable JSON: the result to standard output; notes, warnings, progress and errors to standard
    /// error, one object per line.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

/// More threads than any machine has cores are a typing error, and take memory each.
const MOST_THREADS: i64 = 1024;

/// The version with the optional features of this build.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let how = if cfg!(feature = "opensubdiv") { "with" } else { "without" };
    format!("{}, {how} opensubdiv", sinew_version::VERSION)
});

const EXIT_CODES: &str = "Exit codes: 0 done, 1 the data is wrong, 2 the command line is wrong, \
3 a file is missing or cannot be read or written, 70 a bug in Sinew, 130 interrupted.";

#[derive(Subcommand)]
enum Command {
    /// Show what Sinew does: a procedural neck with a tattoo turns and swallows, with every kind of output.
    Demo(demo::Args),
    /// Describe all nodes, or one: ports, parameters, units, ranges.
    Nodes(nodes::Args),
    /// Describe the elements of scene files.
    Scene,
    /// List the file formats, what is read from and written to each, as a Markdown table.
    Formats,
    /// Describe the contents of files, and any problems.
    Info(info::Args),
    /// Convert moving points between OBJ sequences, point caches, Alembic, USD and glTF.
    Convert(convert::Args),
    /// Move the vertices of a mesh with joints, frame by frame.
    Skin(skin::Args),
    /// Let the skin slide over an animated body, frame by frame.
    Slide(slide::Args),
    /// Run a job: compute the nodes of a scene and write all its outputs, or a part of them; an interrupted run
    /// resumes.
    Run(run::Args),
    /// Make a page to review sliding skin, or the muscles of a graph.
    Report(report::Args),
    /// Simulate the strands, bodies and joints of a scene, frame by frame.
    Strand(strand::Args),
    /// Fit, create, mirror, copy, change and test sets of muscles.
    Muscles(muscles::Args),
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
}

/// How a command was invoked, for all commands.
struct Context {
    json: bool,
}

impl Context {
    /// Says something on standard error: `kind` is a note or a warning.
    fn say(&self, kind: &str, text: &str) {
        match self.json {
            true => eprintln!("{}", serde_json::json!({ kind: text })),
            false => eprintln!("{kind}: {text}"),
        }
    }

    fn note(&self, text: &str) {
        self.say("note", text);
    }

    fn warn(&self, texts: &[String]) {
        texts.iter().for_each(|text| self.say("warning", text));
    }
}

/// Runs the command line and returns its exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(wrong) => return refused(&wrong),
    };
    let context = Context { json: cli.json };
    if context.json {
        std::panic::set_hook(Box::new(|what| {
            eprintln!("{}", serde_json::json!({ "bug": what.to_string() }))
        }));
    }
    // The panic hook has already printed what went wrong to standard error.
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(cli, &context)));
    let result =
        caught.unwrap_or_else(|_| Err(Error::new(Kind::Internal, "a bug in Sinew; please report it")));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error, context.json);
            ExitCode::from(exit_code(&error))
        }
    }
}

/// Tells what is wrong with the command line; help and version are no errors. Whether JSON is wanted is not known then,
/// except from the word itself.
fn refused(wrong: &clap::Error) -> ExitCode {
    if !wrong.use_stderr() || !std::env::args_os().any(|word| word == "--json") {
        wrong.exit();
    }
    let text = wrong.to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    let error = Error::new(Kind::InvalidArgument, text);
    print_error(&error, true);
    ExitCode::from(exit_code(&error))
}

fn run(cli: Cli, context: &Context) -> sinew_base::error::Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(cli.threads.into()).build();
    let pool = pool.map_err(|e| Error::new(Kind::Io, format!("the threads could not be started: {e}")))?;
    pool.install(|| match cli.command {
        Command::Nodes(args) => nodes::run(&args, context),
        Command::Demo(args) => demo::run(&args, context),
        Command::Info(args) => info::run(&args, context),
        Command::Scene => scene::run(context),
        Command::Formats if context.json => {
            print(&format!("{}\n", serde_json::json!({ "markdown": sinew_formats::format_table() })))
        }
        Command::Formats => print(&sinew_formats::format_table()),
        Command::Convert(args) => convert::run(&args, context),
        Command::Skin(args) => skin::run(&args, context),
        Command::Slide(args) => slide::run(&args, context),
        Command::Run(args) => run::run(&args, context),
        Command::Report(args) => report::run(&args, context),
        Command::Strand(args) => strand::run(&args, context),
        Command::Muscles(args) => muscles::run(&args, context),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "sinew", &mut script);
            print(&String::from_utf8_lossy(&script))
        }
    })
}

/// Prints to standard output; a closed pipe (`sinew nodes | head`) is not an error.
fn print(text: &str) -> sinew_base::error::Result<()> {
    use std::io::Write;
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::new(Kind::Io, format!("standard output: {e}")))
        }
        _ => Ok(()),
    }
}

/// Refuses to replace a file that somebody may have edited.
fn spare(path: &Path, force: bool) -> sinew_base::error::Result<()> {
    if force || !path.exists() {
        return Ok(());
    }
    let message = "the file exists, and may have been edited: --force replaces it";
    Err(Error::new(Kind::InvalidArgument, message).file(path))
}

/// Refuses the name of a state if it promises another format.
fn check_state(option: &str, path: &Path) -> sinew_base::error::Result<()> {
    match sinew_formats::Format::of(path) {
        Ok(format) => {
            let message =
                format!("{option} writes a state, not {}: choose another ending", format.row().title);
            Err(Error::new(Kind::InvalidArgument, message).file(path))
        }
        Err(_) => Ok(()),
    }
}

/// The two halves of an option's NAME=VALUE.
fn split(option: &str, text: &str) -> sinew_base::error::Result<(String, String)> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.into(), value.into())),
        None => {
            let message = format!("{option} {text}: expected NAME=VALUE");
            Err(Error::new(Kind::InvalidArgument, message))
        }
    }
}

fn exit_code(error: &Error) -> u8 {
    let place = error.place();
    match error.kind() {
        // The contents of an element or a line of a file are data, not the command line.
        Kind::InvalidArgument if place.element.is_none() && place.line.is_none() => 2,
        Kind::Io | Kind::MissingFile => 3,
        Kind::Internal => 70,
        Kind::Cancelled => 130,
        _ => 1,
    }
}

fn print_error(error: &Error, json: bool) {
    if json {
        let place = error.place();
        let value = serde_json::json!({ "error": {
            "kind": error.kind().name(), "message": error.message(), "text": error.to_string(),
            "file": place.file, "line": place.line, "element": place.element, "frame": place.frame, "node": place.node, "port": place.port, "param": place.param,
            "vertex": place.vertex, "face": place.face, "joint": place.joint, "joint_name": place.joint_name,
        }});
        eprintln!("{value}");
    } else {
        eprintln!("error: {error}");
    }
}
