//! fork(2): the child has the memory of a process whose other threads are gone. What they might
//! leave half done is locked while the process forks; what they had begun with entries of the
//! mapping tables is taken back in the child.
//!
//! **What other libraries may do meanwhile.** The C library calls the handlers that run before a
//! fork in reverse order of their registration, so those of libraries that were loaded earlier run
//! while the forking thread holds these locks. Such a handler must not call this library, and may
//! take a lock of its own only if no thread calls this library while it holds that lock: otherwise
//! that thread waits for the forking one, and the forking one for it.
//! Handlers that were registered later have run before, and may do anything. The host's runtime
//! has no such restriction (`core::process::fork`).

use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{AcqRel, Release};

use once_cell::race::OnceBox;

use crate::device::{DeviceLocks, TargetDevice};
use crate::library::Library;
use crate::offload::Offload;
use crate::sync::{MutexGuard, RwLockWriteGuard};
use crate::{tool, trace};

/// The locks of the runtime, in the order in which threads take several of them.
#[derive(Debug)]
pub(crate) struct Locks {
    pub(crate) _started: MutexGuard<'static, Vec<bool>>,
    pub(crate) _devices: RwLockWriteGuard<'static, Vec<&'static TargetDevice>>,
    pub(crate) _libraries: MutexGuard<'static, Vec<Library>>,
    pub(crate) of_devices: Vec<DeviceLocks>,
}

/// All that the forking thread holds, in the order in which threads take several of these locks:
/// those of the runtime and of its devices, of what tools see, and of the traces.
#[derive(Debug)]
struct Held {
    locks: Locks,
    tool: tool::HeldAtFork,
    traces: trace::HeldAtFork,
}

/// How the handlers find the runtime.
static RUNTIME: OnceBox<FindRuntime> = OnceBox::new();

type FindRuntime = fn() -> Option<&'static Offload>;

/// What the forking thread holds; null for nothing. Who holds all locks has it to itself.
static HELD: AtomicPtr<Held> = AtomicPtr::new(ptr::null_mut());

/// Has each fork of the process find the runtime, once it is there, at rest. Called when the
/// library is loaded: a fork may meet the first use of the runtime in another thread.
pub fn watch(runtime: FindRuntime) {
    if RUNTIME.set(Box::new(runtime)).is_ok() {
        // SAFETY: functions of this library, which is never unloaded.
        unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    }
}

extern "C" fn before() {
    if let Some(offload) = RUNTIME.get().and_then(|runtime| runtime()) {
        let (locks, tool) = (offload.locks(), tool::HeldAtFork::take());
        let held = Held { locks, tool, traces: trace::HeldAtFork::take() };
        HELD.store(Box::into_raw(Box::new(held)), Release);
    }
}

fn held() -> Option<Box<Held>> {
    let held = HELD.swap(ptr::null_mut(), AcqRel);
    // SAFETY: `before` made the box on this thread, which takes it once.
    (!held.is_null()).then(|| unsafe { Box::from_raw(held) })
}

extern "C" fn in_parent() {
    drop(held());
}

extern "C" fn in_child() {
    let Some(mut held) = held() else { return };
    held.tool.forget();
    held.traces.forget();
    for locks in &mut held.locks.of_devices {
        locks.turnstile.forget_others();
        locks.table.forget_turns();
    }
}
