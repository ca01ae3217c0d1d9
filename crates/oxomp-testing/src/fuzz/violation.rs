//! A disagreement between a log and the specification.

use std::fmt;

use oxomp_event_order::rule;

use crate::trace::log::Event;

/// A statement of the log that the specification does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The place in the specification.
    pub clause: &'static str,
    /// The fault, in words.
    pub said: String,
    /// The event that shows it, by its position in the log.
    pub at: Option<usize>,
}

impl Violation {
    /// A violation of `clause` that the event at a position of the log shows.
    #[must_use]
    pub fn new(
        clause: &'static str,
        said: impl Into<String>,
        at: impl Into<Option<usize>>,
    ) -> Self {
        Self { clause, said: said.into(), at: at.into() }
    }

    /// The violation with the lines of the log around its event.
    #[must_use]
    pub fn shown(&self, events: &[Event]) -> String {
        let mut text = self.to_string();
        let Some(at) = self.at else { return text };
        let thread = events.get(at).map(|event| event.thread);
        for (position, event) in events.iter().enumerate() {
            let is_near = position.abs_diff(at) <= 30 && Some(event.thread) == thread;
            if is_near && position <= at + 8 {
                let sign = if position == at { '>' } else { ' ' };
                text.push_str(&format!("\n  {sign} {event}"));
            }
        }
        text
    }
}

impl From<rule::Violation> for Violation {
    fn from(found: rule::Violation) -> Self {
        Self::new(found.rule.clause(), found.said, found.events.first().copied())
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.said, self.clause)
    }
}
