//! What a target task has begun on a device, as its body and its end see it.

use core::ffi::c_void;
use core::ptr::NonNull;

use super::{Properties, Task};
use crate::arch::CallSite;
use crate::settings;

impl Task {
    /// Whether the body may leave work behind for which nobody waits yet: it is a target task that
    /// has been deferred.
    pub fn may_outlive_body(&self) -> bool {
        let properties = self.properties.get();
        properties.contains(Properties::TARGET | Properties::COUNTED)
            && !properties.intersects(Properties::UNDEFERRED)
    }

    /// Where the offload runtime keeps the handle of the work that the task has begun, from its
    /// body to the end of that work. None if the task is over with its body, or if `caller` is in
    /// no library that can be asked about the handle: then it waits for the work itself.
    pub fn async_handle(&self, caller: CallSite) -> Option<NonNull<*mut c_void>> {
        if !self.may_outlive_body() {
            return None;
        }
        self.with_own(|own| {
            own.work.find_query(caller.return_address());
            own.work.query.map(|_| NonNull::from(&mut own.work.handle))
        })
    }

    /// Whether the body of a target task has left work behind that is not done.
    #[cold]
    pub(super) fn is_on_device(&self) -> bool {
        self.with_own_if_any(|own| !own.work.handle.is_null()).unwrap_or(false)
    }

    /// Asks whether that work is done.
    pub(super) fn is_device_done(&self) -> bool {
        // The query runs outside of the look: it is the program's.
        let (query, handle) = self.with_own(|own| (own.work.query, &raw mut own.work.handle));
        if let Some(query) = query {
            // SAFETY: the handle is of the library that the query is of, and stays where it is.
            unsafe { query(handle) };
        }
        self.with_own(|own| own.work.handle.is_null())
    }

    /// Whether the task is deferred even where no other thread could run it: its device may go on
    /// while the generating task does.
    pub(super) fn is_deferred_alone(&self) -> bool {
        self.has(Properties::TARGET) && settings::get().globals.use_hidden_helper_task
    }
}
