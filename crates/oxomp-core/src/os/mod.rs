//! What the operating system gives: threads, processors, time, futexes. Linux only.

mod linux;

pub(crate) use linux::{
    ThreadHandle, available_processors, futex_wait, futex_wake, monotonic_ns, page_free,
    page_zeroed, spawn, yield_now,
};
pub use linux::{current_processor, process_id, wall_time};
