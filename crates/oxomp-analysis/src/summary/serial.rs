//! Code outside of regions.

use super::site::SiteId;

/// Code an initial thread ran outside every region, named by its surroundings.
#[derive(Debug, Clone, PartialEq)]
pub struct SerialStretch {
    /// The region that ended before it; `None`: the start of the thread.
    pub after: Option<SiteId>,
    /// The region that began after it; `None`: the end of the thread.
    pub before: Option<SiteId>,
    /// How often a thread went from the one region to the other.
    pub count: u64,
    /// Sum of these stretches, ns.
    pub total_ns: u64,
    /// The longest of them, ns.
    pub max_ns: u64,
    /// The part of [`SerialStretch::total_ns`] that is [`Class::SerialWait`], ns; a lower bound.
    ///
    /// [`Class::SerialWait`]: super::Class::SerialWait
    pub waited_ns: u64,
    /// `(total − waited − in constructs for devices) · (n − 1) / n` with n = [`Header::threads`]:
    /// the upper bound of what running it in parallel could win, ns.
    ///
    /// [`Header::threads`]: super::Header::threads
    pub gain_ns: u64,
}
