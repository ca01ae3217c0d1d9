//! The process in `MPI_COMM_WORLD`, as the collector sees it.

use std::sync::atomic::{AtomicU32, AtomicU64};

use oxomp_sys::mpi::oxomp_mpi_world_t;

/// What is known of the process.
pub(crate) static WORLD: oxomp_mpi_world_t = oxomp_mpi_world_t {
    rank: AtomicU32::new(0),
    size: AtomicU32::new(0),
    left_out: AtomicU64::new(0),
};
