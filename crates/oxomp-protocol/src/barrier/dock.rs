//! Where a worker waits for its next order. Steps and argument: README.md beside this file.

use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;

use super::release_word::{Epoch, ReleaseWord};
use crate::patience::Patience;

/// The place where a worker waits: one order of type `O`, and the release word that publishes it.
/// An order of at most 56 bytes shares a cache line with the word, so that the worker takes one
/// miss.
///
/// Invariants:
/// 1. The order is written by the one thread that may release the worker at that time, and only
///    when the worker has carried out the order before. In the child of a fork(2) the worker, if
///    it is the thread that is left, writes its last order itself.
/// 2. The worker reads the order only after it saw the epoch that the release made.
///
/// Any thread may `call` the worker. The thread that waits has a [`Worker`].
#[repr(C, align(128))]
pub struct Dock<O: Copy> {
    word: ReleaseWord,
    order: Cell<O>,
}

// SAFETY: `order` passes between releaser and worker by the word (Invariants 1 and 2): `release`
// demands the first, and a `Worker` reads after a wait only.
unsafe impl<O: Copy + Send> Sync for Dock<O> {}

impl<O: Copy> fmt::Debug for Dock<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dock").field("word", &self.word).finish_non_exhaustive()
    }
}

impl<O: Copy> Dock<O> {
    /// A dock at which no worker waits; `order` is a placeholder that no worker carries out.
    pub fn new(order: O) -> Self {
        Dock { word: ReleaseWord::new(), order: Cell::new(order) }
    }

    /// Makes the dock as new.
    ///
    /// # Safety
    /// No thread uses a `Worker` of the dock from now on but one that is made afterwards, and no
    /// thread releases a worker meanwhile.
    pub unsafe fn reset(&self) {
        self.word.reset();
    }

    /// The calling thread becomes the worker of this dock.
    ///
    /// # Safety
    /// The dock is new, or was reset after the last use of its last `Worker`, and no other thread
    /// becomes its worker.
    pub unsafe fn worker(&self) -> Worker<'_, O> {
        Worker { dock: self, seen: Epoch::FIRST, stays_on_its_thread: PhantomData }
    }

    /// Hands the worker its order.
    ///
    /// ```compile_fail,E0133
    /// fn releases(dock: &oxomp_protocol::barrier::Dock<u32>) {
    ///     dock.release(1);
    /// }
    /// ```
    ///
    /// # Safety
    /// The calling thread is the one that may release the worker now: no other thread releases it
    /// meanwhile, and the worker has carried out each order before, which this thread knows by a
    /// barrier or a lock (Invariant 1); or it is the worker itself, in the child of a fork(2), and
    /// has copied each order before.
    #[inline(always)]
    pub unsafe fn release(&self, order: O) {
        self.order.set(order);
        // Publishes the order (Invariant 2).
        self.word.advance();
    }

    /// Calls the worker, which is at its dock or on its way there, to other work while it waits for
    /// its order.
    pub fn call(&self) {
        self.word.call();
    }
}

/// The worker of a dock, and the epoch that it waits past.
///
/// An order can be read after a wait for it only:
///
/// ```no_run
/// use oxomp_protocol::{barrier::Worker, patience::Patience};
///
/// fn waits(mut worker: Worker<'_, u32>, patience: Patience) -> Option<u32> {
///     Some(worker.wait_or_called(patience)?.order())
/// }
/// ```
///
/// ```compile_fail,E0382
/// use oxomp_protocol::{barrier::Worker, patience::Patience};
///
/// fn reads_twice(mut worker: Worker<'_, u32>, patience: Patience) {
///     if let Some(released) = worker.wait_or_called(patience) {
///         println!("{} {}", released.order(), released.order());
///     }
/// }
/// ```
///
/// No other thread takes the worker's place:
///
/// ```compile_fail,E0277
/// fn sends(worker: oxomp_protocol::barrier::Worker<'static, u32>) {
///     std::thread::spawn(move || drop(worker));
/// }
/// ```
#[derive(Debug)]
pub struct Worker<'a, O: Copy> {
    dock: &'a Dock<O>,
    seen: Epoch,
    stays_on_its_thread: PhantomData<*mut ()>,
}

/// A worker that has been released, and has not read its order.
#[derive(Debug)]
pub struct Released<'w, 'a, O: Copy>(&'w mut Worker<'a, O>);

impl<'a, O: Copy> Worker<'a, O> {
    /// The worker waits for its next order, or until it is called: then it withdraws the call, and
    /// there is no order.
    #[inline(always)]
    pub fn wait_or_called(&mut self, patience: Patience) -> Option<Released<'_, 'a, O>> {
        let word = &self.dock.word;
        if !word.wait_or_called(self.seen, patience) {
            word.withdraw_call();
            return None;
        }
        Some(Released(self))
    }

    /// The worker waits for its next order, and returns it. When it is called meanwhile, it runs
    /// `help`, which returns false if the call belongs to the next order: then the worker waits for
    /// the order, and is still called when it comes back to its dock.
    #[inline(always)]
    pub fn next_order(&mut self, patience: Patience, mut help: impl FnMut() -> bool) -> O {
        loop {
            if let Some(released) = self.wait_or_called(patience) {
                return released.order();
            }
            if !help() {
                keep_call(&self.dock.word, self.seen, patience);
            }
        }
    }
}

/// Takes the worker's fields by value, so that they stay in registers.
#[cold]
fn keep_call(word: &ReleaseWord, seen: Epoch, patience: Patience) {
    word.call();
    word.wait(seen, patience);
}

impl<O: Copy> Released<'_, '_, O> {
    /// The order. The worker's next wait is for the one after it.
    #[inline(always)]
    pub fn order(self) -> O {
        let Worker { dock, seen, .. } = self.0;
        *seen = dock.word.current();
        dock.order.get()
    }
}
