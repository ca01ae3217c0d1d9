//! The calls of a device's entry points that are going on, and the end of all calls.

use core::cell::Cell;
use core::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use super::delivery::Delivery;

/// The bit that says that no call may begin any more; the other bits count the calls.
const CLOSED: u32 = 1 << 31;

std::thread_local! {
    /// The calls that the thread is in, one inside the other.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// The calls of one device's entry points.
#[derive(Debug)]
pub(crate) struct Calls {
    state: AtomicU32,
    /// The process that the device is of. A forked child inherits the count of its parent's calls,
    /// which never end in the child.
    process: u32,
}

impl Calls {
    pub(crate) fn new() -> Self {
        Self { state: AtomicU32::new(0), process: std::process::id() }
    }

    /// Whether calls may begin.
    pub(crate) fn is_open(&self) -> bool {
        self.state.load(Ordering::Relaxed) & CLOSED == 0
    }

    /// Whether the device is the calling process's own.
    pub(crate) fn is_of_this_process(&self) -> bool {
        self.process == std::process::id()
    }

    /// Begins a call; none once the device has ended.
    pub(crate) fn begin(&self) -> Option<Call<'_>> {
        // Acquire: what the call does follows the test.
        let before = self.state.fetch_add(1, Ordering::Acquire);
        DEPTH.set(DEPTH.get() + 1);
        let call = Call { calls: self };
        (before & CLOSED == 0).then_some(call)
    }

    /// Lets no call begin any more.
    pub(crate) fn close(&self) {
        self.state.fetch_or(CLOSED, Ordering::Relaxed);
    }

    /// Waits until the calls of other threads have returned, after [`Calls::close`].
    ///
    /// A thread that is handed records does not wait: another thread may be in a flush, which
    /// returns after this one does. Nor does a thread wait for calls of its own.
    pub(crate) fn wait(&self) {
        let own = DEPTH.get();
        // Acquire: pairs with the Release of a call's end.
        while !Delivery::is_here()
            && self.is_of_this_process()
            && self.state.load(Ordering::Acquire) & !CLOSED > own
        {
            thread::sleep(Duration::from_micros(50));
        }
    }
}

/// A call that is going on.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    calls: &'a Calls,
}

impl Drop for Call<'_> {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        // Release: the call's effects are before the end for which `Calls::wait` waits.
        self.calls.state.fetch_sub(1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use super::Calls;
    use crate::device::delivery::Delivery;

    #[test]
    fn no_call_begins_after_the_end() {
        let calls = Calls::new();
        drop(calls.begin().expect("open"));
        calls.close();
        calls.wait();
        assert!(calls.begin().is_none() && !calls.is_open());
    }

    #[test]
    fn the_end_waits_for_other_threads_only() {
        let calls = Arc::new(Calls::new());
        let has_returned = Arc::new(AtomicBool::new(false));
        let (begun, is_begun) = std::sync::mpsc::channel();
        let (checked, is_checked) = std::sync::mpsc::channel();
        let other = {
            let (calls, has_returned) = (Arc::clone(&calls), Arc::clone(&has_returned));
            thread::spawn(move || {
                let call = calls.begin();
                begun.send(()).expect("the test waits");
                is_checked.recv().expect("the test sends");
                has_returned.store(true, Ordering::Relaxed);
                drop(call);
            })
        };
        is_begun.recv().expect("the thread sends");
        let _own = calls.begin();
        calls.close();
        {
            let _delivery = Delivery::begin();
            calls.wait();
            assert!(!has_returned.load(Ordering::Relaxed), "it would wait for itself");
        }
        checked.send(()).expect("the thread waits");
        calls.wait();
        assert!(has_returned.load(Ordering::Relaxed));
        other.join().expect("the thread ends");
    }
}
