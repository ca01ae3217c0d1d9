//! The data from which the recordings of a process and of its children are made.

use crate::attached::Attached;
use crate::settings::Settings;

/// The data that the recordings of a process and of its children share.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    /// The settings, with the folder of the first recording.
    pub(crate) settings: Settings,
    pub(crate) runtime: ompt::Runtime,
    pub(crate) allowed_cpus: u64,
    pub(crate) ticks_per_second: u64,
    /// The age of the process when the recording began, ns; 0 in a child, whose recording begins
    /// with its fork, and in a process to which the collector was attached.
    pub(crate) age: u64,
    /// The request by which the collector was attached.
    pub(crate) attached: Option<Attached>,
}

impl Origin {
    /// A time in ticks.
    pub(crate) fn ticks(&self, ns: Option<u64>) -> Option<u64> {
        let ticks = |ns| u128::from(ns) * u128::from(self.ticks_per_second) / 1_000_000_000;
        ns.map(|ns| u64::try_from(ticks(ns)).unwrap_or(u64::MAX).max(1))
    }
}
