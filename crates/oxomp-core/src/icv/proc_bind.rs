//! Thread affinity policies (OpenMP 5.2 §10.1.3), the elements of *bind-var*.

use oxomp_ompd_layout::{Kind, Readable};
use oxomp_sys::omp::omp_proc_bind_t;

/// A thread affinity policy, an element of *bind-var*; the numbers are `omp_proc_bind_t`'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ProcBind {
    /// Threads are not bound, proc_bind clauses are ignored.
    False = 0,
    /// Threads are bound, how is ours to choose.
    True = 1,
    /// To the place of the primary thread.
    Primary = 2,
    /// To places close to that of the primary thread.
    Close = 3,
    /// Spread over the place partition.
    Spread = 4,
}

impl ProcBind {
    /// What `omp_get_proc_bind` answers.
    #[must_use]
    pub fn to_omp(self) -> omp_proc_bind_t {
        omp_proc_bind_t(self as i32)
    }

    /// The policy of a proc_bind clause, as both compilers number it; `None` without a clause.
    #[must_use]
    pub fn from_clause(number: u32) -> Option<Self> {
        match number {
            1 => Some(Self::True),
            2 => Some(Self::Primary),
            3 => Some(Self::Close),
            4 => Some(Self::Spread),
            _ => None,
        }
    }
}

impl Readable for ProcBind {
    const KIND: Kind = Kind::Unsigned;
}
