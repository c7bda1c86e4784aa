//! The program: see the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(wrapwright_cli::main(std::env::args_os()))
}
