//! The operating system: threads, processors, time. Linux only. The system calls by which threads
//! wait are in `oxomp_protocol::kernel`.

pub mod at_exit;
mod environment;
mod imports;
mod linux;
pub mod loader;
mod own_memory;
mod own_object;
pub mod pages;
pub mod written;

pub(crate) use environment::variables;
pub use imports::program_imports;
pub(crate) use linux::print_error;
pub use linux::{
    AffinityMask, affinity, available_processors, configured_processors, current_processor,
    default_stack_bytes, host_name, is_privileged, native_thread, own_stack, print_line,
    process_id, processor_ns, set_affinity, spawn, thread_id, wall_time,
};
pub use loader::has_one_thread;
pub(crate) use own_memory::read_own_memory;
pub(crate) use own_object::own_base;
pub use own_object::{is_ours, own_path};
pub use oxomp_protocol::kernel::{
    fence_of_all_threads, monotonic_ns, prepare_fence_of_all_threads, sleep,
};
