//! Schedules of loops.

use std::fmt;

use oxomp_analysis::summary::{Loop, WorkKind};

/// The chunks that a loop of dynamic schedule is taken to have if the recording does not tell.
const UNTOLD: u64 = 64;

/// A schedule of a loop, with its chunk size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Schedule {
    /// One part for each thread.
    Static,
    /// Chunks in turn.
    StaticChunked(u64),
    /// Chunks as threads ask for them.
    Dynamic(u64),
    /// Chunks that become smaller, at least of this size.
    Guided(u64),
}

impl Schedule {
    /// The schedule of a recorded loop; `None` if the recording does not tell.
    #[must_use]
    pub fn of(one: &Loop) -> Option<Self> {
        let (least, most) = one.sizes;
        // A team of one is handed all iterations at once, whatever the size of chunks.
        if one.threads == 1 && most >= one.count && one.kind == WorkKind::LoopDynamic {
            return Some(Self::Dynamic((most / UNTOLD).max(1)));
        }
        match one.kind {
            WorkKind::LoopStatic if one.chunks > one.executions => {
                Some(Self::StaticChunked(most.max(1)))
            }
            WorkKind::LoopStatic => Some(Self::Static),
            WorkKind::LoopDynamic => Some(Self::Dynamic(most.max(1))),
            // The last chunk may be smaller than the schedule's size.
            WorkKind::LoopGuided => Some(Self::Guided(least.max(1))),
            // A runtime that does not tell: chunks of one size but for the last.
            WorkKind::Loop | WorkKind::LoopOther if least == most => {
                Some(Self::Dynamic(most.max(1)))
            }
            _ => None,
        }
    }

    /// The kind and chunk size as in a `schedule` clause and in `OMP_SCHEDULE`.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Static => "static".to_owned(),
            Self::StaticChunked(chunk) => format!("static,{chunk}"),
            Self::Dynamic(chunk) => format!("dynamic,{chunk}"),
            Self::Guided(chunk) => format!("guided,{chunk}"),
        }
    }

    /// How much is to be known of a loop to choose the schedule, and to be done to execute it, as a
    /// rank.
    #[must_use]
    pub(crate) fn complexity(self) -> u8 {
        match self {
            Self::Static => 0,
            Self::StaticChunked(_) => 1,
            Self::Dynamic(_) => 2,
            Self::Guided(_) => 3,
        }
    }

    /// Whether threads ask for each chunk.
    #[must_use]
    pub fn is_handed_out(self) -> bool {
        matches!(self, Self::Dynamic(_) | Self::Guided(_))
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}
