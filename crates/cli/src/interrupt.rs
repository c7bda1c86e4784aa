//! Ctrl-C: the first asks the program to end in good order, the second ends it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// After this time a program that was interrupted and still works says so.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a shell reports for a program that was interrupted.
pub(crate) const EXIT: u8 = 130;

/// A job that ends when the user interrupts the program, or the system asks it to end.
pub(crate) fn job() -> wrapwright::Job {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    // Without a handler an interrupt ends the program at once, which is no loss: records are written as they come.
    let _ = ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::SeqCst) {
            std::process::exit(EXIT.into());
        }
        std::thread::spawn(|| {
            std::thread::sleep(PATIENCE);
            crate::report::words("interrupted: ending in good order; interrupt again to end at once");
        });
    });
    wrapwright::Job::stopped_by(flag)
}
