//! Barrier, dock and release word. Steps, races and their argument: README.md beside this file.

mod departure;
mod dock;
mod fan_out;
#[cfg(all(test, not(feature = "model")))]
mod growth;
mod release_word;

pub(crate) use departure::Arrival;
pub use departure::{Cancellation, Departure, Ended};
pub use dock::{Dock, Released, Worker};
pub use fan_out::{FLAT, released_by};
pub use release_word::{Epoch, ReleaseWord};

use core::marker::PhantomData;
use core::sync::atomic::Ordering::{AcqRel, Relaxed};

use crate::Alone;
use crate::inside::{Inside, inside};
use crate::line::Line;
use crate::patience::Patience;
use crate::shim::{AtomicU32, IS_MODEL};

/// How many threads count on one cache line, and are released by one.
///
/// Eight sharers of a line cost about as much as one more level of the tree (`barrier`, 2 threads;
/// to be measured again on a machine with more than 16 processors).
const FAN_IN: usize = if IS_MODEL { 2 } else { 8 };

/// A group of the arrival tree: `FAN_IN` threads, or the groups below.
#[derive(Debug)]
#[repr(align(128))]
pub struct Group {
    arrived: AtomicU32,
    expected: u32,
    /// Index of the group above; the root is its own parent.
    parent: u32,
}

/// An arrival tree and the words that release its threads. One epoch is one barrier.
///
/// Invariants:
/// 1. A group's `arrived` goes from 0 to `expected` once an epoch; the thread that makes it
///    `expected` resets it and arrives at the parent, or, at the root, is *last*.
/// 2. Only the last thread advances the release words, after all counts are 0 again. It advances
///    the word of thread 0's group last, so that thread 0 goes on when all are advanced.
/// 3. A thread arrives with the epoch that it read before. This epoch cannot be past, since the
///    thread itself had not arrived, and it is not an older one: a worker that did not wait for the
///    end of its region comes back by way of thread 0 (Invariant 2).
#[derive(Debug)]
pub struct Barrier {
    groups: Box<[Group]>,
    /// The address of the groups, for a debugger.
    groups_at: usize,
    release: Box<[Line<ReleaseWord>]>,
    size: usize,
}

/// The duty of the last thread to arrive at a barrier, which `arrive` hands out once an epoch: it
/// releases the others.
///
/// The thread gives it to `release` of the same barrier: otherwise threads are released before all
/// have arrived, and the others wait forever. No lifetime ties the duty to its barrier, since a
/// thread that leaves cancelled work keeps it in a `Departure`, from which it takes it at the end.
///
/// ```no_run
/// use oxomp_protocol::barrier::Barrier;
///
/// fn passes(barrier: &Barrier) {
///     if let Some(last) = barrier.arrive(0) {
///         barrier.release(last);
///     }
/// }
/// ```
///
/// ```compile_fail,E0382
/// use oxomp_protocol::barrier::{Barrier, Last};
///
/// fn releases_twice(barrier: &Barrier, last: Last) {
///     barrier.release(last);
///     barrier.release(last);
/// }
/// ```
#[derive(Debug)]
#[must_use = "the other threads wait"]
pub struct Last(PhantomData<*mut ()>);

impl Group {
    /// The number of threads, or groups below, that have arrived; 0 again once all have.
    pub const ARRIVED: Inside<Self, AtomicU32> = inside!(arrived);
    /// The number that has to arrive.
    pub const EXPECTED: Inside<Self, u32> = inside!(expected);
}

impl Barrier {
    /// The address of the groups, of which the groups of threads come first, in the order of their
    /// numbers.
    pub const GROUPS: Inside<Self, usize> = inside!(groups_at);

    /// A barrier for `size` threads, numbered from 0.
    pub fn new(size: usize) -> Self {
        let mut groups = Vec::new();
        let mut below = size.max(1);
        let mut level_start = 0;
        loop {
            let count = below.div_ceil(FAN_IN);
            let next_level = level_start + count;
            for index in 0..count {
                let is_root = count == 1;
                groups.push(Group {
                    arrived: AtomicU32::new(0),
                    expected: FAN_IN.min(below - index * FAN_IN) as u32,
                    parent: if is_root { level_start } else { next_level + index / FAN_IN } as u32,
                });
            }
            if count == 1 {
                break;
            }
            (level_start, below) = (next_level, count);
        }
        let release = (0..size.max(1).div_ceil(FAN_IN)).map(|_| Line(ReleaseWord::new())).collect();
        let groups: Box<[Group]> = groups.into();
        Barrier { groups_at: groups.as_ptr().addr(), groups, release, size }
    }

    /// The number of threads that meet at the barrier.
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The epoch of thread `me`, read before it arrives.
    #[inline(always)]
    pub(crate) fn epoch(&self, me: usize) -> Epoch {
        self.release[me / FAN_IN].0.current()
    }

    /// Thread `me` arrives. Returns the duty to `release` the others if it is the last thread.
    #[inline(always)]
    pub fn arrive(&self, me: usize) -> Option<Last> {
        let mut group = me / FAN_IN;
        loop {
            let Group { arrived, expected, parent } = &self.groups[group];
            // AcqRel: the last thread of the group sees all that the others did before they
            // arrived, and publishes it to the group above, then to every thread through the
            // release words.
            if arrived.fetch_add(1, AcqRel) + 1 != *expected {
                return None;
            }
            // Relaxed: no thread arrives here again before the release (Invariant 1).
            arrived.store(0, Relaxed);
            if *parent as usize == group {
                return Some(Last(PhantomData));
            }
            group = *parent as usize;
        }
    }

    /// The last thread of the epoch, which has its duty from `arrive` of this barrier, lets all
    /// threads go, thread 0's group last (Invariant 2).
    #[inline(always)]
    pub fn release(&self, _: Last) {
        self.advance();
    }

    /// In the child of a fork(2), whose only thread may be waiting here: lets it go.
    pub fn abandon(&self, _: &Alone) {
        self.advance();
    }

    #[inline(always)]
    fn advance(&self) {
        for word in self.release.iter().rev() {
            word.0.advance();
        }
    }

    /// Calls the threads that wait, or will wait, in this epoch: their `wait_or_called` returns.
    pub fn call(&self) {
        for word in &self.release {
            word.0.call();
        }
    }

    /// Withdraws a call that this epoch's waiting threads have seen or need not see. Only for the
    /// last thread, before it releases.
    pub(crate) fn withdraw_call(&self) {
        for word in &self.release {
            word.0.withdraw_call();
        }
    }

    /// Thread `me` waits until the epoch `seen` is over, or until it is called. Returns whether the
    /// epoch is over.
    #[inline(always)]
    pub(crate) fn wait_or_called(&self, me: usize, seen: Epoch, patience: Patience) -> bool {
        self.release[me / FAN_IN].0.wait_or_called(seen, patience)
    }

    /// Whether the epoch that thread `me` read before it arrived is over.
    #[inline(always)]
    pub(crate) fn is_past(&self, me: usize, seen: Epoch) -> bool {
        self.release[me / FAN_IN].0.is_past(seen)
    }

    /// Thread `me` waits until the epoch that it read before it arrived is over.
    #[inline(always)]
    pub(crate) fn wait(&self, me: usize, seen: Epoch, patience: Patience) {
        self.release[me / FAN_IN].0.wait(seen, patience);
    }

    /// The number of barriers that were over when thread `me` last looked, modulo 2^30: the same
    /// for all threads of the group that have left the same barrier. It has no meaning but the
    /// difference from an earlier or later one.
    #[inline]
    pub fn passed(&self, me: usize) -> u32 {
        self.epoch(me).number()
    }

    /// The end of the barrier at which thread `me` is about to arrive.
    #[inline]
    pub fn end(&'static self, me: usize) -> End {
        End { word: &self.release[me / FAN_IN].0, seen: self.epoch(me) }
    }

    /// A whole barrier: thread `me` arrives, and waits or, as the last thread, releases.
    #[cfg(test)]
    #[inline(always)]
    pub fn pass(&self, me: usize, patience: Patience) {
        let seen = self.epoch(me);
        match self.arrive(me) {
            Some(last) => self.release(last),
            None => self.wait(me, seen, patience),
        }
    }
}

/// The end of a barrier, for a thread that has arrived and did not stay to see the end.
#[derive(Clone, Copy, Debug)]
pub struct End {
    word: &'static ReleaseWord,
    seen: Epoch,
}

impl End {
    /// Whether every thread has arrived by now.
    #[inline]
    pub fn is_past(self) -> bool {
        self.word.is_past(self.seen)
    }
}
