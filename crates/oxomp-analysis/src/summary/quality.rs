//! How far the numbers can be trusted.

use oxomp_trace::Disagreement;
use serde::Serialize;

use super::written::{Count, as_list};

/// How far the numbers can be trusted.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Quality {
    /// Events read.
    pub events: u64,
    /// Region instances, barriers and lock operations that the collector summed up in the program
    /// instead of recording them one by one; their numbers are exact all the same.
    // Except those of `counted`.
    pub folded: u64,
    /// Explicit tasks that the collector only summed up, likewise.
    // Except those of `counted_tasks`.
    pub folded_tasks: u64,
    /// Of the folded region instances, those too short to be timed on all threads: their number and
    /// their times from fork to join are exact; what their threads did is estimated from the timed
    /// instances of the same region.
    pub counted: u64,
    /// Of the folded tasks, those too short to be timed: their number is exact, their times are
    /// estimated from the timed ones of the same construct.
    pub counted_tasks: u64,
    /// Of the folded acquisitions of locks, those that came too fast to be timed each: their number
    /// is exact, waits and holds are estimated from the others.
    pub counted_acquisitions: u64,
    /// Events that could not be recorded; above zero the numbers are too small.
    pub lost_events: u64,
    /// Chunks of the recording that were still being written when the program went away.
    pub open_chunks: u64,
    /// Chunks of the recording that are lost, wholly or in part, because they are damaged.
    pub lost_chunks: u64,
    /// The damage of each of these chunks, and the missing parts of threads, in words.
    pub damaged: Vec<String>,
    /// Why recording stopped early, in words; null if it did not.
    pub stopped: Option<String>,
    /// Stretches of user code of which the system did not tell how long they were blocked, and how
    /// long without a processor, so that the numbers of context switches decide: a number.
    pub guessed: u64,
    /// What recording took the program's threads, by class of events, the most costly first; empty
    /// if that is not known, as of a program that was killed.
    pub recording: Vec<RecordingCost>,
    /// Processor time of threads that OpenMP does not know, the collector's own included, ns; null
    /// if it was not measured.
    pub unseen_cpu_ns: Option<u64>,
    /// Why no call paths were sampled, in words; null if they were, or if they were not asked for.
    pub unsampled: Option<String>,
    /// Why call paths have functions of the interpreter of Python in place of those that it
    /// executed, in words; null if they have not, or the program has no interpreter.
    pub unread_python: Option<String>,
    /// Deviations of the runtime that were repaired.
    #[serde(serialize_with = "as_list::<Count, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Count>"))]
    pub repaired: Vec<(&'static str, u64)>,
    /// Events that fitted nowhere and were left out.
    #[serde(serialize_with = "as_list::<Count, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Count>"))]
    pub anomalies: Vec<(&'static str, u64)>,
    /// What the collector counted in two ways with different results, so that numbers are wrong;
    /// empty if the counts of the recording agree with each other.
    #[serde(serialize_with = "as_list::<TwoCounts, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<TwoCounts>"))]
    pub disagreements: Vec<Disagreement>,
    /// What the collector had no room for, and the sums leave out.
    #[serde(serialize_with = "as_list::<Count, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Count>"))]
    pub left_out: Vec<(&'static str, u64)>,
}

/// Two counts of the same thing that differ.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Disagreement"))]
struct TwoCounts {
    /// What was counted one way, in words.
    what: &'static str,
    /// How many.
    count: u64,
    /// What was counted the other way, in words.
    other: &'static str,
    /// How many.
    other_count: u64,
}

impl From<&Disagreement> for TwoCounts {
    fn from(differ: &Disagreement) -> Self {
        let ((what, other), (count, other_count)) = (differ.what.names(), differ.counts);
        Self { what, count, other, other_count }
    }
}

/// If recording took more than this part of the threads' time, a remark stands beside the numbers
/// that include it.
pub const MUCH_RECORDING: f64 = 0.02;

impl Quality {
    /// What recording took as a part of the threads' time, which is `total_ns`; `None` if it is not
    /// known.
    #[must_use]
    pub fn recording_share(&self, total_ns: u64) -> Option<f64> {
        let is_known = !self.recording.is_empty() && total_ns > 0;
        is_known.then(|| self.recording_ns() as f64 / total_ns as f64)
    }

    /// What recording took the threads, ns.
    #[must_use]
    pub fn recording_ns(&self) -> u64 {
        self.recording.iter().fold(0, |sum, cost| sum.saturating_add(cost.cost_ns))
    }
}

/// What recording the events of a class took the program's threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecordingCost {
    /// `regions`, `loops`, `locks`, `locks without events` (oxomp's runtime counts acquisitions
    /// without telling of each), `tasks`, `devices` or `samples`.
    pub class: &'static str,
    /// How many events there were.
    pub events: u64,
    /// What they took, estimated from some that were measured in the run, ns.
    pub cost_ns: u64,
}
