//! The `sinew` command.

fn main() -> std::process::ExitCode {
    sinew::cli::main()
}
