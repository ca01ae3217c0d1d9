//! Rules that hold for the events of every program.
//!
//! [`follow`] goes through the log, event by event; [`walk`] has the tasks of each thread at the
//! current event, and [`history`] the result: every task with its events, every region with its
//! tasks. The other modules are the rules.

pub mod barriers;
pub mod dependences;
pub mod follow;
pub mod frames;
pub mod history;
pub mod info;
pub mod mutexes;
pub mod places;
pub mod states;
pub mod walk;

use crate::fuzz::violation::Violation;
use crate::trace::log::Log;
use history::History;

/// The history of a log, and what in it breaks the rules.
#[must_use]
pub fn check(log: &Log) -> (History<'_>, Vec<Violation>) {
    let (history, mut found) = follow::follow(log);
    found.extend(mutexes::check(log));
    found.extend(dependences::check(log, &history));
    found.extend(barriers::check(log, &history));
    (history, found)
}
