//! The number of iterations of a canonical loop (OpenMP 5.2 §4.4.2), for each integer type that
//! compilers use. No computation overflows, whatever the bounds.

mod sealed {
    pub trait Sealed {}
}

/// A type of loop variables: `i32`, `u32`, `i64` or `u64`.
pub trait LoopInteger: Copy + Ord + sealed::Sealed {
    /// The type of the loop's step.
    type Step: Copy + Ord;
    /// The smallest value.
    const MIN: Self;
    /// The greatest value.
    const MAX: Self;

    /// The value extended to 64 bits, by its sign if the type has one.
    fn extend(self) -> u64;
    /// The low bits of a 64-bit value.
    fn truncate(value: u64) -> Self;
    /// A step extended to 64 bits.
    fn extend_step(step: Self::Step) -> i64;
    /// The low bits of a step.
    fn truncate_step(step: i64) -> Self::Step;
}

macro_rules! loop_integer {
    ($($ty:ty, $step:ty;)*) => {
        $(
            impl sealed::Sealed for $ty {}

            impl LoopInteger for $ty {
                type Step = $step;
                const MIN: Self = <$ty>::MIN;
                const MAX: Self = <$ty>::MAX;

                #[inline(always)]
                fn extend(self) -> u64 {
                    self as u64
                }

                #[inline(always)]
                fn truncate(value: u64) -> Self {
                    value as Self
                }

                #[inline(always)]
                fn extend_step(step: $step) -> i64 {
                    i64::from(step)
                }

                #[inline(always)]
                fn truncate_step(step: i64) -> $step {
                    step as $step
                }
            }
        )*
    };
}

loop_integer! {
    i32, i32;
    u32, i32;
    i64, i64;
    u64, i64;
}

/// The number of the last iteration, from 0, of the loop from `lower` to `upper`, both included, by
/// `step`; `None` if the loop has no iteration. A loop with a step of 0 has none.
#[inline(always)]
pub fn last_of_inclusive<T: LoopInteger>(lower: T, upper: T, step: T::Step) -> Option<u64> {
    match T::extend_step(step) {
        1 if lower <= upper => Some(upper.extend().wrapping_sub(lower.extend())),
        step if step > 0 && lower <= upper => {
            Some(upper.extend().wrapping_sub(lower.extend()) / step.unsigned_abs())
        }
        step if step < 0 && lower >= upper => {
            Some(lower.extend().wrapping_sub(upper.extend()) / step.unsigned_abs())
        }
        _ => None,
    }
}

/// Number of iterations of the loop from `lower` to `upper`, both included, by `step`: the kmpc
/// form. For the one loop that has 2^64 iterations the result is one less.
#[inline(always)]
pub fn of_inclusive<T: LoopInteger>(lower: T, upper: T, step: T::Step) -> u64 {
    last_of_inclusive(lower, upper, step).map_or(0, |last| last.saturating_add(1))
}

/// Number of iterations of the loop from `start` to before `end` by `step`: the GOMP form for
/// `long`.
#[inline(always)]
pub fn of_half_open(start: i64, end: i64, step: i64) -> u64 {
    // If the loop has an iteration, the value next to `end` exists.
    if step > 0 && start < end {
        of_inclusive(start, end - 1, step)
    } else if step < 0 && start > end {
        of_inclusive(start, end + 1, step)
    } else {
        0
    }
}

/// Number of iterations of the loop from `start` to before `end` by `step`: the GOMP form for
/// `unsigned long long`, in which `step` is modulo 2^64 and `up` is its sign.
#[inline(always)]
pub fn of_half_open_unsigned(up: bool, start: u64, end: u64, step: u64) -> u64 {
    let (distance, magnitude) = if up {
        (end.saturating_sub(start), step)
    } else {
        (start.saturating_sub(end), step.wrapping_neg())
    };
    match (distance, magnitude) {
        (0, _) | (_, 0) => 0,
        (distance, 1) => distance,
        (distance, magnitude) => (distance - 1) / magnitude + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::{LoopInteger, of_half_open, of_half_open_unsigned, of_inclusive};
    use proptest::prelude::{Just, Strategy, any, prop_assert_eq, prop_oneof, proptest};

    /// The number of iterations by wide arithmetic.
    fn expected(lower: i128, upper: i128, step: i128) -> u64 {
        let distance = if step > 0 { upper - lower } else { lower - upper };
        if step == 0 || distance < 0 {
            return 0;
        }
        u64::try_from(distance / step.abs() + 1).unwrap_or(u64::MAX)
    }

    fn edge_i64() -> impl Strategy<Value = i64> {
        prop_oneof![-9..9_i64, any::<i64>(), Just(i64::MIN), Just(i64::MAX), (i64::MAX - 9)..]
    }

    #[test]
    fn the_whole_range_of_a_type_is_counted() {
        assert_eq!(of_inclusive(i32::MIN, i32::MAX, 1), 1 << 32);
        assert_eq!(of_inclusive(u32::MAX, 0, -1), 1 << 32);
        assert_eq!(of_inclusive(i64::MIN, i64::MAX, i64::MAX), 3);
        assert_eq!(of_inclusive(u64::MAX, 0, i64::MIN), 2);
        assert_eq!(of_inclusive(0, u64::MAX, 1), u64::MAX);
        assert_eq!(of_half_open(i64::MIN, i64::MAX, 1), u64::MAX);
        assert_eq!(of_half_open_unsigned(true, 0, u64::MAX, 1), u64::MAX);
    }

    #[test]
    fn a_loop_that_goes_the_other_way_has_no_iteration() {
        assert_eq!(of_inclusive(1, 0, 1), 0);
        assert_eq!(of_inclusive(0_u32, 1, -1), 0);
        assert_eq!(of_inclusive(0, 9, 0), 0);
        assert_eq!(of_half_open(5, 5, 1), 0);
        assert_eq!(of_half_open(5, 5, -1), 0);
        assert_eq!(of_half_open_unsigned(false, 0, 9, 1_u64.wrapping_neg()), 0);
        assert_eq!(of_half_open_unsigned(true, 0, 9, 0), 0);
    }

    fn check<T: LoopInteger + Into<i128>>(lower: u64, upper: u64, step: i64) -> (u64, u64) {
        let (lower, upper, step) = (T::truncate(lower), T::truncate(upper), T::truncate_step(step));
        let wide = expected(lower.into(), upper.into(), i128::from(T::extend_step(step)));
        (of_inclusive(lower, upper, step), wide)
    }

    proptest! {
        #[test]
        fn counts_agree_with_wide_arithmetic(
            lower in edge_i64(),
            upper in edge_i64(),
            step in edge_i64(),
        ) {
            let (low, up) = (lower.cast_unsigned(), upper.cast_unsigned());
            for (count, wide) in [
                check::<i32>(low, up, step),
                check::<u32>(low, up, step),
                check::<i64>(low, up, step),
                check::<u64>(low, up, step),
            ] {
                prop_assert_eq!(count, wide);
            }
            let before = |end: i128| if step > 0 { end - 1 } else { end + 1 };
            prop_assert_eq!(
                of_half_open(lower, upper, step),
                expected(lower.into(), before(upper.into()), step.into())
            );
            if step != 0 {
                prop_assert_eq!(
                    of_half_open_unsigned(step > 0, low, up, step.cast_unsigned()),
                    expected(low.into(), before(up.into()), step.into())
                );
            }
        }
    }
}
