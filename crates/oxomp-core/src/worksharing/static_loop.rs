//! Static schedules (OpenMP 5.2 §11.5.3): each thread computes its part of a loop itself.
//!
//! This is the kmpc form: a loop runs from `lower` to `upper`, both included, and a thread gets the
//! bounds of its first chunk and the stride to the next. A thread without iterations gets bounds
//! with which the compiled loop executes nothing, even if the loop ends at the limit of its type.

use super::iterations::{LoopInteger, last_of_inclusive, of_inclusive};
use crate::settings;

/// How a static loop is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division<S> {
    /// One block per thread: static without a chunk size.
    Blocks,
    /// Chunks of so many iterations, round-robin: static with a chunk size.
    RoundRobin(S),
    /// One block per thread, of a multiple of so many iterations: static with the simd modifier.
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
    /// and at least one iteration for the thread. None in all other cases, and in chunks of one
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

#[cfg(test)]
mod tests {
    use super::{Division, StaticChunk, StaticLoop, aligned_blocks, blocks, round_robin};
    use crate::worksharing::iterations::LoopInteger;
    use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};
    use proptest::test_runner::{TestCaseError, TestCaseResult};

    #[derive(Clone, Copy, Debug)]
    enum Kind {
        Blocks,
        RoundRobin,
        Aligned,
    }

    const KINDS: [Kind; 3] = [Kind::Blocks, Kind::RoundRobin, Kind::Aligned];

    fn part<T: LoopInteger>(
        kind: Kind,
        (lower, upper, step, chunk): (T, T, T::Step, T::Step),
        me: u32,
        size: u32,
    ) -> StaticChunk<T> {
        let division = match kind {
            Kind::Blocks => Division::Blocks,
            Kind::RoundRobin => Division::RoundRobin(chunk),
            Kind::Aligned => Division::AlignedBlocks(chunk),
        };
        let whole = StaticLoop { lower, upper, step, division };
        if !whole.is_wrapped() {
            return whole.part(me, size);
        }
        // Compiled code cannot ask for this loop; the arithmetic must survive it.
        match kind {
            Kind::Blocks => blocks(lower, upper, step, me, size),
            Kind::RoundRobin => round_robin(lower, upper, step, chunk, me, size),
            Kind::Aligned => aligned_blocks(lower, upper, step, chunk, me, size),
        }
    }

    /// The chunks `(first, last)` that the compiled code of a thread executes: it clamps a chunk to
    /// the end of the loop, executes it and, if the schedule has chunks, advances by the stride
    /// until it is past the end.
    ///
    /// The compiled code adds modulo the width of its type. `None` if a chunk within the loop has
    /// its unclamped end beyond the type: no stride makes the compiled code right. If only the
    /// chunk past the end is beyond the type, the loop counts as over. Also `None` after too many
    /// chunks.
    fn executed<T: LoopInteger + Into<i128>>(
        kind: Kind,
        end: T,
        step: i128,
        chunk: StaticChunk<T>,
    ) -> Option<Vec<(i128, i128)>> {
        let stride = T::extend_step(chunk.stride).cast_unsigned();
        let next = |value: T| {
            let next = T::truncate(value.extend().wrapping_add(stride));
            ((next.into() - value.into()) * step.signum() > 0).then_some(next)
        };
        let (mut lower, mut upper) = (chunk.lower, chunk.upper);
        let mut pieces = Vec::new();
        while pieces.len() < 100 {
            upper = if step > 0 { upper.min(end) } else { upper.max(end) };
            let (first, last): (i128, i128) = (lower.into(), upper.into());
            if (last - first) * step.signum() < 0 {
                return Some(pieces);
            }
            pieces.push((first, first + (last - first) / step * step));
            match next(lower) {
                Some(next) if matches!(kind, Kind::RoundRobin) => lower = next,
                _ => return Some(pieces),
            }
            if (end.into() - lower.into()) * step.signum() < 0 {
                return Some(pieces);
            }
            upper = next(upper)?;
        }
        None
    }

    fn fail(what: &str) -> TestCaseError {
        TestCaseError::fail(what.to_owned())
    }

    /// Checks that the threads execute each iteration exactly once and in order, and that one
    /// thread only has the last one.
    fn check<T: LoopInteger + Into<i128>>(
        kind: Kind,
        arguments: (T, T, T::Step, T::Step),
        size: u32,
    ) -> TestCaseResult {
        let (lower, upper, step, _) = arguments;
        let step = i128::from(T::extend_step(step));
        let (from, to): (i128, i128) = (lower.into(), upper.into());
        let is_loop = if step > 0 { from <= to } else { from >= to };
        let parts: Vec<_> = (0..size).map(|me| part(kind, arguments, me, size)).collect();
        let mut all = Vec::new();
        for chunk in &parts {
            let Some(pieces) = executed(kind, upper, step, *chunk) else { return Ok(()) };
            if pieces.is_empty() != chunk.is_empty {
                return Err(fail("is_empty"));
            }
            if pieces.windows(2).any(|pair| (pair[1].0 - pair[0].1) * step.signum() <= 0) {
                return Err(fail("a thread's chunks are out of order"));
            }
            let last = from + (to - from) / step * step;
            let has_last = is_loop && pieces.last().is_some_and(|piece| piece.1 == last);
            if has_last != chunk.is_last {
                return Err(fail("is_last"));
            }
            all.extend(pieces);
        }
        all.sort_unstable_by_key(|piece| piece.0 * step.signum());
        let mut next = from;
        for (first, last) in all {
            if first != next {
                return Err(fail("an iteration is executed twice or not at all"));
            }
            next = last + step;
        }
        let complete = if step > 0 { next > to } else { next < to };
        if complete { Ok(()) } else { Err(fail("iterations are missing at the end")) }
    }

    /// Calls `check` with the arguments truncated to a type.
    fn check_as<T: LoopInteger + Into<i128>>(
        kind: Kind,
        (lower, upper, step, chunk): (i64, i64, i64, i64),
        size: u32,
    ) -> TestCaseResult {
        let step = match T::extend_step(T::truncate_step(step)) {
            0 => 1,
            step => step,
        };
        let arguments = (
            T::truncate(lower.cast_unsigned()),
            T::truncate(upper.cast_unsigned()),
            T::truncate_step(step),
            T::truncate_step(chunk),
        );
        check(kind, arguments, size)
    }

    fn check_all(arguments: (i64, i64, i64, i64), size: u32) -> TestCaseResult {
        for kind in KINDS {
            check_as::<i32>(kind, arguments, size)?;
            check_as::<u32>(kind, arguments, size)?;
            check_as::<i64>(kind, arguments, size)?;
            check_as::<u64>(kind, arguments, size)?;
        }
        Ok(())
    }

    fn edge() -> impl Strategy<Value = i64> {
        prop_oneof![
            -99..99_i64,
            any::<i64>(),
            (i64::MAX - 99)..,
            (i64::MIN..(i64::MIN + 99)),
            (i64::from(i32::MAX) - 99)..(i64::from(i32::MAX) + 99),
            Just(i64::from(u32::MAX)),
        ]
    }

    #[test]
    fn every_small_loop_is_divided_completely() {
        for lower in -3..=3 {
            for upper in -9..=9 {
                for step in [-3, -2, -1, 1, 2, 3] {
                    for chunk in [-1, 0, 1, 2, 5] {
                        for size in 1..=4 {
                            let arguments = (lower, upper, step, chunk);
                            check_all(arguments, size).unwrap_or_else(|error| {
                                panic!("{arguments:?} by {size}: {error}");
                            });
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn loops_at_the_end_of_their_type_leave_idle_threads_idle() {
        for size in [2, 3, 7] {
            for kind in KINDS {
                check(kind, (i32::MAX - 1, i32::MAX, 1, 1), size).expect("up to the greatest");
                check(kind, (i64::MIN + 1, i64::MIN, -1, 1), size).expect("down to the least");
                check(kind, (0_u64, 0, -1, 1), size).expect("unsigned, down to 0");
                check(kind, (u64::MAX, u64::MAX, 1, 1), size).expect("unsigned, up");
            }
        }
    }

    #[test]
    fn blocks_differ_by_at_most_one_iteration() {
        let lengths: Vec<u32> = (0..4)
            .map(|me| blocks(0_u32, 9, 1, me, 4))
            .map(|part| part.upper - part.lower + 1)
            .collect();
        assert_eq!(lengths, [3, 3, 2, 2]);
    }

    #[test]
    fn a_single_large_chunk_does_not_wrap_into_a_second() {
        let part = round_robin(0_i32, i32::MAX - 1, 1, 1_000_000_000, 2, 4);
        assert_eq!((part.lower, part.upper), (2_000_000_000, i32::MAX - 1));
        assert_eq!(part.lower.checked_add(part.stride), Some(i32::MAX));
    }

    #[test]
    fn simd_blocks_are_multiples_of_the_chunk_size() {
        let parts: Vec<_> = (0..3).map(|me| aligned_blocks(0, 20, 1, 4, me, 3)).collect();
        let bounds: Vec<_> = parts.iter().map(|part| (part.lower, part.upper)).collect();
        assert_eq!(bounds, [(0, 7), (8, 15), (16, 20)]);
    }

    /// Checks that `common_part` and `part` agree where both return a part.
    fn check_common<T: LoopInteger + core::fmt::Debug>(
        whole: StaticLoop<T>,
        size: u32,
    ) -> TestCaseResult
    where
        T::Step: core::fmt::Debug,
    {
        for me in 0..size {
            if let Some(part) = whole.common_part(me, size, || false) {
                prop_assert_eq!(part, whole.part(me, size));
            }
        }
        Ok(())
    }

    #[test]
    fn most_loops_take_the_short_way() {
        for division in [Division::Blocks, Division::RoundRobin(1)] {
            let whole = StaticLoop { lower: 0, upper: 9, step: 1, division };
            assert!((0..4).all(|me| whole.common_part(me, 4, || true).is_some()));
            assert!(whole.common_part(0, 1, || false).is_some());
        }
    }

    #[test]
    fn a_lone_thread_of_a_league_can_go_by_the_stride() {
        let whole = |upper, division| StaticLoop { lower: 3, upper, step: 1, division };
        let by_ones = whole(9, Division::RoundRobin(1));
        assert!(by_ones.common_part(0, 1, || true).is_none());
        let part = by_ones.one_by_one();
        assert_eq!((part.lower, part.upper, part.stride, part.is_last), (3, 3, 1, true));
        assert!(whole(2, Division::RoundRobin(1)).one_by_one().is_empty);
        for division in [Division::Blocks, Division::RoundRobin(2)] {
            assert!(!whole(9, division).has_chunks_of_one());
        }
    }

    proptest! {
        #[test]
        fn the_short_way_leads_to_the_same_part(
            lower in edge(),
            length in prop_oneof![0..40_u32, any::<u32>()],
            chunk in -1..3_i32,
            size in 1..17_u32,
        ) {
            let lower = lower as i32;
            let upper = lower.saturating_add_unsigned(length);
            let step = 1;
            for division in [Division::Blocks, Division::RoundRobin(chunk)] {
                check_common(StaticLoop { lower, upper, step, division }, size)?;
                let (lower, upper) = (lower.cast_unsigned(), upper.cast_unsigned());
                check_common(StaticLoop { lower, upper, step, division }, size)?;
            }
            for division in [Division::Blocks, Division::RoundRobin(i64::from(chunk))] {
                let (lower, upper) = (i64::from(lower), i64::from(upper));
                check_common(StaticLoop { lower, upper, step: 1, division }, size)?;
                let (lower, upper) = (lower.cast_unsigned(), upper.cast_unsigned());
                check_common(StaticLoop { lower, upper, step: 1, division }, size)?;
            }
        }

        #[test]
        fn any_loop_is_divided_completely(
            lower in edge(),
            upper in edge(),
            step in edge(),
            chunk in edge(),
            size in prop_oneof![1..9_u32, 1..64_u32],
        ) {
            check_all((lower, upper, step, chunk), size)?;
        }

        #[test]
        fn short_loops_near_the_end_of_a_type_are_divided_completely(
            lower in edge(),
            length in 0..200_i64,
            step in prop_oneof![-5..=-1_i64, 1..=5_i64],
            chunk in 0..9_i64,
            size in 1..9_u32,
        ) {
            let upper = lower.saturating_add(length * step);
            check_all((lower, upper, step, chunk), size)?;
        }
    }
}
