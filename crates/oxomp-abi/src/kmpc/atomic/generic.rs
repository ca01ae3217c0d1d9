//! Atomic updates by a function that the compiler passes, and the atomic lock itself.

use core::ffi::c_void;
use core::mem::MaybeUninit;

use oxomp_core::CallSite;
use oxomp_core::mutex::atomic;

use super::variable::{Value, Variable, Word};
use crate::kmpc::Loc;

/// The compiler's operation: `f(&result, &x, &e)`, where `result` may be `x`.
type Update = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_void);

/// `x = f(x, e)` on a variable of the size of `X`.
///
/// # Safety
/// A8: `f` takes values of that size, and `e`.
#[inline(always)]
unsafe fn update<X: Value>(x: &Variable<X>, e: *mut c_void, f: Update, site: CallSite) {
    let apply = |mut old: X| {
        let mut new = MaybeUninit::<X>::uninit();
        // SAFETY: A8: `f` takes the two values, and stores the new one.
        unsafe {
            f(new.as_mut_ptr().cast::<c_void>(), (&raw mut old).cast::<c_void>(), e);
            new.assume_init()
        }
    };
    let on_word = |word: &X::Word| word.update(|bits| apply(X::from_bits(bits)).to_bits());
    x.update(on_word, apply, site);
}

/// By size, routines for variables that are words.
macro_rules! words {
    ($($x:ident: $name:ident;)*) => {
        $(entry! {
            #[doc = concat!(
                "`void ", stringify!($name), "(ident_t *id_ref, int gtid, void *lhs, void *rhs, ",
                "void (*f)(void *, void *, void *))`",
            )]
            ///
            /// # Safety
            /// A8: `f` takes variables of this size, and `e`.
            pub unsafe fn $name(
                _loc: Loc,
                _gtid: i32,
                x: Variable<$x>,
                e: *mut c_void,
                f: Update,
            ) {
                // SAFETY: A8: the function is for this variable and this operand.
                unsafe { update(&x, e, f, CallSite::here()) };
            }
        })*
    };
}

words! {
    u8: __kmpc_atomic_1;
    u16: __kmpc_atomic_2;
    u32: __kmpc_atomic_4;
    u64: __kmpc_atomic_8;
}

/// Routines for larger variables, whose sizes only `f` needs to know.
macro_rules! locked {
    ($($name:ident)*) => {
        $(entry! {
            #[doc = concat!(
                "`void ", stringify!($name), "(ident_t *id_ref, int gtid, void *lhs, void *rhs, ",
                "void (*f)(void *, void *, void *))`",
            )]
            ///
            /// # Safety
            /// A12 of the variable at `x`; A8: `f` takes it and `e`.
            pub unsafe fn $name(
                _loc: Loc,
                _gtid: i32,
                x: *mut c_void,
                e: *mut c_void,
                f: Update,
            ) {
                let site = CallSite::here();
                atomic::enter(site);
                // SAFETY: A8: the function is for this variable and this operand; A12: the lock
                // excludes the other routines that access the variable.
                unsafe { f(x, x, e) };
                atomic::leave(site);
            }
        })*
    };
}

locked! { __kmpc_atomic_10 __kmpc_atomic_16 __kmpc_atomic_20 __kmpc_atomic_32 }

entry! {
    /// `void __kmpc_atomic_start(void)`: begins an update that excludes all others.
    pub fn __kmpc_atomic_start() {
        atomic::enter(CallSite::here());
    }

    /// `void __kmpc_atomic_end(void)`
    pub fn __kmpc_atomic_end() {
        atomic::leave(CallSite::here());
    }
}
