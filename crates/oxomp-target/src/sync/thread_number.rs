//! The numbers of threads.

use core::cell::Cell;
use core::sync::atomic::Ordering::Relaxed;

use super::AtomicU32;

/// A small number of the calling thread, from 1 on, which no other thread has.
pub(crate) fn thread_number() -> u32 {
    statics! {
        static LAST: AtomicU32 = AtomicU32::new(0);
    }
    statics_of_threads! {
        static NUMBER: Cell<u32> = Cell::new(0);
    }
    NUMBER.with(|number| {
        if number.get() == 0 {
            // Relaxed: only the difference counts.
            number.set(LAST.fetch_add(1, Relaxed) + 1);
        }
        number.get()
    })
}
