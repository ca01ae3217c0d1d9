//! The runtime's answers about events.

use oxomp_sys::ompt::ompt_set_result_t;

use crate::answers::answers;
use crate::{Event, EventSet, SetResult};

answers! {
    /// The answer to a question about each event of a set.
    ompt_set_result_t
}

impl SetResult {
    /// Whether an event with this answer is never delivered.
    const fn is_refused(self) -> bool {
        matches!(self, Self::Error | Self::Never | Self::Impossible)
    }

    /// Whether an event with this answer is delivered for some of its occurrences only.
    const fn is_partial(self) -> bool {
        matches!(self, Self::Sometimes | Self::SometimesPaired)
    }
}

/// The runtime's answer to each registration of a tool.
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    answers: Answers,
    without_method: EventSet,
}

impl Registration {
    pub(crate) fn new(answers: Answers, without_method: EventSet) -> Self {
        Self { answers, without_method }
    }

    /// The answer for an event; `None` if the event was not registered.
    pub fn result(&self, event: Event) -> Option<SetResult> {
        self.answers.result(event)
    }

    /// Every registered event with its answer, also those that the SDK itself needs: the events
    /// with which the tool's data begin and end, and the end of devices.
    pub fn iter(&self) -> impl Iterator<Item = (Event, SetResult)> {
        self.answers.iter()
    }

    /// The registered events that the runtime never delivers.
    pub fn refused(&self) -> EventSet {
        self.answers.refused()
    }

    /// The registered events that the runtime delivers for some of their occurrences only.
    pub fn partial(&self) -> EventSet {
        self.answers.partial()
    }

    /// The events that [`Tool::events`](crate::Tool::events) named although the tool has no method
    /// for them.
    pub fn without_method(&self) -> EventSet {
        self.without_method
    }
}
