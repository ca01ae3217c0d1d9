//! From recorded events to the numbers of a profile.
//!
//! [`normalise`](normalise::normalise) turns each thread's events into intervals,
//! [`resolve`](resolve::resolve) and [`blame`](blame::blame) find the causes of the waits, and
//! [`summarize`] adds up by place in the program.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod blame;
pub mod calls;
pub mod live;
pub mod loops;
pub mod model;
pub mod normalise;
pub mod ranks;
pub mod report;
pub mod resolve;
pub mod summary;
pub mod verdict;

mod analysis;
mod constructs;
mod directives;
mod folded;
mod gains;
mod offload;
mod processor;
mod scheduler;
mod serial_wait;
mod stretches;
mod summarize;
mod sums;
mod tasks;
mod whole;

pub use analysis::Analysis;
pub use directives::directives;
pub use oxomp_symbols as symbols;
pub use oxomp_trace::Disagreement;
pub use summarize::{summarize, summarize_constructs};
pub use summary::work_kind;
