//! x86_64.

pub(crate) mod read;
#[cfg(target_arch = "x86_64")]
pub(crate) mod run;
