//! The quiescence in which a process forks: meanwhile no thread but the forking one changes what a
//! lock of this library guards, so that fork(2) finds the data whole.
//!
//! The forking thread takes all locks, begins its quiescence, and frees them. A thread that takes
//! one of these locks afterwards sees the quiescence, since it got the lock from the forking
//! thread; it frees the lock, and waits without any lock. No thread waits for ever: handlers of
//! other libraries that run before the fork may wait for such a thread. So a thread that has waited
//! for long gives the quiescence up, for all threads; if the process forks while this thread
//! changes a value, the child finds the value in the middle of the change. The crate's README has
//! the argument.

use core::sync::atomic::Ordering::Relaxed;

use super::AtomicU32;

/// The bit that is set when the forks under way are given up: threads do not wait for them.
const GIVEN_UP: u32 = 1;
/// The unit of the count of forks under way.
const FORK: u32 = 1 << 1;
/// The bits that count the forks under way.
const FORKS: u32 = GENERATION - FORK;
/// The unit of the count of all quiescences that have ever begun.
const GENERATION: u32 = 1 << 12;

/// The forks under way, and whether threads wait for them.
#[derive(Debug)]
pub(crate) struct Quiescence(AtomicU32);

impl Quiescence {
    const_unless_model! {
        /// No fork is under way.
        pub(crate) fn new() -> Self {
            Self(AtomicU32::new(0))
        }
    }

    /// The forking thread, which holds all locks, begins a quiescence. Relaxed, as all accesses: a
    /// thread that must see the word takes one of those locks after this store.
    pub(crate) fn begin(&self) {
        self.change(|word| (word & !GIVEN_UP).wrapping_add(FORK + GENERATION));
    }

    /// The process has forked, or could not.
    pub(crate) fn end(&self) {
        self.change(|word| match word - FORK {
            left if left & FORKS == 0 => left & !GIVEN_UP,
            left => left,
        });
    }

    /// A thread has waited for long enough: no thread waits for the forks that are under way.
    pub(crate) fn give_up(&self) {
        self.change(|word| if word & FORKS == 0 { word } else { word | GIVEN_UP });
    }

    /// In the child of a fork. The one thread has `forks` other forks under way.
    pub(crate) fn keep(&self, forks: u32) {
        self.change(|word| (word & !(FORKS | GIVEN_UP)) | (forks * FORK));
    }

    /// Whether a quiescence is kept.
    pub(crate) fn is_kept(&self) -> bool {
        is_kept(self.0.load(Relaxed))
    }

    /// Whether a thread with `own` forks under way waits: for another thread's fork.
    pub(crate) fn binds(&self, own: impl FnOnce() -> u32) -> bool {
        let word = self.0.load(Relaxed);
        is_kept(word) && (word & FORKS) / FORK > own()
    }

    /// The number of the quiescence that began last.
    pub(crate) fn generation(&self) -> u32 {
        self.0.load(Relaxed) / GENERATION
    }

    /// Locks by `lock`, outside of the quiescence of other threads' forks. `own` is the number of
    /// the calling thread's forks under way. The thread calls `wait` while it waits; `wait` returns
    /// after a while.
    pub(crate) fn outside<Guard>(
        &self,
        own: impl Fn() -> u32,
        lock: impl Fn() -> Guard,
        mut wait: impl FnMut(),
    ) -> Guard {
        loop {
            while self.binds(&own) {
                wait();
            }
            let guard = lock();
            if !self.binds(&own) {
                return guard;
            }
            drop(guard);
        }
    }

    fn change(&self, change: impl Fn(u32) -> u32) {
        let _ = self.0.fetch_update(Relaxed, Relaxed, |word| Some(change(word)));
    }
}

fn is_kept(word: u32) -> bool {
    word & FORKS != 0 && word & GIVEN_UP == 0
}
