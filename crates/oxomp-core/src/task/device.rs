//! The device work of a target task, as seen by the task's body and by its end.

use core::ffi::c_void;
use core::ptr::NonNull;

use oxomp_arch::CallSite;

use super::{Properties, Task};

impl Task {
    /// Whether the body may return before the device work is done: the task is a deferred target
    /// task.
    pub fn may_outlive_body(&self) -> bool {
        let properties = self.properties.get();
        properties.contains(Properties::TARGET | Properties::COUNTED)
            && !properties.intersects(Properties::UNDEFERRED)
    }

    /// The address at which the offload runtime stores the handle of the task's device work, from
    /// the body to the end of that work. `None` if the task must not outlive its body, or if the
    /// library of `caller` has no function that polls a handle: then the offload runtime waits for
    /// the work in the body.
    pub fn async_handle(&self, caller: CallSite) -> Option<NonNull<*mut c_void>> {
        if !self.may_outlive_body() {
            return None;
        }
        let work = &self.own().work;
        work.find_query(caller)?;
        NonNull::new(work.handle.as_ptr())
    }

    /// Whether the body of a target task has left device work that is not done.
    #[cold]
    pub(super) fn is_on_device(&self) -> bool {
        self.own.get().is_some_and(|own| !own.work.handle.get().is_null())
    }

    /// Polls the device work that the body has left. Returns whether it is done.
    pub(super) fn is_device_done(&self) -> bool {
        let work = &self.own().work;
        if let Some(query) = work.query.get() {
            // SAFETY: the library that has the query function stored the handle, in memory that
            // stays with the block.
            unsafe { query(work.handle.as_ptr()) };
        }
        work.handle.get().is_null()
    }
}
