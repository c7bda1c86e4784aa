//! Ctrl-C: the first asks the program to end in good order, the second ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell reports for a program that was interrupted.
pub(crate) const EXIT: u8 = 130;

/// A job that ends when the user interrupts the program, or the system asks it to end.
pub(crate) fn job() -> wrapwright::Job {
    wrapwright::Job::stopped_by(flag())
}

/// A flag that is raised when the user interrupts the program, or the system asks it to end.
fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    // Without a handler an interrupt ends the program at once, which is no loss: records are written as they come.
    let _ = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::SeqCst) {
            std::process::exit(EXIT.into());
        }
    });
    flag
}
