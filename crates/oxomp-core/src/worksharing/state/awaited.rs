//! The iteration that a thread waits for, for a debugger.

use core::cell::Cell;
use core::ptr;

use oxomp_ompd_layout::{Kind, Readable};
use smallvec::SmallVec;

/// The vector of the iteration of a doacross loop nest that the thread waits for; its length is 0
/// outside of such a wait.
#[derive(Debug)]
#[repr(C)]
pub(in crate::worksharing) struct Awaited {
    vector: Cell<*const u64>,
    length: Cell<usize>,
}

impl Readable for Awaited {
    const KIND: Kind = Kind::Slice { element: 8 };
}

/// The elements of a vector; nests of up to four loops need no allocation.
pub(in crate::worksharing) type Vector = SmallVec<[u64; 4]>;

impl Awaited {
    /// The thread does not wait.
    pub(super) fn none() -> Self {
        Awaited { vector: Cell::new(ptr::null()), length: Cell::new(0) }
    }

    /// Shows `vector` to a debugger while `wait` runs.
    pub(in crate::worksharing) fn show(&self, vector: &Vector, wait: impl FnOnce()) {
        self.vector.set(vector.as_ptr());
        self.length.set(vector.len());
        wait();
        self.length.set(0);
    }
}
