//! Loops and their schedules, as the constructs describe them (OpenMP 5.2 §11.5.3).

use crate::icv::{self, ScheduleKind};
use crate::ompt::event::Work;

/// How chunks are handed out. Chunk sizes are iterations, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// One block a thread, as even as can be.
    Static,
    /// Chunks round robin by thread number.
    StaticChunked(u64),
    /// Chunks in order, to who asks first.
    Dynamic(u64),
    /// The same where a thread's chunks need not come in order (`nonmonotonic`).
    DynamicNonmonotonic(u64),
    /// Shrinking pieces, at least the chunk size.
    Guided(u64),
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
    /// The loop has ordered regions, whose order is that of the iterations.
    pub is_ordered: bool,
    /// It is a sections construct, whose iterations are the sections.
    pub is_sections: bool,
}

/// A piece of a loop: logical iterations `start..start + iterations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub start: u64,
    pub iterations: u64,
    /// The loop's last iteration is in it.
    pub is_last: bool,
}

impl From<icv::Schedule> for Schedule {
    /// What a schedule of *run-sched-var* means.
    fn from(schedule: icv::Schedule) -> Self {
        let chunk = u64::from(schedule.chunk);
        match schedule.kind {
            ScheduleKind::Static | ScheduleKind::Auto if chunk == 0 => Schedule::Static,
            ScheduleKind::Static => Schedule::StaticChunked(chunk),
            ScheduleKind::Auto => Schedule::Static,
            ScheduleKind::Dynamic if schedule.is_monotonic() => Schedule::Dynamic(chunk.max(1)),
            ScheduleKind::Dynamic => Schedule::DynamicNonmonotonic(chunk.max(1)),
            ScheduleKind::Guided => Schedule::Guided(chunk.max(1)),
        }
    }
}

impl WorksharingLoop {
    /// No loop: what a task has executed before its first.
    pub(super) const NONE: WorksharingLoop = WorksharingLoop {
        iterations: 0,
        schedule: Schedule::Static,
        first: 0,
        step: 0,
        is_ordered: false,
        is_sections: false,
    };

    /// How tools call it.
    pub(super) fn work(&self) -> Work {
        if self.is_sections {
            return Work::Sections;
        }
        match self.schedule {
            Schedule::Static | Schedule::StaticChunked(_) => Work::LoopStatic,
            Schedule::Dynamic(_) | Schedule::DynamicNonmonotonic(_) => Work::LoopDynamic,
            Schedule::Guided(_) => Work::LoopGuided,
        }
    }

    /// Value of the loop variable in logical iteration `iteration`, modulo the width of its type.
    #[inline(always)]
    pub fn value(&self, iteration: u64) -> u64 {
        self.first.wrapping_add(iteration.wrapping_mul(self.step))
    }

    /// The piece of up to `size` iterations that begins with iteration `start`.
    #[inline(always)]
    pub(super) fn chunk(&self, start: u64, size: u64) -> Chunk {
        let left = self.iterations - start;
        Chunk { start, iterations: size.min(left), is_last: size >= left }
    }
}
