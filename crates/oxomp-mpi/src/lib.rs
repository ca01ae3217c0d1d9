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

//!
//! Of each message and each collective operation in which the process takes part an event is told,
//! with an identity that all processes agree on without a word ([`instances`],
//! [`communicators`]): so a reader of all recordings finds who waited for whom. The library sends
//! nothing, and synchronizes nobody. [`steps`] has what a call does.

mod bytes;
mod communicators;
mod completion;
mod functions;
mod implementation;
mod instances;
mod library;
mod matching;
mod measure;
mod mix;
mod narrow;
mod nesting;
mod next;
mod own_sums;
mod requests;
mod steps;
mod topology;
mod world;
