//! aarch64.

pub(crate) mod read;
#[cfg(target_arch = "aarch64")]
pub(crate) mod run;
