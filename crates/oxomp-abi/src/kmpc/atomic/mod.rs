//! Atomic constructs as calls (`__kmpc_atomic_*`): code of icc, and code that calls them by hand.
//!
//! [`table`] lists every routine: operation, type, name; `long_double_table` has those for x87. A
//! routine is put together from three parts: an `operation` on values, a `variable` that is updated
//! by it, and the signature, which a macro of the table writes. clang, flang and gcc emit
//! instructions instead.
//!
//! A variable of 1, 2, 4 or 8 bytes at an aligned address is updated by atomic instructions. Any
//! other is updated under the one lock of `oxomp_core::mutex::atomic`; which of the two holds
//! follows from the variable's type and address, so that all routines agree about a variable. Tools
//! hear of the lock only: an instruction is not reported.
//!
//! `float10` and `cmplx10` are x87's 80-bit format, and exist on x86_64 alone.

pub mod complex;
pub mod generic;
#[cfg(target_arch = "x86_64")]
mod long_double;
#[cfg(target_arch = "x86_64")]
pub mod long_double_table;
mod operation;
pub mod table;
mod variable;
