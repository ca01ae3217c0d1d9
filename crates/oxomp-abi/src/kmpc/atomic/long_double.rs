//! `long double` and `long double _Complex` on x86_64, whose values come in memory and in x87 registers.

use core::ffi::{c_int, c_void};

use oxomp_core::CallSite;
use oxomp_core::arch::long_double::LongDouble;

use super::complex::{Complex, Real, arithmetic};
use super::operation::{Add, Div, Max, Min, Mul, Operation, Sub};
use super::variable::{self, NoWord, Value};

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

// What the entries call (`x87_entry`): all of one signature, so that each uses what it needs.

/// `*x = *x op *e`; the new value if `flag` is set, else the old one.
///
/// # Safety
/// Called by an entry: `x` points to the variable, `e` to the operand, `result` to room for a value;
/// `frame` is the entry's frame.
pub(super) unsafe extern "C" fn update<O: Operation<X>, X: Value>(
    x: *mut X,
    e: *const X,
    flag: c_int,
    result: *mut X,
    frame: *const c_void,
) {
    // SAFETY: by contract.
    unsafe {
        let e = e.read();
        let site = CallSite::from_frame(frame);
        let old = variable::update(x, |word| O::fetch(word, e), |old| O::apply(old, e), site);
        result.write(if flag != 0 { O::apply(old, e) } else { old });
    }
}

/// The value of `*x`.
///
/// # Safety
/// As for `update`, without an operand.
pub(super) unsafe extern "C" fn read<X: Value>(
    x: *mut X,
    _e: *const X,
    _flag: c_int,
    result: *mut X,
    frame: *const c_void,
) {
    // SAFETY: by contract.
    unsafe { result.write(variable::read(x, CallSite::from_frame(frame))) };
}

/// `*x = *e`; the value before.
///
/// # Safety
/// As for `update`.
pub(super) unsafe extern "C" fn swap<X: Value>(
    x: *mut X,
    e: *const X,
    _flag: c_int,
    result: *mut X,
    frame: *const c_void,
) {
    // SAFETY: by contract.
    unsafe { result.write(variable::swap(x, e.read(), CallSite::from_frame(frame))) };
}
