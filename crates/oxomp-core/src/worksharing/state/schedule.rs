//! Loops and their schedules (OpenMP 5.2 §11.5.3).

use oxomp_base::icv::{self, ScheduleKind};

use crate::ompt::event::Work;

/// A schedule. Chunk sizes are numbers of iterations, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// One block per thread, of sizes that differ by at most one.
    Static,
    /// One block per thread, of a multiple of this number of iterations, except the last (`simd`).
    StaticAligned(u64),
    /// Chunks round robin by thread number.
    StaticChunked(u64),
    /// Chunks in order, each for the first thread that asks.
    Dynamic(u64),
    /// Chunks for the first thread that asks, not necessarily in order (`nonmonotonic`).
    DynamicNonmonotonic(u64),
    /// Chunks of decreasing size, at least the chunk size.
    Guided(u64),
    /// Chunks of decreasing size, each a multiple of this number of iterations, except the last
    /// (`simd`).
    GuidedAligned(u64),
    /// Chunks whose size decreases by the same amount each time, down to the chunk size (LLVM's
    /// extension).
    Trapezoidal(u64),
}

/// A loop as the compiler describes it, in logical iterations 0 to `iterations`.
#[derive(Clone, Copy, Debug)]
pub struct WorksharingLoop {
    /// Number of iterations.
    pub iterations: u64,
    /// The way in which threads share out the iterations.
    pub schedule: Schedule,
    /// Value of the loop variable in iteration 0, extended to 64 bits.
    pub first: u64,
    /// The step of the loop variable, modulo 2^64.
    pub step: u64,
    /// The excluded end value of a half-open loop; otherwise unused.
    pub end: u64,
    /// The loop has an ordered clause.
    pub is_ordered: bool,
    /// The construct is a sections construct, whose iterations are the sections.
    pub is_sections: bool,
    /// Number of bytes of zeroed memory that the team shares until all threads have left the loop.
    /// If it is not 0, a thread leaves the loop by `Thread::end_loop` only.
    pub scratch: usize,
}

/// A chunk: logical iterations `start..start + iterations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// The logical number of the first iteration, from 0.
    pub start: u64,
    /// The number of iterations, at least 1.
    pub iterations: u64,
    /// The chunk contains the loop's last iteration.
    pub is_last: bool,
}

/// A chunk as values of the loop variable, which the caller truncates to its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkValues {
    /// The value in the first iteration.
    pub first: u64,
    /// The value in the last iteration.
    pub last: u64,
    /// The value in the iteration after the last one; for the loop's last chunk, the loop's `end`.
    pub end: u64,
    /// The step of the loop variable.
    pub step: u64,
    /// The chunk contains the loop's last iteration.
    pub is_last: bool,
}

impl Schedule {
    /// The schedule that a value of *run-sched-var* stands for, in a loop with or without the
    /// monotonic modifier.
    #[must_use]
    #[inline]
    pub fn of_run_sched_var(value: icv::Schedule, is_monotonic: bool) -> Self {
        let chunk = u64::from(value.chunk);
        let schedule = match value.kind {
            ScheduleKind::Static if chunk == 0 => Schedule::Static,
            ScheduleKind::Static => Schedule::StaticChunked(chunk),
            // The schedule that libomp uses for auto.
            ScheduleKind::Auto => Schedule::Guided(1),
            ScheduleKind::Dynamic if value.is_monotonic() => Schedule::Dynamic(chunk.max(1)),
            ScheduleKind::Dynamic => Schedule::DynamicNonmonotonic(chunk.max(1)),
            ScheduleKind::Guided => Schedule::Guided(chunk.max(1)),
            ScheduleKind::Trapezoidal => Schedule::Trapezoidal(chunk.max(1)),
        };
        if is_monotonic { schedule.monotonic() } else { schedule }
    }

    /// The schedule with the monotonic modifier: each thread's chunks come in order.
    #[must_use]
    pub fn monotonic(self) -> Self {
        match self {
            Schedule::DynamicNonmonotonic(chunk) => Schedule::Dynamic(chunk),
            schedule => schedule,
        }
    }

    /// The schedule with the simd modifier (OpenMP 5.2 §11.5.3), for vectors of `length`
    /// iterations: chunk sizes count vectors.
    #[must_use]
    pub fn of_vectors(self, length: u64) -> Self {
        match self {
            Schedule::Static => Schedule::StaticAligned(length),
            Schedule::StaticAligned(size) => Schedule::StaticAligned(size.saturating_mul(length)),
            Schedule::StaticChunked(size) => Schedule::StaticChunked(size.saturating_mul(length)),
            Schedule::Dynamic(size) => Schedule::Dynamic(size.saturating_mul(length)),
            Schedule::DynamicNonmonotonic(size) => {
                Schedule::DynamicNonmonotonic(size.saturating_mul(length))
            }
            // The chunks of a trapezoidal schedule have no common size; a guided schedule is
            // nearest to it.
            Schedule::Guided(size)
            | Schedule::GuidedAligned(size)
            | Schedule::Trapezoidal(size) => Schedule::GuidedAligned(size.saturating_mul(length)),
        }
    }

    /// Whether each thread computes its part itself.
    pub(in crate::worksharing) fn is_arithmetic(self) -> bool {
        matches!(self, Schedule::Static | Schedule::StaticAligned(_) | Schedule::StaticChunked(_))
    }
}

impl WorksharingLoop {
    /// No loop: the state of a task before its first one.
    pub(super) const NONE: WorksharingLoop = WorksharingLoop::new(0, Schedule::Static, 0, 1);

    /// A loop of `iterations`, the first with the value `first`, without an ordered clause.
    #[must_use]
    #[inline(always)]
    pub const fn new(iterations: u64, schedule: Schedule, first: u64, step: u64) -> Self {
        WorksharingLoop {
            iterations,
            schedule,
            first,
            step,
            end: 0,
            is_ordered: false,
            is_sections: false,
            scratch: 0,
        }
    }

    /// The construct of `count` sections, numbered from 0.
    #[must_use]
    pub const fn sections(count: u64) -> Self {
        WorksharingLoop { is_sections: true, ..Self::new(count, Schedule::Dynamic(1), 0, 1) }
    }

    /// The schedule in a team of one thread, which needs no shared state: each section is a chunk,
    /// and any other loop is a single chunk. A schedule that adapts its chunks to the team is
    /// static then, also to tools, as in LLVM's runtime.
    pub(in crate::worksharing) fn alone(&self) -> Schedule {
        match self.schedule {
            _ if self.is_sections => Schedule::StaticChunked(1),
            Schedule::Guided(_) | Schedule::GuidedAligned(_) | Schedule::Trapezoidal(_) => {
                Schedule::Static
            }
            schedule => schedule,
        }
    }

    /// The kind of the construct in events.
    pub(in crate::worksharing) fn work(&self) -> Work {
        if self.is_sections {
            return Work::Sections;
        }
        match self.schedule {
            Schedule::Static | Schedule::StaticAligned(_) | Schedule::StaticChunked(_) => {
                Work::LoopStatic
            }
            Schedule::Dynamic(_) | Schedule::DynamicNonmonotonic(_) => Work::LoopDynamic,
            Schedule::Guided(_) | Schedule::GuidedAligned(_) => Work::LoopGuided,
            Schedule::Trapezoidal(_) => Work::LoopOther,
        }
    }

    /// Value of the loop variable in logical iteration `iteration`, modulo the width of its type.
    #[inline(always)]
    fn value(&self, iteration: u64) -> u64 {
        self.first.wrapping_add(iteration.wrapping_mul(self.step))
    }

    #[inline(always)]
    pub(in crate::worksharing) fn values(&self, chunk: Chunk) -> ChunkValues {
        let beyond = chunk.start.wrapping_add(chunk.iterations);
        ChunkValues {
            first: self.value(chunk.start),
            last: self.value(beyond.wrapping_sub(1)),
            end: if chunk.is_last { self.end } else { self.value(beyond) },
            step: self.step,
            is_last: chunk.is_last,
        }
    }

    /// The chunk of up to `size` iterations that begins with iteration `start`.
    #[inline(always)]
    pub(in crate::worksharing) fn chunk(&self, start: u64, size: u64) -> Chunk {
        let left = self.iterations - start;
        Chunk { start, iterations: size.min(left), is_last: size >= left }
    }
}
