//! Complex numbers, with the arithmetic of C's annex G.

use core::sync::atomic::AtomicU64;

use super::operation::{Add, Div, Mul, Operation, Sub};
use super::variable::{NoWord, Value};

/// A complex number, as the compilers pass it and lay it out.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Complex<R> {
    pub(super) re: R,
    pub(super) im: R,
}

/// `float _Complex`.
pub type ComplexF32 = Complex<f32>;
/// `double _Complex`.
pub type ComplexF64 = Complex<f64>;

/// A part of a complex number.
pub trait Real:
    Copy
    + core::ops::Add<Output = Self>
    + core::ops::Sub<Output = Self>
    + core::ops::Mul<Output = Self>
    + core::ops::Div<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;
    const INFINITY: Self;

    fn is_nan(self) -> bool;
    fn is_infinite(self) -> bool;
    fn is_zero(self) -> bool;
    /// With the sign of `sign`.
    fn copysign(self, sign: Self) -> Self;
    /// The binary exponent; `None` for zero, infinities and NaN.
    fn exponent(self) -> Option<i32>;
    /// `self` times two to the `exponent`.
    fn scale(self, exponent: i32) -> Self;

    fn is_finite(self) -> bool {
        !self.is_nan() && !self.is_infinite()
    }

    /// Annex G's "box": 1 for an infinity, else 0, with the sign of `self`.
    fn boxed(self) -> Self {
        let size = if self.is_infinite() { Self::ONE } else { Self::ZERO };
        size.copysign(self)
    }

    /// A NaN becomes 0, with its sign.
    fn or_zero(self) -> Self {
        if self.is_nan() { Self::ZERO.copysign(self) } else { self }
    }
}

macro_rules! reals {
    ($($real:ident $bits:ident)*) => {
        $(impl Real for $real {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const INFINITY: Self = $real::INFINITY;

            fn is_nan(self) -> bool {
                self.is_nan()
            }

            fn is_infinite(self) -> bool {
                self.is_infinite()
            }

            fn is_zero(self) -> bool {
                self == 0.0
            }

            fn copysign(self, sign: Self) -> Self {
                self.copysign(sign)
            }

            fn exponent(self) -> Option<i32> {
                const FRACTION: u32 = $real::MANTISSA_DIGITS - 1;
                if self == 0.0 || !self.is_finite() {
                    return None;
                }
                let field = |value: $real| (value.abs().to_bits() >> FRACTION) as i32;
                let lift = $real::MANTISSA_DIGITS as i32;
                Some(match field(self) {
                    0 => field(self.scale(lift)) - lift,
                    exponent => exponent,
                } + 1 - $real::MAX_EXP)
            }

            fn scale(self, exponent: i32) -> Self {
                const FRACTION: u32 = $real::MANTISSA_DIGITS - 1;
                const BIAS: i32 = $real::MAX_EXP - 1;
                let power = |n: i32| {
                    let field = (n.clamp(1 - BIAS, BIAS) + BIAS) as $bits;
                    $real::from_bits(field << FRACTION)
                };
                // In two steps: a power of two alone may lie beyond the range of the type.
                self * power(exponent / 2) * power(exponent - exponent / 2)
            }
        })*
    };
}

reals! { f32 u32 f64 u64 }

impl<R: Real> core::ops::Add for Complex<R> {
    type Output = Self;

    fn add(self, e: Self) -> Self {
        Complex { re: self.re + e.re, im: self.im + e.im }
    }
}

impl<R: Real> core::ops::Sub for Complex<R> {
    type Output = Self;

    fn sub(self, e: Self) -> Self {
        Complex { re: self.re - e.re, im: self.im - e.im }
    }
}

impl<R: Real> Complex<R> {
    fn is_infinite(self) -> bool {
        self.re.is_infinite() || self.im.is_infinite()
    }

    fn is_nan(self) -> bool {
        self.re.is_nan() && self.im.is_nan()
    }

    fn is_finite(self) -> bool {
        self.re.is_finite() && self.im.is_finite()
    }

    fn map(self, each: impl Fn(R) -> R) -> Self {
        Complex { re: each(self.re), im: each(self.im) }
    }

    /// The product by its definition.
    fn plain_product(self, e: Self) -> Self {
        Complex { re: self.re * e.re - self.im * e.im, im: self.re * e.im + self.im * e.re }
    }

    /// `self` times the conjugate of `e`.
    fn by_conjugate(self, e: Self) -> Self {
        Complex { re: self.re * e.re + self.im * e.im, im: self.im * e.re - self.re * e.im }
    }
}

impl<R: Real> core::ops::Mul for Complex<R> {
    type Output = Self;

    /// Infinite if a factor is and the other is not zero, even where the definition gives NaN.
    fn mul(self, e: Self) -> Self {
        let product = self.plain_product(e);
        if !product.is_nan() {
            return product;
        }
        let (mut a, mut b) = (self, e);
        let infinite = a.is_infinite() || b.is_infinite();
        if a.is_infinite() {
            (a, b) = (a.map(R::boxed), b.map(R::or_zero));
        }
        if b.is_infinite() {
            (a, b) = (a.map(R::or_zero), b.map(R::boxed));
        }
        let overflow =
            [a.re * b.re, a.im * b.im, a.re * b.im, a.im * b.re].into_iter().any(Real::is_infinite);
        if !infinite && overflow {
            (a, b) = (a.map(R::or_zero), b.map(R::or_zero));
        }
        if !infinite && !overflow {
            return product;
        }
        a.plain_product(b).map(|part| R::INFINITY * part)
    }
}

impl<R: Real> core::ops::Div for Complex<R> {
    type Output = Self;

    /// Scaled, so that the intermediate values do not overflow.
    fn div(self, e: Self) -> Self {
        let exponent = match (e.re.exponent(), e.im.exponent()) {
            (Some(re), Some(im)) => re.max(im),
            (Some(one), None) | (None, Some(one)) if e.is_finite() => one,
            _ => 0,
        };
        let scaled = e.map(|part| part.scale(-exponent));
        let square = scaled.re * scaled.re + scaled.im * scaled.im;
        let quotient = self.by_conjugate(scaled).map(|part| (part / square).scale(-exponent));
        if !quotient.is_nan() {
            return quotient;
        }
        if square.is_zero() && (!self.re.is_nan() || !self.im.is_nan()) {
            self.map(|part| R::INFINITY.copysign(e.re) * part)
        } else if self.is_infinite() && e.is_finite() {
            self.map(R::boxed).by_conjugate(e).map(|part| R::INFINITY * part)
        } else if e.is_infinite() && self.is_finite() {
            self.by_conjugate(e.map(R::boxed)).map(|part| R::ZERO * part)
        } else {
            quotient
        }
    }
}

impl Value for ComplexF32 {
    type Word = AtomicU64;

    #[inline(always)]
    fn to_bits(self) -> u64 {
        let [a, b, c, d] = self.re.to_ne_bytes();
        let [e, f, g, h] = self.im.to_ne_bytes();
        u64::from_ne_bytes([a, b, c, d, e, f, g, h])
    }

    #[inline(always)]
    fn from_bits(bits: u64) -> Self {
        let [a, b, c, d, e, f, g, h] = bits.to_ne_bytes();
        Complex { re: f32::from_ne_bytes([a, b, c, d]), im: f32::from_ne_bytes([e, f, g, h]) }
    }
}

impl Value for ComplexF64 {
    type Word = NoWord;

    fn to_bits(self) {}

    fn from_bits((): ()) -> Self {
        Complex { re: 0.0, im: 0.0 }
    }
}

/// The four operations of a type that has Rust's operators.
macro_rules! arithmetic {
    ($($(#[$meta:meta])* $x:ty)*) => {
        arithmetic! { @each Add + $($x)* }
        arithmetic! { @each Sub - $($x)* }
        arithmetic! { @each Mul * $($x)* }
        arithmetic! { @each Div / $($x)* }
    };
    (@each $name:ident $operator:tt $($x:ty)*) => {
        $(impl Operation<$x> for $name {
            #[inline(always)]
            fn apply(x: $x, e: $x) -> $x {
                x $operator e
            }
        })*

    };
}

#[allow(unused_imports, reason = "only processors with x87's long double have another user")]
pub(super) use arithmetic;

arithmetic! { ComplexF32 ComplexF64 }

/// A `double _Complex` operand: the arithmetic is done in double, its result converted.
macro_rules! by_double {
    ($($name:ident $operator:tt)*) => {
        $(impl Operation<ComplexF32, ComplexF64> for $name {
            fn apply(x: ComplexF32, e: ComplexF64) -> ComplexF32 {
                let wide = Complex { re: f64::from(x.re), im: f64::from(x.im) };
                let result = wide $operator e;
                Complex { re: result.re as f32, im: result.im as f32 }
            }
        })*
    };
}

by_double! { Add + Sub - Mul * Div / }

#[cfg(test)]
mod tests {
    use super::{Complex, ComplexF64, Real};

    const fn c(re: f64, im: f64) -> ComplexF64 {
        Complex { re, im }
    }

    #[test]
    fn exponents_of_all_sizes() {
        assert_eq!(1.0_f64.exponent(), Some(0));
        assert_eq!((-3.5_f64).exponent(), Some(1));
        assert_eq!(f64::MIN_POSITIVE.exponent(), Some(-1022));
        assert_eq!(f64::from_bits(1).exponent(), Some(-1074));
        assert_eq!(f32::MAX.exponent(), Some(127));
        assert_eq!(f32::from_bits(1).exponent(), Some(-149));
        assert_eq!((0.0_f64.exponent(), f64::NAN.exponent()), (None, None));
        assert_eq!(f64::from_bits(1).scale(1074), 1.0);
        assert_eq!(1.0_f64.scale(-1074), f64::from_bits(1));
    }

    #[test]
    fn quotients_do_not_overflow_on_the_way() {
        assert_eq!(c(1e300, 2e300) / c(1e300, 2e300), c(1.0, 0.0));
        assert_eq!(c(1e-300, 0.0) / c(0.0, 1e-300), c(0.0, -1.0));
        assert_eq!(c(8.0, 4.0) / c(2.0, 0.0), c(4.0, 2.0));
        assert_eq!(c(-5.0, 10.0) / c(1.0, 2.0), c(3.0, 4.0));
    }

    #[test]
    fn infinities_stay_infinite() {
        let inf = f64::INFINITY;
        assert!((c(inf, f64::NAN) * c(1.0, 1.0)).is_infinite());
        assert!((c(1.0, 1.0) / c(0.0, 0.0)).is_infinite());
        assert!((c(inf, inf) / c(1.0, 1.0)).is_infinite());
        assert_eq!(c(1.0, 1.0) / c(inf, inf), c(0.0, 0.0));
        assert!((c(f64::NAN, f64::NAN) * c(1.0, 1.0)).is_nan());
    }
}
