//! Thread affinity policies (OpenMP 5.2 §10.1.3), the elements of *bind-var*.

use oxomp_ompd_layout::{Kind, Readable};
use oxomp_sys::omp::omp_proc_bind_t;

/// A thread affinity policy, an element of *bind-var*; the numbers are `omp_proc_bind_t`'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ProcBind {
    /// Threads are not bound, and proc_bind clauses are ignored.
    False = 0,
    /// Threads are bound by a policy that the runtime chooses.
    True = 1,
    /// Threads are bound to the place of the primary thread.
    Primary = 2,
    /// Threads are bound to places close to that of the primary thread.
    Close = 3,
    /// Threads are spread over the place partition.
    Spread = 4,
}

impl ProcBind {
    /// The result of `omp_get_proc_bind`.
    #[must_use]
    pub fn to_omp(self) -> omp_proc_bind_t {
        omp_proc_bind_t(self as i32)
    }

    /// The policy of a proc_bind clause, by the number that both compilers use; clang has a second
    /// one for `primary`. `None` without a clause.
    #[must_use]
    #[inline]
    pub fn from_clause(number: u32) -> Option<Self> {
        match number {
            1 => Some(Self::True),
            2 | 5 => Some(Self::Primary),
            3 => Some(Self::Close),
            4 => Some(Self::Spread),
            _ => None,
        }
    }
}

impl Readable for ProcBind {
    const KIND: Kind = Kind::Unsigned;
}
