//! Target tasks (OpenMP 5.2 §13.8, nowait): bodies that begin work on a device and are over before
//! it is. Steps and argument: README.md beside this file, Work on devices.

use core::ffi::c_void;
use core::ptr::NonNull;
use core::sync::atomic::Ordering::Relaxed;

use super::{Task, execute, property};
use crate::arch::CallSite;
use crate::block::Team;
use crate::block::Thread;
use crate::os::{self};
use crate::settings;

impl Task {
    /// Whether the body may leave work behind for which nobody waits yet: it is a target task that
    /// has been deferred.
    pub fn may_outlive_body(&self) -> bool {
        const KIND: u32 = property::TARGET | property::COUNTED;
        self.properties.get() & (KIND | property::UNDEFERRED) == KIND
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
    fn is_device_done(&self) -> bool {
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
        self.has(property::TARGET) && settings::get().globals.use_hidden_helper_task
    }
}

/// A thread that has other tasks to run asks no more often than this, nanoseconds: a question may
/// take longer than a task, and libomptarget answers the tenth by waiting.
const PERIOD_NS: u64 = 100_000;

/// The task's body is over, and its work is not: the team's threads ask about it from now on.
pub(super) fn await_device(task: &'static Task) {
    let team = task.team();
    if team.size() == 1 {
        team.tasking.on_device.push(task);
    } else {
        team.admit(|| team.tasking.on_device.push(task));
    }
}

/// Asks about the work of one task, and ends the task if it is done: whether one has ended.
#[cold]
pub(super) fn ask(thread: &'static Thread, team: &Team) -> bool {
    let on_device = &team.tasking.on_device;
    let Some(task) = on_device.take() else { return false };
    if task.is_device_done() {
        execute::execute_end(thread, task);
        return true;
    }
    on_device.push(task);
    on_device.next.store(os::monotonic_ns() + PERIOD_NS, Relaxed);
    false
}
