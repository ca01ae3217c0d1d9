//! How a task depends on storage locations: the elements of a depend clause.

use core::ffi::c_void;

use oxomp_sys::ompt::ompt_dependence_type_t;
use smallvec::SmallVec;

/// How a task depends on a storage location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DependenceKind {
    /// `in`: the task waits for the preceding siblings that depend on the location in another way.
    In,
    /// Orders tasks as `Inout` does.
    Out,
    /// `inout`: the task waits for all preceding siblings that depend on the location.
    Inout,
    /// The tasks exclude each other, in any order.
    Mutexinoutset,
    /// The tasks may run concurrently.
    Inoutset,
    /// `out` or `inout` of every location.
    AllMemory,
}

/// One element of a depend clause.
#[derive(Clone, Copy, Debug)]
pub struct Dependence {
    /// The storage location; only its address counts.
    pub location: *const c_void,
    /// The dependence type of the clause.
    pub kind: DependenceKind,
}

impl DependenceKind {
    /// The value that events have for this kind.
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

    /// Whether several tasks with this dependence may belong to one generation.
    pub(in crate::task) fn is_shared(self) -> bool {
        matches!(self, Self::In | Self::Mutexinoutset | Self::Inoutset)
    }
}

/// The elements of a depend clause; a list of usual length needs no allocation.
pub type DependenceList = SmallVec<[Dependence; 16]>;
