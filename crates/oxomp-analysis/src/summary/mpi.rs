//! Calls of MPI.

use oxomp_trace::MpiClass;
use serde::Serialize;

use super::site::SiteId;
use super::written::written_by_name;

/// What a function of MPI is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct MpiKind(pub Option<MpiClass>);

/// The calls of a function of MPI in one region, or outside every region.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MpiCalls {
    /// The function's name in C, as `MPI_Waitall`.
    pub function: String,
    /// What it is for: `setup` (begins and ends MPI, makes communicators), `point-to-point`,
    /// `collective`, `wait` (waits for requests or messages, or tests them), `one-sided`, `I/O`,
    /// or `other`.
    pub kind: MpiKind,
    /// The region in which it was called; null outside every region.
    pub region: Option<SiteId>,
    /// Calls that returned.
    pub calls: u64,
    /// Sum of their times, all threads together, ns.
    pub time_ns: u64,
    /// The part of `time_ns` on the process's first thread, ns.
    pub first_thread_ns: u64,
    /// The longest time, ns.
    pub longest_ns: u64,
    /// Bytes that the process contributed: those of messages that it sent, and of its blocks in
    /// collective calls.
    pub bytes: u64,
}

impl MpiKind {
    /// The kind in a word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Some(MpiClass::Setup) => "setup",
            Some(MpiClass::PointToPoint) => "point-to-point",
            Some(MpiClass::Collective) => "collective",
            Some(MpiClass::Wait) => "wait",
            Some(MpiClass::OneSided) => "one-sided",
            Some(MpiClass::Io) => "I/O",
            None => "other",
        }
    }
}

written_by_name!(MpiKind);
