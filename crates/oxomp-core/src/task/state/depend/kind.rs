//! How a task depends on storage locations: the elements of a depend clause.

use core::ffi::c_void;

use oxomp_sys::ompt::ompt_dependence_type_t;
use smallvec::SmallVec;

/// How a task depends on a storage location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DependenceKind {
    In,
    /// For the order of tasks the same as `Inout`.
    Out,
    Inout,
    /// The tasks exclude each other, in any order.
    Mutexinoutset,
    /// The tasks may run side by side.
    Inoutset,
    /// `out` or `inout` of every location.
    AllMemory,
}

/// One element of a depend clause.
#[derive(Clone, Copy, Debug)]
pub struct Dependence {
    /// The storage location; only its address counts.
    pub location: *const c_void,
    pub kind: DependenceKind,
}

impl DependenceKind {
    /// The word of events for it.
    pub(in crate::task) fn to_ompt(self) -> ompt_dependence_type_t {
        match self {
            Self::In => ompt_dependence_type_t::IN,
            Self::Out => ompt_dependence_type_t::OUT,
            Self::Inout => ompt_dependence_type_t::INOUT,
            Self::Mutexinoutset => ompt_dependence_type_t::MUTEXINOUTSET,
            Self::Inoutset => ompt_dependence_type_t::INOUTSET,
            Self::AllMemory => ompt_dependence_type_t::OUT_ALL_MEMORY,
        }
    }

    /// Whether tasks with this dependence may be of one generation.
    pub(in crate::task) fn is_shared(self) -> bool {
        matches!(self, Self::In | Self::Mutexinoutset | Self::Inoutset)
    }
}

/// The elements of a depend clause; lists as long as most need no memory of their own.
pub type DependenceList = SmallVec<[Dependence; 16]>;
