//! Loops and their schedules, as the constructs describe them (OpenMP 5.2 §11.5.3).

use crate::icv::{self, ScheduleKind};
use crate::ompt::event::Work;

/// How chunks are handed out. Chunk sizes are iterations, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// One block a thread, as even as can be.
    Static,
    /// One block a thread, of a multiple of so many iterations, the last one excepted (`simd`).
    StaticAligned(u64),
    /// Chunks round robin by thread number.
    StaticChunked(u64),
    /// Chunks in order, to who asks first.
    Dynamic(u64),
    /// The same where a thread's chunks need not come in order (`nonmonotonic`).
    DynamicNonmonotonic(u64),
    /// Shrinking pieces, at least the chunk size.
    Guided(u64),
    /// Shrinking pieces of a multiple of so many iterations, the last one excepted (`simd`).
    GuidedAligned(u64),
    /// Pieces that shrink by the same amount each, down to the chunk size (LLVM's extension).
    Trapezoidal(u64),
}

/// A loop as the compiler describes it, in logical iterations 0 to `iterations`.
#[derive(Clone, Copy, Debug)]
pub struct WorksharingLoop {
    /// Number of iterations.
    pub iterations: u64,
    pub schedule: Schedule,
    /// Value of the loop variable in iteration 0, extended to 64 bits.
    pub first: u64,
    /// What it grows by, modulo 2^64.
    pub step: u64,
    /// The value that the loop variable does not reach any more, of a half-open loop; else unused.
    pub end: u64,
    /// The loop has ordered regions, whose order is that of the iterations.
    pub is_ordered: bool,
    /// It is a sections construct, whose iterations are the sections.
    pub is_sections: bool,
    /// Bytes of zeroed memory that the team shares until all have left the loop. With any, the loop
    /// is left by `Thread::end_loop` alone.
    pub scratch: usize,
}

/// A piece of a loop: logical iterations `start..start + iterations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub start: u64,
    pub iterations: u64,
    /// The loop's last iteration is in it.
    pub is_last: bool,
}

/// A piece of a loop as compiled code wants it: values of the loop variable, to be cut to its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkValues {
    /// In the first iteration.
    pub first: u64,
    /// In the last iteration.
    pub last: u64,
    /// In the iteration after the last; of the loop's last chunk, the loop's `end`.
    pub end: u64,
    /// What it grows by.
    pub step: u64,
    /// The loop's last iteration is among them.
    pub is_last: bool,
}

impl From<icv::Schedule> for Schedule {
    /// What a schedule of *run-sched-var* means.
    fn from(schedule: icv::Schedule) -> Self {
        let chunk = u64::from(schedule.chunk);
        match schedule.kind {
            ScheduleKind::Static if chunk == 0 => Schedule::Static,
            ScheduleKind::Static => Schedule::StaticChunked(chunk),
            // What libomp takes for auto.
            ScheduleKind::Auto => Schedule::Guided(1),
            ScheduleKind::Dynamic if schedule.is_monotonic() => Schedule::Dynamic(chunk.max(1)),
            ScheduleKind::Dynamic => Schedule::DynamicNonmonotonic(chunk.max(1)),
            ScheduleKind::Guided => Schedule::Guided(chunk.max(1)),
            ScheduleKind::Trapezoidal => Schedule::Trapezoidal(chunk.max(1)),
        }
    }
}

impl Schedule {
    /// The same where a thread's chunks come in order.
    #[must_use]
    pub fn monotonic(self) -> Self {
        match self {
            Schedule::DynamicNonmonotonic(chunk) => Schedule::Dynamic(chunk),
            schedule => schedule,
        }
    }

    /// The same for vectors of `length` iterations in place of iterations (`simd`): OpenMP 5.2
    /// §11.5.3, where we take a chunk's worth of vectors for the width.
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
            // Pieces of a trapezoid have no common size: nearest to it are guided ones.
            Schedule::Guided(size)
            | Schedule::GuidedAligned(size)
            | Schedule::Trapezoidal(size) => Schedule::GuidedAligned(size.saturating_mul(length)),
        }
    }

    /// Whether each thread computes its part by itself.
    pub(in crate::worksharing) fn is_arithmetic(self) -> bool {
        matches!(self, Schedule::Static | Schedule::StaticAligned(_) | Schedule::StaticChunked(_))
    }
}

impl WorksharingLoop {
    /// No loop: what a task has executed before its first.
    pub(super) const NONE: WorksharingLoop = WorksharingLoop::new(0, Schedule::Static, 0, 1);

    /// The loop of so many iterations, the first with the value `first`, without an ordered clause.
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

    /// Its schedule in a team of one, where nothing is shared: each section is a chunk, and
    /// otherwise everything is one. A schedule that makes its pieces to fit is then static.
    pub(in crate::worksharing) fn alone(&self) -> Schedule {
        match self.schedule {
            _ if self.is_sections => Schedule::StaticChunked(1),
            Schedule::Guided(_) | Schedule::GuidedAligned(_) | Schedule::Trapezoidal(_) => {
                Schedule::Static
            }
            schedule => schedule,
        }
    }

    /// How tools call it.
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

    /// The piece of up to `size` iterations that begins with iteration `start`.
    #[inline(always)]
    pub(in crate::worksharing) fn chunk(&self, start: u64, size: u64) -> Chunk {
        let left = self.iterations - start;
        Chunk { start, iterations: size.min(left), is_last: size >= left }
    }
}
