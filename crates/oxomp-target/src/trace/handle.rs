//! The handles by which tools name devices.

use core::ffi::c_void;
use core::ops::ControlFlow;
use core::{mem, ptr};

use super::tracer::Tracer;
use crate::sync::{Child, Mutex, Visit, lock};

statics! {
    /// The traces of the devices that have a handle.
    static KNOWN: Mutex<Vec<&'static Tracer>> = Mutex::new(Vec::new());
}

/// The device as tools name it.
pub(crate) fn handle(tracer: &'static Tracer) -> *mut c_void {
    let mut known = lock(&KNOWN);
    if !known.iter().any(|it| ptr::eq(*it, tracer)) {
        known.push(tracer);
    }
    ptr::from_ref(tracer).cast_mut().cast()
}

/// The device that a tool names; `None` if no device has this handle.
pub(super) fn tracer(handle: *mut c_void) -> Option<&'static Tracer> {
    lock(&KNOWN).iter().copied().find(|it| ptr::addr_eq(ptr::from_ref(*it), handle))
}

/// Calls `visit` with the lock (`fork`).
pub(super) fn each_lock(visit: &mut Visit<'_>) -> ControlFlow<()> {
    let lock: &Mutex<_> = &KNOWN;
    visit(lock)
}

/// In the child of a fork. If a thread that is gone was changing the list, the tool has to ask for
/// its handles again.
pub(super) fn after_fork(child: &Child) {
    KNOWN.after_fork(child, Vec::new);
}

/// All traces that tools may have started.
pub(super) fn all() -> Vec<&'static Tracer> {
    lock(&KNOWN).clone()
}

/// As [`all`]; from now on no device has a handle.
pub(super) fn take_all() -> Vec<&'static Tracer> {
    mem::take(&mut *lock(&KNOWN))
}
