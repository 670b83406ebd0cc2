//! The command line, one file per command.

/// Runs the command line and returns its exit code.
pub fn main() -> std::process::ExitCode {
    eprintln!("sinew: no command is built in yet");
    std::process::ExitCode::from(2)
}
