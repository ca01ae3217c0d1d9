//! Replays recorded costs of loops and tasks under other schedules and thread counts.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod curve;
mod schedule;
mod simulate;

pub use curve::{Curve, disagreement};
pub use schedule::Schedule;
pub use simulate::{Replay, Setting, replay};
