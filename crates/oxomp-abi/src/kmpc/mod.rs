//! The calls that clang and flang emit.

pub mod atomic;
pub mod error;
pub mod locks;
pub mod loops;
pub mod parallel;
pub mod reduction;
pub mod sections;
pub mod sync;
pub mod target;
pub mod threadprivate;
