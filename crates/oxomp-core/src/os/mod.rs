//! What the operating system gives: threads, processors, time, futexes. Linux only.

pub(crate) mod at_exit;
mod linux;
pub(crate) mod loader;

pub(crate) use linux::{
    available_processors, futex_wait, futex_wake, monotonic_ns, spawn, yield_now,
};
pub use linux::{current_processor, process_id, thread_id, wall_time};
