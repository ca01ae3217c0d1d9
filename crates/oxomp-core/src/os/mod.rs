//! The operating system: threads, processors, time. Linux only. The system calls by which threads
//! wait are in `oxomp_protocol::kernel`.

pub(crate) mod at_exit;
mod linux;
pub(crate) mod loader;
pub(crate) mod pages;
pub(crate) mod written;

pub(crate) use oxomp_protocol::kernel::{monotonic_ns, sleep};

pub use linux::{
    AffinityMask, affinity, configured_processors, current_processor, default_stack_bytes,
    process_id, set_affinity, thread_id, wall_time,
};
pub(crate) use linux::{
    available_processors, fence_of_all_threads, host_name, is_privileged, native_thread, own_stack,
    prepare_fence_of_all_threads, print_error, print_line, processor_ns, read_own_memory, spawn,
};
