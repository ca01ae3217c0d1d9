//! Static schedules (OpenMP 5.2 §11.5.3): each thread computes its part of a loop itself.
//!
//! This is the kmpc form: a loop runs from `lower` to `upper`, both included, and a thread gets the
//! bounds of its first chunk and the stride to the next. A thread without iterations gets bounds
//! with which the compiled loop executes nothing, even if the loop ends at the limit of its type.

use oxomp_base::settings;

use super::iterations::{LoopInteger, last_of_inclusive, of_inclusive};

#[cfg(test)]
mod tests;

/// How a static loop is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division<S> {
    /// One block per thread: static without a chunk size.
    Blocks,
    /// Chunks of this number of iterations, round-robin: static with a chunk size.
    RoundRobin(S),
    /// One block per thread, of a multiple of this number of iterations: static with the simd
    /// modifier.
    AlignedBlocks(S),
}

/// A loop from `lower` to `upper`, both included.
#[derive(Clone, Copy, Debug)]
pub struct StaticLoop<T: LoopInteger> {
    /// Value of the loop variable in the first iteration.
    pub lower: T,
    /// The last value that the loop variable may have.
    pub upper: T,
    /// The step of the loop variable.
    pub step: T::Step,
    /// How the loop is divided.
    pub division: Division<T::Step>,
}

impl<T: LoopInteger> StaticLoop<T> {
    /// Whether these are the bounds that flang computes for a loop without iterations: from 0 to
    /// one before it, modulo the width of the type. No program can ask for a loop with as many
    /// iterations as the type has values, since compilers compute the number in that type.
    #[inline(always)]
    fn is_wrapped(&self) -> bool {
        self.lower == T::MIN && self.upper == T::MAX && T::extend_step(self.step) == 1
    }

    /// The number of iterations of the loop.
    pub(super) fn iterations(&self) -> u64 {
        if self.is_wrapped() { 0 } else { of_inclusive(self.lower, self.upper, self.step) }
    }

    /// Whether the loop is divided into chunks of one iteration.
    #[inline(always)]
    pub(super) fn has_chunks_of_one(&self) -> bool {
        matches!(self.division, Division::RoundRobin(chunk) if T::extend_step(chunk) <= 1)
    }

    /// The part of the only thread of a team as chunks of one iteration.
    pub(super) fn one_by_one(&self) -> StaticChunk<T> {
        let StaticLoop { lower, upper, step, .. } = *self;
        if self.iterations() == 0 {
            return no_iterations(lower, upper, step);
        }
        StaticChunk { lower, upper: lower, stride: step, is_last: true, is_empty: false }
    }

    /// The result of `part` in the common cases: a step of one, blocks or chunks of one iteration,
    /// and at least one iteration for the thread. `None` in all other cases, and in chunks of one
    /// iteration for the only thread of a team if it `is_of_league`.
    #[inline(always)]
    pub(super) fn common_part(
        &self,
        thread_num: u32,
        team_size: u32,
        is_of_league: impl FnOnce() -> bool,
    ) -> Option<StaticChunk<T>> {
        let StaticLoop { lower, upper, step, .. } = *self;
        if T::extend_step(step) != 1 || lower > upper {
            return None;
        }
        let last = upper.extend().wrapping_sub(lower.extend());
        if last == T::MAX.extend().wrapping_sub(T::MIN.extend()) {
            // The bounds cover all values of the type: `part` asks `is_wrapped`.
            return None;
        }
        let (me, size) = (u64::from(thread_num), u64::from(team_size));
        match self.division {
            _ if team_size == 1 => {
                let goes_by_stride = self.has_chunks_of_one() && is_of_league();
                (!goes_by_stride).then(|| everything(lower, upper, step))
            }
            _ if last < me => None,
            Division::Blocks if !settings::static_is_greedy() => {
                Some(even_block(self, last, me, size))
            }
            Division::RoundRobin(chunk) if T::extend_step(chunk) <= 1 => {
                let first = value(lower, step, me);
                let stride = if size > last - me {
                    stride_past(first, upper, step)
                } else {
                    T::truncate_step(i64::from(team_size))
                };
                let is_last = last % size == me;
                Some(StaticChunk { lower: first, upper: first, stride, is_last, is_empty: false })
            }
            _ => None,
        }
    }

    /// The part of thread `thread_num` of a team of `team_size`.
    pub(super) fn part(&self, thread_num: u32, team_size: u32) -> StaticChunk<T> {
        let StaticLoop { lower, upper, step, division } = *self;
        if self.is_wrapped() {
            // The caller computes `upper - lower + 1` as the length of its part, and so gets 0.
            return no_iterations(lower, upper, step);
        }
        match division {
            Division::Blocks => blocks(lower, upper, step, thread_num, team_size),
            Division::RoundRobin(chunk) => {
                round_robin(lower, upper, step, chunk, thread_num, team_size)
            }
            Division::AlignedBlocks(chunk) => {
                aligned_blocks(lower, upper, step, chunk, thread_num, team_size)
            }
        }
    }
}

/// A thread's part of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StaticChunk<T: LoopInteger> {
    /// The first value of the loop variable.
    pub lower: T,
    /// The last value of the loop variable, or one beyond it, before that of the next iteration.
    pub upper: T,
    /// The distance from a chunk's bounds to those of the thread's next chunk, modulo the width of
    /// the type.
    pub stride: T::Step,
    /// Whether the thread executes the sequentially last iteration.
    pub is_last: bool,
    /// Whether the part has no iteration.
    pub is_empty: bool,
}

/// One block per thread, of sizes that differ by at most one: static without a chunk size, unless
/// KMP_SCHEDULE asks for blocks of ⌈n/p⌉ iterations for the first threads.
fn blocks<T: LoopInteger>(
    lower: T,
    upper: T,
    step: T::Step,
    thread_num: u32,
    team_size: u32,
) -> StaticChunk<T> {
    let Some(last) = last_of_inclusive(lower, upper, step) else {
        return no_iterations(lower, upper, step);
    };
    if team_size == 1 {
        return everything(lower, upper, step);
    }
    if settings::static_is_greedy() {
        let chunk = T::truncate_step(1);
        return aligned_blocks(lower, upper, step, chunk, thread_num, team_size);
    }
    let (me, size) = (u64::from(thread_num), u64::from(team_size));
    if last < me {
        return nothing_for_thread(upper, step);
    }
    even_block(&StaticLoop { lower, upper, step, division: Division::Blocks }, last, me, size)
}

/// The block of thread `me` of `size`, in a loop with iterations 0 to `last` that has at least one
/// for this thread.
#[inline(always)]
fn even_block<T: LoopInteger>(
    whole: &StaticLoop<T>,
    last: u64,
    me: u64,
    size: u64,
) -> StaticChunk<T> {
    let StaticLoop { lower, upper, step, .. } = *whole;
    // Computed from the number of the last iteration, because the number of iterations may not fit
    // the type: it is `share * size + longer`, with `longer` from 1 to `size`.
    let (share, longer) = (last / size, last % size + 1);
    let length = share + u64::from(me < longer);
    let first = me * share + me.min(longer);
    let end = first + (length - 1);
    StaticChunk {
        lower: value(lower, step, first),
        upper: value(lower, step, end),
        stride: stride_past(lower, upper, step),
        is_last: end == last,
        is_empty: false,
    }
}

/// Chunks of `chunk` iterations, assigned to the threads round-robin: static with a chunk size. A
/// chunk size below 1 counts as 1.
fn round_robin<T: LoopInteger>(
    lower: T,
    upper: T,
    step: T::Step,
    chunk: T::Step,
    thread_num: u32,
    team_size: u32,
) -> StaticChunk<T> {
    let Some(last) = last_of_inclusive(lower, upper, step) else {
        return no_iterations(lower, upper, step);
    };
    if team_size == 1 {
        return everything(lower, upper, step);
    }
    let chunk = T::extend_step(chunk).max(1).unsigned_abs();
    let (me, size) = (u64::from(thread_num), u64::from(team_size));
    let first = match chunk.checked_mul(me) {
        Some(first) if first <= last => first,
        _ => return nothing_for_thread(upper, step),
    };
    let rest = last - first;
    let round = chunk.saturating_mul(size);
    let lower_of_thread = value(lower, step, first);
    let stride = if round > rest {
        // For the thread's only chunk the stride leads just past the loop, and no further, since
        // the type may end there.
        stride_past(lower_of_thread, upper, step)
    } else {
        // The loop has at least `round` iterations, so their span is a difference of two values of
        // the type.
        directed::<T>(round.wrapping_mul(T::extend_step(step).unsigned_abs()), step)
    };
    StaticChunk {
        lower: lower_of_thread,
        upper: value(lower, step, first + rest.min(chunk - 1)),
        stride,
        is_last: last / chunk % size == me,
        is_empty: false,
    }
}

/// One block per thread whose length is a multiple of `chunk`, except the last block: static with
/// the simd modifier. A chunk size below 1 counts as 1.
fn aligned_blocks<T: LoopInteger>(
    lower: T,
    upper: T,
    step: T::Step,
    chunk: T::Step,
    thread_num: u32,
    team_size: u32,
) -> StaticChunk<T> {
    let Some(last) = last_of_inclusive(lower, upper, step) else {
        return no_iterations(lower, upper, step);
    };
    if team_size == 1 {
        return everything(lower, upper, step);
    }
    let chunk = T::extend_step(chunk).max(1).unsigned_abs();
    let (me, size) = (u64::from(thread_num), u64::from(team_size));
    // `last / size + 1` is ⌈iterations / size⌉.
    let block = (last / size + 1).div_ceil(chunk).saturating_mul(chunk);
    let first = match block.checked_mul(me) {
        Some(first) if first <= last => first,
        _ => return nothing_for_thread(upper, step),
    };
    let length_less_one = (last - first).min(block - 1);
    StaticChunk {
        lower: value(lower, step, first),
        upper: value(lower, step, first + length_less_one),
        stride: stride_past(lower, upper, step),
        is_last: first + length_less_one == last,
        is_empty: false,
    }
}

/// The value of the loop variable in an iteration that the loop has.
#[inline(always)]
fn value<T: LoopInteger>(lower: T, step: T::Step, iteration: u64) -> T {
    let step = T::extend_step(step).cast_unsigned();
    T::truncate(lower.extend().wrapping_add(iteration.wrapping_mul(step)))
}

/// The part of a loop without iterations: its own bounds, with which the compiled loop executes
/// nothing.
#[inline(always)]
fn no_iterations<T: LoopInteger>(lower: T, upper: T, step: T::Step) -> StaticChunk<T> {
    StaticChunk { lower, upper, stride: step, is_last: false, is_empty: true }
}

/// The part of the only thread of a team: the whole loop as a single chunk, whatever the chunk
/// size.
#[inline(always)]
fn everything<T: LoopInteger>(lower: T, upper: T, step: T::Step) -> StaticChunk<T> {
    let stride = stride_past(lower, upper, step);
    StaticChunk { lower, upper, stride, is_last: true, is_empty: false }
}

/// Bounds with which a loop of this end and step executes nothing: past the end, or, if the type
/// ends there, in the wrong order.
#[cold]
fn nothing_for_thread<T: LoopInteger>(end: T, step: T::Step) -> StaticChunk<T> {
    let value = end.extend();
    let (lower, upper) = match (T::extend_step(step) > 0, end == T::MAX, end == T::MIN) {
        (true, false, _) => (T::truncate(value.wrapping_add(1)), end),
        (true, true, _) => (end, T::truncate(value.wrapping_sub(1))),
        (false, _, false) => (T::truncate(value.wrapping_sub(1)), end),
        (false, _, true) => (end, T::truncate(value.wrapping_add(1))),
    };
    StaticChunk { lower, upper, stride: step, is_last: false, is_empty: true }
}

/// The distance from `lower` to just past `upper`.
#[inline(always)]
fn stride_past<T: LoopInteger>(lower: T, upper: T, step: T::Step) -> T::Step {
    let distance = if T::extend_step(step) > 0 {
        upper.extend().wrapping_sub(lower.extend())
    } else {
        lower.extend().wrapping_sub(upper.extend())
    };
    directed::<T>(distance.wrapping_add(1), step)
}

/// `magnitude` with the sign of `step`, modulo the width of the type.
#[inline(always)]
fn directed<T: LoopInteger>(magnitude: u64, step: T::Step) -> T::Step {
    let magnitude = magnitude.cast_signed();
    T::truncate_step(if T::extend_step(step) > 0 { magnitude } else { magnitude.wrapping_neg() })
}
