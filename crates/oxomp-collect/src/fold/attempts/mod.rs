//! Tests of locks (`omp_test_lock`) that fail: how many, and how long threads test again and again.
//!
//! No event tells that a test has failed; the next test of the same lock at the same place does, if
//! no acquisition is between. The time from the first test of a row to the last one counts as
//! spinning, as long as the thread has no other event in between.

mod state;

use oxomp_trace::FoldKind;
use oxomp_trace::fold::lock_tests;

use crate::log::Log;
use crate::store::Store;

pub(crate) use state::Tested;

impl Log {
    /// The thread tests the lock `id` at `code`.
    pub(crate) fn test_lock(&mut self, store: &Store, now: u64, (id, code, kind): (u64, u64, u8)) {
        // A test of a nestable lock that the thread has succeeds.
        if self.has(id) {
            return;
        }
        if self.context.tested.id != id || self.context.tested.code != code {
            self.end_tests(store, now);
            let region = self.region_code();
            self.context.tested = Tested { id, code, kind, region, since: now, ..Tested::NOTHING };
            return;
        }
        let tested = &mut self.context.tested;
        tested.failed += 1;
        if tested.since != 0 {
            tested.ticks += now.saturating_sub(tested.since);
        }
        tested.since = now;
    }

    /// The thread has acquired the lock, tests another one, or is at the end of its region.
    #[cold]
    pub(crate) fn end_tests(&mut self, store: &Store, now: u64) {
        let tested = std::mem::replace(&mut self.context.tested, Tested::NOTHING);
        if tested.failed == 0 {
            return;
        }
        let last = if tested.since == 0 { 0 } else { now.saturating_sub(tested.since) };
        let key = [tested.code, tested.region];
        if let Some(values) = self.beside(store, FoldKind::Tests, tested.kind, key) {
            values[lock_tests::FAILED] += tested.failed;
            values[lock_tests::TIME] += tested.ticks + last;
        }
    }
}
