//! What is known of a task from its construct (OpenMP 5.2 §12.5).

use bitflags::bitflags;

use oxomp_base::word::Atom;
use oxomp_ompd_layout::{Kind, Readable};

bitflags! {
    /// What is known of a task. The first bits are numbered as in the flags of kmpc's allocations,
    /// where the first bit says tied.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Properties: u32 {
        /// An untied clause. The parts of clang's tasks may run on different threads; gcc makes one
        /// part.
        const UNTIED = 1 << 0;
        /// The task and its descendants are not deferred.
        const FINAL = 1 << 1;
        /// A mergeable clause: told to tools.
        const MERGEABLE = 1 << 2;
        /// After the body, the function at `payload` + 24 destroys the task's private data (kmpc).
        const DESTRUCTORS = 1 << 3;
        /// A target task: its work may go on when its body is over (module `target`).
        const TARGET = 1 << 4;
        /// The compiler writes the priority clause into the data, at `payload` + 32 (kmpc).
        const PRIORITY = 1 << 5;
        /// The task is complete when its body is over and its event is fulfilled.
        const DETACHABLE = 1 << 6;
        /// An implicit task.
        const IMPLICIT = 1 << 7;
        /// The generating task waits for the task.
        const UNDEFERRED = 1 << 8;
        /// The body is `i32 (i32 gtid, void *payload)` (kmpc), else `void (void *data)` (GOMP).
        const KMPC = 1 << 9;
        /// There is no body: `taskwait depend(...) nowait`.
        const EMPTY = 1 << 10;
        /// The task is counted in the tallies of its team, or as outstanding.
        const COUNTED = 1 << 11;
        /// The task takes turns with others (mutexinoutset).
        const EXCLUSIVE = 1 << 12;
        /// The task has a chunk of a taskloop to report.
        const CHUNK = 1 << 13;
        /// A debugger has seen the task begin.
        const BEGUN = 1 << 14;
        /// The task has ties to others, by its depend clause.
        const DEPENDENT = 1 << 15;
        /// The task is executed even if its region is cancelled: it has copies of objects that only
        /// its body destroys (GOMP).
        const NOT_DISCARDED = 1 << 16;
        /// The task ends early because its taskgroup is cancelled.
        const CANCELLED = 1 << 17;
        /// The task counts as begun, where regions may be cancelled: a thread that leaves its
        /// region waits until the task is over.
        const BEGUN_IN_REGION = 1 << 18;
        /// A target task whose work is done on the host, in its body.
        const ON_HOST = 1 << 20;
        /// The binary logarithm of the alignment of the task's data.
        const ALIGNMENT = 0xff << ALIGNMENT_SHIFT;
    }
}

const ALIGNMENT_SHIFT: u32 = 24;

/// The alignment of payloads: the largest that compilers use for private variables without asking
/// for it.
pub const ALIGNMENT: usize = 64;

impl Properties {
    /// The property of a task whose data have this alignment, a power of two.
    #[inline(always)]
    pub(in crate::task) fn aligned(alignment: usize) -> Self {
        Properties::from_bits_retain(alignment.trailing_zeros() << ALIGNMENT_SHIFT)
    }

    /// The alignment of the task's data, in bytes.
    #[inline(always)]
    pub(super) fn alignment(self) -> usize {
        1 << (self.bits() >> ALIGNMENT_SHIFT)
    }
}

impl Readable for Properties {
    const KIND: Kind = Kind::Unsigned;
}

impl Atom for Properties {
    type Word = <u32 as Atom>::Word;

    #[inline(always)]
    fn word(value: Self) -> Self::Word {
        u32::word(value.bits())
    }

    #[inline(always)]
    fn load(word: &Self::Word) -> Self {
        Properties::from_bits_retain(u32::load(word))
    }

    #[inline(always)]
    fn store(word: &Self::Word, value: Self) {
        u32::store(word, value.bits());
    }
}
