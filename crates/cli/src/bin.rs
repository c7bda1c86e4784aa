//! The program: see the library of this package.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Trees of pages are large and short-lived: glibc gives their memory back after each page as soon as there are several
/// threads, and gets it again for the next.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(wrapwright_cli::main(std::env::args_os()))
}
