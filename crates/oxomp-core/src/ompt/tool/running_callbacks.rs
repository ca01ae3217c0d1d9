//! Counts of running callbacks, so that the tool's finalizer runs after them.
//!
//! A thread increments its count before it loads a callback, and decrements it after the callback
//! has returned. The thread that ends the tool first unregisters the callbacks and then waits until
//! the counts are zero. Either the event's thread finds no callback, or the ending thread sees its
//! count. That needs an order between the thread's store of the count and its load of the callback,
//! which would cost a fence for each event. Instead the ending thread makes the kernel execute a
//! fence on all threads of the process, once (membarrier(2)).

use core::sync::atomic::{
    AtomicU32, Ordering::Relaxed, Ordering::Release, Ordering::SeqCst, compiler_fence,
};

use oxomp_base::os;
use oxomp_protocol::yield_now;

use crate::block::{Alone, Thread, all_threads};

/// The number of callbacks that run on native threads which the runtime does not know: a lock needs
/// no `Thread`.
static ELSEWHERE: AtomicU32 = AtomicU32::new(0);
/// How often this process has been made by a fork(2) of one with the runtime: a callback that began
/// before the fork is not in the child's count.
static GENERATION: AtomicU32 = AtomicU32::new(0);

/// The calling thread may run a callback, until this value is dropped.
pub(super) enum RunningCallback {
    /// A thread of the runtime.
    Here { _count: Counted },
    /// A native thread that the runtime does not know, and the generation of its process.
    Elsewhere(u32),
}

/// A thread of the runtime whose running callbacks are counted, and its count before the callback.
pub(super) struct Counted(&'static Thread, u32);

impl Counted {
    /// The calling thread may run a callback, until the result is dropped; `None` if the runtime
    /// does not know the thread.
    #[inline(always)]
    pub(super) fn enter() -> Option<Self> {
        let thread = Thread::known()?;
        // Only this thread writes the count, so it needs no atomic addition.
        let running = &thread.ompt.callbacks_running;
        let before = running.load(Relaxed);
        running.store(before + 1, Relaxed);
        compiler_fence(SeqCst);
        Some(Counted(thread, before))
    }
}

impl Drop for Counted {
    #[inline(always)]
    fn drop(&mut self) {
        // Release: the ending thread, which finds the count at 0, sees the effects of the callback.
        self.0.ompt.callbacks_running.store(self.1, Release);
    }
}

impl RunningCallback {
    #[inline]
    pub(super) fn enter() -> Self {
        match Counted::enter() {
            Some(count) => RunningCallback::Here { _count: count },
            None => {
                ELSEWHERE.fetch_add(1, SeqCst);
                // Relaxed: only a fork of this thread changes it here.
                RunningCallback::Elsewhere(GENERATION.load(Relaxed))
            }
        }
    }
}

impl Drop for RunningCallback {
    #[inline]
    fn drop(&mut self) {
        if let RunningCallback::Elsewhere(generation) = self
            && *generation == GENERATION.load(Relaxed)
        {
            ELSEWHERE.fetch_sub(1, SeqCst);
        }
    }
}

/// In the child of a fork(2): the callbacks of native threads that the runtime does not know have
/// gone with their threads. If the calling thread is one of them, its callback goes on, and is not
/// waited for.
pub(super) fn forget_elsewhere(_: &Alone) {
    GENERATION.fetch_add(1, Relaxed);
    ELSEWHERE.store(0, Relaxed);
}

/// Prepares the fence of `wait_for_others`, before the first event.
pub(super) fn prepare() {
    os::prepare_fence_of_all_threads();
}

/// Returns when no other thread runs a callback, or after two seconds, so that a callback that
/// hangs does not keep the process; one whose thread has no processor for a while is not cut off.
/// Called after the callbacks have been unregistered.
pub(super) fn wait_for_others() {
    wait_for_threads(|_| true);
}

/// The same for a thread that ends the tool while another one does: it does not wait for the
/// callbacks of threads that end the tool, since the first of these waits for its callback.
pub(super) fn wait_for_those_that_stay() {
    wait_for_threads(|ends| !ends);
}

/// The calling thread ends the tool, perhaps from a callback, until this value is dropped.
pub(super) struct Ending(Option<&'static Thread>);

impl Ending {
    pub(super) fn enter() -> Self {
        let thread = Thread::known();
        if let Some(thread) = thread {
            thread.ompt.ends_tool.store(true, SeqCst);
        }
        Ending(thread)
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        if let Some(thread) = self.0 {
            thread.ompt.ends_tool.store(false, SeqCst);
        }
    }
}

/// `which` says whether to wait for a thread, by whether it ends the tool.
fn wait_for_threads(which: impl Fn(bool) -> bool) {
    const LONGEST_NS: u64 = 2_000_000_000;
    os::fence_of_all_threads();
    let deadline = os::monotonic_ns() + LONGEST_NS;
    let own = Thread::known();
    for thread in all_threads() {
        let running = || {
            thread.callbacks_running().load(SeqCst) != 0 && which(thread.ends_tool().load(SeqCst))
        };
        if !own.is_some_and(|own| thread.is(own)) {
            while running() && os::monotonic_ns() < deadline {
                yield_now();
            }
        }
    }
    if own.is_some() {
        while ELSEWHERE.load(SeqCst) != 0 && os::monotonic_ns() < deadline {
            yield_now();
        }
    }
}
