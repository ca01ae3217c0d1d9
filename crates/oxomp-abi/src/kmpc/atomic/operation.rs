//! The operations `x = x op e` of atomic constructs, with C's arithmetic.

use core::marker::PhantomData;

use super::variable::{Value, Word};

/// `x op e`, for a variable of type `X` and an operand of type `E`.
pub(super) trait Operation<X: Value, E: Copy = X> {
    /// The new value of a variable that holds `x`.
    fn apply(x: X, e: E) -> X;

    /// Updates the variable in one instruction, if there is one. Returns the bits before.
    #[inline(always)]
    fn fetch(word: &X::Word, e: E) -> <X::Word as Word>::Bits {
        word.update(|old| Self::apply(X::from_bits(old), e).to_bits())
    }
}

macro_rules! operations {
    ($($(#[$meta:meta])* $name:ident)*) => {
        $($(#[$meta])* pub(super) struct $name;)*
    };
}

operations! {
    Add Sub Mul Div
    /// `x & e`.
    AndB
    /// `x | e`.
    OrB
    /// `x ^ e`, also Fortran's `.neqv.`.
    Xor
    /// `~(x ^ e)`, Fortran's `.eqv.`.
    Eqv
    /// `x && e`.
    AndL
    /// `x || e`.
    OrL
    Shl Shr Min Max
}

/// `e op x`.
pub(super) struct Reversed<O>(PhantomData<O>);

pub(super) type SubRev = Reversed<Sub>;
pub(super) type DivRev = Reversed<Div>;
pub(super) type ShlRev = Reversed<Shl>;
pub(super) type ShrRev = Reversed<Shr>;

impl<X: Value, O: Operation<X>> Operation<X> for Reversed<O> {
    #[inline(always)]
    fn apply(x: X, e: X) -> X {
        O::apply(e, x)
    }
}

/// Writes `impl Operation<$x> for …`, with the instruction that does it if one is named.
macro_rules! implement {
    ($x:ident: $($name:ident |$old:ident, $e:ident| $value:expr $(, $fetch:ident)?;)*) => {
        $(impl Operation<$x> for $name {
            #[inline(always)]
            fn apply($old: $x, $e: $x) -> $x {
                $value
            }

            $(#[inline(always)]
            fn fetch(word: &<$x as Value>::Word, e: $x) -> <<$x as Value>::Word as Word>::Bits {
                word.$fetch(Value::to_bits(e), core::sync::atomic::Ordering::SeqCst)
            })?
        })*
    };
}

/// Integer division by zero as C programs know it on this processor: the signal, and no value if a
/// handler returns.
#[cold]
fn division_by_zero() {
    // SAFETY: raises a signal in the calling thread.
    unsafe { libc::raise(libc::SIGFPE) };
}

/// For each integer type, the type in which C shifts it, and the bits of a shift count that count.
macro_rules! integers {
    ($($x:ident $promoted:ident $count:literal)*) => {
        $(implement! { $x:
            Add |x, e| x.wrapping_add(e), fetch_add;
            Sub |x, e| x.wrapping_sub(e), fetch_sub;
            Mul |x, e| x.wrapping_mul(e);
            Div |x, e| if e == 0 {
                division_by_zero();
                0
            } else {
                x.wrapping_div(e)
            };
            AndB |x, e| x & e, fetch_and;
            OrB |x, e| x | e, fetch_or;
            Xor |x, e| x ^ e, fetch_xor;
            Eqv |x, e| !(x ^ e);
            AndL |x, e| $x::from(x != 0 && e != 0);
            OrL |x, e| $x::from(x != 0 || e != 0);
            Shl |x, e| ($promoted::from(x) << (e & $count)) as $x;
            Shr |x, e| ($promoted::from(x) >> (e & $count)) as $x;
            Min |x, e| x.min(e);
            Max |x, e| x.max(e);
        })*
    };
}

integers! {
    i8 i32 31 i16 i32 31 i32 i32 31 i64 i64 63
    u8 i32 31 u16 i32 31 u32 u32 31 u64 u64 63
}

macro_rules! floats {
    ($($x:ident)*) => {
        $(implement! { $x:
            Add |x, e| x + e;
            Sub |x, e| x - e;
            Mul |x, e| x * e;
            Div |x, e| x / e;
            // A variable keeps its value where the two do not compare.
            Min |x, e| if e < x { e } else { x };
            Max |x, e| if e > x { e } else { x };
        })*
    };
}

floats! { f32 f64 }

/// A double operand: the arithmetic is done in double, its result converted.
macro_rules! by_double {
    ($($name:ident $operator:tt: $($x:ident)*;)*) => {
        $($(impl Operation<$x, f64> for $name {
            #[inline(always)]
            fn apply(x: $x, e: f64) -> $x {
                (x as f64 $operator e) as $x
            }
        })*)*
    };
}

by_double! {
    Add +: f32;
    Sub -: f32;
    Mul *: i8 i16 i32 i64 f32;
    Div /: i8 i16 i32 i64 f32;
}

#[cfg(test)]
mod tests {
    use super::{AndL, Div, Eqv, Max, Min, Mul, Operation, Shl, Shr, Sub, SubRev};

    fn apply<O: Operation<X>, X: super::Value>(x: X, e: X) -> X {
        O::apply(x, e)
    }

    #[test]
    fn narrow_integers_are_shifted_as_int() {
        assert_eq!(apply::<Shl, i8>(1, 9), 0);
        assert_eq!(apply::<Shl, i8>(3, 6), -64);
        assert_eq!(apply::<Shr, i8>(-128, 9), -1);
        assert_eq!(apply::<Shr, u8>(200, 9), 0);
        assert_eq!(apply::<Shr, u32>(0x8000_0000, 31), 1);
        assert_eq!(apply::<Shr, i64>(i64::MIN, 63), -1);
    }

    #[test]
    fn overflow_wraps_and_never_panics() {
        assert_eq!(apply::<Div, i8>(i8::MIN, -1), i8::MIN);
        assert_eq!(apply::<Div, i64>(i64::MIN, -1), i64::MIN);
        assert_eq!(apply::<Mul, i32>(1 << 20, 1 << 20), 0);
        assert_eq!(apply::<Sub, u16>(1, 2), u16::MAX);
        assert_eq!(apply::<Shl, u64>(1, u64::MAX), 1 << 63);
    }

    #[test]
    fn reversed_and_logical_forms() {
        assert_eq!(apply::<SubRev, i32>(3, 10), 7);
        assert_eq!(apply::<AndL, i16>(4, 2), 1);
        assert_eq!(apply::<Eqv, i8>(0b0101, 0b0011), !0b0110);
    }

    #[test]
    fn what_does_not_compare_changes_nothing() {
        assert_eq!(apply::<Max, f64>(1.0, f64::NAN), 1.0);
        assert_eq!(apply::<Min, f64>(1.0, f64::NAN), 1.0);
        assert_eq!(apply::<Min, f32>(1.0, -2.0), -2.0);
    }
}
