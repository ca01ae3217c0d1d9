//! How many tasks of a taskgroup are unfinished. Steps and argument: README.md beside this file.

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};

use crate::shim::AtomicU64;

/// The thread that is in the taskgroup counts at `home`, all others in `away`; an unfinished task
/// is one that was counted in and not yet out, so their sum is the number of those. A task is
/// counted in before it can run, and a task that makes another is itself still counted, so the sum
/// is zero only once, at the end. Whoever counts out touches the taskgroup for the last time.
#[derive(Debug)]
pub struct Unfinished<T> {
    /// Null if no thread is at home: the taskgroup's task is untied.
    thread: Cell<*const T>,
    home: Line<Cell<u64>>,
    away: Line<AtomicU64>,
}

/// Each side counts without the other's line.
#[derive(Debug)]
#[repr(align(64))]
struct Line<T>(T);

impl<T> Unfinished<T> {
    pub fn new() -> Self {
        Unfinished {
            thread: Cell::new(ptr::null()),
            home: Line(Cell::new(0)),
            away: Line(AtomicU64::new(0)),
        }
    }

    /// A taskgroup begins. Nobody counts yet.
    #[inline(always)]
    pub fn begin(&self, thread: Option<&T>) {
        self.thread.set(thread.map_or(ptr::null(), ptr::from_ref));
        self.home.0.set(0);
        // Relaxed: others get to know the taskgroup by its tasks.
        self.away.0.store(0, Relaxed);
    }

    /// In the child of a fork(2): those that are unfinished count in again.
    pub fn restart(&self) {
        self.home.0.set(0);
        self.away.0.store(0, Relaxed);
    }

    /// `here` is the calling thread, if it is one of the runtime's.
    #[inline(always)]
    fn count(&self, here: Option<&T>, change: u64) {
        if here.is_some_and(|here| ptr::eq(self.thread.get(), here)) {
            self.home.0.set(self.home.0.get().wrapping_add(change));
        } else {
            // AcqRel: the end sees what the tasks did.
            self.away.0.fetch_add(change, AcqRel);
        }
    }

    /// One task more, made by `here`.
    #[inline(always)]
    pub fn enter(&self, here: &T) {
        self.count(Some(here), 1);
    }

    /// A task of the group is complete.
    #[inline(always)]
    pub fn leave(&self, here: Option<&T>) {
        self.count(here, u64::MAX);
    }

    /// Whether tasks of the group are unfinished. By the thread that is in it.
    #[inline(always)]
    pub fn is_pending(&self) -> bool {
        // Acquire: pairs with the tasks' counting out.
        self.home.0.get().wrapping_add(self.away.0.load(Acquire)) != 0
    }
}
