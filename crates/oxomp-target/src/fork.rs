//! fork(2): the child has the memory of a process whose other threads are gone. What they might
//! leave half done is locked while the process forks; what they had begun with entries of the
//! mapping tables is taken back in the child.

use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{AcqRel, Release};
use std::sync::{MutexGuard, OnceLock, RwLockWriteGuard};

use crate::device::{DeviceLocks, TargetDevice};
use crate::library::Library;
use crate::offload::Offload;

/// The locks of the runtime, in the order in which threads take several of them.
#[derive(Debug)]
pub(crate) struct Locks {
    pub(crate) _started: MutexGuard<'static, Vec<bool>>,
    pub(crate) _devices: RwLockWriteGuard<'static, Vec<&'static TargetDevice>>,
    pub(crate) _libraries: MutexGuard<'static, Vec<Library>>,
    pub(crate) of_devices: Vec<DeviceLocks>,
}

/// How the handlers find the runtime.
static RUNTIME: OnceLock<fn() -> Option<&'static Offload>> = OnceLock::new();

/// The locks that the forking thread holds; null for none. Who holds all locks has it to itself.
static HELD: AtomicPtr<Locks> = AtomicPtr::new(ptr::null_mut());

/// Has each fork of the process find the runtime, once it is there, at rest.
pub fn watch(runtime: fn() -> Option<&'static Offload>) {
    if RUNTIME.set(runtime).is_ok() {
        // SAFETY: functions of this library, which is never unloaded.
        unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    }
}

extern "C" fn before() {
    if let Some(offload) = RUNTIME.get().and_then(|runtime| runtime()) {
        HELD.store(Box::into_raw(Box::new(offload.locks())), Release);
    }
}

fn held() -> Option<Box<Locks>> {
    let locks = HELD.swap(ptr::null_mut(), AcqRel);
    // SAFETY: `before` made the box on this thread, which takes it once.
    (!locks.is_null()).then(|| unsafe { Box::from_raw(locks) })
}

extern "C" fn in_parent() {
    drop(held());
}

extern "C" fn in_child() {
    let Some(mut locks) = held() else { return };
    for locks in &mut locks.of_devices {
        locks.turnstile.forget_others();
        locks.table.forget_turns();
    }
}
