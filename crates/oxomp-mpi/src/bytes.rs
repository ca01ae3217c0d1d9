//! The bytes that a process contributes to a call, from the call's arguments.
//!
//! Only arguments that the standard calls significant in this process may be looked at: others may
//! be anything.

use std::ffi::c_int;

use crate::implementation::Implementation;
use crate::library::ask;
use crate::next::Next;
use crate::topology::neighbours;

/// A word of an argument.
pub(crate) type Word = usize;

/// How wide the counts of a function are: `int`, or `MPI_Count` where its name ends in `_c`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counts {
    pub(crate) are_wide: bool,
}

/// The low half of a word: a C `int`.
pub(crate) const fn int(word: Word) -> c_int {
    word as c_int
}

impl Counts {
    fn count(self, word: Word) -> u64 {
        if self.are_wide { word as u64 } else { u64::from(int(word).max(0).unsigned_abs()) }
    }

    /// The element at `position` of the array of counts.
    fn element(self, array: Word, position: usize) -> u64 {
        if array == 0 {
            return 0;
        }
        // SAFETY: the standard demands that the array has an element for each process, and
        // `position` is the number of one.
        unsafe {
            if self.are_wide {
                (array as *const u64).add(position).read()
            } else {
                u64::from((array as *const c_int).add(position).read().max(0).unsigned_abs())
            }
        }
    }

    /// `count` elements of `datatype`.
    pub(crate) fn of(self, count: Word, datatype: Word) -> u64 {
        let count = self.count(count);
        if count == 0 { 0 } else { count.saturating_mul(size(datatype)) }
    }

    /// As [`Self::of`], sent to the process `peer`; none for `MPI_PROC_NULL`, which is negative as
    /// all numbers that stand for no process are.
    pub(crate) fn to(self, peer: Word, count: Word, datatype: Word) -> u64 {
        if int(peer) < 0 { 0 } else { self.of(count, datatype) }
    }

    /// As [`Self::of`], of the first pair unless its buffer is `MPI_IN_PLACE`, else of the second.
    pub(crate) fn of_either(self, buffer: Word, first: [Word; 2], second: [Word; 2]) -> u64 {
        let [count, datatype] = if in_place(buffer) { second } else { first };
        self.of(count, datatype)
    }

    /// The bytes that `bytes` tells, unless `no` says that the process contributes none.
    pub(crate) fn unless(self, no: bool, bytes: impl FnOnce() -> u64) -> u64 {
        if no { 0 } else { bytes() }
    }

    /// The bytes that `bytes` tells, unless the root is no process.
    pub(crate) fn rooted(self, root: Word, bytes: impl FnOnce() -> u64) -> u64 {
        self.unless(is_no_root(root), bytes)
    }

    /// As [`Self::of_all`], of the first pair unless `buffer` is `MPI_IN_PLACE`, else of the
    /// second.
    pub(crate) fn all_of_either(
        self,
        comm: Word,
        buffer: Word,
        first: [Word; 2],
        second: [Word; 2],
    ) -> u64 {
        let [counts, datatype] = if in_place(buffer) { second } else { first };
        self.of_all(comm, counts, datatype)
    }

    /// As [`Self::of`], for each process of `comm`.
    pub(crate) fn to_each(self, comm: Word, bytes_for_one: u64) -> u64 {
        if bytes_for_one == 0 { 0 } else { bytes_for_one.saturating_mul(processes(comm) as u64) }
    }

    /// The counts in an array with one for each process of `comm`, times the size of `datatype`.
    pub(crate) fn of_all(self, comm: Word, counts: Word, datatype: Word) -> u64 {
        self.of_first(processes(comm), counts, datatype)
    }

    /// As [`Self::of`], for each process to which this one sends in the topology of `comm`.
    pub(crate) fn to_neighbours(self, comm: Word, bytes_for_one: u64) -> u64 {
        if bytes_for_one == 0 { 0 } else { bytes_for_one.saturating_mul(neighbours(comm) as u64) }
    }

    /// As [`Self::of_all`], for each process to which this one sends in the topology of `comm`.
    pub(crate) fn of_neighbours(self, comm: Word, counts: Word, datatype: Word) -> u64 {
        self.of_first(neighbours(comm), counts, datatype)
    }

    /// The first `number` counts of an array, times the size of `datatype`.
    fn of_first(self, number: usize, counts: Word, datatype: Word) -> u64 {
        let sum = (0..number)
            .fold(0_u64, |sum, position| sum.saturating_add(self.element(counts, position)));
        if sum == 0 { 0 } else { sum.saturating_mul(size(datatype)) }
    }

    /// The counts in an array with one for each process of `comm`, each times the size of its
    /// datatype; of the first pair of arrays unless `buffer` is `MPI_IN_PLACE`, else of the second.
    pub(crate) fn of_each_type(
        self,
        comm: Word,
        buffer: Word,
        first: [Word; 2],
        second: [Word; 2],
    ) -> u64 {
        let [counts, types] = if in_place(buffer) { second } else { first };
        self.of_types(processes(comm), counts, types)
    }

    /// The counts for the processes to which this one sends in the topology of `comm`, each times
    /// the size of its datatype.
    pub(crate) fn of_neighbours_types(self, comm: Word, counts: Word, types: Word) -> u64 {
        self.of_types(neighbours(comm), counts, types)
    }

    fn of_types(self, number: usize, counts: Word, types: Word) -> u64 {
        if types == 0 {
            return 0;
        }
        let implementation = Implementation::own();
        (0..number).fold(0_u64, |sum, position| {
            let count = self.element(counts, position);
            if count == 0 {
                return sum;
            }
            // SAFETY: the standard demands a datatype for each process, and `position` is the
            // number of one.
            let datatype = unsafe { implementation.handle(types, position) };
            sum.saturating_add(count.saturating_mul(size(datatype)))
        })
    }
}

/// Whether the buffer is `MPI_IN_PLACE`: 1 in Open MPI, -1 in MPICH.
pub(crate) const fn in_place(buffer: Word) -> bool {
    buffer == 1 || buffer == Word::MAX
}

/// Whether the number of a root stands for no process: it is negative in those processes of an
/// intercommunicator whose arguments do not count, and in the root there.
pub(crate) const fn is_no_root(root: Word) -> bool {
    int(root) < 0
}

/// The size of one element of a datatype that the library has accepted, as the library knows it.
pub(crate) fn size(datatype: Word) -> u64 {
    static TYPE_SIZE: Next = Next::new(c"PMPI_Type_size");
    u64::from(ask(&TYPE_SIZE, datatype).max(0).unsigned_abs())
}

/// How many processes a collective call on `comm` sends to.
pub(crate) fn processes(comm: Word) -> usize {
    static IS_INTER: Next = Next::new(c"PMPI_Comm_test_inter");
    static SIZE: Next = Next::new(c"PMPI_Comm_size");
    static REMOTE_SIZE: Next = Next::new(c"PMPI_Comm_remote_size");
    let number = if ask(&IS_INTER, comm) == 0 { &SIZE } else { &REMOTE_SIZE };
    ask(number, comm).max(0).unsigned_abs() as usize
}

#[cfg(test)]
mod tests {
    use super::{Counts, in_place, is_no_root};

    #[test]
    fn the_upper_half_of_an_int_is_nothing() {
        let narrow = Counts { are_wide: false };
        assert_eq!(narrow.count(0xdead_beef_0000_0003), 3);
        assert_eq!(narrow.count(0xffff_ffff), 0, "a negative count");
        assert_eq!(Counts { are_wide: true }.count(0x1_0000_0003), 0x1_0000_0003);
        assert!(is_no_root(0x1_ffff_fffe) && !is_no_root(0xffff_ffff_0000_0001));
        assert!(in_place(1) && in_place(usize::MAX) && !in_place(0));
    }

    #[test]
    fn counts_lie_in_arrays_of_their_width() {
        let narrow: [i32; 2] = [7, -1];
        let wide: [u64; 2] = [7, 1 << 40];
        let at = |array: *const u8| array.addr();
        let counts = Counts { are_wide: false };
        assert_eq!([0, 1].map(|i| counts.element(at(narrow.as_ptr().cast()), i)), [7, 0]);
        let counts = Counts { are_wide: true };
        assert_eq!([0, 1].map(|i| counts.element(at(wide.as_ptr().cast()), i)), [7, 1 << 40]);
    }
}
