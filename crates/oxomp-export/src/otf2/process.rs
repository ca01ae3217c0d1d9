//! One process of an archive.

use oxomp_analysis::Analysis;
use oxomp_analysis::model::Model;

use super::calls::Calls;
use crate::timeline::Extent;

/// Bytes of the two events of a slice, roughly.
const SLICE_SIZE: u64 = 26;
/// Bytes of the four events of a task, roughly.
const TASK_SIZE: u64 = 34;

/// A process whose events are written.
#[derive(Debug)]
pub(super) struct Process<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) name: String,
    /// When it began, on the clock of the archive.
    pub(super) start: u64,
    /// The part that is shown, by the process's own time.
    pub(super) extent: Extent,
    /// Its calls of MPI, by the process's own time.
    pub(super) calls: &'a Calls,
    /// The names of their functions.
    pub(super) functions: &'a [String],
}

impl Process<'_> {
    /// Bytes of a slice's events, roughly, those of tasks included.
    pub(super) fn slice_size(&self) -> u64 {
        let Model { threads, tasks, .. } = &self.analysis.model;
        let segments: usize = threads.iter().map(|thread| thread.segments.len()).sum();
        SLICE_SIZE + TASK_SIZE * tasks.len() as u64 / segments.max(1) as u64
    }

    /// The position in the model's threads of the one that began with the process.
    pub(super) fn main_thread(&self) -> usize {
        let threads = &self.analysis.model.threads;
        let pid = self.analysis.summary.header.pid;
        let main = threads.iter().position(|thread| thread.tid == pid);
        main.or_else(|| threads.iter().position(|thread| thread.initial)).unwrap_or(0)
    }
}
