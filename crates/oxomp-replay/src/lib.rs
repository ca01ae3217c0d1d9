//! Replays recorded costs of loops and tasks under other schedules and thread counts, and says what
//! the run would take then, and how far to trust that.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod advice;
mod collector;
mod curve;
mod expected;
mod json;
mod predict;
mod report;
mod schedule;
mod simulate;
mod tasks;
mod teams;

pub use advice::Advice;
pub use curve::{Curve, disagreement};
pub use expected::expected_gains;
pub use json::json;
pub use predict::{Alternative, LoopAdvice, Predicted, RegionAdvice};
pub use report::{change, render};
pub use schedule::Schedule;
pub use simulate::{Replay, Setting, replay};
pub use tasks::{CutOff, bounds, with_threads};
pub use teams::TeamPrediction;
