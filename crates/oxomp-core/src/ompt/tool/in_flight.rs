//! Which callbacks are running, so that the tool's finalizer comes after them.
//!
//! A thread counts itself in before it looks for a callback, and out after the callback has returned.
//! Who ends the tool first unregisters the callbacks and then waits for the counts. Either the thread
//! finds no callback, or its count is seen: that needs an order between the thread's count and its
//! look, which costs a fence for each event; instead, who ends the tool has the kernel run a fence on
//! all threads of the process, once (membarrier(2)).

use core::sync::atomic::{
    AtomicU32, Ordering::Relaxed, Ordering::Release, Ordering::SeqCst, compiler_fence,
};

use oxomp_protocol::yield_now;

use crate::block::{Thread, all_threads};
use crate::os;

/// Callbacks on native threads that the runtime does not know: locks need no thread.
static ELSEWHERE: AtomicU32 = AtomicU32::new(0);

/// The calling thread is about to run a callback, until this is dropped.
pub(super) struct InFlight(Option<&'static Thread>);

impl InFlight {
    #[inline]
    pub(super) fn enter() -> Self {
        let thread = Thread::known();
        match thread {
            // The count is this thread's alone; a plain addition does.
            Some(thread) => {
                let running = &thread.ompt.callbacks_running;
                running.store(running.load(Relaxed) + 1, Relaxed);
                compiler_fence(SeqCst);
            }
            None => {
                ELSEWHERE.fetch_add(1, SeqCst);
            }
        }
        InFlight(thread)
    }
}

impl Drop for InFlight {
    #[inline]
    fn drop(&mut self) {
        match self.0 {
            Some(thread) => {
                let running = &thread.ompt.callbacks_running;
                // Release: what the callback did is seen by who finds the count at 0.
                running.store(running.load(Relaxed) - 1, Release);
            }
            None => {
                ELSEWHERE.fetch_sub(1, SeqCst);
            }
        }
    }
}

/// Before the first event.
pub(super) fn prepare() {
    os::prepare_fence_of_all_threads();
}

/// Returns when no other thread runs a callback, or after 200 ms: a tool that keeps a thread does not
/// keep the process. The callbacks have been unregistered.
pub(super) fn wait_for_others() {
    const LONGEST_NS: u64 = 200_000_000;
    os::fence_of_all_threads();
    let deadline = os::monotonic_ns() + LONGEST_NS;
    let wait_for = |running: &AtomicU32| {
        while running.load(SeqCst) != 0 && os::monotonic_ns() < deadline {
            yield_now();
        }
    };
    let own = Thread::known();
    for thread in all_threads() {
        if !own.is_some_and(|own| thread.is(own)) {
            wait_for(thread.callbacks_running());
        }
    }
    if own.is_some() {
        wait_for(&ELSEWHERE);
    }
}
