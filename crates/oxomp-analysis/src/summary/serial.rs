//! Code outside of regions.

use serde::Serialize;

use super::site::SiteId;

/// Code that an initial thread executed outside every region, named by its surroundings.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Serial"))]
pub struct SerialStretch {
    /// The region that ended before it; null at the start of the thread.
    pub after: Option<SiteId>,
    /// The region that began after it; null at the end of the thread.
    pub before: Option<SiteId>,
    /// How often a thread went from the one region to the other.
    pub count: u64,
    /// Sum of these stretches, ns.
    pub total_ns: u64,
    /// The longest of them, ns.
    pub max_ns: u64,
    /// The part of them in which the thread did not compute but waited, ns; a lower bound.
    // It is in `Class::SerialWait`.
    pub waited_ns: u64,
    /// The time that it would take less, without what it waited for, if it were divided among all
    /// threads, ns: where `bounds.hold`, an upper bound of what running it in parallel could win.
    // (total − waited − in constructs for devices) · (n − 1) / n, with n = `Header::threads`.
    pub gain_ns: u64,
}
