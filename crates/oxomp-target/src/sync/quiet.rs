//! The quiet in which a process forks: meanwhile no thread but the forking one takes a lock of this
//! library, so that fork(2) finds the data behind them whole.
//!
//! The forking thread takes all locks, begins the quiet, and releases them; a thread that takes one
//! afterwards sees the quiet, since it got the lock from there, releases it, and waits holding
//! none. Nobody waits for ever: the handlers of other libraries that run before the fork may wait
//! for such a thread. So a thread that has waited for long lets the quiet go, for all, and what
//! that thread is changing when the process forks is not whole in the child. The crate's README has
//! the argument.

use core::sync::atomic::Ordering::Relaxed;

use super::AtomicU32;

/// Threads need not keep the quiet.
const LET_GO: u32 = 1;
/// A fork under way.
const FORK: u32 = 2;

/// The forks under way, and whether the threads wait for them.
#[derive(Debug)]
pub(crate) struct Quiet(AtomicU32);

/// What a thread does that has found the quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manners {
    /// It has waited, and looks again.
    Look,
    /// It is the forking thread, for which the others wait.
    Enter,
}

impl Quiet {
    const_unless_model! {
        /// No fork is under way.
        pub(crate) fn new() -> Self {
            Self(AtomicU32::new(0))
        }
    }

    /// The forking thread, which holds all locks, begins the quiet. Relaxed, here and below: who
    /// must see the word gets one of those locks afterwards.
    pub(crate) fn begin(&self) {
        self.change(|word| (word & !LET_GO) + FORK);
    }

    /// The process has forked.
    pub(crate) fn end(&self) {
        self.change(|word| match word.saturating_sub(FORK) {
            LET_GO => 0,
            left => left,
        });
    }

    /// A thread has waited for long enough: nobody waits for the forks that are under way.
    pub(crate) fn let_go(&self) {
        self.change(|word| if word == 0 { 0 } else { word | LET_GO });
    }

    /// In the child of a fork no fork is under way.
    pub(crate) fn forget(&self) {
        self.0.store(0, Relaxed);
    }

    /// Whether the threads wait for a fork.
    pub(crate) fn is_kept(&self) -> bool {
        let word = self.0.load(Relaxed);
        word != 0 && word & LET_GO == 0
    }

    /// Locks by `lock` when no thread keeps the quiet, or by the forking thread. `wait` is called
    /// while one does.
    pub(crate) fn outside<Guard>(
        &self,
        lock: impl Fn() -> Guard,
        mut wait: impl FnMut() -> Manners,
    ) -> Guard {
        loop {
            let guard = lock();
            if !self.is_kept() {
                return guard;
            }
            drop(guard);
            if wait() == Manners::Enter {
                return lock();
            }
        }
    }

    fn change(&self, change: impl Fn(u32) -> u32) {
        let _ = self.0.fetch_update(Relaxed, Relaxed, |word| Some(change(word)));
    }
}
