//! The ends of a primary thread's regions, for workers that ask late.
//!
//! A worker looks up how its last region ended when the worker begins its next region, or when the
//! worker ends. Meanwhile the primary thread may have run any number of regions without that
//! worker. The ends of the last eight regions are remembered. Of the regions before these, the ends
//! of those are kept that had more threads than all regions after them: some of their threads have
//! been absent since. Where a primary thread's regions have the same workers, as far as their sizes
//! allow, a worker that was in a later region has looked up the earlier end already: so one region
//! of each size is enough, in decreasing order.
//!
//! The primary thread alone writes. If the primary thread overwrites a place while a reader reads
//! it, the reader finds another number there, before or after it has read the rest.

use std::sync::atomic::Ordering::{self, Relaxed};
use std::sync::atomic::{AtomicU32, AtomicU64, fence};

/// How many ends are remembered in either way.
const PLACES: usize = 8;

/// The end of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ending {
    pub(crate) last: u64,
    pub(crate) release: u64,
    pub(crate) end: u64,
    /// [`super::Team::busy`] after it.
    pub(crate) busy: u64,
    /// The time in which tasks were under way after the last barrier inside.
    pub(crate) tasking: Option<(u64, u64)>,
}

impl Ending {
    /// The part of the end before `tick`, for a thread that does something else from then on.
    pub(crate) fn until(self, tick: u64) -> Self {
        let [last, release, end] = [self.last, self.release, self.end].map(|own| own.min(tick));
        Self { last, release, end, ..self }
    }
}

/// The ends that are remembered. All zeros mean that there are no ends.
#[derive(Debug)]
pub(super) struct Closings {
    recent: [Closed; PLACES],
    /// Regions of decreasing size, the oldest first.
    larger: [Closed; PLACES],
    /// How many were added to `recent`.
    added: AtomicU32,
    /// How many are in `larger`.
    kept: AtomicU32,
}

/// The region that ended last, once more: a member of the next region reads it here.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Before {
    /// Number of the region; 0: there is no end, or it is too long for `parts`.
    id: AtomicU64,
    end: AtomicU64,
    /// Ticks from the last arrival to the end in the upper half, from the release in the lower.
    parts: AtomicU64,
    /// Begin and end of the time in which tasks were under way after the last barrier inside; 0:
    /// there were no tasks.
    tasking: [AtomicU64; 2],
}

/// A place for an end.
#[derive(Debug)]
#[repr(align(64))]
struct Closed {
    /// Number of the region; 0: none, or the place is being written.
    id: AtomicU64,
    last: AtomicU64,
    release: AtomicU64,
    end: AtomicU64,
    busy: AtomicU64,
    tasking: [AtomicU64; 2],
    /// Threads of the region, as far as the runtime tells; 0: it does not.
    size: AtomicU32,
}

impl Closings {
    /// The primary thread's region `id` of `size` threads has ended.
    #[inline]
    pub(super) fn add(&self, id: u64, size: u32, ending: &Ending) {
        let added = self.added.load(Relaxed);
        let place = &self.recent[added as usize % PLACES];
        if place.size.load(Relaxed) > size {
            self.keep(place);
        }
        place.set(id, size, ending);
        self.added.store(added.wrapping_add(1), Relaxed);
    }

    /// The region of the place is no longer a recent one: keeps its end in `larger`, in place of
    /// ends of regions that were not larger.
    #[cold]
    fn keep(&self, place: &Closed) {
        let size = place.size.load(Relaxed);
        let mut kept = self.kept.load(Relaxed) as usize;
        while kept > 0 && self.larger[kept - 1].size.load(Relaxed) <= size {
            kept -= 1;
        }
        let Some(free) = self.larger.get(kept) else { return };
        free.set(place.id.load(Relaxed), size, &place.get());
        self.kept.store(kept as u32 + 1, Relaxed);
    }

    /// The end of the region `id`; `None` if it has not ended, or is no longer remembered.
    pub(super) fn find(&self, id: u64) -> Option<Ending> {
        self.recent.iter().chain(&self.larger).find_map(|place| place.find(id))
    }
}

impl Before {
    #[inline]
    pub(super) fn set(&self, id: u64, ending: &Ending) {
        let until_end = |tick: u64| u32::try_from(ending.end.saturating_sub(tick));
        let told = match (until_end(ending.last), until_end(ending.release)) {
            (Ok(last), Ok(release)) => {
                self.parts.store(u64::from(last) << 32 | u64::from(release), Relaxed);
                id
            }
            _ => 0,
        };
        self.end.store(ending.end, Relaxed);
        keep_tasking(&self.tasking, ending.tasking);
        self.id.store(told, Relaxed);
    }

    /// Whether the region that ended last is the region `id`.
    #[inline]
    pub(super) fn is(&self, id: u64) -> bool {
        self.id.load(Relaxed) == id
    }

    /// The end of the last region; with it, the team's regions have taken `busy` ticks.
    #[inline]
    pub(super) fn get(&self, busy: u64) -> Ending {
        let (end, parts) = (self.end.load(Relaxed), self.parts.load(Relaxed));
        let (last, release) = (end - (parts >> 32), end - (parts & 0xffff_ffff));
        Ending { last, release, end, busy, tasking: kept_tasking(&self.tasking) }
    }
}

impl Closed {
    #[inline]
    fn set(&self, id: u64, size: u32, ending: &Ending) {
        // Release: a reader that does not find the old number here any more finds it in `larger`.
        self.id.store(0, Ordering::Release);
        // Pairs with the fence in `find`: a reader that has read one of the stores below does not
        // find the old number after it.
        fence(Ordering::Release);
        self.last.store(ending.last, Relaxed);
        self.release.store(ending.release, Relaxed);
        self.end.store(ending.end, Relaxed);
        self.busy.store(ending.busy, Relaxed);
        keep_tasking(&self.tasking, ending.tasking);
        self.size.store(size, Relaxed);
        // Release: pairs with the Acquire in `find`.
        self.id.store(id, Ordering::Release);
    }

    fn get(&self) -> Ending {
        Ending {
            last: self.last.load(Relaxed),
            release: self.release.load(Relaxed),
            end: self.end.load(Relaxed),
            busy: self.busy.load(Relaxed),
            tasking: kept_tasking(&self.tasking),
        }
    }

    fn find(&self, id: u64) -> Option<Ending> {
        if self.id.load(Ordering::Acquire) != id {
            return None;
        }
        let ending = self.get();
        fence(Ordering::Acquire);
        // Acquire: a reader that finds the place overwritten looks into `larger` next, and sees
        // what the primary thread has stored there before it stored 0 here.
        (self.id.load(Ordering::Acquire) == id).then_some(ending)
    }
}

fn keep_tasking(place: &[AtomicU64; 2], tasking: Option<(u64, u64)>) {
    let (from, until) = tasking.unwrap_or_default();
    // Most often neither the region before nor this one had tasks.
    if until != 0 || place[1].load(Relaxed) != 0 {
        place[0].store(from, Relaxed);
        place[1].store(until, Relaxed);
    }
}

fn kept_tasking(place: &[AtomicU64; 2]) -> Option<(u64, u64)> {
    let (from, until) = (place[0].load(Relaxed), place[1].load(Relaxed));
    (until != 0).then_some((from, until))
}

#[cfg(test)]
mod tests {
    use super::{Closings, Ending, PLACES};

    fn closings() -> Closings {
        // SAFETY: all zeros are valid: no ends.
        unsafe { std::mem::zeroed() }
    }

    fn ending(end: u64) -> Ending {
        Ending { last: end - 2, release: end - 1, end, busy: end, tasking: None }
    }

    fn close(closings: &Closings, sizes: impl IntoIterator<Item = u32>, first: u64) -> u64 {
        (first..).zip(sizes).fold(first, |_, (id, size)| {
            closings.add(id, size, &ending(100 * id));
            id + 1
        })
    }

    #[test]
    fn the_last_ones_are_remembered() {
        let closings = closings();
        close(&closings, [4; 20], 1);
        let known: Vec<u64> = (1..=20).filter(|id| closings.find(*id).is_some()).collect();
        assert_eq!(known, (21 - PLACES as u64..=20).collect::<Vec<_>>());
        assert_eq!(closings.find(20), Some(ending(2000)));
    }

    #[test]
    fn a_larger_one_is_remembered_through_any_number_of_smaller_ones() {
        let closings = closings();
        for round in 0..50 {
            let first = 1 + round * 400;
            let smaller = std::iter::repeat_n(2, 300);
            close(&closings, [16, 8, 8, 4].into_iter().chain(smaller), first);
            for (index, known) in [true, false, true, true].into_iter().enumerate() {
                let id = first + index as u64;
                let expected = known.then(|| ending(100 * id));
                assert_eq!(closings.find(id), expected, "round {round}, {index}");
            }
        }
    }

    #[test]
    fn of_many_sizes_the_largest_are_remembered() {
        let closings = closings();
        close(&closings, (2..100).rev(), 1);
        let known: Vec<u64> = (1..=98).filter(|id| closings.find(*id).is_some()).collect();
        let places = PLACES as u64;
        assert_eq!(known, (1..=places).chain(99 - places..=98).collect::<Vec<_>>());
    }
}
