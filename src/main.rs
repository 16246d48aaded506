//! The `tapwright` command.

fn main() -> std::process::ExitCode {
    tapwright::app::main()
}
