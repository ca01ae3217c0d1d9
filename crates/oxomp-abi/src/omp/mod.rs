//! The user's routines `omp_*` (OpenMP 5.2 chapter 18), for C and for Fortran.
//!
//! Fortran passes arguments by reference: names ending in `_` take default integers, those ending
//! in `_8_` 8-byte ones. A few `_` names mean one thing in LLVM's library and another in GCC's;
//! the caller's version node tells which.

pub mod affinity;
pub mod allocators;
pub mod device_copy;
pub mod device_memory;
mod device_operation;
pub mod device_rectangle;
pub mod device_uid;
pub mod devices;
pub mod display_env;
pub mod fortran;
pub mod interop;
pub mod levels;
mod libomptarget;
pub mod locks;
pub mod memory_handles;
pub mod memory_spaces;
pub mod places;
pub mod resources;
pub mod schedule;
pub mod target_memory;
pub mod tasks;
pub mod teams;
pub mod threads;
pub mod timing;
