//! The locations of clang's calls, which say what a call is for.

use std::ffi::c_char;

use oxomp_sys::kmpc::{ident_flag_t, ident_t};

const SOURCE: *const c_char = c";probe.c;probe;1;1;;".as_ptr();

const fn location(flags: u32) -> ident_t {
    ident_t {
        reserved_1: 0,
        flags: ident_flag_t(ident_flag_t::KMPC.0 | flags),
        reserved_2: 0,
        reserved_3: 20,
        psource: SOURCE,
    }
}

pub(super) static PLAIN: ident_t = location(0);
pub(super) static EXPLICIT_BARRIER: ident_t = location(ident_flag_t::BARRIER_EXPLICIT.0);
pub(super) static LOOP_BARRIER: ident_t = location(ident_flag_t::BARRIER_IMPLICIT.0);
pub(super) static SECTIONS_BARRIER: ident_t = location(ident_flag_t::BARRIER_IMPLICIT_SECTIONS.0);
pub(super) static SINGLE_BARRIER: ident_t = location(ident_flag_t::BARRIER_IMPLICIT_SINGLE.0);
pub(super) static LOOP: ident_t = location(ident_flag_t::WORK_LOOP.0);
pub(super) static SECTIONS: ident_t = location(ident_flag_t::WORK_SECTIONS.0);
pub(super) static DISTRIBUTE: ident_t = location(ident_flag_t::WORK_DISTRIBUTE.0);
pub(super) static ATOMIC_REDUCTION: ident_t = location(ident_flag_t::ATOMIC_REDUCE.0);
