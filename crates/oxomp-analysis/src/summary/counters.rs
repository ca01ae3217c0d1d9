//! What threads counted: cycles, instructions, cache lines from memory and others.

use serde::Serialize;

use super::site::SiteId;
use super::written::written_by_name;

/// The part of [`Counters::bandwidth`] from which on a region counts as bound by the bandwidth of
/// memory.
///
/// The limit is that of a loop which does nothing but fetch and store. Other patterns of access
/// reach from about 0.7 to all of it, and what is counted of a region is too little rather than too
/// much: lines that are written back, and on some processors lines that were fetched ahead, are
/// missing. Far below, a loop waits for single lines, or computes; such a loop can become faster
/// without fetching less.
pub const BANDWIDTH_BOUND: f64 = 0.7;

/// Counters of the processor and the kernel: what the threads counted, by region and activity.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counters {
    /// The counters that the recording was asked for, in that order.
    pub totals: Vec<CounterTotal>,
    /// The part of the threads' processor time for which the counters were on the processor, from 0
    /// to 1: less than 1 where it has too few for all at once, so that they took turns and their
    /// counts are scaled up. Null if nothing was counted.
    pub running: Option<f64>,
    /// Bytes of cache lines that the program's processors fetch from memory in a second, all
    /// together, in a loop that does nothing else; null if it was not measured.
    pub bandwidth: Option<u64>,
    /// The threads that fetched them in that measurement; null if the user gave the number.
    pub bandwidth_threads: Option<u64>,
    /// What was counted where, by processor time, largest first.
    pub places: Vec<CountedPlace>,
    /// What each thread counted, by number; exact up to the thread's end, or up to its last sample
    /// if it outlived the recording.
    pub threads: Vec<CountedThread>,
}

/// A counter, and what all threads counted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CounterTotal {
    /// Its name: one of perf's, `r` and a number of the processor's own, or `memory-lines` (cache
    /// lines that came from memory), `remote-lines` (from memory of another NUMA node), `hitm`
    /// (loads of lines that another core had changed).
    pub name: String,
    /// What all threads counted; null if the kernel did not count it.
    pub count: Option<u64>,
    /// Why the kernel did not count it; null if it did.
    pub refused: Option<String>,
}

/// What threads did while they counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CountedActivity {
    /// User code in a region.
    Useful,
    /// User code outside every region.
    Serial,
    /// Waiting at a barrier.
    Barrier,
    /// Waiting in taskwait, or at the end of a taskgroup.
    Tasks,
    /// Waiting for a mutex.
    Mutex,
    /// Waiting for a device.
    Device,
    /// A worker without a region.
    Idle,
    /// Of places for which the recording had no room.
    Elsewhere,
}

/// What the threads counted in one region, or outside every region, at one activity.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountedPlace {
    /// The region; null outside every region.
    pub region: Option<SiteId>,
    /// What the threads did: `useful` work in the region, `serial` work outside every region, or
    /// waiting with a processor (`barrier`, `tasks`, `mutex`, `device`, `idle`); `elsewhere` for
    /// places for which the recording had no room.
    pub activity: CountedActivity,
    /// Their processor time, ns.
    pub time_ns: u64,
    /// How often a thread read its counters there.
    pub readings: u64,
    /// The part of `time_ns` in intervals between two readings in which the thread changed its
    /// region, its activity or passed a barrier, from 0 to 1: a part of what was counted in those
    /// belongs to what it did before.
    pub mixed: f64,
    /// What was counted, by counter.
    pub counts: Vec<PlaceCount>,
    /// Instructions per cycle; null without both counters.
    // Of the intervals that are not mixed, if there are enough of them: as the next two.
    pub instructions_per_cycle: Option<f64>,
    /// `cache-misses` / `cache-references`; null without both counters.
    pub cache_miss_rate: Option<f64>,
    /// `remote-lines` / `memory-lines`: the part of the lines that came from memory of another NUMA
    /// node; null without both counters.
    pub remote_part: Option<f64>,
    /// Bytes of the cache lines that came from memory: 64 for each of `memory-lines`, a lower bound
    /// of the traffic, without what is written back; null without this counter.
    pub bytes: Option<u64>,
    /// `bytes` in a second of the time in which the region ran, all threads together; null where
    /// threads waited, and without the counter.
    pub bytes_per_second: Option<u64>,
    /// `bytes_per_second` / `counters.bandwidth`; null without one of them.
    pub bandwidth_part: Option<f64>,
    /// Whether the region is bound by the bandwidth of memory: `bandwidth_part` is 0.7 at least.
    pub bandwidth_bound: bool,
}

/// What one counter counted in a place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlaceCount {
    /// The counter's name.
    pub counter: String,
    /// What it counted in the intervals that ended in the place.
    pub count: u64,
    /// The part of `count` in intervals in which the thread did nothing else: a lower bound of what
    /// belongs to the place.
    pub certain: u64,
}

/// What one thread counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountedThread {
    /// Its number; null if OpenMP did not know it.
    pub thread: Option<u32>,
    /// The system's id of the thread.
    pub tid: u32,
    /// Its processor time while it counted, ns.
    pub time_ns: u64,
    /// What it counted, in the order of those of `counters.totals` that were counted.
    pub counts: Vec<u64>,
}

impl CountedActivity {
    /// The activity in a word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Useful => "useful",
            Self::Serial => "serial",
            Self::Barrier => "barrier",
            Self::Tasks => "tasks",
            Self::Mutex => "mutex",
            Self::Device => "device",
            Self::Idle => "idle",
            Self::Elsewhere => "elsewhere",
        }
    }
}

written_by_name!(CountedActivity);

impl CountedPlace {
    /// What the counter of this name counted there.
    #[must_use]
    pub fn count(&self, counter: &str) -> Option<u64> {
        self.counts.iter().find(|one| one.counter == counter).map(|one| one.count)
    }
}

impl Counters {
    /// The names of counters that the kernel did not count, by the reason.
    #[must_use]
    pub fn refusals(&self) -> Vec<(&str, Vec<&str>)> {
        let mut refusals: Vec<(&str, Vec<&str>)> = Vec::new();
        for counter in &self.totals {
            let Some(why) = &counter.refused else { continue };
            match refusals.iter_mut().find(|(known, _)| known == why) {
                Some((_, names)) => names.push(&counter.name),
                None => refusals.push((why, vec![&counter.name])),
            }
        }
        refusals
    }
}
