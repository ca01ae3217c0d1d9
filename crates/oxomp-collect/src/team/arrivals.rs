//! Arrivals at a region's end: each member's in a cell of its own, or in sums.

use std::sync::atomic::Ordering::{self, Relaxed};
use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::wait_class::WAIT_CLASSES;

/// A member's arrival at a region's end.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Arrival {
    /// When: ticks since the region's begin.
    pub(crate) real: u64,
    /// Of these ticks, those that the scheduler took from the member's last stretch of user code.
    pub(crate) taken: u64,
    /// The member's user code, and its waits by position.
    pub(crate) useful: u64,
    /// The user code of the tasks that the member has executed since the arrival.
    pub(crate) tail_useful: u64,
    /// Of all this user code, the ticks in which the member was blocked or lacked a processor.
    pub(crate) uncomputed: u64,
    pub(crate) inner: [u64; WAIT_CLASSES],
    /// The member's waits for locks since the last barrier before.
    pub(crate) locks: u64,
}

/// The arrival of one member, which alone writes here. Two lines, since processors fetch pairs;
/// only members that have waited use the second one.
#[derive(Debug)]
#[repr(C, align(128))]
pub(super) struct Cell {
    /// Number of the region, and [`HAS_WAITED`].
    id: AtomicU64,
    real: AtomicU64,
    taken: AtomicU64,
    useful: AtomicU64,
    /// User code of tasks after the arrival.
    tail_useful: AtomicU64,
    /// Ticks of the member's user code in which it did not compute.
    uncomputed: AtomicU64,
    spare: [u64; 2],
    inner: [AtomicU64; WAIT_CLASSES],
    locks: AtomicU64,
}

/// The bit of a cell's number that says whether there are waits.
const HAS_WAITED: u64 = 1 << 63;

/// Sums for members without a cell, and of the tasks after all arrivals. Times are ticks.
#[derive(Debug)]
#[repr(C, align(128))]
pub(super) struct Sums {
    /// Whether there is anything to reset.
    pub(super) used: AtomicBool,
    pub(super) useful: AtomicU64,
    /// The ticks of `useful` in which members did not compute, and the most that one member without
    /// a cell computed.
    uncomputed: AtomicU64,
    max_computed: AtomicU64,
    /// Tasks executed after the arrival.
    pub(super) tasks: AtomicU64,
    /// Waits inside the region by position.
    pub(super) inner: [AtomicU64; WAIT_CLASSES],
    /// Threads that have arrived.
    arrived: AtomicU64,
    /// The sum of the arrivals, in ticks since the region's begin.
    arrivals: AtomicU64,
    /// The last arrival among the threads from which the scheduler took nothing.
    last: AtomicU64,
    /// For the other threads: the sum of what the scheduler took, the last arrival, and the last
    /// arrival without what it took.
    taken: AtomicU64,
    taken_last: AtomicU64,
    own_last: AtomicU64,
    /// The last arrival if no thread had waited for locks since the last barrier before.
    without_locks: AtomicU64,
}

/// All arrivals at a region's end; ticks since its begin.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Arrived {
    pub(crate) members: u64,
    pub(crate) sum: u64,
    pub(crate) last: u64,
    /// What the scheduler took of the members, and the last arrival if it had taken nothing.
    pub(crate) taken: u64,
    pub(crate) own_last: u64,
    /// The last arrival if no member had waited for locks since the last barrier before.
    pub(crate) without_locks: u64,
    /// User code of all members, the part of it in which they did not compute, and how long the
    /// busiest member computed.
    pub(crate) useful: u64,
    pub(crate) uncomputed: u64,
    pub(crate) max_computed: u64,
    pub(crate) tasks: u64,
    pub(crate) inner: [u64; WAIT_CLASSES],
}

impl Arrived {
    pub(super) fn add(&mut self, arrival: &Arrival) {
        let taken = arrival.taken.min(arrival.real);
        self.members += 1;
        self.sum += arrival.real;
        self.last = self.last.max(arrival.real);
        self.taken += taken;
        self.own_last = self.own_last.max(arrival.real - taken);
        let without = arrival.real.saturating_sub(arrival.locks);
        self.without_locks = self.without_locks.max(without);
        self.useful += arrival.useful;
        let all = arrival.useful + arrival.tail_useful;
        let uncomputed = arrival.uncomputed.min(all);
        self.uncomputed += uncomputed;
        self.max_computed = self.max_computed.max(all - uncomputed);
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

/// Raises a maximum to at least `amount`; most often it is as high already.
#[inline]
pub(super) fn raise(maximum: &AtomicU64, amount: u64) {
    if maximum.load(Relaxed) < amount {
        maximum.fetch_max(amount, Relaxed);
    }
}

impl Cell {
    pub(super) fn write(&self, id: u64, arrival: &Arrival) {
        self.real.store(arrival.real, Relaxed);
        self.taken.store(arrival.taken, Relaxed);
        self.useful.store(arrival.useful, Relaxed);
        self.tail_useful.store(0, Relaxed);
        self.uncomputed.store(arrival.uncomputed, Relaxed);
        let mut told = id;
        if arrival.inner.iter().any(|&wait| wait > 0) {
            for (place, wait) in self.inner.iter().zip(arrival.inner) {
                place.store(wait, Relaxed);
            }
            self.locks.store(arrival.locks, Relaxed);
            told |= HAS_WAITED;
        }
        // Release: pairs with the Acquire in `read`.
        self.id.store(told, Ordering::Release);
    }

    /// The member has executed a task after its arrival; `uncomputed` is the part of all its user
    /// code up to now in which it has not computed.
    pub(super) fn add_tail_task(&self, useful: u64, uncomputed: u64) {
        self.tail_useful.store(self.tail_useful.load(Relaxed) + useful, Relaxed);
        self.uncomputed.store(uncomputed, Relaxed);
    }

    pub(super) fn read(&self, id: u64) -> Option<Arrival> {
        let told = self.id.load(Ordering::Acquire);
        let mut arrival = (told & !HAS_WAITED == id).then(|| Arrival {
            real: self.real.load(Relaxed),
            taken: self.taken.load(Relaxed),
            useful: self.useful.load(Relaxed),
            tail_useful: self.tail_useful.load(Relaxed),
            uncomputed: self.uncomputed.load(Relaxed),
            ..Arrival::default()
        })?;
        if told & HAS_WAITED != 0 {
            arrival.inner = get_all(&self.inner);
            arrival.locks = self.locks.load(Relaxed);
        }
        Some(arrival)
    }
}

fn get_all(sums: &[AtomicU64; WAIT_CLASSES]) -> [u64; WAIT_CLASSES] {
    std::array::from_fn(|position| sums[position].load(Relaxed))
}

impl Sums {
    fn all(&self) -> impl Iterator<Item = &AtomicU64> {
        let single = [
            &self.useful,
            &self.uncomputed,
            &self.max_computed,
            &self.tasks,
            &self.arrived,
            &self.arrivals,
            &self.last,
            &self.taken,
            &self.taken_last,
            &self.own_last,
            &self.without_locks,
        ];
        single.into_iter().chain(&self.inner)
    }

    /// The sums, to be reset for the next region.
    pub(super) fn to_use(&self) -> &Self {
        if !self.used.load(Relaxed) {
            self.used.store(true, Relaxed);
        }
        self
    }

    #[cold]
    pub(super) fn reset(&self) {
        for sum in self.all() {
            sum.store(0, Relaxed);
        }
        self.used.store(false, Relaxed);
    }

    #[cold]
    pub(super) fn add(&self, arrival: &Arrival) {
        let Arrival { real, taken, useful, uncomputed, inner, locks, .. } = *arrival;
        let sums = self.to_use();
        raise(&sums.without_locks, real.saturating_sub(locks));
        sums.arrivals.fetch_add(real, Relaxed);
        if taken == 0 {
            raise(&sums.last, real);
        } else {
            let taken = taken.min(real);
            sums.taken.fetch_add(taken, Relaxed);
            raise(&sums.taken_last, real);
            raise(&sums.own_last, real - taken);
        }
        sums.useful.fetch_add(useful, Relaxed);
        let uncomputed = uncomputed.min(useful);
        sums.uncomputed.fetch_add(uncomputed, Relaxed);
        raise(&sums.max_computed, useful - uncomputed);
        for (sum, wait) in sums.inner.iter().zip(inner) {
            if wait > 0 {
                sum.fetch_add(wait, Relaxed);
            }
        }
        sums.arrived.fetch_add(1, Relaxed);
    }

    #[cold]
    pub(super) fn read(&self) -> Arrived {
        let get = |sum: &AtomicU64| sum.load(Relaxed);
        Arrived {
            members: get(&self.arrived),
            sum: get(&self.arrivals),
            last: get(&self.last).max(get(&self.taken_last)),
            taken: get(&self.taken),
            own_last: get(&self.last).max(get(&self.own_last)),
            without_locks: get(&self.without_locks),
            useful: get(&self.useful),
            uncomputed: get(&self.uncomputed),
            max_computed: get(&self.max_computed),
            tasks: get(&self.tasks),
            inner: get_all(&self.inner),
        }
    }
}
