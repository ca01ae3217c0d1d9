//! Regions whose threads wait for memory, as counters tell: for its bandwidth, for single cache
//! lines, or for the memory of another NUMA node.
//!
//! A line takes about [`LINE_NS`] from memory. So `lines · LINE_NS / CPU time` is the part of their
//! time for which threads would wait for lines if each came alone. Lines that are fetched ahead, or
//! several at a time, take less, so that is at most how long they wait; what is counted of lines is
//! a lower bound. Waits are told from work by the instructions per cycle, and the two kinds of
//! waits by how much is fetched, beside what the processors reach.

use super::units::{percent, share};
use crate::summary::{BANDWIDTH_BOUND, CountedActivity, CountedPlace, Region, Summary};

/// About the time from a load of a line that no cache holds until it is there, ns. Processors of
/// servers take 80 to 130, of desktops 60 to 90.
const LINE_NS: u64 = 80;
/// The part of their time for which threads wait for lines, at most, from which on it is worth a
/// word.
const MUCH: f64 = 0.25;
/// Instructions per cycle below which threads wait rather than compute.
const FEW_INSTRUCTIONS: f64 = 0.8;
/// The part of the limit below which the bandwidth is not what threads wait for: half of
/// [`BANDWIDTH_BOUND`]. In between, both may be.
const FAR_FROM_LIMIT: f64 = BANDWIDTH_BOUND / 2.0;
/// The part of lines from another node from which on they are worth a word: where data lie is no
/// accident then.
const MANY_REMOTE: f64 = 0.2;
/// Readings from which on numbers of a place are believed.
const ENOUGH: u64 = 20;

/// What the threads of a region wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemoryWait {
    /// The bandwidth of memory.
    Bandwidth,
    /// Single lines, one after the other.
    Latency,
    /// Lines of another node, whatever else they do.
    Remote,
}

/// A region that waits for memory.
#[derive(Debug)]
pub(crate) struct MemoryWaits<'a> {
    pub(crate) kind: MemoryWait,
    pub(crate) place: &'a CountedPlace,
    /// The part of its time for which it waits, at most, from 0 to 1.
    pub(crate) part: f64,
}

impl<'a> MemoryWaits<'a> {
    /// What `region` waits for; `None` if that is not memory, or is not known.
    pub(crate) fn of(region: &Region, summary: &'a Summary) -> Option<Self> {
        let places = &summary.counters.as_ref()?.places;
        let place = places.iter().find(|place| {
            place.activity == CountedActivity::Useful && place.region == region.site
        })?;
        let lines = place.count("memory-lines")?;
        let waits = share(lines.saturating_mul(LINE_NS), place.time_ns).min(1.0);
        if place.bandwidth_bound {
            let part = place.bandwidth_part.unwrap_or(1.0).min(1.0);
            return Some(Self { kind: MemoryWait::Bandwidth, place, part });
        }
        if place.readings < ENOUGH || waits < MUCH {
            return None;
        }
        let waits_alone = place.instructions_per_cycle.is_some_and(|ipc| ipc < FEW_INSTRUCTIONS)
            && place.bandwidth_part.is_some_and(|part| part < FAR_FROM_LIMIT);
        let kind = match waits_alone {
            true => MemoryWait::Latency,
            false if has_many_remote(place) => MemoryWait::Remote,
            false => return None,
        };
        Some(Self { kind, place, part: waits })
    }

    /// What the threads do, in words that follow on "the threads".
    pub(crate) fn what(&self) -> String {
        let of_limit = self.place.bandwidth_part.map(percent).unwrap_or_default();
        match self.kind {
            MemoryWait::Bandwidth => {
                format!("fetch {of_limit} of what memory gives at most")
            }
            MemoryWait::Latency => format!(
                "wait for single cache lines of memory ({:.2} instructions per cycle, {of_limit} of \
                 what memory gives at most)",
                self.place.instructions_per_cycle.unwrap_or_default()
            ),
            MemoryWait::Remote => {
                let remote = self.place.remote_part.map(percent).unwrap_or_default();
                format!("fetch {remote} of their cache lines from another NUMA node")
            }
        }
    }
}

/// Whether so many lines come from another node that it is no accident.
pub(super) fn has_many_remote(place: &CountedPlace) -> bool {
    place.remote_part.is_some_and(|part| part >= MANY_REMOTE)
}
