//! What a run gives: a forest of records.

use super::hash::Map;
use record::Record;
use std::collections::VecDeque;

/// The identity of an output node during a run. The root of all output is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct OutputId(u64);

impl OutputId {
    pub(super) const ROOT: OutputId = OutputId(0);
}

/// Puts extracted nodes together and hands out top-level records, in the order in which they began, once they and all
/// before them are finished.
#[derive(Default)]
pub(super) struct Output {
    made: u64,
    /// Output nodes that may still get children.
    open: Map<OutputId, Open>,
    /// Top-level output nodes in the order of their beginning; finished ones with their record.
    queue: VecDeque<(OutputId, Option<Record>)>,
}

struct Open {
    parent: OutputId,
    record: Record,
}

impl Output {
    /// Is nothing being put together?
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Begins an output node.
    pub(super) fn begin(&mut self, parent: OutputId, record: Record) -> OutputId {
        self.made += 1;
        let id = OutputId(self.made);
        if parent == OutputId::ROOT {
            self.queue.push_back((id, None));
        }
        self.open.insert(id, Open { parent, record });
        id
    }

    /// An output node that gets no children, begun and ended. Gives the records that are thereby ready.
    pub(super) fn leaf(&mut self, parent: OutputId, record: Record) -> (OutputId, Vec<Record>) {
        match self.open.get_mut(&parent) {
            Some(open) => {
                self.made += 1;
                open.record.children.push(record);
                (OutputId(self.made), Vec::new())
            }
            None => {
                let id = self.begin(parent, record);
                (id, self.end(id))
            }
        }
    }

    /// Ends an output node: it gets no more children. Gives the records that are thereby ready.
    pub(super) fn end(&mut self, id: OutputId) -> Vec<Record> {
        let Some(Open { parent, record }) = self.open.remove(&id) else {
            return Vec::new();
        };
        if parent != OutputId::ROOT {
            // A parent outlives its children: its end lies below theirs on the machine's stack.
            if let Some(open) = self.open.get_mut(&parent) {
                open.record.children.push(record);
            }
            return Vec::new();
        }
        if let Some(slot) = self.queue.iter_mut().find(|(waiting, _)| *waiting == id) {
            slot.1 = Some(record);
        }
        let mut ready = Vec::new();
        while self.queue.front().is_some_and(|(_, record)| record.is_some()) {
            ready.extend(self.queue.pop_front().and_then(|(_, record)| record));
        }
        ready
    }
}
