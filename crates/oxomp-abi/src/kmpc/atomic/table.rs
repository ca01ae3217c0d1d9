//! The table of the atomic routines: the operation and the type of each.

use core::ffi::c_int;

use oxomp_core::CallSite;

use super::complex::{ComplexF32, ComplexF64};
use super::operation::{
    Add, AndB, AndL, Div, DivRev, Eqv, Max, Min, Mul, Operation, OrB, OrL, Shl, ShlRev, Shr,
    ShrRev, Sub, SubRev, Xor,
};
use super::variable::{Value, Variable};
use crate::argument::Out;
use crate::kmpc::Loc;

/// `*x = *x op e`. Returns the value before.
#[inline(always)]
fn operate<O: Operation<X, E>, X: Value, E: Copy>(x: &Variable<X>, e: E, site: CallSite) -> X {
    x.update(|word| O::fetch(word, e), |old| O::apply(old, e), site)
}

/// `*x = *x op e`. Returns the new value if `flag` is set, else the old one.
#[inline(always)]
fn capture<O: Operation<X>, X: Value>(x: &Variable<X>, e: X, flag: c_int, site: CallSite) -> X {
    let old = operate::<O, X, X>(x, e, site);
    if flag != 0 { O::apply(old, e) } else { old }
}

/// An entry that updates a variable.
macro_rules! update_entry {
    ($operation:ident $x:ty, $e:ty: $name:ident) => {
        entry! {
            #[doc = concat!(
                "`void ", stringify!($name), "(ident_t *id_ref, int gtid, ", stringify!($x),
                " *lhs, ", stringify!($e), " rhs)`",
            )]
            pub fn $name(_loc: Loc, _gtid: i32, x: Variable<$x>, e: $e) {
                operate::<$operation, $x, $e>(&x, e, CallSite::here());
            }
        }
    };
}

macro_rules! updates {
    ($($operation:ident $x:ident: $update:ident, $capture:ident;)*) => {
        $(update_entry! { $operation $x, $x: $update }

        entry! {
            #[doc = concat!(
                "`", stringify!($x), " ", stringify!($capture), "(ident_t *id_ref, int gtid, ",
                stringify!($x), " *lhs, ", stringify!($x), " rhs, int flag)`",
            )]
            pub fn $capture(
                _loc: Loc,
                _gtid: i32,
                x: Variable<$x>,
                e: $x,
                flag: c_int,
            ) -> $x {
                capture::<$operation, $x>(&x, e, flag, CallSite::here())
            }
        })*
    };
}

macro_rules! updates_to_memory {
    ($($operation:ident $x:ident: $update:ident, $capture:ident;)*) => {
        $(update_entry! { $operation $x, $x: $update }

        entry! {
            #[doc = concat!(
                "`void ", stringify!($capture), "(ident_t *id_ref, int gtid, ", stringify!($x),
                " *lhs, ", stringify!($x), " rhs, ", stringify!($x), " *out, int flag)`",
            )]
            pub fn $capture(
                _loc: Loc,
                _gtid: i32,
                x: Variable<$x>,
                e: $x,
                out: Out<$x>,
                flag: c_int,
            ) {
                out.set(capture::<$operation, $x>(&x, e, flag, CallSite::here()));
            }
        })*
    };
}

macro_rules! mixed_updates {
    ($($operation:ident $x:ident, $e:ident: $update:ident;)*) => {
        $(update_entry! { $operation $x, $e: $update })*
    };
}

/// Entries that read and write a variable.
macro_rules! read_and_write {
    ($x:ident: $read:ident, $write:ident) => {
        entry! {
            #[doc = concat!(
                "`", stringify!($x), " ", stringify!($read), "(ident_t *id_ref, int gtid, ",
                stringify!($x), " *loc)`",
            )]
            pub fn $read(_loc: Loc, _gtid: i32, x: Variable<$x>) -> $x {
                x.read(CallSite::here())
            }

            #[doc = concat!(
                "`void ", stringify!($write), "(ident_t *id_ref, int gtid, ", stringify!($x),
                " *lhs, ", stringify!($x), " rhs)`",
            )]
            pub fn $write(_loc: Loc, _gtid: i32, x: Variable<$x>, value: $x) {
                x.write(value, CallSite::here());
            }
        }
    };
}

macro_rules! accesses {
    ($($x:ident: $read:ident, $write:ident, $swap:ident;)*) => {
        $(read_and_write! { $x: $read, $write }

        entry! {
            #[doc = concat!(
                "`", stringify!($x), " ", stringify!($swap), "(ident_t *id_ref, int gtid, ",
                stringify!($x), " *lhs, ", stringify!($x), " rhs)`",
            )]
            pub fn $swap(_loc: Loc, _gtid: i32, x: Variable<$x>, value: $x) -> $x {
                x.swap(value, CallSite::here())
            }
        })*
    };
}

macro_rules! accesses_to_memory {
    ($($x:ident: $read:ident, $write:ident, $swap:ident;)*) => {
        $(read_and_write! { $x: $read, $write }

        entry! {
            #[doc = concat!(
                "`void ", stringify!($swap), "(ident_t *id_ref, int gtid, ", stringify!($x),
                " *lhs, ", stringify!($x), " rhs, ", stringify!($x), " *out)`",
            )]
            pub fn $swap(
                _loc: Loc,
                _gtid: i32,
                x: Variable<$x>,
                value: $x,
                out: Out<$x>,
            ) {
                out.set(x.swap(value, CallSite::here()));
            }
        })*
    };
}

macro_rules! compares {
    ($($x:ident: $bool:ident, $bool_capture:ident, $val:ident, $val_capture:ident;)*) => {
        $(entry! {
            #[doc = concat!(
                "`bool ", stringify!($bool), "(ident_t *loc, int gtid, ", stringify!($x), " *x, ",
                stringify!($x), " e, ", stringify!($x), " d)`: whether `d` was stored.",
            )]
            pub fn $bool(
                _loc: Loc,
                _gtid: i32,
                x: Variable<$x>,
                expected: $x,
                desired: $x,
            ) -> bool {
                x.compare_and_swap(expected, desired, CallSite::here()) == expected
            }

            #[doc = concat!(
                "`bool ", stringify!($bool_capture), "(ident_t *loc, int gtid, ", stringify!($x),
                " *x, ", stringify!($x), " e, ", stringify!($x), " d, ", stringify!($x),
                " *pv)`: whether `d` was stored; if not, `pv` gets the value.",
            )]
            pub fn $bool_capture(
                _loc: Loc,
                _gtid: i32,
                x: Variable<$x>,
                expected: $x,
                desired: $x,
                captured: Out<$x>,
            ) -> bool {
                let old = x.compare_and_swap(expected, desired, CallSite::here());
                if old != expected {
                    captured.set(old);
                }
                old == expected
            }

            #[doc = concat!(
                "`", stringify!($x), " ", stringify!($val), "(ident_t *loc, int gtid, ",
                stringify!($x), " *x, ", stringify!($x), " e, ", stringify!($x),
                " d)`: the value before.",
            )]
            pub fn $val(
                _loc: Loc,
                _gtid: i32,
                x: Variable<$x>,
                expected: $x,
                desired: $x,
            ) -> $x {
                x.compare_and_swap(expected, desired, CallSite::here())
            }

            #[doc = concat!(
                "`", stringify!($x), " ", stringify!($val_capture), "(ident_t *loc, int gtid, ",
                stringify!($x), " *x, ", stringify!($x), " e, ", stringify!($x), " d, ",
                stringify!($x), " *pv)`: the value before; `pv` gets the value afterwards.",
            )]
            pub fn $val_capture(
                _loc: Loc,
                _gtid: i32,
                x: Variable<$x>,
                expected: $x,
                desired: $x,
                captured: Out<$x>,
            ) -> $x {
                let old = x.compare_and_swap(expected, desired, CallSite::here());
                captured.set(if old == expected { desired } else { old });
                old
            }
        })*
    };
}

// Operation, type: the update, and the one that returns the new or the old value.
updates! {
    Add i8: __kmpc_atomic_fixed1_add, __kmpc_atomic_fixed1_add_cpt;
    Add i16: __kmpc_atomic_fixed2_add, __kmpc_atomic_fixed2_add_cpt;
    Add i32: __kmpc_atomic_fixed4_add, __kmpc_atomic_fixed4_add_cpt;
    Add i64: __kmpc_atomic_fixed8_add, __kmpc_atomic_fixed8_add_cpt;
    Add f32: __kmpc_atomic_float4_add, __kmpc_atomic_float4_add_cpt;
    Add f64: __kmpc_atomic_float8_add, __kmpc_atomic_float8_add_cpt;
    Add ComplexF64: __kmpc_atomic_cmplx8_add, __kmpc_atomic_cmplx8_add_cpt;
    Sub i8: __kmpc_atomic_fixed1_sub, __kmpc_atomic_fixed1_sub_cpt;
    Sub i16: __kmpc_atomic_fixed2_sub, __kmpc_atomic_fixed2_sub_cpt;
    Sub i32: __kmpc_atomic_fixed4_sub, __kmpc_atomic_fixed4_sub_cpt;
    Sub i64: __kmpc_atomic_fixed8_sub, __kmpc_atomic_fixed8_sub_cpt;
    Sub f32: __kmpc_atomic_float4_sub, __kmpc_atomic_float4_sub_cpt;
    Sub f64: __kmpc_atomic_float8_sub, __kmpc_atomic_float8_sub_cpt;
    Sub ComplexF64: __kmpc_atomic_cmplx8_sub, __kmpc_atomic_cmplx8_sub_cpt;
    SubRev i8: __kmpc_atomic_fixed1_sub_rev, __kmpc_atomic_fixed1_sub_cpt_rev;
    SubRev i16: __kmpc_atomic_fixed2_sub_rev, __kmpc_atomic_fixed2_sub_cpt_rev;
    SubRev i32: __kmpc_atomic_fixed4_sub_rev, __kmpc_atomic_fixed4_sub_cpt_rev;
    SubRev i64: __kmpc_atomic_fixed8_sub_rev, __kmpc_atomic_fixed8_sub_cpt_rev;
    SubRev f32: __kmpc_atomic_float4_sub_rev, __kmpc_atomic_float4_sub_cpt_rev;
    SubRev f64: __kmpc_atomic_float8_sub_rev, __kmpc_atomic_float8_sub_cpt_rev;
    SubRev ComplexF64: __kmpc_atomic_cmplx8_sub_rev, __kmpc_atomic_cmplx8_sub_cpt_rev;
    Mul i8: __kmpc_atomic_fixed1_mul, __kmpc_atomic_fixed1_mul_cpt;
    Mul i16: __kmpc_atomic_fixed2_mul, __kmpc_atomic_fixed2_mul_cpt;
    Mul i32: __kmpc_atomic_fixed4_mul, __kmpc_atomic_fixed4_mul_cpt;
    Mul i64: __kmpc_atomic_fixed8_mul, __kmpc_atomic_fixed8_mul_cpt;
    Mul f32: __kmpc_atomic_float4_mul, __kmpc_atomic_float4_mul_cpt;
    Mul f64: __kmpc_atomic_float8_mul, __kmpc_atomic_float8_mul_cpt;
    Mul ComplexF64: __kmpc_atomic_cmplx8_mul, __kmpc_atomic_cmplx8_mul_cpt;
    Div i8: __kmpc_atomic_fixed1_div, __kmpc_atomic_fixed1_div_cpt;
    Div i16: __kmpc_atomic_fixed2_div, __kmpc_atomic_fixed2_div_cpt;
    Div i32: __kmpc_atomic_fixed4_div, __kmpc_atomic_fixed4_div_cpt;
    Div i64: __kmpc_atomic_fixed8_div, __kmpc_atomic_fixed8_div_cpt;
    Div u8: __kmpc_atomic_fixed1u_div, __kmpc_atomic_fixed1u_div_cpt;
    Div u16: __kmpc_atomic_fixed2u_div, __kmpc_atomic_fixed2u_div_cpt;
    Div u32: __kmpc_atomic_fixed4u_div, __kmpc_atomic_fixed4u_div_cpt;
    Div u64: __kmpc_atomic_fixed8u_div, __kmpc_atomic_fixed8u_div_cpt;
    Div f32: __kmpc_atomic_float4_div, __kmpc_atomic_float4_div_cpt;
    Div f64: __kmpc_atomic_float8_div, __kmpc_atomic_float8_div_cpt;
    Div ComplexF64: __kmpc_atomic_cmplx8_div, __kmpc_atomic_cmplx8_div_cpt;
    DivRev i8: __kmpc_atomic_fixed1_div_rev, __kmpc_atomic_fixed1_div_cpt_rev;
    DivRev i16: __kmpc_atomic_fixed2_div_rev, __kmpc_atomic_fixed2_div_cpt_rev;
    DivRev i32: __kmpc_atomic_fixed4_div_rev, __kmpc_atomic_fixed4_div_cpt_rev;
    DivRev i64: __kmpc_atomic_fixed8_div_rev, __kmpc_atomic_fixed8_div_cpt_rev;
    DivRev u8: __kmpc_atomic_fixed1u_div_rev, __kmpc_atomic_fixed1u_div_cpt_rev;
    DivRev u16: __kmpc_atomic_fixed2u_div_rev, __kmpc_atomic_fixed2u_div_cpt_rev;
    DivRev u32: __kmpc_atomic_fixed4u_div_rev, __kmpc_atomic_fixed4u_div_cpt_rev;
    DivRev u64: __kmpc_atomic_fixed8u_div_rev, __kmpc_atomic_fixed8u_div_cpt_rev;
    DivRev f32: __kmpc_atomic_float4_div_rev, __kmpc_atomic_float4_div_cpt_rev;
    DivRev f64: __kmpc_atomic_float8_div_rev, __kmpc_atomic_float8_div_cpt_rev;
    DivRev ComplexF64: __kmpc_atomic_cmplx8_div_rev, __kmpc_atomic_cmplx8_div_cpt_rev;
    AndB i8: __kmpc_atomic_fixed1_andb, __kmpc_atomic_fixed1_andb_cpt;
    AndB i16: __kmpc_atomic_fixed2_andb, __kmpc_atomic_fixed2_andb_cpt;
    AndB i32: __kmpc_atomic_fixed4_andb, __kmpc_atomic_fixed4_andb_cpt;
    AndB i64: __kmpc_atomic_fixed8_andb, __kmpc_atomic_fixed8_andb_cpt;
    OrB i8: __kmpc_atomic_fixed1_orb, __kmpc_atomic_fixed1_orb_cpt;
    OrB i16: __kmpc_atomic_fixed2_orb, __kmpc_atomic_fixed2_orb_cpt;
    OrB i32: __kmpc_atomic_fixed4_orb, __kmpc_atomic_fixed4_orb_cpt;
    OrB i64: __kmpc_atomic_fixed8_orb, __kmpc_atomic_fixed8_orb_cpt;
    Xor i8: __kmpc_atomic_fixed1_xor, __kmpc_atomic_fixed1_xor_cpt;
    Xor i16: __kmpc_atomic_fixed2_xor, __kmpc_atomic_fixed2_xor_cpt;
    Xor i32: __kmpc_atomic_fixed4_xor, __kmpc_atomic_fixed4_xor_cpt;
    Xor i64: __kmpc_atomic_fixed8_xor, __kmpc_atomic_fixed8_xor_cpt;
    Xor i8: __kmpc_atomic_fixed1_neqv, __kmpc_atomic_fixed1_neqv_cpt;
    Xor i16: __kmpc_atomic_fixed2_neqv, __kmpc_atomic_fixed2_neqv_cpt;
    Xor i32: __kmpc_atomic_fixed4_neqv, __kmpc_atomic_fixed4_neqv_cpt;
    Xor i64: __kmpc_atomic_fixed8_neqv, __kmpc_atomic_fixed8_neqv_cpt;
    Eqv i8: __kmpc_atomic_fixed1_eqv, __kmpc_atomic_fixed1_eqv_cpt;
    Eqv i16: __kmpc_atomic_fixed2_eqv, __kmpc_atomic_fixed2_eqv_cpt;
    Eqv i32: __kmpc_atomic_fixed4_eqv, __kmpc_atomic_fixed4_eqv_cpt;
    Eqv i64: __kmpc_atomic_fixed8_eqv, __kmpc_atomic_fixed8_eqv_cpt;
    AndL i8: __kmpc_atomic_fixed1_andl, __kmpc_atomic_fixed1_andl_cpt;
    AndL i16: __kmpc_atomic_fixed2_andl, __kmpc_atomic_fixed2_andl_cpt;
    AndL i32: __kmpc_atomic_fixed4_andl, __kmpc_atomic_fixed4_andl_cpt;
    AndL i64: __kmpc_atomic_fixed8_andl, __kmpc_atomic_fixed8_andl_cpt;
    OrL i8: __kmpc_atomic_fixed1_orl, __kmpc_atomic_fixed1_orl_cpt;
    OrL i16: __kmpc_atomic_fixed2_orl, __kmpc_atomic_fixed2_orl_cpt;
    OrL i32: __kmpc_atomic_fixed4_orl, __kmpc_atomic_fixed4_orl_cpt;
    OrL i64: __kmpc_atomic_fixed8_orl, __kmpc_atomic_fixed8_orl_cpt;
    Shl i8: __kmpc_atomic_fixed1_shl, __kmpc_atomic_fixed1_shl_cpt;
    Shl i16: __kmpc_atomic_fixed2_shl, __kmpc_atomic_fixed2_shl_cpt;
    Shl i32: __kmpc_atomic_fixed4_shl, __kmpc_atomic_fixed4_shl_cpt;
    Shl i64: __kmpc_atomic_fixed8_shl, __kmpc_atomic_fixed8_shl_cpt;
    ShlRev i8: __kmpc_atomic_fixed1_shl_rev, __kmpc_atomic_fixed1_shl_cpt_rev;
    ShlRev i16: __kmpc_atomic_fixed2_shl_rev, __kmpc_atomic_fixed2_shl_cpt_rev;
    ShlRev i32: __kmpc_atomic_fixed4_shl_rev, __kmpc_atomic_fixed4_shl_cpt_rev;
    ShlRev i64: __kmpc_atomic_fixed8_shl_rev, __kmpc_atomic_fixed8_shl_cpt_rev;
    Shr i8: __kmpc_atomic_fixed1_shr, __kmpc_atomic_fixed1_shr_cpt;
    Shr i16: __kmpc_atomic_fixed2_shr, __kmpc_atomic_fixed2_shr_cpt;
    Shr i32: __kmpc_atomic_fixed4_shr, __kmpc_atomic_fixed4_shr_cpt;
    Shr i64: __kmpc_atomic_fixed8_shr, __kmpc_atomic_fixed8_shr_cpt;
    Shr u8: __kmpc_atomic_fixed1u_shr, __kmpc_atomic_fixed1u_shr_cpt;
    Shr u16: __kmpc_atomic_fixed2u_shr, __kmpc_atomic_fixed2u_shr_cpt;
    Shr u32: __kmpc_atomic_fixed4u_shr, __kmpc_atomic_fixed4u_shr_cpt;
    Shr u64: __kmpc_atomic_fixed8u_shr, __kmpc_atomic_fixed8u_shr_cpt;
    ShrRev i8: __kmpc_atomic_fixed1_shr_rev, __kmpc_atomic_fixed1_shr_cpt_rev;
    ShrRev i16: __kmpc_atomic_fixed2_shr_rev, __kmpc_atomic_fixed2_shr_cpt_rev;
    ShrRev i32: __kmpc_atomic_fixed4_shr_rev, __kmpc_atomic_fixed4_shr_cpt_rev;
    ShrRev i64: __kmpc_atomic_fixed8_shr_rev, __kmpc_atomic_fixed8_shr_cpt_rev;
    ShrRev u8: __kmpc_atomic_fixed1u_shr_rev, __kmpc_atomic_fixed1u_shr_cpt_rev;
    ShrRev u16: __kmpc_atomic_fixed2u_shr_rev, __kmpc_atomic_fixed2u_shr_cpt_rev;
    ShrRev u32: __kmpc_atomic_fixed4u_shr_rev, __kmpc_atomic_fixed4u_shr_cpt_rev;
    ShrRev u64: __kmpc_atomic_fixed8u_shr_rev, __kmpc_atomic_fixed8u_shr_cpt_rev;
    Min i8: __kmpc_atomic_fixed1_min, __kmpc_atomic_fixed1_min_cpt;
    Min i16: __kmpc_atomic_fixed2_min, __kmpc_atomic_fixed2_min_cpt;
    Min i32: __kmpc_atomic_fixed4_min, __kmpc_atomic_fixed4_min_cpt;
    Min i64: __kmpc_atomic_fixed8_min, __kmpc_atomic_fixed8_min_cpt;
    Min f32: __kmpc_atomic_float4_min, __kmpc_atomic_float4_min_cpt;
    Min f64: __kmpc_atomic_float8_min, __kmpc_atomic_float8_min_cpt;
    Max i8: __kmpc_atomic_fixed1_max, __kmpc_atomic_fixed1_max_cpt;
    Max i16: __kmpc_atomic_fixed2_max, __kmpc_atomic_fixed2_max_cpt;
    Max i32: __kmpc_atomic_fixed4_max, __kmpc_atomic_fixed4_max_cpt;
    Max i64: __kmpc_atomic_fixed8_max, __kmpc_atomic_fixed8_max_cpt;
    Max f32: __kmpc_atomic_float4_max, __kmpc_atomic_float4_max_cpt;
    Max f64: __kmpc_atomic_float8_max, __kmpc_atomic_float8_max_cpt;
}

// Updates whose captured value is stored through a pointer.
updates_to_memory! {
    Add ComplexF32: __kmpc_atomic_cmplx4_add, __kmpc_atomic_cmplx4_add_cpt;
    Sub ComplexF32: __kmpc_atomic_cmplx4_sub, __kmpc_atomic_cmplx4_sub_cpt;
    SubRev ComplexF32: __kmpc_atomic_cmplx4_sub_rev, __kmpc_atomic_cmplx4_sub_cpt_rev;
    Mul ComplexF32: __kmpc_atomic_cmplx4_mul, __kmpc_atomic_cmplx4_mul_cpt;
    Div ComplexF32: __kmpc_atomic_cmplx4_div, __kmpc_atomic_cmplx4_div_cpt;
    DivRev ComplexF32: __kmpc_atomic_cmplx4_div_rev, __kmpc_atomic_cmplx4_div_cpt_rev;
}

// Operation, type of the variable, type of the operand.
mixed_updates! {
    Add f32, f64: __kmpc_atomic_float4_add_float8;
    Add ComplexF32, ComplexF64: __kmpc_atomic_cmplx4_add_cmplx8;
    Sub f32, f64: __kmpc_atomic_float4_sub_float8;
    Sub ComplexF32, ComplexF64: __kmpc_atomic_cmplx4_sub_cmplx8;
    Mul i8, f64: __kmpc_atomic_fixed1_mul_float8;
    Mul i16, f64: __kmpc_atomic_fixed2_mul_float8;
    Mul i32, f64: __kmpc_atomic_fixed4_mul_float8;
    Mul i64, f64: __kmpc_atomic_fixed8_mul_float8;
    Mul f32, f64: __kmpc_atomic_float4_mul_float8;
    Mul ComplexF32, ComplexF64: __kmpc_atomic_cmplx4_mul_cmplx8;
    Div i8, f64: __kmpc_atomic_fixed1_div_float8;
    Div i16, f64: __kmpc_atomic_fixed2_div_float8;
    Div i32, f64: __kmpc_atomic_fixed4_div_float8;
    Div i64, f64: __kmpc_atomic_fixed8_div_float8;
    Div f32, f64: __kmpc_atomic_float4_div_float8;
    Div ComplexF32, ComplexF64: __kmpc_atomic_cmplx4_div_cmplx8;
}

// Type: read, write, exchange.
accesses! {
    i8: __kmpc_atomic_fixed1_rd, __kmpc_atomic_fixed1_wr, __kmpc_atomic_fixed1_swp;
    i16: __kmpc_atomic_fixed2_rd, __kmpc_atomic_fixed2_wr, __kmpc_atomic_fixed2_swp;
    i32: __kmpc_atomic_fixed4_rd, __kmpc_atomic_fixed4_wr, __kmpc_atomic_fixed4_swp;
    i64: __kmpc_atomic_fixed8_rd, __kmpc_atomic_fixed8_wr, __kmpc_atomic_fixed8_swp;
    f32: __kmpc_atomic_float4_rd, __kmpc_atomic_float4_wr, __kmpc_atomic_float4_swp;
    f64: __kmpc_atomic_float8_rd, __kmpc_atomic_float8_wr, __kmpc_atomic_float8_swp;
    ComplexF64: __kmpc_atomic_cmplx8_rd, __kmpc_atomic_cmplx8_wr, __kmpc_atomic_cmplx8_swp;
}

// Accesses whose exchanged value is stored through a pointer.
accesses_to_memory! {
    ComplexF32: __kmpc_atomic_cmplx4_rd, __kmpc_atomic_cmplx4_wr, __kmpc_atomic_cmplx4_swp;
}

// Type: compare and swap, answering whether it was done, and with the old value stored;
// answering the old value, and with the value afterwards stored.
compares! {
    i8:
        __kmpc_atomic_bool_1_cas,
        __kmpc_atomic_bool_1_cas_cpt,
        __kmpc_atomic_val_1_cas,
        __kmpc_atomic_val_1_cas_cpt;
    i16:
        __kmpc_atomic_bool_2_cas,
        __kmpc_atomic_bool_2_cas_cpt,
        __kmpc_atomic_val_2_cas,
        __kmpc_atomic_val_2_cas_cpt;
    i32:
        __kmpc_atomic_bool_4_cas,
        __kmpc_atomic_bool_4_cas_cpt,
        __kmpc_atomic_val_4_cas,
        __kmpc_atomic_val_4_cas_cpt;
    i64:
        __kmpc_atomic_bool_8_cas,
        __kmpc_atomic_bool_8_cas_cpt,
        __kmpc_atomic_val_8_cas,
        __kmpc_atomic_val_8_cas_cpt;
}
