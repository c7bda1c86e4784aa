//! A command that is told of news: it gets the report on its standard input.

use std::io::{self, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How long the command may take.
const TIME: Duration = Duration::from_secs(60);

/// How often to look whether it has ended.
const LOOK: Duration = Duration::from_millis(20);

/// Runs a command in a shell with a text on its standard input; gives how it ended, none if it took too long and was ended.
pub(crate) fn run(command: &str, text: &str) -> io::Result<Option<ExitStatus>> {
    let mut child = shell(command).stdin(Stdio::piped()).spawn()?;
    let input = child.stdin.take();
    let text = text.to_owned();
    // A command that reads nothing must not stop us, and one that reads slowly is ended with its time.
    let writer = std::thread::Builder::new().spawn(move || {
        if let Some(mut input) = input {
            let _ = input.write_all(text.as_bytes());
        }
    });
    let ended = wait(&mut child);
    drop(writer);
    ended
}

fn wait(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if begin.elapsed() >= TIME {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(LOOK);
    }
}

fn shell(command: &str) -> Command {
    let (program, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(program);
    shell.args([flag, command]);
    shell
}
