//! The other side: a Python process that evaluates expressions with libxml2.
//!
//! One process answers any number of questions; each question and each answer is a line of JSON. libxml2 needs
//! quadratic or worse time for some expressions and cannot be interrupted, so every answer has a deadline. A process
//! that misses it is ended and another one started, which costs less than waiting.

use anyhow::{Context, Result, bail};
use oxpath::Value;
use page::NodeId;
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const SCRIPT: &str = include_str!("ask_lxml.py");
const DEADLINE: Duration = Duration::from_secs(1);

/// The message for the user if there is no process to ask.
pub(crate) const MISSING: &str = "\
Python's lxml is not installed, and it is what asks libxml2. Get it with either of
    pip install lxml
    apt install python3-lxml
or name a Python that has it: cargo xtask conformance --python PROGRAM";

/// The answer of the other side about an expression.
pub(crate) enum Answer {
    /// A value.
    Value(Value),
    /// It cannot be evaluated, with the reason.
    Error(String),
    /// It took too long.
    TooSlow,
}

/// A process that answers questions about one page at a time.
pub(crate) struct Peer {
    python: String,
    child: Child,
    questions: ChildStdin,
    answers: Receiver<String>,
    /// The versions of lxml and libxml2.
    pub(crate) versions: String,
    page: String,
}

impl Peer {
    /// Starts the process; `None` if lxml is not installed.
    pub(crate) fn start(python: &str) -> Result<Option<Peer>> {
        let mut child = Command::new(python)
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot run `{python}`; name a Python with --python PROGRAM"))?;
        let questions = child.stdin.take().context("no pipe to Python")?;
        let lines = BufReader::new(child.stdout.take().context("no pipe from Python")?).lines();
        let (sender, answers) = channel();
        std::thread::spawn(move || lines.map_while(|line| line.ok()).try_for_each(|line| sender.send(line)));
        let hello = answers.recv().context("Python ended before its first word")?;
        let hello: Json = serde_json::from_str(&hello)?;
        if hello.get("missing").is_some() {
            child.wait()?;
            return Ok(None);
        }
        let version = |name: &str| hello[name].as_str().unwrap_or("?").to_owned();
        let versions = format!("libxml2 {} through lxml {}", version("libxml2"), version("lxml"));
        let python = python.to_owned();
        Ok(Some(Peer {
            python,
            child,
            questions,
            answers,
            versions,
            page: String::new(),
        }))
    }

    /// Gives the process a page to be asked about; returns the number of nodes it found in it.
    pub(crate) fn load(&mut self, xml: String) -> Result<usize> {
        self.page = json!({ "load": xml }).to_string();
        let answer = self.send_page()?;
        Ok(answer["nodes"]
            .as_u64()
            .with_context(|| format!("libxml2 cannot read the dump: {answer}"))? as usize)
    }

    fn send_page(&mut self) -> Result<Json> {
        writeln!(self.questions, "{}", self.page)?;
        Ok(serde_json::from_str(
            &self.answers.recv().context("Python ended while it read a page")?,
        )?)
    }

    /// The value of an expression in the context of a node.
    pub(crate) fn ask(&mut self, context: NodeId, expression: &str) -> Result<Answer> {
        writeln!(
            self.questions,
            "{}",
            json!({ "context": context.0, "expression": expression })
        )?;
        let Ok(line) = self.answers.recv_timeout(DEADLINE) else {
            if let Some(status) = self.child.try_wait()? {
                bail!("Python ended ({status}) when asked for {expression}");
            }
            self.restart()?;
            return Ok(Answer::TooSlow);
        };
        let answer: Json = serde_json::from_str(&line)?;
        let value = &answer["value"];
        let text = value.as_str().unwrap_or_default();
        Ok(Answer::Value(match answer["type"].as_str().unwrap_or_default() {
            "boolean" => Value::Boolean(value.as_bool().unwrap_or_default()),
            // As Python writes them: `1e+16`, `inf`, `nan`.
            "number" => Value::Number(text.parse().with_context(|| format!("not a number: {text}"))?),
            "string" => Value::String(text.to_owned()),
            "nodes" => {
                let ranks = value.as_array().into_iter().flatten().filter_map(Json::as_u64);
                Value::Nodes(ranks.map(|rank| NodeId(rank as u32)).collect())
            }
            _ => return Ok(Answer::Error(text.to_owned())),
        }))
    }

    fn restart(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        let mut peer = Peer::start(&self.python)?.context("lxml is gone")?;
        peer.page = std::mem::take(&mut self.page);
        peer.send_page()?;
        *self = peer;
        Ok(())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // If the process cannot be ended, nothing more can be done.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
