//! The work that a target task has begun on a device.

use core::cell::Cell;
use core::ffi::{CStr, c_void};
use core::mem::transmute;
use core::ptr::{self, NonNull};

use oxomp_base::os::loader;

use oxomp_arch::CallSite;

/// The function of libomptarget that polls the work behind a handle, and sets the handle to null if
/// the work is done. It may also wait for the work.
const QUERY: &CStr = c"__tgt_target_nowait_query";
pub(in crate::task) type Query = unsafe extern "C" fn(handle: *mut *mut c_void);

/// The device work of a target task that is not done. The memory stays with the task's block.
#[derive(Debug)]
pub(in crate::task) struct DeviceWork {
    /// The offload runtime's handle; null while there is no work to wait for.
    pub(in crate::task) handle: Cell<*mut c_void>,
    /// The return address of the last call that asked for the handle's address.
    pub(in crate::task) caller: Cell<*const c_void>,
    /// The query function of the library that `caller` lies in: each copy of libomptarget knows
    /// only its own handles.
    pub(in crate::task) query: Cell<Option<Query>>,
}

impl DeviceWork {
    pub(in crate::task) const fn none() -> Self {
        DeviceWork {
            handle: Cell::new(ptr::null_mut()),
            caller: Cell::new(ptr::null()),
            query: Cell::new(None),
        }
    }

    pub(in crate::task) fn find_query(&self, caller: CallSite) -> Option<Query> {
        let caller = caller.return_address();
        if self.query.get().is_none() || self.caller.get() != caller {
            self.caller.set(caller);
            // SAFETY: code at the return address has called the runtime and not returned, so its
            // object stays loaded.
            let query = unsafe { loader::symbol_seen_from(caller, QUERY) };
            self.query.set(query.map(|query| {
                // SAFETY: the offload ABI gives the function of that name this type.
                unsafe { transmute::<NonNull<c_void>, Query>(query) }
            }));
        }
        self.query.get()
    }
}
