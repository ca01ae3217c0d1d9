//! LLVM's own routines for users, `kmp_*`: memory, waiting, stacks, affinity masks.
//!
//! `kmpc_*` are older names of these routines; names ending in `_` are Fortran's, whose arguments
//! come by reference.

pub mod affinity;
pub mod memory;
pub mod settings;
