//! The processor's tick counter.

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
pub(crate) use aarch64::{counter, counter_is_steady};
#[cfg(target_arch = "x86_64")]
pub(crate) use x86_64::{counter, counter_is_steady};
