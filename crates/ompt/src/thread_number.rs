//! Numbers of threads, for the SDK's own use.

use core::cell::Cell;
use core::sync::atomic::{AtomicU64, Ordering};

/// A number that no other thread of the process has, or had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ThreadNumber(u64);

impl ThreadNumber {
    /// A number that no thread has.
    pub(crate) const NONE: u64 = 0;

    /// The calling thread's number. It needs no destructor, so it exists until the thread is gone.
    pub(crate) fn current() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(ThreadNumber::NONE);
        std::thread_local! {
            static NUMBER: Cell<u64> = const { Cell::new(ThreadNumber::NONE) };
        }
        NUMBER.with(|number| {
            if number.get() == Self::NONE {
                number.set(LAST.fetch_add(1, Ordering::Relaxed) + 1);
            }
            Self(number.get())
        })
    }

    pub(crate) fn get(self) -> u64 {
        self.0
    }
}
