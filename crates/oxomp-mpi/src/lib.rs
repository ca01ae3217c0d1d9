//! The functions of MPI, as `oxomp profile` puts them before those of the MPI library: each one
//! calls the library's function, measures the time, and tells the collector of the same process.
//!
//! One library serves Open MPI and MPICH with all that have its ABI (Intel MPI, MVAPICH, Cray MPI).
//! Handles are pointers in the one and integers in the other; both are words that are passed on.
//! Nothing of MPI is needed to build this library, and a process without MPI may have it loaded.
//!
//! Both names of a function are defined, `MPI_Send` and `PMPI_Send`. Programs in C call the first.
//! Bindings for Fortran call one or the other, by implementation and binding, and so do other tools
//! that stand between. The innermost calls of a call in progress are not counted ([`nesting`]), so
//! each call of the program counts once.

mod bytes;
mod functions;
mod measure;
mod nesting;
mod next;
mod own_sums;
