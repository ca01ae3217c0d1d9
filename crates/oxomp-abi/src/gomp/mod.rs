//! The calls that gcc and gfortran emit.

pub mod error;
pub mod generic_loops;
pub mod loops;
pub mod parallel;
pub mod sections;
pub mod sync;
