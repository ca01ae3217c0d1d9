//! What differs between the two families of MPI's implementations: Open MPI, and MPICH with all
//! that have its ABI.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::bytes::Word;
use crate::next::variable;

/// The family of the process's MPI library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Implementation {
    /// Handles are addresses.
    OpenMpi = 1,
    /// Handles are integers.
    Mpich = 2,
}

/// Words that have room for a status of either family.
pub(crate) const STATUS_WORDS: usize = 3;

/// `MPI_ANY_TAG` of both.
const ANY_TAG: c_int = -1;

impl Implementation {
    /// That of this process.
    pub(crate) fn own() -> Self {
        static FOUND: AtomicU8 = AtomicU8::new(0);
        // Relaxed: every thread finds the same.
        match FOUND.load(Ordering::Relaxed) {
            1 => return Self::OpenMpi,
            2 => return Self::Mpich,
            _ => {}
        }
        let is_open_mpi = variable(c"ompi_mpi_comm_world") != 0;
        let own = if is_open_mpi { Self::OpenMpi } else { Self::Mpich };
        FOUND.store(own as u8, Ordering::Relaxed);
        own
    }

    /// `MPI_COMM_WORLD`.
    pub(crate) fn world(self) -> Word {
        match self {
            Self::OpenMpi => variable(c"ompi_mpi_comm_world"),
            Self::Mpich => 0x4400_0000,
        }
    }

    /// Whether the handle is `MPI_COMM_NULL`.
    pub(crate) fn is_no_communicator(self, handle: Word) -> bool {
        match self {
            Self::OpenMpi => handle == 0 || handle == variable(c"ompi_mpi_comm_null"),
            Self::Mpich => handle == 0x0400_0000,
        }
    }

    /// A handle that was passed as an argument: what lies beside an integer in its word is left
    /// from something else.
    pub(crate) const fn plain(self, argument: Word) -> Word {
        match self {
            Self::OpenMpi => argument,
            Self::Mpich => argument as u32 as Word,
        }
    }

    /// The handle at the position `index` of an array.
    ///
    /// # Safety
    /// `array` is the address of an array of handles that has this position.
    pub(crate) unsafe fn handle(self, array: Word, index: usize) -> Word {
        // SAFETY: as the caller promises; handles have these sizes.
        unsafe {
            match self {
                Self::OpenMpi => (array as *const usize).add(index).read(),
                Self::Mpich => (array as *const u32).add(index).read() as usize,
            }
        }
    }

    /// Whether the argument is `MPI_STATUS_IGNORE`, or `MPI_STATUSES_IGNORE`.
    pub(crate) const fn ignores_status(self, status: Word) -> bool {
        match self {
            Self::OpenMpi => status == 0,
            Self::Mpich => status == 1 || status == 0,
        }
    }

    /// Source and tag of the message in the status at the position `index` of an array.
    ///
    /// # Safety
    /// `statuses` is the address of an array of statuses that has this position.
    pub(crate) unsafe fn status(self, statuses: Word, index: usize) -> [c_int; 2] {
        let (size, source) = match self {
            Self::OpenMpi => (24, 0),
            Self::Mpich => (20, 8),
        };
        let place = statuses + index * size + source;
        // SAFETY: as the caller promises; the tag follows the source in both.
        unsafe { [(place as *const c_int).read(), (place as *const c_int).add(1).read()] }
    }

    /// Whether a receive names neither its source nor, which is as bad, its tag.
    pub(crate) const fn is_wildcard(self, source: c_int, tag: c_int) -> bool {
        let any_source = match self {
            Self::OpenMpi => -1,
            Self::Mpich => -2,
        };
        source == any_source || (source >= 0 && tag == ANY_TAG)
    }

    /// `MPI_ROOT`.
    pub(crate) const fn root(self) -> c_int {
        match self {
            Self::OpenMpi => -4,
            Self::Mpich => -3,
        }
    }

    /// Whether a topology's number, as `MPI_Topo_test` gives it, is that of a Cartesian one.
    pub(crate) const fn is_cartesian(self, topology: c_int) -> bool {
        topology
            == match self {
                Self::OpenMpi => 1,
                Self::Mpich => 2,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::Implementation;

    #[test]
    fn statuses_lie_where_each_has_them() {
        let words: [i32; 12] = [7, 8, 9, 0, 0, 0, 1, 2, 3, 4, 5, 6];
        let at = words.as_ptr().addr();
        // SAFETY: the array has two statuses of Open MPI, and two of MPICH.
        let read = |it: Implementation| unsafe { [it.status(at, 0), it.status(at, 1)] };
        assert_eq!(read(Implementation::OpenMpi), [[7, 8], [1, 2]]);
        assert_eq!(read(Implementation::Mpich), [[9, 0], [2, 3]]);
    }

    #[test]
    fn a_handle_that_is_an_integer_is_the_lower_half_of_its_word() {
        let dirty = 0xdead_beef_4400_0000;
        assert_eq!(Implementation::Mpich.plain(dirty), Implementation::Mpich.world());
        assert_eq!(Implementation::OpenMpi.plain(dirty), dirty);
    }

    #[test]
    fn wildcards_are_not_processes_that_are_none() {
        let (open, mpich) = (Implementation::OpenMpi, Implementation::Mpich);
        assert!(open.is_wildcard(-1, 5) && mpich.is_wildcard(-2, 5));
        assert!(!open.is_wildcard(-2, 5) && !mpich.is_wildcard(-1, 5), "MPI_PROC_NULL");
        assert!(open.is_wildcard(3, -1) && mpich.is_wildcard(3, -1));
        assert!(!open.is_wildcard(3, 0));
    }
}
