//! Clauses of a parallel construct that compilers announce before the construct itself. The
//! num_threads clause has the additions of OpenMP 6.0: a list, with numbers for the nested levels,
//! and `strict`.

use core::cell::Cell;
use core::ffi::c_char;
use core::num::NonZeroU32;

use oxomp_base::icv::{Deeper, Icvs, ProcBind};

/// The modifiers of a num_threads clause, and its list.
#[derive(Clone, Copy, Debug)]
pub struct Modifiers {
    /// The elements of the list after the first; empty if the clause has one number.
    pub deeper: Deeper<u32>,
    /// The `strict` modifier.
    pub strict: Option<Strict>,
}

/// The `strict` modifier: a team of another size is an error.
#[derive(Clone, Copy, Debug)]
pub struct Strict {
    /// The program ends (`severity(fatal)`), rather than being warned.
    pub is_fatal: bool,
    /// The string of the message clause, or null. Lives as long as the construct.
    pub message: *const c_char,
    /// The construct's source location as the compiler writes it, `;file;function;line;column;;`;
    /// may be null.
    pub location: *const c_char,
}

impl Modifiers {
    /// The variables of the implicit tasks of a region with this clause, which a task with `icvs`
    /// encounters. A list replaces *nthreads-var* for the nested levels.
    pub(crate) fn of_region(&self, icvs: &Icvs) -> Icvs {
        if self.deeper.as_slice().is_empty() {
            return icvs.of_region();
        }
        Icvs { nthreads_deeper: self.deeper, ..*icvs }.of_region()
    }
}

/// The clauses of a teams construct; 0 for a number that it does not give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TeamsClauses {
    /// The lower bound of num_teams.
    pub lower: u32,
    /// The upper bound of num_teams, at least the lower one.
    pub upper: u32,
    /// The thread_limit clause.
    pub thread_limit: u32,
}

/// Clauses that the compiler announces before the construct that they belong to; each holds for one
/// region.
#[derive(Debug)]
pub struct Announced {
    /// The num_threads clause; 0 for none. With the bit `MODIFIED` the clause has `modifiers`.
    num_threads: Cell<u32>,
    modifiers: Cell<Option<Modifiers>>,
    proc_bind: Cell<Option<ProcBind>>,
    /// The clauses of the next teams construct.
    teams: Cell<TeamsClauses>,
}

/// Bit of `Announced::num_threads`: the clause has modifiers. No team is that large.
const MODIFIED: u32 = 1 << 31;

impl Announced {
    pub(super) const fn nothing() -> Self {
        Announced {
            num_threads: Cell::new(0),
            modifiers: Cell::new(None),
            proc_bind: Cell::new(None),
            teams: Cell::new(TeamsClauses { lower: 0, upper: 0, thread_limit: 0 }),
        }
    }

    /// Drops all announced clauses.
    pub(super) fn clear(&self) {
        self.num_threads.set(0);
        self.proc_bind.set(None);
        self.teams.take();
    }

    /// The next region that the thread encounters has a num_threads clause; 0 withdraws the
    /// announcement.
    pub fn set_num_threads(&self, num_threads: u32) {
        self.num_threads.set(num_threads);
    }

    /// The next region that the thread encounters has a num_threads clause with modifiers.
    pub fn set_modified_num_threads(&self, num_threads: u32, modifiers: Modifiers) {
        self.num_threads.set(num_threads | MODIFIED);
        self.modifiers.set(Some(modifiers));
    }

    /// The announced num_threads clause, which holds for one region.
    #[inline(always)]
    pub fn take_num_threads(&self) -> (Option<NonZeroU32>, Option<Modifiers>) {
        let number = self.num_threads.replace(0);
        if number & MODIFIED != 0 {
            return (NonZeroU32::new(number & !MODIFIED), self.modifiers.get());
        }
        (NonZeroU32::new(number), None)
    }

    /// The next region that the thread encounters has a proc_bind clause.
    pub fn set_proc_bind(&self, proc_bind: Option<ProcBind>) {
        self.proc_bind.set(proc_bind);
    }

    /// The announced proc_bind clause, which holds for one region.
    #[inline(always)]
    pub fn take_proc_bind(&self) -> Option<ProcBind> {
        self.proc_bind.take()
    }

    /// The next teams construct that the thread encounters has these clauses.
    pub fn set_teams(&self, clauses: TeamsClauses) {
        self.teams.set(clauses);
    }

    /// The announced clauses of a teams construct, which hold for one league.
    pub fn take_teams(&self) -> TeamsClauses {
        self.teams.take()
    }
}

#[cfg(test)]
mod tests {
    use super::Modifiers;
    use oxomp_base::icv::{Deeper, Icvs};

    #[test]
    fn a_list_stands_for_all_levels_below() {
        let outer = Icvs { nthreads_deeper: Deeper::interned(&[2, 2, 2]), ..Icvs::new(2) };
        let list = Modifiers { deeper: Deeper::interned(&[3]), strict: None };
        let inner = list.of_region(&outer);
        assert_eq!((inner.nthreads_var, inner.nthreads_deeper.as_slice()), (3, &[][..]));
        assert_eq!(inner.of_region().nthreads_var, 3);
        let plain = Modifiers { deeper: Deeper::NONE, strict: None };
        assert_eq!(plain.of_region(&outer), outer.of_region());
    }

    #[test]
    fn equal_lists_are_the_same() {
        assert_eq!(Deeper::interned(&[5, 6]), Deeper::interned(&[5, 6]));
        assert_ne!(Deeper::interned(&[5, 6]), Deeper::interned(&[5, 7]));
        assert_eq!(Deeper::interned(&[]), Deeper::NONE);
    }
}
