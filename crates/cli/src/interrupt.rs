//! Ctrl-C: the first asks the program to end in good order, the second ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long work that writes nothing before its end may go on after an interrupt: its loops look at the job at different intervals.
const GRACE: Duration = Duration::from_millis(1500);

/// What a shell reports for a program that was interrupted.
pub(crate) const EXIT: u8 = 130;

/// A job that ends when the user interrupts the program, or the system asks it to end.
pub(crate) fn job() -> wrapwright::Job {
    wrapwright::Job::stopped_by(flag(None))
}

/// The same for work that writes nothing before its end: if it does not end by itself soon, the program ends.
pub(crate) fn hasty_job() -> wrapwright::Job {
    wrapwright::Job::stopped_by(flag(Some(GRACE)))
}

/// A flag that is raised when the user interrupts the program, or the system asks it to end.
fn flag(grace: Option<Duration>) -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    // Without a handler an interrupt ends the program at once, which is no loss: records are written as they come.
    let _ = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::SeqCst) {
            std::process::exit(EXIT.into());
        }
        if let Some(grace) = grace {
            std::thread::spawn(move || {
                std::thread::sleep(grace);
                crate::report::words("interrupted");
                std::process::exit(EXIT.into());
            });
        }
    });
    flag
}
