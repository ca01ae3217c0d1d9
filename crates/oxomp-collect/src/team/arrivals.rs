//! Arrivals at a region's end: each member's in a cell of its own, or in sums.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::RELAXED;

/// A member's arrival at a region's end.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Arrival {
    /// When: ticks since the region's begin.
    pub(crate) real: u64,
    /// Of them, those that the scheduler took from its last stretch of user code.
    pub(crate) taken: u64,
    /// In a folded region: its user code, and its waits by position.
    pub(crate) useful: u64,
    pub(crate) inner: [u64; 4],
}

/// The arrival of one member, which alone writes here. Two lines, since processors fetch pairs.
#[derive(Debug)]
#[repr(C, align(128))]
pub(super) struct Cell {
    /// Number of the region.
    id: AtomicU64,
    real: AtomicU64,
    taken: AtomicU64,
    useful: AtomicU64,
    inner: [AtomicU64; 4],
}

/// Sums of what has no cell: arrivals of members beyond the cells, and tasks after arrivals. Times
/// are ticks.
#[derive(Debug)]
#[repr(C, align(128))]
pub(super) struct Sums {
    /// Whether there is anything to reset.
    pub(super) used: AtomicBool,
    pub(super) useful: AtomicU64,
    max_useful: AtomicU64,
    /// Tasks executed after the arrival.
    pub(super) tasks: AtomicU64,
    /// Waits inside the region: mutex, taskwait, imbalance, barrier.
    pub(super) inner: [AtomicU64; 4],
    /// Threads that have arrived.
    arrived: AtomicU64,
    /// The sum of the arrivals, in ticks since the region's begin.
    arrivals: AtomicU64,
    /// The last arrival of the threads of which the scheduler took nothing.
    last: AtomicU64,
    /// What the scheduler took of the others, the last of them, and the last without what it took.
    taken: AtomicU64,
    taken_last: AtomicU64,
    own_last: AtomicU64,
}

/// All arrivals at a region's end, whether the region is folded or not; ticks since its begin.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Arrived {
    pub(crate) members: u64,
    pub(crate) sum: u64,
    pub(crate) last: u64,
    /// What the scheduler took of the members, and the last arrival if it had taken nothing.
    pub(crate) taken: u64,
    pub(crate) own_last: u64,
    /// In a folded region: user code of all members, and of the busiest.
    pub(crate) useful: u64,
    pub(crate) max_useful: u64,
    pub(crate) tasks: u64,
    pub(crate) inner: [u64; 4],
}

impl Arrived {
    pub(super) fn add(&mut self, arrival: &Arrival) {
        let taken = arrival.taken.min(arrival.real);
        self.members += 1;
        self.sum += arrival.real;
        self.last = self.last.max(arrival.real);
        self.taken += taken;
        self.own_last = self.own_last.max(arrival.real - taken);
        self.useful += arrival.useful;
        self.max_useful = self.max_useful.max(arrival.useful);
        for (sum, wait) in self.inner.iter_mut().zip(arrival.inner) {
            *sum += wait;
        }
    }

    /// By how much the waits of all `size` threads for the last one would have been shorter, or,
    /// below 0, longer if the scheduler had taken nothing.
    pub(crate) fn waits_for_scheduler(&self, size: u64) -> i64 {
        if self.taken == 0 || self.members != size {
            return 0;
        }
        let waits = |last: u64, sum: u64| (size * last).saturating_sub(sum);
        let without = waits(self.own_last, self.sum.saturating_sub(self.taken));
        waits(self.last, self.sum).cast_signed().saturating_sub_unsigned(without)
    }
}

/// Makes a maximum at least `amount`: most often it is already.
#[inline]
pub(super) fn raise(maximum: &AtomicU64, amount: u64) {
    if maximum.load(RELAXED) < amount {
        maximum.fetch_max(amount, RELAXED);
    }
}

impl Cell {
    pub(super) fn write(&self, id: u64, arrival: &Arrival) {
        self.real.store(arrival.real, RELAXED);
        self.taken.store(arrival.taken, RELAXED);
        self.useful.store(arrival.useful, RELAXED);
        for (place, wait) in self.inner.iter().zip(arrival.inner) {
            place.store(wait, RELAXED);
        }
        // Release: pairs with the Acquire in `read`.
        self.id.store(id, Ordering::Release);
    }

    pub(super) fn read(&self, id: u64) -> Option<Arrival> {
        (self.id.load(Ordering::Acquire) == id).then(|| Arrival {
            real: self.real.load(RELAXED),
            taken: self.taken.load(RELAXED),
            useful: self.useful.load(RELAXED),
            inner: [0, 1, 2, 3].map(|position: usize| self.inner[position].load(RELAXED)),
        })
    }
}

impl Sums {
    fn all(&self) -> impl Iterator<Item = &AtomicU64> {
        let single = [
            &self.useful,
            &self.max_useful,
            &self.tasks,
            &self.arrived,
            &self.arrivals,
            &self.last,
            &self.taken,
            &self.taken_last,
            &self.own_last,
        ];
        single.into_iter().chain(&self.inner)
    }

    /// The sums, to be reset for the next region.
    pub(super) fn to_use(&self) -> &Self {
        if !self.used.load(RELAXED) {
            self.used.store(true, RELAXED);
        }
        self
    }

    #[cold]
    pub(super) fn reset(&self) {
        for sum in self.all() {
            sum.store(0, RELAXED);
        }
        self.used.store(false, RELAXED);
    }

    #[cold]
    pub(super) fn add(&self, arrival: &Arrival) {
        let Arrival { real, taken, useful, inner } = *arrival;
        let sums = self.to_use();
        sums.arrivals.fetch_add(real, RELAXED);
        if taken == 0 {
            raise(&sums.last, real);
        } else {
            let taken = taken.min(real);
            sums.taken.fetch_add(taken, RELAXED);
            raise(&sums.taken_last, real);
            raise(&sums.own_last, real - taken);
        }
        sums.useful.fetch_add(useful, RELAXED);
        raise(&sums.max_useful, useful);
        for (sum, wait) in sums.inner.iter().zip(inner) {
            if wait > 0 {
                sum.fetch_add(wait, RELAXED);
            }
        }
        sums.arrived.fetch_add(1, RELAXED);
    }

    #[cold]
    pub(super) fn read(&self) -> Arrived {
        let get = |sum: &AtomicU64| sum.load(RELAXED);
        Arrived {
            members: get(&self.arrived),
            sum: get(&self.arrivals),
            last: get(&self.last).max(get(&self.taken_last)),
            taken: get(&self.taken),
            own_last: get(&self.last).max(get(&self.own_last)),
            useful: get(&self.useful),
            max_useful: get(&self.max_useful),
            tasks: get(&self.tasks),
            inner: [0, 1, 2, 3].map(|position: usize| get(&self.inner[position])),
        }
    }
}
