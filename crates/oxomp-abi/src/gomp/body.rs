//! The function of a task and the data that it gets a copy of (GOMP).

use core::ffi::{c_long, c_void};

use oxomp_core::Thread;
use oxomp_core::task::{self, Clauses, Properties, Task};
use oxomp_sys::gomp::{gomp_copy_fn, gomp_fn};

/// A task's function, and the data that it gets a copy of.
pub(super) struct Body {
    function: gomp_fn,
    data: *mut c_void,
    copy: Option<gomp_copy_fn>,
    bytes: usize,
    alignment: usize,
}

impl Body {
    /// # Safety
    /// A8: the function takes a copy of the `bytes` of data, made by `copy` if there is one.
    pub(super) unsafe fn new(
        function: gomp_fn,
        data: *mut c_void,
        copy: Option<gomp_copy_fn>,
        bytes: c_long,
        alignment: c_long,
    ) -> Self {
        Body { function, data, copy, bytes: bytes as usize, alignment: alignment as usize }
    }

    /// The data that the task gets a copy of.
    pub(super) fn data(&self) -> *mut c_void {
        self.data
    }

    /// Whether a task's copy has room for a pointer.
    pub(super) fn has_word(&self) -> bool {
        self.bytes >= size_of::<usize>()
    }

    /// A new task with a copy of the data.
    pub(super) fn task(&self, thread: &'static Thread, clauses: Clauses) -> &'static Task {
        let mut properties = clauses.properties;
        if self.copy.is_some() {
            properties |= Properties::NOT_DISCARDED;
        }
        let clauses = Clauses { properties, ..clauses };
        let function = self.function as *const c_void;
        let task = task::allocate_aligned(thread, (self.bytes, self.alignment), function, clauses);
        // SAFETY: A8: there are `bytes` bytes of data, which `copy` copies; the task has room.
        unsafe {
            match self.copy {
                Some(copy) => copy(task.data(), self.data),
                None => task.data().cast::<u8>().copy_from(self.data.cast(), self.bytes),
            }
        }
        task
    }
}
