//! How many tasks of a group are unfinished. Steps and argument: README.md beside this file.

use core::cell::Cell;
use core::fmt;
use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::shim::AtomicU64;
use crate::{Alone, Owner, Sole, ThisThread};

/// The number of unfinished tasks of a group. Threads are known by the addresses of what stands for
/// them, a `T` each.
///
/// Its owner (`Owner<&Unfinished>`) is the thread that waits for the group. If the waiting task
/// moves to another thread, that thread is the owner from then on; a group that was begun on a
/// thread stays there. A group begins where no task of the one before is counted
/// (`Sole<&Unfinished>`).
///
/// The thread that waits for the group counts at `home`, all others in `away`; a task is unfinished
/// from when it is counted in until it is counted out, so the sum of both is the number. A task is
/// counted in before it can run, and a task that makes another is itself still counted, so the sum
/// is zero only once, at the end. A thread that counts a task out does not touch the group again.
pub struct Unfinished {
    /// Null if no thread counts at home, since the waiting task may move to another thread.
    thread: Cell<*const ()>,
    home: Line<Cell<u64>>,
    away: Line<AtomicU64>,
}

// SAFETY: `home` is written by the thread that `thread` names, which alone has a reference to what
// stands for it (`ThisThread`), and read by the owner: that thread, if there is one. `thread`
// changes while no other thread uses the group (`Sole`). In the child of a fork(2) there is one
// thread.
unsafe impl Sync for Unfinished {}

impl fmt::Debug for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unfinished").field("away", &self.away).finish_non_exhaustive()
    }
}

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

    /// In the child of a fork(2): forgets all counts; the tasks that are left are counted in again.
    pub fn restart(&self, _: &Alone) {
        self.home.0.set(0);
        self.away.0.store(0, Relaxed);
    }

    /// Counts on the calling thread's side; `here` is the calling thread, if it is known.
    #[inline(always)]
    fn count<T: ThisThread>(&self, here: Option<&T>, change: u64) {
        if here.is_some_and(|here| ptr::addr_eq(self.thread.get(), here)) {
            self.home.0.set(self.home.0.get().wrapping_add(change));
        } else {
            // AcqRel: the thread that sees the end sees the tasks' writes.
            self.away.0.fetch_add(change, AcqRel);
        }
    }

    /// Counts in one more task, made by the thread `here`.
    #[inline(always)]
    pub fn enter<T: ThisThread>(&self, here: &T) {
        self.count(Some(here), 1);
    }

    /// Counts out a task of the group that is complete; `here` is the calling thread, if it is
    /// known.
    #[inline(always)]
    pub fn leave<T: ThisThread>(&self, here: Option<&T>) {
        self.count(here, u64::MAX);
    }
}

impl Sole<&Unfinished> {
    /// Begins a group for which `thread` waits, if the waiting task stays on one thread. No task is
    /// counted yet.
    #[inline(always)]
    pub fn begin<T: ThisThread>(&self, thread: Option<&T>) {
        self.thread.set(thread.map_or(ptr::null(), |thread| ptr::from_ref(thread).cast()));
        self.home.0.set(0);
        // Relaxed: other threads learn of the group from its tasks.
        self.away.0.store(0, Relaxed);
    }
}

impl Owner<&Unfinished> {
    /// Whether tasks of the group are unfinished.
    #[inline(always)]
    pub fn is_pending(self) -> bool {
        // Acquire: pairs with the tasks' counting out.
        self.home.0.get().wrapping_add(self.away.0.load(Acquire)) != 0
    }
}
