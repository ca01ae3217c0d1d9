//! The operating system: threads, processors, time. Linux only. The system calls by which threads
//! wait are in `oxomp_protocol::kernel`.

pub mod at_exit;
mod linux;
pub mod loader;
pub mod pages;
pub mod written;

pub use linux::{
    AffinityMask, affinity, available_processors, configured_processors, current_processor,
    default_stack_bytes, fence_of_all_threads, host_name, is_privileged, native_thread, own_stack,
    prepare_fence_of_all_threads, print_line, process_id, processor_ns, set_affinity, spawn,
    thread_id, wall_time,
};
pub(crate) use linux::{print_error, read_own_memory};
pub use oxomp_protocol::kernel::{monotonic_ns, sleep};
