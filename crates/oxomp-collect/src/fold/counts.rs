//! What the thread began and ended, counted apart from the sums by construct, and what these sums
//! leave out for want of room.
//!
//! Readers compare the counts with the sums (`oxomp_trace::Disagreement`). So each count has an
//! entry of its own, and is added up where the collector knows what the event means.

use oxomp_trace::fold::FoldKind;

use crate::log::Log;
use crate::store::Store;

impl Log {
    /// Counts one at a position of [`oxomp_trace::fold::counts`].
    #[inline(always)]
    pub(crate) fn count(&mut self, store: &Store, position: usize) {
        self.count_more(store, position, 1);
    }

    #[inline(always)]
    pub(crate) fn count_more(&mut self, store: &Store, position: usize, more: u64) {
        if let Some(values) = self.beside(store, FoldKind::Counts, 0, [0, 0]) {
            values[position] += more;
        }
    }

    /// Counts one on a thread that has counted before.
    #[inline(always)]
    pub(crate) fn count_known(&mut self, position: usize) {
        if let Some(entry) = self.sums.last(FoldKind::Counts, 0, [0, 0]) {
            entry.values[position] += 1;
        }
    }

    /// Something is in no sum: counts it at a position of [`oxomp_trace::fold::left_out`].
    pub(crate) fn leave_out(&mut self, store: &Store, position: usize) {
        self.leave_out_more(store, position, 1);
    }

    #[cold]
    pub(crate) fn leave_out_more(&mut self, store: &Store, position: usize, more: u64) {
        if let Some(values) = self.beside(store, FoldKind::LeftOut, 0, [0, 0]) {
            values[position] += more;
        }
    }
}
