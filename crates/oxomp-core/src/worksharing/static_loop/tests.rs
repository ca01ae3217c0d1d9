//! Static loops as compiled code executes them: the threads of a team execute each iteration once.

use super::{Division, StaticChunk, StaticLoop, aligned_blocks, blocks, round_robin};
use crate::worksharing::Chunk;
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

fn division<S>(kind: Kind, chunk: S) -> Division<S> {
    match kind {
        Kind::Blocks => Division::Blocks,
        Kind::RoundRobin => Division::RoundRobin(chunk),
        Kind::Aligned => Division::AlignedBlocks(chunk),
    }
}

fn part<T: LoopInteger>(
    kind: Kind,
    (lower, upper, step, chunk): (T, T, T::Step, T::Step),
    me: u32,
    size: u32,
) -> StaticChunk<T> {
    let whole = StaticLoop { lower, upper, step, division: division(kind, chunk) };
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
    let whole =
        StaticLoop { lower, upper, step: arguments.2, division: division(kind, arguments.3) };
    let is_countable = (from - to).unsigned_abs() / step.unsigned_abs() < u128::from(u64::MAX);
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
        let numbers = |&(first, last): &(i128, i128)| ((first - from) / step, (last - from) / step);
        let told = |chunk: Chunk| {
            (i128::from(chunk.start), i128::from(chunk.start) + i128::from(chunk.iterations) - 1)
        };
        if is_countable
            && !whole.is_wrapped()
            && !whole.chunks(chunk, size).map(told).eq(pieces.iter().map(numbers))
        {
            return Err(fail("other chunks are told than the thread executes"));
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
