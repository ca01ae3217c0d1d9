//! What a run of a program is judged by.

use std::cell::RefCell;

use oxomp_testing::attempts::most_hold;

/// What a run of a program is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Demand {
    /// Counts, orders and names, which hold however busy the machine is: one run decides.
    Counts,
    /// Times as well, and the advice that follows from them. They hold where no other process
    /// takes the processors: several runs are judged, and most decide.
    Times,
}

impl Demand {
    /// Judges times, if they are demanded.
    pub(crate) fn times(self, judge: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        match self {
            Self::Counts => Ok(()),
            Self::Times => judge(),
        }
    }

    /// Calls `run` once, or, for times, as often as an answer takes: most calls have to hold.
    pub(crate) fn attempts(
        self,
        mut run: impl FnMut() -> Result<(), String>,
    ) -> Result<(), String> {
        match self {
            Self::Counts => run(),
            Self::Times => most_hold(|| run().into()),
        }
    }
}

/// The rows of the table of `cargo xtask accuracy` that the last run made.
#[derive(Debug, Default)]
pub(crate) struct Rows(RefCell<Vec<String>>);

impl Rows {
    /// A new run begins: the table has the rows of one.
    pub(crate) fn clear(&self) {
        self.0.borrow_mut().clear();
    }

    /// Adds a row that is not there yet.
    pub(crate) fn push(&self, row: String) {
        let mut rows = self.0.borrow_mut();
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        for row in self.0.borrow().iter() {
            println!("{row}");
        }
    }
}
