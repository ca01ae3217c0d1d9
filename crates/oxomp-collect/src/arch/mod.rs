//! What depends on the processor: the tick counter, and the thread-local slot.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::{counter, counter_is_steady, set_thread_slot, thread_slot};
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{counter, counter_is_steady, set_thread_slot, thread_slot};
