//! What is seen of a process that stands still.

use std::thread::sleep;
use std::time::Duration;

use oxomp_explain::Snapshot;
use oxomp_inspect::{Error, Image};
use oxomp_text::Style;

use crate::failure::Failure;

/// Between two looks at a process that runs: a thread that goes on from its wait, and was only
/// stopped on the way, is somewhere else after that.
const APART: Duration = Duration::from_millis(50);

/// The most looks at a process whose threads may wait for ever, and have not had a processor long
/// enough to show it.
pub(super) const MOST_DOUBTS: u32 = 20;

/// The state of a process at a moment.
#[derive(Debug)]
pub(super) struct Look {
    snapshot: Snapshot,
}

impl Look {
    /// Reads the state; the image may go on afterwards.
    pub(super) fn of(image: Result<Image, Error>) -> Result<Self, Failure> {
        let image = image.map_err(|error| Failure::own(error.to_string()))?;
        Ok(Self { snapshot: Snapshot::take(&image) })
    }

    /// Looks twice at a process that runs: threads that spin in their wait do not sleep in the
    /// kernel, and look like those that go on; and one that was woken a moment ago looks as if it
    /// slept. Where the threads have not had a processor between the looks, others follow.
    pub(super) fn of_running(
        mut stop: impl FnMut() -> Result<Image, Error>,
    ) -> Result<Self, Failure> {
        let first = Self::of(stop())?;
        let mut last = None;
        for _ in 0..MOST_DOUBTS {
            sleep(APART);
            // A process that has ended meanwhile was in no deadlock.
            let Ok(next) = Self::of(stop()) else { break };
            let next = next.after(&first);
            let is_in_doubt = next.is_in_doubt();
            last = Some(next);
            if !is_in_doubt {
                break;
            }
        }
        Ok(last.unwrap_or(first))
    }

    /// With what an earlier look tells of waits that last.
    pub(super) fn after(mut self, earlier: &Self) -> Self {
        self.snapshot.settle(&earlier.snapshot);
        self
    }

    /// The explanation for people.
    pub(super) fn text(&self, style: Style) -> String {
        self.snapshot.text(style)
    }

    /// Whether some threads never go on.
    pub(super) fn finds_deadlock(&self) -> bool {
        self.snapshot.is_deadlock()
    }

    /// Whether threads may wait for ever, though the look cannot prove it.
    pub(super) fn is_in_doubt(&self) -> bool {
        !self.finds_deadlock() && self.snapshot.may_be_deadlock()
    }

    /// Whether an earlier look has found the same deadlock.
    pub(super) fn confirms(&self, earlier: &Self) -> bool {
        earlier.finds_deadlock()
            && self.finds_deadlock()
            && self.snapshot.verdict() == earlier.snapshot.verdict()
    }
}
