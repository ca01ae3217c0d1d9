//! A work-stealing deque: the owner pushes and takes the youngest entry, other threads steal the
//! oldest. Steps and argument: README.md beside this file.

use core::cell::Cell;
use core::fmt;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release, SeqCst};

use crate::shim::{AtomicPtr, AtomicU64, IS_MODEL, fence};
use crate::{Alone, Owner};

/// The most entries of a deque; a thread that makes more tasks runs them at once. Enough for
/// thieves to find work while the owner runs tasks that it cannot queue; a deque takes two
/// kilobytes (`task_one_producer`, `task_tree`).
pub const CAPACITY: u64 = if IS_MODEL { 2 } else { 256 };

/// A bounded deque of pointers with one owner and many thieves (Chase and Lev's, without growth).
///
/// Its owner is the one thread that pushes and pops (`Owner<&Deque<T>>`); any other thread steals.
/// Ownership passes from one thread to the next by what orders the two, as a barrier does.
///
/// Invariants:
/// 1. `top` and `bottom` only grow, except that the owner decrements `bottom` in `pop`, and keeps
///    or undoes that; the entries are those from `top` up to `bottom`, at their number modulo
///    `CAPACITY`.
/// 2. An entry leaves by a successful compare-exchange of `top`, or by the owner's `pop` of an
///    entry that no thief can reach any more.
/// 3. The owner writes an entry only where `top` has passed the one that was there.
#[repr(C, align(128))]
pub struct Deque<T> {
    bottom: AtomicU64,
    /// `top` as the owner last saw it, a bound: the deque has at most `bottom` - `top_seen`
    /// entries.
    top_seen: Cell<u64>,
    thieves: Thieves,
    entries: [AtomicPtr<T>; CAPACITY as usize],
}

/// The thieves' end, on its own cache line: thieves write it, and the owner reads it for the last
/// entry only.
#[derive(Debug)]
#[repr(align(128))]
struct Thieves {
    top: AtomicU64,
}

/// The outcome of a steal.
#[derive(Debug, PartialEq, Eq)]
pub enum Stolen<T> {
    /// The thief has this entry.
    Entry(*mut T),
    /// The deque had no entry.
    Empty,
    /// Another thread took the entry first: the thief may look again.
    Lost,
    /// The oldest entry does not suit this thief.
    Refused,
}

// SAFETY: `top_seen` is reached through an `Owner`, or in the child of a fork(2) by the only
// thread; the rest is atomic.
unsafe impl<T> Sync for Deque<T> {}

impl<T> fmt::Debug for Deque<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deque").field("bottom", &self.bottom).finish_non_exhaustive()
    }
}

impl<T> Deque<T> {
    /// A deque without entries.
    pub fn new() -> Self {
        Deque {
            bottom: AtomicU64::new(0),
            top_seen: Cell::new(0),
            thieves: Thieves { top: AtomicU64::new(0) },
            entries: core::array::from_fn(|_| AtomicPtr::new(ptr::null_mut())),
        }
    }

    #[inline(always)]
    fn entry(&self, number: u64) -> &AtomicPtr<T> {
        &self.entries[(number % CAPACITY) as usize]
    }

    /// Takes the oldest entry, if it `suits`. For any thread but the owner.
    ///
    /// `suits` may be called with an entry that another thread takes meanwhile: the memory behind
    /// an entry must stay readable, and the answer about such an entry is discarded.
    #[inline(always)]
    pub fn steal(&self, suits: impl FnOnce(*mut T) -> bool) -> Stolen<T> {
        let top = self.thieves.top.load(Acquire);
        fence(SeqCst);
        // Acquire: pairs with the Release in `push`.
        let bottom = self.bottom.load(Acquire);
        if bottom.wrapping_sub(top).cast_signed() <= 0 {
            return Stolen::Empty;
        }
        // Acquire: pairs with the Release in `push`.
        let entry = self.entry(top).load(Acquire);
        if !suits(entry) {
            return Stolen::Refused;
        }
        // Release: the thief reads the entry before the owner sees that its place is free
        // (Invariant 3).
        match self.thieves.top.compare_exchange(top, top.wrapping_add(1), SeqCst, Relaxed) {
            Ok(_) => Stolen::Entry(entry),
            Err(_) => Stolen::Lost,
        }
    }

    /// Takes the oldest entry, if it `suits`, as `steal` does: for a thread that goes on to the
    /// next deque if it gets none here. A deque that looks empty costs no fence.
    #[inline(always)]
    pub fn steal_in_passing(&self, suits: impl FnOnce(*mut T) -> bool) -> Option<*mut T> {
        if self.looks_empty() {
            return None;
        }
        match self.steal(suits) {
            Stolen::Entry(entry) => Some(entry),
            Stolen::Empty | Stolen::Lost | Stolen::Refused => None,
        }
    }

    /// In the child of a fork(2): makes the deque empty. An owner that is gone may have been in the
    /// middle of `pop`.
    pub fn forget(&self, _: &Alone) {
        let top = self.thieves.top.load(Relaxed);
        self.bottom.store(top, Relaxed);
        self.top_seen.set(top);
    }

    /// Whether the deque looks empty; any thread may ask.
    #[inline(always)]
    fn looks_empty(&self) -> bool {
        let bottom = self.bottom.load(Relaxed);
        bottom.wrapping_sub(self.thieves.top.load(Relaxed)).cast_signed() <= 0
    }
}

impl<T> Owner<&Deque<T>> {
    /// Whether one more entry can be pushed. Only `push` turns `true` into `false`.
    #[inline(always)]
    pub fn has_room(self) -> bool {
        let bottom = self.bottom.load(Relaxed);
        bottom.wrapping_sub(self.top_seen.get()) < CAPACITY || self.look_for_room(bottom)
    }

    #[cold]
    fn look_for_room(self, bottom: u64) -> bool {
        // Acquire: the thief that passed an entry has read it before we write there (Invariant 3).
        self.top_seen.set(self.thieves.top.load(Acquire));
        bottom.wrapping_sub(self.top_seen.get()) < CAPACITY
    }

    /// Adds an entry, after `has_room` was `true`: in a full deque it takes the place of another.
    #[inline(always)]
    pub fn push(self, entry: *mut T) {
        let bottom = self.bottom.load(Relaxed);
        // Release: a thief whose steal will fail may read the entry before it sees the new bottom,
        // and look at the task behind it.
        self.entry(bottom).store(entry, Release);
        // Release: a thread that sees the new bottom sees the entry.
        self.bottom.store(bottom.wrapping_add(1), Release);
    }

    /// The youngest entry, which a thief may take at any time.
    #[inline(always)]
    pub fn youngest(self) -> Option<*mut T> {
        let bottom = self.bottom.load(Relaxed);
        // Relaxed: only the owner adds entries.
        let is_empty = bottom == self.thieves.top.load(Relaxed);
        (!is_empty).then(|| self.entry(bottom.wrapping_sub(1)).load(Relaxed))
    }

    /// Takes the youngest entry.
    #[inline(always)]
    pub fn pop(self) -> Option<*mut T> {
        let bottom = self.bottom.load(Relaxed);
        // Relaxed: only the owner adds entries, so it knows when there are none.
        if bottom == self.thieves.top.load(Relaxed) {
            return None;
        }
        let last = bottom.wrapping_sub(1);
        // Release, here and below: a thief may read this value of `bottom`, and then the entries.
        self.bottom.store(last, Release);
        // Either a thief that reads `bottom` after its own fence sees the decrement, or the owner
        // sees the thief's `top`, or both do (README).
        fence(SeqCst);
        let top = self.thieves.top.load(Relaxed);
        let left = last.wrapping_sub(top).cast_signed();
        if left > 0 {
            return Some(self.entry(last).load(Relaxed));
        }
        let mut taken = None;
        if left == 0 {
            let entry = self.entry(last).load(Relaxed);
            // The last entry: the thread that moves `top` has it (Invariant 2).
            let next = top.wrapping_add(1);
            if self.thieves.top.compare_exchange(top, next, SeqCst, Relaxed).is_ok() {
                taken = Some(entry);
            }
        }
        self.bottom.store(bottom, Release);
        taken
    }
}
