//! The properties of an explicit task by its construct (OpenMP 5.2 §12.5): the bits of
//! `Task::properties`. The lowest bits have the numbers of the flags in kmpc's allocations, where
//! bit 0 means tied.

/// An untied clause. The parts of a task that clang compiled may run on different threads; gcc
/// makes one part.
pub const UNTIED: u32 = 1 << 0;
/// The final clause: the task and its descendants are not deferred.
pub const FINAL: u32 = 1 << 1;
/// The mergeable clause, which is only reported to tools.
pub const MERGEABLE: u32 = 1 << 2;
/// After the body, the function at `payload` + 24 destroys what the compiler put there (kmpc).
pub const DESTRUCTORS: u32 = 1 << 3;
/// A target task: its work may go on when its body is over (module `target`).
pub const TARGET: u32 = 1 << 4;
/// The compiler writes the priority clause into the data, at `payload` + 32 (kmpc).
pub const PRIORITY: u32 = 1 << 5;
/// The detach clause: the task completes when its body is complete and its event is fulfilled.
pub const DETACHABLE: u32 = 1 << 6;
/// An implicit task, part of a member of a team.
pub(crate) const IMPLICIT: u32 = 1 << 7;
/// The generating task waits for the task.
pub const UNDEFERRED: u32 = 1 << 8;
/// The body is `i32 (i32 gtid, void *payload)` (kmpc), otherwise `void (void *data)` (GOMP).
pub const KMPC: u32 = 1 << 9;
/// The task has no body: `taskwait depend(...) nowait`.
pub const EMPTY: u32 = 1 << 10;
/// The task is counted in the tallies of its team, or in `Tasking::outstanding`.
pub(crate) const COUNTED: u32 = 1 << 11;
/// The task takes turns with tasks that exclude each other (mutexinoutset).
pub(crate) const EXCLUSIVE: u32 = 1 << 12;
/// The task has a chunk of a taskloop to report to a tool.
pub(crate) const CHUNK: u32 = 1 << 13;
/// A debugger has seen it begin.
pub(crate) const BEGUN: u32 = 1 << 14;
/// The task has ties to other tasks, by its depend clause.
pub(crate) const DEPENDENT: u32 = 1 << 15;
/// Bits from here on: the binary logarithm of the alignment of its data.
pub const ALIGNMENT_SHIFT: u32 = 24;

/// The alignment of payloads: the largest alignment of private variables that compilers assume
/// without requesting it.
pub const ALIGNMENT: usize = 64;
