//! What is seen of a process that stands still.

use std::thread::sleep;
use std::time::Duration;

use oxomp_analysis::report::Style;
use oxomp_explain::Snapshot;
use oxomp_inspect::{Error, Image};

use crate::failure::Failure;

/// Between two looks at a process that runs: a thread that goes on from its wait, and was only
/// stopped on the way, is somewhere else after that.
const APART: Duration = Duration::from_millis(50);

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

    /// Looks at a process that runs, a second time where threads may have been on their way: those
    /// that spin in their wait do not sleep in the kernel, and look like those that go on.
    pub(super) fn of_running(
        mut stop: impl FnMut() -> Result<Image, Error>,
    ) -> Result<Self, Failure> {
        let first = Self::of(stop())?;
        if first.finds_deadlock() {
            return Ok(first);
        }
        sleep(APART);
        // A process that has ended meanwhile was in no deadlock.
        Ok(match Self::of(stop()) {
            Ok(second) => second.after(&first),
            Err(_) => first,
        })
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
}
