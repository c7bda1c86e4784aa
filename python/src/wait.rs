//! Long work that Ctrl-C can end.
//!
//! Python handles signals on its main thread, and only while that thread runs Python's code. So the work runs on a thread
//! of its own; the caller's waits without Python's lock and looks for signals in between. After a signal the job is
//! stopped, the work ends as soon as it looks at its job, and the signal's exception is raised. **Cost**: a thread for each
//! call.

use crate::errors;
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use wrapwright::Job;

/// How often signals are looked for.
pub(crate) const PAUSE: Duration = Duration::from_millis(50);

/// As much as the main thread has on Linux.
const STACK: usize = 8 << 20;

/// Does the work on another thread; gives what it returns.
pub(crate) fn interruptible<R: Send>(py: Python<'_>, job: &Job, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, done) = channel();
            let worker = std::thread::Builder::new().stack_size(STACK);
            let started = worker.spawn_scoped(scope, move || {
                let result = work();
                // Nobody waits for a call that was interrupted.
                let _ = sender.send(result);
            });
            started?;
            loop {
                match done.recv_timeout(PAUSE) {
                    Ok(result) => return Ok(result),
                    Err(RecvTimeoutError::Disconnected) => return Err(errors::panicked()),
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(signal) = Python::attach(|py| py.check_signals()) {
                            job.stop();
                            return Err(signal);
                        }
                    }
                }
            }
        })
    })
}
