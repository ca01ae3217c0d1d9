//! `long double` and `long double _Complex` where these are x87's formats: the values come in
//! memory and in x87's registers.

use core::ffi::{c_int, c_void};

use oxomp_arch::long_double::LongDouble;
use oxomp_core::CallSite;

use super::complex::{Complex, Real, arithmetic};
use super::operation::{Add, Div, Max, Min, Mul, Operation, Sub};
use super::variable::{NoWord, Value, Variable};
use crate::argument::{ByRef, Out};

/// `long double _Complex`.
pub(super) type ComplexLongDouble = Complex<LongDouble>;

impl Real for LongDouble {
    const ZERO: Self = LongDouble::ZERO;
    const ONE: Self = LongDouble::ONE;
    const INFINITY: Self = LongDouble::INFINITY;

    fn is_nan(self) -> bool {
        self.is_nan()
    }

    fn is_infinite(self) -> bool {
        self.is_infinite()
    }

    fn is_zero(self) -> bool {
        self.is_zero()
    }

    fn copysign(self, sign: Self) -> Self {
        self.copysign(sign)
    }

    fn exponent(self) -> Option<i32> {
        self.exponent()
    }

    fn scale(self, exponent: i32) -> Self {
        self.scale(exponent)
    }
}

impl Value for LongDouble {
    type Word = NoWord;

    fn to_bits(self) {}

    fn from_bits((): ()) -> Self {
        LongDouble::ZERO
    }
}

impl Value for ComplexLongDouble {
    type Word = NoWord;

    fn to_bits(self) {}

    fn from_bits((): ()) -> Self {
        Complex { re: LongDouble::ZERO, im: LongDouble::ZERO }
    }
}

arithmetic! { LongDouble ComplexLongDouble }

impl Operation<LongDouble> for Min {
    fn apply(x: LongDouble, e: LongDouble) -> LongDouble {
        if e.less_than(x) { e } else { x }
    }
}

impl Operation<LongDouble> for Max {
    fn apply(x: LongDouble, e: LongDouble) -> LongDouble {
        if x.less_than(e) { e } else { x }
    }
}

// The bodies of the entries (`x87_entry`): all of one signature, so that each uses what it needs.

/// `*x = *x op *e`. Returns the new value if `flag` is set, else the old one.
///
/// # Safety
/// A16: the entry calls it, with the operand that it was passed, room for the result, and its
/// frame.
pub(super) unsafe extern "C" fn update<O: Operation<X>, X: Value>(
    x: Variable<X>,
    e: ByRef<X>,
    flag: c_int,
    result: Out<X>,
    frame: *const c_void,
) {
    // SAFETY: A16: the entry's frame.
    let site = unsafe { CallSite::from_frame(frame) };
    let e = e.get();
    let old = x.update(|word| O::fetch(word, e), |old| O::apply(old, e), site);
    result.set(if flag != 0 { O::apply(old, e) } else { old });
}

/// The value of `*x`.
///
/// # Safety
/// A16: the entry calls it, with room for the result, and its frame.
pub(super) unsafe extern "C" fn read<X: Value>(
    x: Variable<X>,
    _e: ByRef<X>,
    _flag: c_int,
    result: Out<X>,
    frame: *const c_void,
) {
    // SAFETY: A16: the entry's frame.
    let site = unsafe { CallSite::from_frame(frame) };
    result.set(x.read(site));
}

/// `*x = *e`. Returns the value before.
///
/// # Safety
/// A16: the entry calls it, with the operand that it was passed, room for the result, and its
/// frame.
pub(super) unsafe extern "C" fn swap<X: Value>(
    x: Variable<X>,
    e: ByRef<X>,
    _flag: c_int,
    result: Out<X>,
    frame: *const c_void,
) {
    // SAFETY: A16: the entry's frame.
    let site = unsafe { CallSite::from_frame(frame) };
    result.set(x.swap(e.get(), site));
}
