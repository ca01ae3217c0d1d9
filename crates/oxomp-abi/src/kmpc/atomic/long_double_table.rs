//! The routines for `long double` and `long double _Complex`, where these are x87's formats:
//! operation, type, names.

use oxomp_arch::long_double::LongDouble;

use super::long_double::{self, ComplexLongDouble};
use super::operation::{Add, Div, DivRev, Max, Min, Mul, Sub, SubRev};

macro_rules! x87_updates {
    ($($operation:ident $x:ident $returned:ident: $update:ident, $capture:ident;)*) => {
        $(entry! {
            #[doc = concat!(
                "`void ", stringify!($update), "(ident_t *id_ref, int gtid, ", stringify!($x),
                " *lhs, ", stringify!($x), " rhs)`",
            )]
            ///
            /// # Safety
            /// A12 and A16: assembly, called as the prototype says.
            pub unsafe naked fn $update() {
                oxomp_arch::x87_entry!(long_double::update::<$operation, $x>)
            }

            #[doc = concat!(
                "`", stringify!($x), " ", stringify!($capture), "(ident_t *id_ref, int gtid, ",
                stringify!($x), " *lhs, ", stringify!($x), " rhs, int flag)`",
            )]
            ///
            /// # Safety
            /// A12 and A16: assembly, called as the prototype says.
            pub unsafe naked fn $capture() {
                oxomp_arch::x87_entry!(long_double::update::<$operation, $x>, $returned)
            }
        })*
    };
}

macro_rules! x87_accesses {
    ($($x:ident $returned:ident: $read:ident, $write:ident, $swap:ident;)*) => {
        $(entry! {
            #[doc = concat!(
                "`", stringify!($x), " ", stringify!($read), "(ident_t *id_ref, int gtid, ",
                stringify!($x), " *loc)`",
            )]
            ///
            /// # Safety
            /// A12 and A16: assembly, called as the prototype says.
            pub unsafe naked fn $read() {
                oxomp_arch::x87_entry!(long_double::read::<$x>, $returned)
            }

            #[doc = concat!(
                "`void ", stringify!($write), "(ident_t *id_ref, int gtid, ", stringify!($x),
                " *lhs, ", stringify!($x), " rhs)`",
            )]
            ///
            /// # Safety
            /// A12 and A16: assembly, called as the prototype says.
            pub unsafe naked fn $write() {
                oxomp_arch::x87_entry!(long_double::swap::<$x>)
            }

            #[doc = concat!(
                "`", stringify!($x), " ", stringify!($swap), "(ident_t *id_ref, int gtid, ",
                stringify!($x), " *lhs, ", stringify!($x), " rhs)`",
            )]
            ///
            /// # Safety
            /// A12 and A16: assembly, called as the prototype says.
            pub unsafe naked fn $swap() {
                oxomp_arch::x87_entry!(long_double::swap::<$x>, $returned)
            }
        })*
    };
}

// Updates of long double; in which form the type is returned.
x87_updates! {
    Add LongDouble real: __kmpc_atomic_float10_add, __kmpc_atomic_float10_add_cpt;
    Add ComplexLongDouble complex: __kmpc_atomic_cmplx10_add, __kmpc_atomic_cmplx10_add_cpt;
    Sub LongDouble real: __kmpc_atomic_float10_sub, __kmpc_atomic_float10_sub_cpt;
    Sub ComplexLongDouble complex: __kmpc_atomic_cmplx10_sub, __kmpc_atomic_cmplx10_sub_cpt;
    SubRev LongDouble real: __kmpc_atomic_float10_sub_rev, __kmpc_atomic_float10_sub_cpt_rev;
    SubRev ComplexLongDouble complex:
        __kmpc_atomic_cmplx10_sub_rev, __kmpc_atomic_cmplx10_sub_cpt_rev;
    Mul LongDouble real: __kmpc_atomic_float10_mul, __kmpc_atomic_float10_mul_cpt;
    Mul ComplexLongDouble complex: __kmpc_atomic_cmplx10_mul, __kmpc_atomic_cmplx10_mul_cpt;
    Div LongDouble real: __kmpc_atomic_float10_div, __kmpc_atomic_float10_div_cpt;
    Div ComplexLongDouble complex: __kmpc_atomic_cmplx10_div, __kmpc_atomic_cmplx10_div_cpt;
    DivRev LongDouble real: __kmpc_atomic_float10_div_rev, __kmpc_atomic_float10_div_cpt_rev;
    DivRev ComplexLongDouble complex:
        __kmpc_atomic_cmplx10_div_rev, __kmpc_atomic_cmplx10_div_cpt_rev;
    Min LongDouble real: __kmpc_atomic_float10_min, __kmpc_atomic_float10_min_cpt;
    Max LongDouble real: __kmpc_atomic_float10_max, __kmpc_atomic_float10_max_cpt;
}

x87_accesses! {
    LongDouble real: __kmpc_atomic_float10_rd, __kmpc_atomic_float10_wr, __kmpc_atomic_float10_swp;
    ComplexLongDouble complex:
        __kmpc_atomic_cmplx10_rd, __kmpc_atomic_cmplx10_wr, __kmpc_atomic_cmplx10_swp;
}
