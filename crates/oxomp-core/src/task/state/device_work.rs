//! What a target task has begun on a device.

use core::ffi::{CStr, c_void};
use core::mem::transmute;
use core::ptr::{self, NonNull};

use crate::os::loader;

/// The function of libomptarget that looks whether the work behind a handle is done; if so, the
/// handle is null afterwards. It may also wait for that.
const QUERY: &CStr = c"__tgt_target_nowait_query";
type Query = unsafe extern "C" fn(handle: *mut *mut c_void);

/// What a target task has begun and not ended; the rest stays with the block.
#[derive(Debug)]
pub(in crate::task) struct DeviceWork {
    /// The offload runtime's; null while there is nothing to wait for.
    pub(in crate::task) handle: *mut c_void,
    /// Who asked for the place of the handle last.
    pub(in crate::task) caller: *const c_void,
    /// The query of the caller's library: each knows its own handles only.
    pub(in crate::task) query: Option<Query>,
}

impl DeviceWork {
    pub(in crate::task) const fn none() -> Self {
        DeviceWork { handle: ptr::null_mut(), caller: ptr::null(), query: None }
    }

    pub(in crate::task) fn find_query(&mut self, caller: *const c_void) {
        if self.query.is_none() || self.caller != caller {
            self.caller = caller;
            self.query = loader::symbol_seen_from(caller, QUERY).map(|query| {
                // SAFETY: a function under that name has this type (the offload ABI).
                unsafe { transmute::<NonNull<c_void>, Query>(query) }
            });
        }
    }
}
