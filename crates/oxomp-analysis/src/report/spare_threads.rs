//! The threads of the program that idle beside a region with a smaller team.

use crate::summary::{Region, Summary};

/// How many threads could execute `region` if it is outside every other region: as many as the
/// largest team has, and `processors` at most. `None` if all of them execute it, or if it is not
/// known which threads idle.
pub(super) fn possible(region: &Region, summary: &Summary, processors: u32) -> Option<u32> {
    let threads = summary.header.max_team.min(processors);
    // Where regions are inside others, or beside others of another initial thread, which threads
    // are idle beside one is not known.
    let nests = summary.regions.iter().any(|one| one.nested > 0);
    let initial = summary.threads.iter().filter(|thread| thread.initial).count();
    (!nests && initial < 2 && region.team.1 < threads).then_some(threads)
}

/// For how long threads of the largest team idle beside `region`, ns divided by the size of that
/// team; 0 where which threads idle is not known.
#[must_use]
pub fn spare_ns(region: &Region, summary: &Summary) -> u64 {
    possible(region, summary, u32::MAX).map_or(0, |threads| spare_of(region, threads))
}

/// What is won if the work of `region` is divided among `threads` threads, ns of wall time.
pub(super) fn spare_of(region: &Region, threads: u32) -> u64 {
    let lacking = threads - region.team.1;
    (u128::from(region.wall_ns) * u128::from(lacking) / u128::from(threads)) as u64
}
