//! Target tasks (OpenMP 5.2 §13.8, nowait): bodies that begin work on a device and are over before
//! it is. Steps and argument: README.md beside this file, Work on devices.

use core::ffi::{CStr, c_void};
use core::mem::transmute;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicU32, AtomicU64};
use std::collections::VecDeque;

use oxomp_protocol::lock::Guarded;

use super::{Task, execute, property};
use crate::arch::CallSite;
use crate::os::{self, loader};
use crate::settings;
use crate::team::Team;
use crate::thread::Thread;

/// The function of libomptarget that looks whether the work behind a handle is done; if so, the
/// handle is null afterwards. It may also wait for that.
const QUERY: &CStr = c"__tgt_target_nowait_query";
type Query = unsafe extern "C" fn(handle: *mut *mut c_void);

/// What a target task has begun and not ended; the rest stays with the block.
#[derive(Debug)]
pub(super) struct DeviceWork {
    /// The offload runtime's; null while there is nothing to wait for.
    handle: *mut c_void,
    /// Who asked for the place of the handle last.
    caller: *const c_void,
    /// The query of the caller's library: each knows its own handles only.
    query: Option<Query>,
}

impl DeviceWork {
    pub(super) const fn none() -> Self {
        DeviceWork { handle: ptr::null_mut(), caller: ptr::null(), query: None }
    }

    fn find_query(&mut self, caller: *const c_void) {
        if self.query.is_none() || self.caller != caller {
            self.caller = caller;
            self.query = loader::symbol_seen_from(caller, QUERY).map(|query| {
                // SAFETY: a function under that name has this type (the offload ABI).
                unsafe { transmute::<NonNull<c_void>, Query>(query) }
            });
        }
    }
}

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
        // SAFETY: our own, and nobody refers to it; it stays where it is.
        let work = unsafe { &mut (*self.own()).work };
        work.find_query(caller.return_address());
        work.query.map(|_| NonNull::from(&mut work.handle))
    }

    /// Whether the body of a target task has left work behind that is not done.
    #[cold]
    pub(super) fn is_on_device(&self) -> bool {
        // SAFETY: null, or our own; nobody changes it now.
        unsafe { self.own.get().as_ref() }.is_some_and(|own| !own.work.handle.is_null())
    }

    /// Asks whether that work is done.
    fn is_device_done(&self) -> bool {
        // SAFETY: a task whose work goes on has it, and only who took it from its team looks at it.
        let work = unsafe { &mut (*self.own()).work };
        if let Some(query) = work.query {
            // SAFETY: the handle is of the library that the query is of.
            unsafe { query(&raw mut work.handle) };
        }
        work.handle.is_null()
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

/// The target tasks of a team whose bodies are over, and whose work is not; the first was asked
/// about longest ago.
#[derive(Debug)]
pub(super) struct OnDevice {
    /// How many there are; a hint to those who do not hold the lock.
    length: AtomicU32,
    /// When a busy thread may ask next.
    next: AtomicU64,
    tasks: Guarded<VecDeque<&'static Task>>,
}

impl OnDevice {
    pub(super) fn new() -> Self {
        OnDevice {
            length: AtomicU32::new(0),
            next: AtomicU64::new(0),
            tasks: Guarded::new(VecDeque::new()),
        }
    }

    #[inline(always)]
    pub(super) fn looks_empty(&self) -> bool {
        // Relaxed, as everywhere here: the lock orders; who misses one looks again.
        self.length.load(Relaxed) == 0
    }

    /// Whether a thread that could run a task should ask first.
    #[inline(always)]
    pub(super) fn is_due(&self) -> bool {
        !self.looks_empty() && os::monotonic_ns() >= self.next.load(Relaxed)
    }

    fn push(&self, task: &'static Task) {
        self.tasks.with(|tasks| {
            tasks.push_back(task);
            self.length.store(tasks.len() as u32, Relaxed);
        });
    }

    fn take(&self) -> Option<&'static Task> {
        self.tasks.with(|tasks| {
            let task = tasks.pop_front();
            self.length.store(tasks.len() as u32, Relaxed);
            task
        })
    }

    /// In the child of a fork(2): another thread may have had the lock.
    pub(super) fn forget(&self) {
        self.tasks.forget(VecDeque::new());
        self.length.store(0, Relaxed);
    }
}

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
