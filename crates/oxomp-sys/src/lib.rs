//! C types and constants of OpenMP: the tools interface OMPT and its predecessor in the report of
//! 2015, the debugger interface OMPD, the compilers' interfaces kmpc, GOMP and offload, and
//! `omp.h`.
//!
//! Types keep the names they have in C; the constants of an enumeration are associated constants of
//! its type, so that `ompt_state_t::WORK_SERIAL` is C's `ompt_state_work_serial`. Enumerations are
//! integers in a `repr(transparent)` structure: a C caller may pass a value that has no name yet.
//! The only code here is constant accessors, and [`unreported`], which two libraries of oxomp have
//! to do alike. Sizes and offsets are asserted while compiling (Linux, LP64, little endian).

#![no_std]
#![allow(
    non_camel_case_types,
    reason = "types keep their C names, by which the specification speaks of them"
)]

#[macro_use]
mod c_enum;
#[macro_use]
mod c_record;
#[macro_use]
mod in_order;
mod flag_names;

pub mod attach;
pub mod connection;
pub mod control;
pub mod gomp;
pub mod kmpc;
pub mod mpi;
pub mod offload;
pub mod omp;
pub mod ompd;
pub mod ompt;
pub mod report_2015;
pub mod under_way;
pub mod unreported;
