//! How many tasks of a group are unfinished. Steps and argument: README.md beside this file.

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::Alone;
use crate::shim::AtomicU64;

/// The number of unfinished tasks of a group. Threads are known by the addresses of what stands for
/// them, a `T` each.
///
/// The thread that waits for the group counts at `home`, all others in `away`; a task is unfinished
/// from when it is counted in until it is counted out, so the sum of both is the number. A task is
/// counted in before it can run, and a task that makes another is itself still counted, so the sum
/// is zero only once, at the end. A thread that counts a task out does not touch the group again.
#[derive(Debug)]
pub struct Unfinished {
    /// Null if no thread counts at home, since the waiting task may move to another thread.
    thread: Cell<*const ()>,
    home: Line<Cell<u64>>,
    away: Line<AtomicU64>,
}

// SAFETY: only the thread at home touches the cells; the others compare addresses with `thread`,
// which changes while no task of the group is counted.
unsafe impl Sync for Unfinished {}

/// On its own cache line, so that the two sides do not disturb each other.
#[derive(Debug)]
#[repr(align(64))]
struct Line<T>(T);

impl Unfinished {
    /// No group yet.
    pub fn new() -> Self {
        Unfinished {
            thread: Cell::new(ptr::null()),
            home: Line(Cell::new(0)),
            away: Line(AtomicU64::new(0)),
        }
    }

    /// Begins a group for which `thread` waits, if the waiting task stays on one thread. No task is
    /// counted yet.
    #[inline(always)]
    pub fn begin<T>(&self, thread: Option<&T>) {
        self.thread.set(thread.map_or(ptr::null(), |thread| ptr::from_ref(thread).cast()));
        self.home.0.set(0);
        // Relaxed: other threads learn of the group from its tasks.
        self.away.0.store(0, Relaxed);
    }

    /// In the child of a fork(2): forgets all counts; the tasks that are left are counted in again.
    pub fn restart(&self, _: &Alone) {
        self.home.0.set(0);
        self.away.0.store(0, Relaxed);
    }

    /// Counts on the calling thread's side; `here` is the calling thread, if it is known.
    #[inline(always)]
    fn count<T>(&self, here: Option<&T>, change: u64) {
        if here.is_some_and(|here| ptr::addr_eq(self.thread.get(), here)) {
            self.home.0.set(self.home.0.get().wrapping_add(change));
        } else {
            // AcqRel: the thread that sees the end sees the tasks' writes.
            self.away.0.fetch_add(change, AcqRel);
        }
    }

    /// Counts in one more task, made by the thread `here`.
    #[inline(always)]
    pub fn enter<T>(&self, here: &T) {
        self.count(Some(here), 1);
    }

    /// Counts out a task of the group that is complete; `here` is the calling thread, if it is
    /// known.
    #[inline(always)]
    pub fn leave<T>(&self, here: Option<&T>) {
        self.count(here, u64::MAX);
    }

    /// Whether tasks of the group are unfinished. Only the thread that waits for the group may ask.
    #[inline(always)]
    pub fn is_pending(&self) -> bool {
        // Acquire: pairs with the tasks' counting out.
        self.home.0.get().wrapping_add(self.away.0.load(Acquire)) != 0
    }
}
