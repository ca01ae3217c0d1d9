//! The exported symbols: each entry converts its arguments, calls core, and converts the answer
//! back.
//!
//! The README has the contract of the arguments, as numbered rules; [`argument`] has a type for
//! each shape of them.
//!
//! `exports.tsv` lists every symbol of LLVM's runtime (19 to 23) and of GCC's (12 to 16) with its
//! version nodes; the functions written with `entry!` are those of them that exist here.

#[macro_use]
mod entry;

pub mod argument;
pub mod attach;
pub mod gomp;
mod ignored;
pub mod kmp;
pub mod kmpc;
pub mod offload;
pub mod omp;
pub mod ompd;
pub mod ompt;
