//! C's long double on x86_64: the x87's 80-bit format, for which Rust has no type.
//!
//! The values are in memory, and x87 instructions compute them. Functions that take or return them
//! by value are entries in assembly ([`x87_entry`](crate::x87_entry)).

use core::arch::asm;
use core::ops::{Add, Div, Mul, Sub};

/// A long double in memory: 64 bits of mantissa, then exponent and sign, then padding.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub struct LongDouble {
    mantissa: u64,
    sign_and_exponent: u16,
    padding: [u16; 3],
}

const SIGN: u16 = 0x8000;
const EXPONENT: u16 = 0x7fff;
const BIAS: i32 = 0x3fff;
const INTEGER_BIT: u64 = 1 << 63;

/// Executes x87 instructions, which leave the register stack as empty as they find it.
macro_rules! x87 {
    ($($argument:tt)*) => {
        // SAFETY: the instructions read and write the operands only.
        unsafe {
            asm!(
                $($argument)*,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            )
        }
    };
}

impl LongDouble {
    /// Positive zero.
    pub const ZERO: Self = Self::new(0, 0);
    /// The number 1.
    pub const ONE: Self = Self::new(INTEGER_BIT, BIAS as u16);
    /// Positive infinity.
    pub const INFINITY: Self = Self::new(INTEGER_BIT, EXPONENT);

    const fn new(mantissa: u64, sign_and_exponent: u16) -> Self {
        Self { mantissa, sign_and_exponent, padding: [0; 3] }
    }

    fn is_special(self) -> bool {
        self.sign_and_exponent & EXPONENT == EXPONENT
    }

    /// Whether the value is NaN, quiet or signalling.
    pub fn is_nan(self) -> bool {
        self.is_special() && self.mantissa != INTEGER_BIT
    }

    /// Whether the value is an infinity of either sign.
    pub fn is_infinite(self) -> bool {
        self.is_special() && self.mantissa == INTEGER_BIT
    }

    /// Whether the value is zero of either sign.
    pub fn is_zero(self) -> bool {
        self.mantissa == 0 && !self.is_special()
    }

    /// The value of `self` with the sign of `sign`.
    #[must_use]
    pub fn copysign(self, sign: Self) -> Self {
        let magnitude = self.sign_and_exponent & !SIGN;
        Self::new(self.mantissa, magnitude | (sign.sign_and_exponent & SIGN))
    }

    /// The binary exponent; `None` for zero, infinities and NaN.
    pub fn exponent(self) -> Option<i32> {
        if self.is_special() || self.is_zero() {
            return None;
        }
        // A denormal, without a leading one, has the exponent of field value 1.
        let field = i32::from((self.sign_and_exponent & EXPONENT).max(1));
        Some(field - BIAS - self.mantissa.leading_zeros() as i32)
    }

    /// `self` times two to the `exponent`.
    #[must_use]
    pub fn scale(self, exponent: i32) -> Self {
        let mut result = Self::ZERO;
        x87!(
            "fild dword ptr [{exponent}]",
            "fld tbyte ptr [{value}]",
            "fscale",
            "fstp tbyte ptr [{result}]",
            "fstp st(0)",
            exponent = in(reg) &raw const exponent,
            value = in(reg) &raw const self,
            result = in(reg) &raw mut result
        );
        result
    }

    /// Whether `self` is less than `other`; false if either is NaN.
    pub fn less_than(self, other: Self) -> bool {
        let above: u8;
        x87!(
            "fld tbyte ptr [{value}]",
            "fld tbyte ptr [{other}]",
            "fucomip st, st(1)",
            "seta {above}",
            "fstp st(0)",
            value = in(reg) &raw const self,
            other = in(reg) &raw const other,
            above = out(reg_byte) above
        );
        above != 0
    }
}

impl From<f64> for LongDouble {
    fn from(value: f64) -> Self {
        let mut result = Self::ZERO;
        x87!(
            "fld qword ptr [{value}]",
            "fstp tbyte ptr [{result}]",
            value = in(reg) &raw const value,
            result = in(reg) &raw mut result
        );
        result
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $instruction:literal)*) => {
        $(impl $operator for LongDouble {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                let mut result = Self::ZERO;
                x87!(
                    "fld tbyte ptr [{value}]",
                    "fld tbyte ptr [{other}]",
                    concat!($instruction, " st(1), st"),
                    "fstp tbyte ptr [{result}]",
                    value = in(reg) &raw const self,
                    other = in(reg) &raw const other,
                    result = in(reg) &raw mut result
                );
                result
            }
        })*
    };
}

operators! { Add add "faddp" Sub sub "fsubp" Mul mul "fmulp" Div div "fdivp" }

/// The body of a naked function `(pointer, i32, x: pointer, e: long double or its complex form,
/// i32 flag)`: calls `$body(x, &e, flag, result, frame)`, an `extern "C"` function that stores to
/// `result`, and returns nothing, a long double (`real`) or a complex one (`complex`).
///
/// Either of `e` and `flag` may be missing; `$body` does not read it then.
#[macro_export]
macro_rules! x87_entry {
    ($body:path) => {
        $crate::x87_entry! { @ $body, "" }
    };
    ($body:path, real) => {
        $crate::x87_entry! { @ $body, "fld tbyte ptr [rsp]" }
    };
    ($body:path, complex) => {
        $crate::x87_entry! { @ $body, "fld tbyte ptr [rsp + 16]\nfld tbyte ptr [rsp]" }
    };
    (@ $body:path, $load:literal) => {
        ::core::arch::naked_asm!(
            ".cfi_startproc",
            "push rbp",
            ".cfi_def_cfa_offset 16",
            ".cfi_offset rbp, -16",
            "mov rbp, rsp",
            ".cfi_def_cfa_register rbp",
            "sub rsp, 32",
            "mov rdi, rdx",
            // The caller passes `e` in memory, above the return address.
            "lea rsi, [rbp + 16]",
            "mov edx, ecx",
            "mov rcx, rsp",
            "mov r8, rbp",
            "call {body}",
            $load,
            "leave",
            ".cfi_def_cfa rsp, 8",
            "ret",
            ".cfi_endproc",
            body = sym $body,
        )
    };
}

#[cfg(test)]
mod tests {
    use super::LongDouble;

    fn ld(value: f64) -> LongDouble {
        LongDouble::from(value)
    }

    fn same(a: LongDouble, b: LongDouble) -> bool {
        (a.mantissa, a.sign_and_exponent) == (b.mantissa, b.sign_and_exponent)
    }

    #[test]
    fn arithmetic_in_order() {
        assert!(same(ld(7.0) + ld(2.0), ld(9.0)));
        assert!(same(ld(7.0) - ld(2.0), ld(5.0)));
        assert!(same(ld(7.0) * ld(2.0), ld(14.0)));
        assert!(same(ld(7.0) / ld(2.0), ld(3.5)));
        assert!(same(ld(1.0) + ld(0.0), LongDouble::ONE));
    }

    #[test]
    fn more_than_a_double_holds() {
        let sum = ld(9_007_199_254_740_992.0) + ld(1.0);
        assert!(same(sum - ld(9_007_199_254_740_992.0), LongDouble::ONE));
        assert!(!(ld(1e308) * ld(1e308)).is_infinite());
    }

    #[test]
    fn comparison_knows_nan() {
        let nan = ld(f64::NAN);
        assert!(ld(1.0).less_than(ld(2.0)) && !ld(2.0).less_than(ld(1.0)));
        assert!(!ld(1.0).less_than(ld(1.0)));
        assert!(!nan.less_than(ld(1.0)) && !ld(1.0).less_than(nan));
    }

    #[test]
    fn classes_exponents_and_scales() {
        assert!(ld(f64::NAN).is_nan() && !ld(f64::NAN).is_infinite());
        assert!(ld(f64::INFINITY).is_infinite() && ld(-0.0).is_zero());
        assert!(same(ld(f64::INFINITY), LongDouble::INFINITY));
        assert!(same(ld(3.0).copysign(ld(-1.0)), ld(-3.0)));
        assert_eq!((ld(8.0).exponent(), ld(-0.3).exponent()), (Some(3), Some(-2)));
        assert_eq!((ld(0.0).exponent(), ld(f64::INFINITY).exponent()), (None, None));
        assert!(same(ld(3.0).scale(-2), ld(0.75)));
        assert_eq!(LongDouble::ONE.scale(-16_400).exponent(), Some(-16_400));
    }
}
