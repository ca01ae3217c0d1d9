//! What the operating system gives: threads, processors, time, futexes. Linux only.

pub(crate) mod at_exit;
mod linux;
pub(crate) mod loader;

pub(crate) use linux::{
    affinity, available_processors, fence_of_all_threads, futex_wait, futex_wake, host_name, monotonic_ns,
    prepare_fence_of_all_threads, set_affinity, spawn, yield_now,
};
pub use linux::{current_processor, process_id, thread_id, wall_time};
