//! How the times of MPI's calls come to the collector: a private interface between the library that
//! `oxomp profile` puts before MPI's, and oxomp's collector.
//!
//! The library exports one variable, `oxomp_mpi`, which the collector finds in the address space.
//! From then on the library calls the function [`oxomp_mpi_ended_t`] in [`oxomp_mpi_t::ended`] at
//! the end of each call. Before, and where that function declines a call, the library adds the call
//! to sums of its own, which the collector reads whenever it writes facts about the process.
//!
//! A call comes with the process's part in messages and collective operations
//! ([`oxomp_mpi_event_t`]), which a reader of all processes' recordings puts together.

use core::ffi::{c_char, c_int};
use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

/// The version of the interface.
pub const VERSION: u32 = 2;

/// The most functions of MPI that are told apart: sums of the collector have their numbers in a
/// byte.
pub const MOST_CALLS: usize = 255;

/// What a function of MPI is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum oxomp_mpi_class_t {
    /// Begins and ends MPI, or makes communicators.
    Setup = 0,
    /// Sends or receives a message.
    PointToPoint = 1,
    /// All processes of a communicator take part.
    Collective = 2,
    /// Waits for requests or messages, or looks whether they are complete.
    Wait = 3,
    /// Accesses windows of other processes' memory.
    OneSided = 4,
    /// Accesses files.
    Io = 5,
}

/// A function of MPI.
#[derive(Debug)]
#[repr(C)]
pub struct oxomp_mpi_function_t {
    /// Its name in C.
    pub name: *const c_char,
    /// What it is for.
    pub class: oxomp_mpi_class_t,
}

// SAFETY: the name is a constant.
unsafe impl Sync for oxomp_mpi_function_t {}

/// A call of MPI that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct oxomp_mpi_call_t {
    /// The number of the function: its position in [`oxomp_mpi_t::functions`].
    pub function: u32,
    /// When the call began and ended: `CLOCK_MONOTONIC`, ns.
    pub begin_ns: u64,
    /// See `begin_ns`.
    pub end_ns: u64,
    /// The bytes that the calling process contributes.
    pub bytes: u64,
    /// The messages and collective operations in which the process has taken part by the call.
    pub events: *const oxomp_mpi_event_t,
    /// How many there are.
    pub event_count: usize,
}

/// What a process does in a message or a collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum oxomp_mpi_role_t {
    /// Sends the message.
    Send = 1,
    /// Receives the message, or waits until it can be received.
    Receive = 2,
    /// Takes part in a collective operation in which each process needs all others.
    AllToAll = 3,
    /// Takes part in a collective operation in which each process needs the root.
    FromRoot = 4,
    /// Takes part in a collective operation in which the root needs all others.
    ToRoot = 5,
}

/// Flag of [`oxomp_mpi_event_t::flags`]: the call both began and completed the operation.
pub const BLOCKING: u8 = 1;
/// Flag of [`oxomp_mpi_event_t::flags`]: the call was on the process's main thread.
pub const ON_MAIN_THREAD: u8 = 2;

/// The part of a process in a message or a collective operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct oxomp_mpi_event_t {
    /// The identity of the message or operation, which is the same in all processes that take part.
    /// Its lowest [`thinning`](Self::thinning) bits are 0.
    pub instance: u64,
    /// The rank in `MPI_COMM_WORLD` of the other process of a message, or of the root.
    pub peer: u32,
    /// How many processes take part.
    pub members: u32,
    /// An [`oxomp_mpi_role_t`].
    pub role: u8,
    /// The event stands for 2 to the power of this: the others were left out.
    pub thinning: u8,
    /// [`BLOCKING`] and [`ON_MAIN_THREAD`].
    pub flags: u8,
}

/// Bit of the result of [`oxomp_mpi_ended_t`]: the collector has added the call to its sums.
pub const SUMS_TAKEN: c_int = 1;
/// Bit of the result of [`oxomp_mpi_ended_t`]: the collector has recorded the events of the call.
pub const EVENTS_TAKEN: c_int = 2;

/// Takes a call that the calling thread has ended. Without [`SUMS_TAKEN`] in its result, the
/// library adds the call to its own sums.
pub type oxomp_mpi_ended_t = unsafe extern "C" fn(call: *const oxomp_mpi_call_t) -> c_int;

/// The calls of a function that the collector has not taken.
#[derive(Debug)]
#[repr(C)]
pub struct oxomp_mpi_sums_t {
    /// How many there were.
    pub calls: AtomicU64,
    /// Their time, ns.
    pub time_ns: AtomicU64,
    /// The time of the longest one, ns.
    pub longest_ns: AtomicU64,
    /// The bytes that the process contributed.
    pub bytes: AtomicU64,
}

/// The variable.
#[derive(Debug)]
#[repr(C)]
pub struct oxomp_mpi_t {
    /// [`VERSION`].
    pub version: u32,
    /// How many functions there are.
    pub count: u32,
    /// The functions.
    pub functions: *const oxomp_mpi_function_t,
    /// The sums of each function on the main thread.
    pub main_thread: *const oxomp_mpi_sums_t,
    /// The sums of each function on all other threads.
    pub other_threads: *const oxomp_mpi_sums_t,
    /// An [`oxomp_mpi_ended_t`], or null.
    pub ended: AtomicPtr<()>,
    /// Whether a call of MPI has begun in the process: 1, else 0.
    pub used: AtomicU32,
    /// The process in `MPI_COMM_WORLD`.
    pub world: *const oxomp_mpi_world_t,
}

/// The process in `MPI_COMM_WORLD`.
#[derive(Debug)]
#[repr(C)]
pub struct oxomp_mpi_world_t {
    /// Its rank, once it is known.
    pub rank: AtomicU32,
    /// The number of processes; 0 as long as it is not known.
    pub size: AtomicU32,
    /// Messages and collective operations of the process of which no event was recorded, although
    /// none of a similar kind stands for them.
    pub left_out: AtomicU64,
}

// SAFETY: the pointers lead to constants and to atomics.
unsafe impl Sync for oxomp_mpi_t {}

impl oxomp_mpi_sums_t {
    /// No call.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            calls: AtomicU64::new(0),
            time_ns: AtomicU64::new(0),
            longest_ns: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
        }
    }
}

impl Default for oxomp_mpi_sums_t {
    fn default() -> Self {
        Self::new()
    }
}
