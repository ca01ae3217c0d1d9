//! The data that the threads of a team share: arrivals, and the sums of a folded region.
//!
//! The primary thread's log owns the team; the region's data word points to it. The runtime's fork
//! orders the primary thread's writes before the others' reads, and its barriers order the others'
//! additions before the primary thread's reads, so that all accesses can be relaxed. A team is
//! reused for the next region: late workers find the end of an earlier region in `closed`, by its
//! number. All zeros are a valid team.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use crate::tasks::is_worth_telling;

/// How many regions' ends are remembered.
const CLOSED: usize = 8;
/// Slots for barriers, of which a team's threads can be in two at a time.
const BARRIERS: usize = 4;

/// The shared state of one team.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Team {
    /// Number of the region.
    pub(crate) id: AtomicU64,
    pub(crate) code: AtomicU64,
    /// Tick of parallel_begin.
    pub(crate) begin: AtomicU64,
    /// The region's events are added up, not recorded.
    pub(crate) folded: AtomicBool,
    /// In a recorded region: the barrier from which on barriers are folded; 0: none yet.
    fold_from: AtomicU32,
    /// Samples of other threads ask for the call path that led to the region.
    pub(crate) asked: AtomicBool,
    /// Ticks that earlier folded regions of this primary thread took.
    pub(crate) busy: AtomicU64,
    /// The longest chain of work that a task or an implicit task of the region has ended.
    pub(crate) span: AtomicU64,
    /// The longest chain when a task last waited for all.
    waited: AtomicU64,
    closed: [Closed; CLOSED],
    pub(crate) sums: Arrivals,
}

/// The sums to which members add when they arrive at the region's end; times are ticks. Those of
/// every arrival share a cache line, since members wait for each line that another one has written.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct Arrivals {
    pub(crate) useful: AtomicU64,
    pub(crate) max_useful: AtomicU64,
    /// Tasks executed after the arrival.
    pub(crate) tasks: AtomicU64,
    ends: Ends,
    /// Waits inside the region: mutex, taskwait, imbalance, barrier.
    pub(crate) inner: [AtomicU64; 4],
    /// Last arrival at the barriers inside, in turn. Ticks only grow, so nothing is reset.
    barriers: [AtomicU64; BARRIERS],
}

/// Arrivals at a region's end, whether the region is folded or not, in ticks since its begin.
#[derive(Debug)]
#[repr(C)]
struct Ends {
    /// Threads that have arrived.
    arrived: AtomicU64,
    /// The sum.
    sum: AtomicU64,
    /// The last of the threads of which the scheduler took nothing.
    last: AtomicU64,
    /// What the scheduler took of the others, the last of them, and the last without what it took.
    taken: AtomicU64,
    taken_last: AtomicU64,
    own_last: AtomicU64,
}

/// All arrivals at a region's end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrived {
    pub(crate) members: u64,
    /// The sum, and the last, in ticks since the region's begin.
    pub(crate) sum: u64,
    pub(crate) last: u64,
}

/// The end of a region.
#[derive(Debug)]
#[repr(align(64))]
struct Closed {
    id: AtomicU64,
    last: AtomicU64,
    release: AtomicU64,
    end: AtomicU64,
    busy: AtomicU64,
}

/// A copy of [`Closed`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ending {
    pub(crate) last: u64,
    pub(crate) release: u64,
    pub(crate) end: u64,
    /// [`Team::busy`] after it.
    pub(crate) busy: u64,
}

const RELAXED: Ordering = Ordering::Relaxed;

/// Adds to a sum; `alone`: no other thread does.
#[inline]
fn add(sum: &AtomicU64, amount: u64, alone: bool) {
    if alone {
        sum.store(sum.load(RELAXED) + amount, RELAXED);
    } else {
        sum.fetch_add(amount, RELAXED);
    }
}

/// Makes a maximum at least `amount`: most often it is already.
#[inline]
fn raise(maximum: &AtomicU64, amount: u64) {
    if maximum.load(RELAXED) < amount {
        maximum.fetch_max(amount, RELAXED);
    }
}

impl Team {
    /// A region begins.
    #[inline]
    pub(crate) fn open(&self, id: u64, code: u64, begin: u64, folded: bool) {
        self.id.store(id, RELAXED);
        self.code.store(code, RELAXED);
        self.begin.store(begin, RELAXED);
        self.folded.store(folded, RELAXED);
        self.fold_from.store(0, RELAXED);
        self.asked.store(false, RELAXED);
        self.span.store(0, RELAXED);
        self.waited.store(0, RELAXED);
        let ends = &self.sums.ends;
        for sum in [&ends.arrived, &ends.sum, &ends.last] {
            sum.store(0, RELAXED);
        }
        if ends.taken.load(RELAXED) != 0 {
            for sum in [&ends.taken, &ends.taken_last, &ends.own_last] {
                sum.store(0, RELAXED);
            }
        }
        if folded {
            let sums = &self.sums;
            let single = [&sums.useful, &sums.max_useful, &sums.tasks];
            for sum in single.into_iter().chain(&sums.inner) {
                sum.store(0, RELAXED);
            }
        }
    }

    /// Number and code address of the region.
    #[inline]
    pub(crate) fn number_and_code(&self) -> (u64, u64) {
        (self.id.load(RELAXED), self.code.load(RELAXED))
    }

    /// A task has ended a chain of work.
    #[inline]
    pub(crate) fn end_chain(&self, path: u64) {
        if is_worth_telling(path, self.span.load(RELAXED), self.waited.load(RELAXED)) {
            self.span.fetch_max(path, RELAXED);
        }
    }

    /// A task has waited for all others: returns the longest chain.
    #[inline]
    pub(crate) fn has_waited(&self) -> u64 {
        let span = self.span.load(RELAXED);
        if self.waited.load(RELAXED) < span {
            self.waited.store(span, RELAXED);
        }
        span
    }

    /// The folded region ended.
    pub(crate) fn close(&self, ending: Ending) {
        let id = self.id.load(RELAXED);
        let closed = &self.closed[id as usize % CLOSED];
        closed.last.store(ending.last, RELAXED);
        closed.release.store(ending.release, RELAXED);
        closed.end.store(ending.end, RELAXED);
        closed.busy.store(ending.busy, RELAXED);
        // Release: pairs with the Acquire in `ending_of`.
        closed.id.store(id, Ordering::Release);
        self.busy.store(ending.busy, RELAXED);
    }

    /// The end of the region `id`; `None` if it has not ended, or is no longer remembered.
    pub(crate) fn ending_of(&self, id: u64) -> Option<Ending> {
        let closed = &self.closed[id as usize % CLOSED];
        (closed.id.load(Ordering::Acquire) == id).then(|| Ending {
            last: closed.last.load(RELAXED),
            release: closed.release.load(RELAXED),
            end: closed.end.load(RELAXED),
            busy: closed.busy.load(RELAXED),
        })
    }

    /// Whether the `ordinal`-th barrier is folded, once folding has begun. The whole team has to
    /// agree: the first member that asks decides for the barrier after its own. No thread reaches
    /// that one before all have arrived at this one, so all see the decision.
    pub(crate) fn folds_barrier(&self, ordinal: u32) -> bool {
        if self.folded.load(RELAXED) {
            return true;
        }
        // A failing exchange would take the cache line from the other members each time.
        let from = self.fold_from.load(RELAXED);
        if from != 0 {
            return ordinal >= from;
        }
        let next = ordinal.saturating_add(1);
        match self.fold_from.compare_exchange(0, next, RELAXED, RELAXED) {
            Ok(_) => false,
            Err(from) => ordinal >= from,
        }
    }

    /// The calling thread arrives at the end of the region of `size` threads. Returns to the last
    /// one by how much the waits of all threads for it would have been shorter, or, below 0, longer
    /// if the scheduler had taken nothing, as it did `taken` ticks of the calling one.
    #[inline]
    pub(crate) fn arrive_at_end(&self, size: u64, tick: u64, taken: u64) -> i64 {
        let real = tick.saturating_sub(self.begin.load(RELAXED));
        let alone = size == 1;
        let ends = &self.sums.ends;
        add(&ends.sum, real, alone);
        if taken == 0 {
            raise(&ends.last, real);
        } else {
            let taken = taken.min(real);
            add(&ends.taken, taken, alone);
            raise(&ends.taken_last, real);
            raise(&ends.own_last, real - taken);
        }
        if alone {
            ends.arrived.store(1, RELAXED);
            return 0;
        }
        // AcqRel: the last one sees what the others have added.
        if ends.arrived.fetch_add(1, Ordering::AcqRel) + 1 != size {
            return 0;
        }
        let taken = ends.taken.load(RELAXED);
        if taken == 0 {
            return 0;
        }
        let arrived = self.arrived();
        let own_last = ends.last.load(RELAXED).max(ends.own_last.load(RELAXED));
        let waits = |last: u64, sum: u64| (size * last).saturating_sub(sum);
        let without = waits(own_last, arrived.sum.saturating_sub(taken));
        waits(arrived.last, arrived.sum).cast_signed().saturating_sub_unsigned(without)
    }

    /// The arrivals at the region's end so far.
    pub(crate) fn arrived(&self) -> Arrived {
        let ends = &self.sums.ends;
        Arrived {
            members: ends.arrived.load(RELAXED),
            sum: ends.sum.load(RELAXED),
            last: ends.last.load(RELAXED).max(ends.taken_last.load(RELAXED)),
        }
    }

    /// Adds up the time of a member of the folded region, of `size` threads, when it arrives.
    #[inline]
    pub(crate) fn add_member(&self, size: u32, useful: u64, inner: &[u64; 4]) {
        let alone = size == 1;
        add(&self.sums.useful, useful, alone);
        raise(&self.sums.max_useful, useful);
        for (sum, &wait) in self.sums.inner.iter().zip(inner) {
            if wait > 0 {
                add(sum, wait, alone);
            }
        }
    }

    /// The calling thread arrives at the `ordinal`-th barrier inside the region.
    pub(crate) fn arrive(&self, ordinal: u32, tick: u64) {
        raise(&self.sums.barriers[ordinal as usize % BARRIERS], tick);
    }

    /// The last arrival at a barrier that the calling thread has just left. No thread can be two
    /// barriers ahead, so the slot still belongs to that barrier.
    pub(crate) fn last_arrival(&self, ordinal: u32) -> u64 {
        self.sums.barriers[ordinal as usize % BARRIERS].load(RELAXED)
    }
}

#[cfg(test)]
mod tests {
    use super::Team;

    /// What the last of two threads gets that arrive at these ticks, of which the scheduler took
    /// the second numbers.
    fn of_two(first: (u64, u64), last: (u64, u64)) -> i64 {
        // SAFETY: all zeros are a valid team.
        let team = unsafe { std::mem::zeroed::<Team>() };
        team.open(1, 0, 1000, false);
        assert_eq!(team.arrive_at_end(2, 1000 + first.0, first.1), 0);
        team.arrive_at_end(2, 1000 + last.0, last.1)
    }

    #[test]
    fn waits_at_the_end_are_judged_without_the_scheduler() {
        assert_eq!(of_two((100, 0), (300, 0)), 0);
        assert_eq!(of_two((100, 0), (300, 200)), 200, "the scheduler caused all of the wait");
        assert_eq!(of_two((100, 0), (300, 50)), 50);
        assert_eq!(of_two((300, 200), (310, 0)), -200, "the scheduler hid that one has less work");
        assert_eq!(of_two((310, 0), (320, 200)), -180, "the last one has less work");
    }
}
