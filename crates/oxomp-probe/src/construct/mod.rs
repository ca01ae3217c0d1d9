//! OpenMP's constructs, by the calls that clang's and gcc's code makes for them.

mod locks;
mod region;
mod synchronization;
mod tasks;
mod worksharing;

pub(crate) use locks::{Lock, NestLock};
pub(crate) use region::{Member, Place, league, parallel, parallel_loop_by_gcc};
pub(crate) use tasks::{Dependence, Task, fulfill};
pub(crate) use worksharing::{Schedule, Single};

use std::ffi::c_char;

use oxomp_sys::kmpc::{ident_flag_t, ident_t};

/// Whose calls a probe makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// clang's and flang's, `__kmpc_*`.
    Clang,
    /// gcc's and gfortran's, `GOMP_*`.
    Gcc,
}

impl Form {
    /// A function without which no program of this compiler runs.
    pub(crate) fn entry(self) -> &'static std::ffi::CStr {
        match self {
            Self::Clang => c"__kmpc_fork_call",
            Self::Gcc => c"GOMP_parallel",
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Clang => "clang",
            Self::Gcc => "gcc",
        }
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Clang, Self::Gcc].into_iter().find(|form| form.name() == name)
    }
}

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

/// The locations of clang's calls, which say what a call is for.
pub(crate) static PLAIN: ident_t = location(0);
static EXPLICIT_BARRIER: ident_t = location(ident_flag_t::BARRIER_EXPLICIT.0);
static LOOP_BARRIER: ident_t = location(ident_flag_t::BARRIER_IMPLICIT.0);
static SECTIONS_BARRIER: ident_t = location(ident_flag_t::BARRIER_IMPLICIT_SECTIONS.0);
static SINGLE_BARRIER: ident_t = location(ident_flag_t::BARRIER_IMPLICIT_SINGLE.0);
static LOOP: ident_t = location(ident_flag_t::WORK_LOOP.0);
static SECTIONS: ident_t = location(ident_flag_t::WORK_SECTIONS.0);
static DISTRIBUTE: ident_t = location(ident_flag_t::WORK_DISTRIBUTE.0);
static ATOMIC_REDUCTION: ident_t = location(ident_flag_t::ATOMIC_REDUCE.0);
