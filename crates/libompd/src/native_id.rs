//! Native thread ids: by which the operating system and its libraries know a thread.

use oxomp_debuggee::AddressSpace;
use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::{ompd_rc_t, ompd_size_t, ompd_thread_id_t, thread_id_kind};

use crate::Answer;

/// A kind of native thread id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdKind {
    /// `pthread_t`.
    Pthread,
    /// The kernel's thread id.
    Lwp,
}

/// Every kind that the threads of a process have, with its number and its size in bytes.
const KINDS: [(IdKind, ompd_thread_id_t); 2] =
    [(IdKind::Pthread, thread_id_kind::PTHREAD), (IdKind::Lwp, thread_id_kind::LWP)];

/// The numbers and sizes of every kind, for a process whose addresses have `word_size` bytes.
pub(crate) fn kinds(word_size: usize) -> (Vec<u64>, Vec<u64>) {
    let size = |kind| match kind {
        IdKind::Pthread => word_size as u64,
        IdKind::Lwp => 4,
    };
    KINDS.iter().map(|(kind, number)| (*number, size(*kind))).unzip()
}

impl IdKind {
    /// The kind of this number, whose ids have `size` bytes. Kernel ids may have eight: LLVM's
    /// plug-in of gdb passes them so.
    ///
    /// # Errors
    /// `unsupported` for another kind, `bad_input` for another size.
    pub(crate) fn new(
        space: &AddressSpace,
        kind: ompd_thread_id_t,
        size: ompd_size_t,
    ) -> Answer<Self> {
        let known = KINDS.iter().find(|(_, number)| *number == kind);
        let (kind, _) = known.ok_or(ompd_rc_t::UNSUPPORTED)?;
        let fits = match kind {
            IdKind::Pthread => size == space.word_size() as u64,
            IdKind::Lwp => matches!(size, 4 | 8),
        };
        if fits { Ok(*kind) } else { Err(ompd_rc_t::BAD_INPUT) }
    }

    /// The field of a thread that has such an id.
    pub(crate) fn field(self) -> Field {
        match self {
            IdKind::Pthread => Field::ThreadPthread,
            IdKind::Lwp => Field::ThreadLwp,
        }
    }
}
