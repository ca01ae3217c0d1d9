//! What is known of an explicit task from its construct (OpenMP 5.2 §12.5): the bits of
//! `Task::properties`. The first are numbered as in the flags of kmpc's allocations, where
//! the first says tied.

/// An untied clause. Of clang's the parts may run on different threads; gcc makes one part.
pub const UNTIED: u32 = 1 << 0;
/// It and its descendants are not deferred.
pub const FINAL: u32 = 1 << 1;
/// A mergeable clause: told to tools.
pub const MERGEABLE: u32 = 1 << 2;
/// After the body, the function at `payload` + 24 destroys what the compiler put there (kmpc).
pub const DESTRUCTORS: u32 = 1 << 3;
/// A target task: its work may go on when its body is over (module `target`).
pub const TARGET: u32 = 1 << 4;
/// The compiler writes the priority clause into the data, at `payload` + 32 (kmpc).
pub const PRIORITY: u32 = 1 << 5;
/// It is complete when an event is fulfilled, too.
pub const DETACHABLE: u32 = 1 << 6;
/// Of a place in a team.
pub(crate) const IMPLICIT: u32 = 1 << 7;
/// The generating task waits for it.
pub const UNDEFERRED: u32 = 1 << 8;
/// The body is `i32 (i32 gtid, void *payload)` (kmpc), else `void (void *data)` (GOMP).
pub const KMPC: u32 = 1 << 9;
/// It has no body: `taskwait depend(...) nowait`.
pub const EMPTY: u32 = 1 << 10;
/// It is counted in the tallies of its team, or as outstanding.
pub(crate) const COUNTED: u32 = 1 << 11;
/// It waits for its turn among tasks that exclude each other (mutexinoutset).
pub(crate) const EXCLUSIVE: u32 = 1 << 12;
/// It has a chunk of a taskloop to report.
pub(crate) const CHUNK: u32 = 1 << 13;
/// A debugger has seen it begin.
pub(crate) const BEGUN: u32 = 1 << 14;
/// It has ties to others, by its depend clause.
pub(crate) const DEPENDENT: u32 = 1 << 15;
/// Bits from here on: the binary logarithm of the alignment of its data.
pub const ALIGNMENT_SHIFT: u32 = 24;

/// Where payloads lie: what compilers align privates to at most without asking for more.
pub const ALIGNMENT: usize = 64;
