//! How far the numbers can be trusted.

use oxomp_trace::Disagreement;

/// How far the numbers can be trusted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Quality {
    /// Why no call paths were sampled, unless they were, or the user did not want them.
    pub unsampled: Option<String>,
    /// Events read.
    pub events: u64,
    /// Region instances, barriers and lock operations that were summed up in the program instead of
    /// being recorded one by one; their numbers are exact all the same, except those of
    /// [`Quality::counted`].
    pub folded: u64,
    /// Explicit tasks that were summed up in the program instead of being recorded one by one;
    /// their numbers are exact, except those of [`Quality::counted_tasks`].
    pub folded_tasks: u64,
    /// The folded region instances that were too short to be timed on all threads: their number and
    /// their times from fork to join are exact; what their threads did is estimated from the timed
    /// instances of the same region.
    pub counted: u64,
    /// The folded tasks that were too short to be timed: their number is exact, their times are
    /// estimated from the timed ones of the same construct.
    pub counted_tasks: u64,
    /// The folded acquisitions of locks that came too fast for each to be timed: their number is
    /// exact, waits and holds are estimated from the others.
    pub counted_acquisitions: u64,
    /// Stretches of user code for which the system did not tell how long the thread was blocked,
    /// and how long it lacked a processor: both are guessed from the numbers of context switches.
    pub guessed: u64,
    /// What recording took the threads, by class of events; empty if that is not known.
    pub recording: Vec<RecordingCost>,
    /// CPU time of threads that OpenMP does not know, the collector's own included, ns; `None` if
    /// it was not measured.
    pub unseen_cpu_ns: Option<u64>,
    /// Events that could not be recorded; above zero the numbers are too small.
    pub lost_events: u64,
    /// Chunks that were still being written when the program went away.
    pub open_chunks: u64,
    /// Chunks that are lost, wholly or in part, because they are damaged.
    pub lost_chunks: u64,
    /// The damage of each of these chunks, and the missing parts of threads, in words.
    pub damaged: Vec<String>,
    /// Deviations of the runtime that were repaired: short name and how often.
    pub repaired: Vec<(&'static str, u64)>,
    /// Events that fitted nowhere: short name and how often.
    pub anomalies: Vec<(&'static str, u64)>,
    /// What was counted in two ways with different results; empty if the counts of the recording
    /// agree with each other.
    pub disagreements: Vec<Disagreement>,
    /// What the collector had no room for, which the sums leave out: short name and how often.
    pub left_out: Vec<(&'static str, u64)>,
    /// Why recording stopped early, in the collector's words.
    pub stopped: Option<String>,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordingCost {
    /// The class in a word.
    pub class: &'static str,
    /// How many events there were.
    pub events: u64,
    /// What they took, estimated from some that were measured in the run, ns.
    pub cost_ns: u64,
}
