//! Two recordings, or two sets of repeated runs, compared construct by construct.
//!
//! [`Run`] takes from a summary what is compared, [`Comparison`] matches the constructs of two
//! [`RunSet`]s and judges each change against the noise between the runs of a set. `text` and
//! `json` show it; [`spread()`] shows how far the runs of one set differ. README.md tells the
//! method.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod comparison;
mod conditions;
mod construct;
mod contention;
mod contention_change;
mod json;
mod matching;
mod noise;
mod offloaded;
mod run;
mod runtime_waits;
mod spread;
mod text;

pub use comparison::{Change, Comparison, Gate, Row, Subject, Verdict};
pub use construct::{Construct, Group, Kind, Spot};
pub use contention::{ContendedCode, Contention};
pub use contention_change::ContentionChange;
pub use json::{FORMAT, VERSION, to_json};
pub use matching::{Pair, pairs};
pub use noise::{Interval, Noise, median};
pub use offloaded::Offloaded;
pub use run::{Facts, Measure, Run, RunSet};
pub use runtime_waits::RuntimeWaits;
pub use spread::{median_run, spread};
pub use text::to_text;
