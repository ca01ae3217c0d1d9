//! The chunks that a static schedule assigns to a thread, as logical iterations, for listeners:
//! compiled code goes from one to the next by itself.

use super::iterations::{LoopInteger, of_inclusive};
use super::state::schedule::Chunk;
use super::static_loop::{Division, StaticChunk, StaticLoop};

/// The chunks of one thread, in the order in which it executes them.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticChunks {
    /// The first iteration of the next chunk; `end` or more if no chunk is left.
    next: u64,
    /// The number of iterations of a chunk that the loop's end does not cut off.
    length: u64,
    /// The number of iterations from a chunk's first to that of the next.
    round: u64,
    /// The number of iterations of the loop.
    end: u64,
}

impl<T: LoopInteger> StaticLoop<T> {
    /// The chunks of a thread in a team of `size` whose part of this loop is `part`.
    pub(super) fn chunks(&self, part: &StaticChunk<T>, size: u32) -> StaticChunks {
        if part.is_empty {
            return StaticChunks { next: 0, length: 0, round: 0, end: 0 };
        }
        let end = self.iterations();
        let length = of_inclusive(part.lower, part.upper, self.step);
        let round = match self.division {
            // The only thread of a team may have all chunks in one.
            Division::RoundRobin(chunk) if length < end => {
                T::extend_step(chunk).max(1).unsigned_abs().saturating_mul(u64::from(size))
            }
            _ => end,
        };
        StaticChunks { next: self.iteration_of(part.lower), length, round, end }
    }

    /// The number of the iteration in which the loop variable has that value.
    pub(super) fn iteration_of(&self, value: T) -> u64 {
        of_inclusive(self.lower, value, self.step) - 1
    }
}

impl Iterator for StaticChunks {
    type Item = Chunk;

    fn next(&mut self) -> Option<Chunk> {
        let Self { next: start, length, round, end } = *self;
        if start >= end {
            return None;
        }
        let iterations = length.min(end - start);
        self.next = start.saturating_add(round);
        Some(Chunk { start, iterations, is_last: start + iterations == end })
    }
}
