//! fork(2): the child has the memory of a process whose other threads are gone. The fork waits for
//! threads that hold locks of this library, and they for the fork (`sync::quiet`); what they had
//! begun with entries of the mapping tables is taken back in the child.
//!
//! **No lock is held over the fork**, and no thread waits for it for ever: the C library calls the
//! handlers that run before a fork in reverse order of their registration, so those of libraries
//! that were loaded earlier run between `before` and the fork. Such a handler may wait for a thread
//! that calls this library, as long as it likes: that thread goes on after `sync::PATIENCE`. If
//! that, or another reason for which the fork could not wait, leaves a lock held by a thread that
//! is gone, the child makes the lock anew, and what it guarded was being changed: the devices that
//! need it are lost to the child, which says so at the first construct that asks for one.

use std::fmt::Debug;
use std::thread;
use std::time::{Duration, Instant};

use once_cell::race::OnceBox;
use oxomp_protocol::Alone;

use crate::offload::Offload;
use crate::sync::{self, Mutex};
use crate::{location, tool, trace};

/// How the handlers find the runtime.
static RUNTIME: OnceBox<FindRuntime> = OnceBox::new();

type FindRuntime = fn() -> Option<&'static Offload>;

/// Has each fork of the process find the runtime, once it is there, at rest. Called when the
/// library is loaded: a fork may meet the first use of the runtime in another thread.
pub fn watch(runtime: FindRuntime) {
    if RUNTIME.set(Box::new(runtime)).is_ok() {
        // SAFETY: functions of this library, which is never unloaded.
        unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    }
}

fn runtime() -> Option<&'static Offload> {
    RUNTIME.get().and_then(|runtime| runtime())
}

extern "C" fn before() {
    if let Some(_locks) = AllLocks::take(runtime()) {
        sync::begin_quiet();
    }
}

extern "C" fn in_parent() {
    sync::end_quiet();
}

extern "C" fn in_child() {
    // SAFETY: this is the handler, and the token ends with it.
    let alone = unsafe { Alone::in_child() };
    sync::forget_quiet();
    location::after_fork(&alone);
    tool::after_fork(&alone);
    trace::after_fork(&alone);
    if let Some(offload) = runtime() {
        offload.after_fork(&alone);
    }
}

/// The locks of this library, which the calling thread takes one by one, in the order in which
/// threads take several of them.
#[derive(Debug)]
pub(crate) struct AllLocks {
    held: Vec<Box<dyn Debug>>,
    deadline: Instant,
}

impl AllLocks {
    /// All locks; none if a thread holds one for long.
    fn take(offload: Option<&'static Offload>) -> Option<Self> {
        let mut locks = Self { held: Vec::new(), deadline: Instant::now() + sync::PATIENCE };
        if let Some(offload) = offload {
            offload.hold(&mut locks)?;
        }
        location::hold(&mut locks)?;
        tool::hold(&mut locks)?;
        let devices = offload.into_iter().flat_map(Offload::devices);
        trace::hold(devices.map(|device| &device.tracer), &mut locks)?;
        Some(locks)
    }

    /// Takes the next lock; none if a thread holds it until the deadline.
    pub(crate) fn hold<T: Debug>(&mut self, mutex: &'static Mutex<T>) -> Option<()> {
        loop {
            if let Some(guard) = mutex.try_lock() {
                self.held.push(Box::new(guard));
                return Some(());
            }
            if Instant::now() > self.deadline {
                return None;
            }
            thread::sleep(Duration::from_micros(20));
        }
    }
}
