//! The runtime's answers about events.

use oxomp_sys::report_2015::SetResult as RawResult;

use super::{Event, EventSet, SetResult};
use crate::answers::answers;

answers! {
    /// The answer to a question about each event of a set.
    RawResult
}

impl SetResult {
    /// Whether an event with this answer is never delivered.
    const fn is_refused(self) -> bool {
        matches!(self, Self::Error | Self::Never | Self::Impossible)
    }

    /// Whether an event with this answer is delivered for some of its occurrences only.
    const fn is_partial(self) -> bool {
        matches!(self, Self::Convenient)
    }
}

/// The runtime's answer to each registration of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    answers: Answers,
    without_method: EventSet,
}

impl Registration {
    pub(super) fn new(answers: Answers, without_method: EventSet) -> Self {
        Self { answers, without_method }
    }

    /// The answer for an event; `None` if the event was not registered.
    pub fn result(&self, event: Event) -> Option<SetResult> {
        self.answers.result(event)
    }

    /// Every registered event with its answer, the other ends of pairs and the shutdown included.
    pub fn iter(&self) -> impl Iterator<Item = (Event, SetResult)> {
        self.answers.iter()
    }

    /// The registered events that the runtime never delivers.
    pub fn refused(&self) -> EventSet {
        self.answers.refused()
    }

    /// The registered events that the runtime delivers when it is convenient.
    pub fn partial(&self) -> EventSet {
        self.answers.partial()
    }

    /// The events that [`Tool::events`](super::Tool::events) named although the tool has no method
    /// for them.
    pub fn without_method(&self) -> EventSet {
        self.without_method
    }
}
