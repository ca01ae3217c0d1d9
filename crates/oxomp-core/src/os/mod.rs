//! What the operating system gives: threads, processors, time, futexes. Linux only.

pub(crate) mod at_exit;
mod linux;
pub(crate) mod loader;

pub use linux::{
    AffinityMask, affinity, configured_processors, current_processor, default_stack_bytes,
    process_id, set_affinity, thread_id, wall_time,
};
pub(crate) use linux::{
    available_processors, fence_of_all_threads, futex_wait, futex_wait_for, futex_wake, host_name,
    monotonic_ns, native_thread, own_stack, prepare_fence_of_all_threads, print_line, processor_ns,
    read_own_memory, sleep, spawn, yield_now,
};
