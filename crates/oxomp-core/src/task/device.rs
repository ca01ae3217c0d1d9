//! The device work of a target task, as seen by the task's body and by its end.

use core::ffi::c_void;
use core::ptr::NonNull;

use super::{Properties, Task};
use crate::arch::CallSite;
use crate::settings;

impl Task {
    /// Whether the body may return before the device work is done: the task is a deferred target
    /// task.
    pub fn may_outlive_body(&self) -> bool {
        let properties = self.properties.get();
        properties.contains(Properties::TARGET | Properties::COUNTED)
            && !properties.intersects(Properties::UNDEFERRED)
    }

    /// The address at which the offload runtime stores the handle of the task's device work, from
    /// the body to the end of that work. None if the task must not outlive its body, or if the
    /// library of `caller` has no function that polls a handle: then the offload runtime waits for
    /// the work in the body.
    pub fn async_handle(&self, caller: CallSite) -> Option<NonNull<*mut c_void>> {
        if !self.may_outlive_body() {
            return None;
        }
        self.with_own(|own| {
            own.work.find_query(caller.return_address());
            own.work.query.map(|_| NonNull::from(&mut own.work.handle))
        })
    }

    /// Whether the body of a target task has left device work that is not done.
    #[cold]
    pub(super) fn is_on_device(&self) -> bool {
        self.with_own_if_any(|own| !own.work.handle.is_null()).unwrap_or(false)
    }

    /// Polls the device work that the body has left. Returns whether it is done.
    pub(super) fn is_device_done(&self) -> bool {
        // The query is foreign code, which may call the runtime: it runs outside `with_own`, whose
        // calls must not be nested.
        let (query, handle) = self.with_own(|own| (own.work.query, &raw mut own.work.handle));
        if let Some(query) = query {
            // SAFETY: the library that has the query function stored the handle, in memory that
            // stays with the block.
            unsafe { query(handle) };
        }
        self.with_own(|own| own.work.handle.is_null())
    }

    /// Whether the task is deferred even if no other thread could execute it: the device may work
    /// while the generating task goes on.
    pub(super) fn is_deferred_alone(&self) -> bool {
        self.has(Properties::TARGET) && settings::get().globals.use_hidden_helper_task
    }
}
