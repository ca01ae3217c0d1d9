//! Operations of a trace that the device has not done.

use std::collections::VecDeque;

use super::moment::Moment;
use super::operation::{Operation, Span};

/// The number of operations at which those behind one that is not done are looked at. Afterwards it
/// is twice the number that was left the last time: so each report looks at few operations on
/// average.
const FIRST_LOOK: usize = 64;

/// An operation that the device has not done.
#[derive(Debug)]
pub(super) struct Unfinished {
    pub(super) operation: Operation,
    pub(super) begin: Moment,
    pub(super) end: Moment,
    pub(super) thread: u32,
    pub(super) processor: i32,
}

impl Unfinished {
    /// The operation's begin and end; `None` if one of them has not come.
    fn span(&self) -> Option<Span> {
        let (start, end) = (self.begin.time()?, self.end.time()?);
        Some(Span { start, end: end.max(start), thread: self.thread, processor: self.processor })
    }
}

/// All such operations, in the order in which they got into their queues.
#[derive(Debug, Default)]
pub(super) struct List {
    operations: VecDeque<Unfinished>,
    next_look: usize,
}

impl List {
    /// Appends an operation. Returns whether there was memory.
    pub(super) fn push(&mut self, operation: Unfinished) -> bool {
        let has_memory = self.operations.try_reserve(1).is_ok();
        if has_memory {
            self.operations.push_back(operation);
        }
        has_memory
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.operations.len()
    }

    /// Takes the operations that are done: those before the first one that is not done; and those
    /// behind it, in other queues, if `looks_behind` or if there are many.
    pub(super) fn take_done(&mut self, looks_behind: bool, mut done: impl FnMut(&Operation, Span)) {
        while let Some(first) = self.operations.front()
            && let Some(span) = first.span()
        {
            done(&first.operation, span);
            self.operations.pop_front();
        }
        if looks_behind || self.len() >= self.next_look.max(FIRST_LOOK) {
            self.operations.retain(|it| match it.span() {
                Some(span) => {
                    done(&it.operation, span);
                    false
                }
                None => true,
            });
            self.next_look = 2 * self.len();
        }
    }
}
