//! The iterations of the program's time loop.

use serde::Serialize;

use super::site::SiteId;

/// The iterations of the loop in serial code that takes most of the run: regions that repeat in it.
/// The loop is found by the regions that were executed equally often.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Iterations {
    /// The region with which an iteration begins: it lasts until the next begin of that region.
    pub region: Option<SiteId>,
    /// How often that region was executed.
    pub count: u64,
    /// The regions of an iteration that are executed once in each, or in nearly each, that one
    /// included.
    pub regions: u64,
    /// How many iterations were timed: those of which events were recorded.
    pub timed: u64,
    /// The shortest time of a timed one, ns.
    pub shortest_ns: u64,
    /// The median of their times, ns.
    pub median_ns: u64,
    /// The longest time of one, ns.
    pub longest_ns: u64,
    /// When the longest one began, ns since the start of the process.
    pub longest_at_ns: u64,
    /// The median of the first quarter of them, ns.
    pub early_ns: u64,
    /// The median of the last quarter of them, ns.
    pub late_ns: u64,
}
