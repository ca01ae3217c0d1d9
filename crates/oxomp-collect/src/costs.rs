//! The cost curves of a thread's loops: in chunks of the file, updated in place.

use std::ptr::NonNull;

use oxomp_trace::CostEntry;
use oxomp_trace::costs::{BINS, COST_SIZE, COSTS};
use oxomp_trace::layout::ChunkKind;

use crate::pages::Pages;
use crate::store::Store;

/// The curves of one thread; the first chunk is taken at the first use.
#[derive(Debug)]
pub(crate) struct Costs {
    pages: &'static Pages,
    /// How many chunks there are, and how many curves.
    chunks: usize,
    count: usize,
}

/// A curve in the file, which only its thread changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Curve(NonNull<CostEntry>);

impl Costs {
    pub(crate) const fn new(pages: &'static Pages) -> Self {
        Self { pages, chunks: 0, count: 0 }
    }

    /// The curve of a loop of `count` iterations; `None` if there is no room. `place` has the
    /// number of the loop's curve, from 1; 0: it has none yet.
    #[inline]
    pub(crate) fn curve(
        &mut self,
        store: &Store,
        owner: u32,
        (sub, key): (u8, [u64; 2]),
        count: u64,
        place: &mut u64,
    ) -> Option<Curve> {
        if *place == 0 {
            *place = self.add(store, owner)?;
        }
        let number = *place as usize - 1;
        let payload = self.pages.payload(number / COSTS).cast::<CostEntry>();
        let table = NonNull::new(payload).filter(|_| number < self.count)?;
        // SAFETY: the payload has room for `COSTS` entries, which are zeros or curves, and this
        // thread's; no other reference to the entry lives.
        let curve = unsafe { table.add(number % COSTS).as_mut() };
        if curve.used == 0 {
            (curve.sub, curve.key, curve.count) = (sub.into(), key, count);
            curve.used = 1;
        } else if curve.count != count {
            curve.count = count;
            curve.changes += 1;
        }
        Some(Curve(NonNull::from(curve)))
    }

    /// Makes room for a further curve, unless the file is half full; returns its number.
    #[cold]
    fn add(&mut self, store: &Store, owner: u32) -> Option<u64> {
        if self.count == self.chunks * COSTS {
            if store.in_use_for_good() >= store.capacity() / 2 {
                return None;
            }
            let bytes = COSTS * COST_SIZE;
            self.pages.add(store, ChunkKind::Costs, owner, self.chunks, bytes).ok()?;
            self.chunks += 1;
        }
        self.count += 1;
        Some(self.count as u64)
    }

    /// Releases the chunks: no curve of them may be used any more.
    pub(crate) fn close(&mut self, store: &Store) {
        self.pages.release(store, self.chunks);
        (self.chunks, self.count) = (0, 0);
    }
}

impl Curve {
    /// Adds a chunk that took `ticks`: of `iterations` from `start` on, in a loop of `count`.
    pub(crate) fn add(self, count: u64, start: u64, iterations: u64, ticks: u64) {
        if start >= count || iterations == 0 {
            return;
        }
        // SAFETY: the thread of the loop is the only one that uses the curve, and the chunk is
        // released after its last loop.
        let curve = unsafe { &mut *self.0.as_ptr() };
        curve.timed += 1;
        let bins = BINS as u64;
        let bin = |iteration: u64| (iteration.saturating_mul(bins) / count).min(bins - 1);
        let end = (start + iterations).min(count);
        let (first, last) = (bin(start), bin(end - 1));
        if first == last {
            let [time, number] = &mut curve.bins[first as usize];
            *time += ticks;
            *number += iterations;
            return;
        }
        let each = ticks as f64 / iterations as f64;
        for index in first..=last {
            let from = (index.saturating_mul(count)).div_ceil(bins).max(start);
            let until = ((index + 1).saturating_mul(count)).div_ceil(bins).min(end);
            let part = until.saturating_sub(from);
            let [time, number] = &mut curve.bins[index as usize];
            *time += (each * part as f64) as u64;
            *number += part;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ptr::NonNull;

    use oxomp_trace::CostEntry;
    use oxomp_trace::costs::BINS;

    use super::Curve;

    fn sums(count: u64, chunks: &[(u64, u64, u64)]) -> Vec<(usize, u64, u64)> {
        let bins = [[0; 2]; BINS];
        let (key, spare) = ([0; 2], [0; 2]);
        let mut entry =
            CostEntry { used: 1, sub: 0, key, count, changes: 0, timed: 0, spare, bins };
        for &(start, iterations, ticks) in chunks {
            Curve(NonNull::from(&mut entry)).add(count, start, iterations, ticks);
        }
        let used = entry.bins.iter().enumerate().filter(|(_, [_, number])| *number > 0);
        used.map(|(bin, [time, number])| (bin, *time, *number)).collect()
    }

    #[test]
    fn iterations_of_a_short_loop_have_bins_of_their_own() {
        assert_eq!(sums(4, &[(0, 1, 10), (3, 1, 40)]), [(0, 10, 1), (192, 40, 1)]);
    }

    #[test]
    fn a_chunk_is_spread_over_its_bins() {
        assert_eq!(sums(512, &[(1, 4, 400)]), [(0, 100, 1), (1, 200, 2), (2, 100, 1)]);
        let all = sums(1000, &[(0, 1000, 1_000_000)]);
        assert_eq!(all.iter().map(|bin| bin.2).sum::<u64>(), 1000);
        assert_eq!(all.len(), BINS);
    }

    #[test]
    fn a_chunk_outside_the_iterations_is_left_out() {
        assert_eq!(sums(10, &[(10, 1, 5), (u64::MAX, 1, 5)]), []);
    }
}
