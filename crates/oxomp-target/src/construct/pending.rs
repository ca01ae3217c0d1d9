//! The end of a construct: its operations are waited for, or, with nowait, polled by the host
//! runtime after the body of the target task.

use core::ffi::c_void;
use core::ptr::{self, NonNull};

use super::Construct;
use super::cleanup::Cleanup;
use crate::device::TargetDevice;
use crate::host_runtime::HostRuntime;
use crate::location::Location;
use crate::plugin::{DeviceError, Queue};
use crate::policy;
use crate::report::Mistake;
use crate::tool::Scope;

/// Operations of a target task that are not done when its body is over.
#[derive(Debug)]
struct Pending {
    device: &'static TargetDevice,
    queue: Box<dyn Queue>,
    cleanup: Cleanup,
    /// The construct as the tool sees it; it ends with the operations.
    scope: Scope,
}

impl Construct<'_> {
    /// Waits for the operations, and ends the construct.
    pub fn finish(mut self) -> Result<(), Mistake> {
        self.queue.finish()?;
        self.cleanup.run(self.device, &self.scope);
        Ok(())
    }

    /// Ends the construct, or, if its operations are not done and the host runtime can poll them,
    /// leaves them to it.
    pub fn finish_later(mut self) -> Result<(), Mistake> {
        if self.queue.is_done()? {
            return self.finish();
        }
        match HostRuntime::get().async_handle() {
            None => self.finish(),
            Some(handle) => {
                let Self { device, queue, cleanup, scope, .. } = self;
                scope.suspend();
                let pending = Box::into_raw(Box::new(Pending { device, queue, cleanup, scope }));
                // SAFETY: the runtime keeps the place for the current task's handle.
                unsafe { handle.write(pending.cast()) };
                Ok(())
            }
        }
    }
}

/// Polls the operations behind a handle; sets the handle to null if they are done.
///
/// # Safety
/// `handle` is where `finish_later` stored a handle, or null stands there; no other thread uses it.
pub unsafe fn query(handle: NonNull<*mut c_void>) {
    // SAFETY: a place for a handle (`# Safety`).
    let Some(mut pending) = NonNull::new(unsafe { handle.read() }.cast::<Pending>()) else {
        return;
    };
    // SAFETY: the handle is of `finish_later`, and this thread alone uses it (`# Safety`).
    let is_done = unsafe { pending.as_mut() }.queue.is_done();
    match is_done {
        Ok(false) => return,
        Ok(true) => {}
        Err(error) => fail(pending, error),
    }
    // SAFETY: as above; the handle is forgotten below.
    let pending = unsafe { Box::from_raw(pending.as_ptr()) };
    let Pending { device, cleanup, scope, .. } = *pending;
    scope.resume();
    cleanup.run(device, &scope);
    drop(scope);
    // SAFETY: a place for a handle (`# Safety`).
    unsafe { handle.write(ptr::null_mut()) };
}

fn fail(pending: NonNull<Pending>, error: DeviceError) -> ! {
    // SAFETY: the caller has the only reference.
    let device = unsafe { pending.as_ref() }.device;
    policy::fail(Some(device), &Mistake::from(error), &Location::default())
}
