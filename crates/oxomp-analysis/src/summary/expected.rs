//! Gains that are predicted rather than bounded.

/// What another schedule of a loop wins, as a replay predicts.
///
/// This crate only shows predictions: `oxomp-replay`, which is built on it, makes them from
/// [`crate::Analysis::costs`]. A summary without them has upper bounds alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedGain {
    /// Position of the loop in [`Summary::loops`](super::Summary::loops).
    pub loop_index: usize,
    /// What to write, such as `schedule(dynamic,8)`.
    pub change: String,
    /// The wall time that it wins, ns.
    pub gain_ns: u64,
    /// By how much the gain may be wrong, either way, ns.
    pub error_ns: u64,
}
