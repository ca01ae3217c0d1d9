//! fork(2): the child has the memory of a process whose other threads are gone. The fork waits for
//! threads that hold locks of this library, and threads that want such a lock wait for the fork
//! (`sync::quiescence`); the child takes back what threads had begun with entries of the mapping
//! tables.
//!
//! **No lock is held over the fork**, and no thread waits for it for ever: the C library calls the
//! handlers that run before a fork in reverse order of their registration, so those of libraries
//! that were loaded earlier run between `before` and the fork. Such a handler may wait for a thread
//! that calls this library: that thread goes on after `sync::PATIENCE`. If the process forks while
//! such a thread changes a value that a lock guards, the child makes the value anew, and loses the
//! devices that the value belongs to. The child says so at the first construct that asks for a lost
//! device. A handler that was registered before this library's must not call this library in the
//! child.

use core::ops::ControlFlow;
use std::time::Instant;

use once_cell::race::OnceBox;
use oxomp_protocol::Alone;
use oxomp_protocol::lock::forget_sleepers;

use crate::offload::Offload;
use crate::sync::{self, Child, Held, Visit};
use crate::{location, tool, trace};

/// How the handlers find the runtime.
static RUNTIME: OnceBox<FindRuntime> = OnceBox::new();

type FindRuntime = fn() -> Option<&'static Offload>;

/// Registers the handlers of fork(2), which find the runtime by `runtime` once it is there. Called
/// when the library is loaded: a fork may meet the first use of the runtime in another thread.
pub fn watch(runtime: FindRuntime) {
    if RUNTIME.set(Box::new(runtime)).is_ok() {
        // SAFETY: functions of this library, which is never unloaded.
        unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    }
}

fn runtime() -> Option<&'static Offload> {
    RUNTIME.get().and_then(|runtime| runtime())
}

/// Calls `visit` with each lock of this library, until `visit` breaks off. The order is that in
/// which a thread takes several locks. The locks in entries of the mapping tables are not among
/// them: the child makes them anew (`Table::forget_turns`).
fn each_lock(offload: Option<&'static Offload>, visit: &mut Visit<'_>) -> ControlFlow<()> {
    if let Some(offload) = offload {
        offload.each_lock(visit)?;
    }
    location::each_lock(visit)?;
    tool::each_lock(visit)?;
    trace::each_lock(visit, |visit| match offload {
        Some(offload) => offload.each_lock_of_traces(visit),
        None => ControlFlow::Continue(()),
    })
}

extern "C" fn before() {
    let (offload, deadline) = (runtime(), Instant::now() + sync::PATIENCE);
    // No memory is allocated here: a handler of a signal that has interrupted malloc(3) may fork.
    let (mut first, mut end) = (0, 0);
    let has_all = each_lock(offload, &mut |lock| {
        match lock.hold(deadline) {
            Held::Never => return ControlFlow::Break(()),
            // The locks that this thread holds for a fork that is under way come before the others.
            Held::Before if first == end => first += 1,
            Held::Before | Held::Now => {}
        }
        end += 1;
        ControlFlow::Continue(())
    })
    .is_continue();
    sync::fork_begins(has_all);
    let mut index = 0;
    let _ = each_lock(offload, &mut |lock| {
        if (first..end).contains(&index) {
            lock.release();
        }
        index += 1;
        if index < end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
}

extern "C" fn in_parent() {
    sync::fork_ends();
}

extern "C" fn in_child() {
    let is_quiescent = sync::fork_ends_in_child();
    // SAFETY: this is the handler, and the token ends with it. Handlers of libraries that were
    // registered before have run in the child, and must not have called this library. It has no
    // `Guarded`.
    let alone = unsafe { Alone::in_child() };
    forget_sleepers(&alone);
    let child = Child::new(is_quiescent, alone);
    location::after_fork(&child);
    tool::after_fork(&child);
    trace::after_fork(&child);
    if let Some(offload) = runtime() {
        offload.after_fork(&child);
    }
}
