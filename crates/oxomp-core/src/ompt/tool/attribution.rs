//! `codeptr_ra`: the address in the program to which an event belongs (OpenMP 5.2 §19.5.2).
//!
//! It is the return address of the program's call. Optimising compilers turn a call at the end of
//! an outlined function into a jump, so that it returns to the runtime, which called the function.
//! The end of a construct then gets the address of its begin. Any other event gets the address of
//! the nearest call of the program: the call of the construct to which the outlined function
//! belongs. If this is not known either, as in an explicit task, the address is null.

use core::ffi::c_void;
use core::ptr;

use crate::block::Thread;
use crate::ompt::event::{Endpoint, Event, MutexKind, SyncRegion, TaskRecord, Work};

/// A construct that a thread begins and ends by two calls.
#[derive(Clone, Copy)]
pub(super) enum Construct<'a> {
    /// A worksharing region of the task, or a taskloop.
    Work(&'a TaskRecord, Work),
    /// A masked region of the task.
    Masked(&'a TaskRecord),
    /// The combining of a reduction by the task.
    Reduction(&'a TaskRecord),
    /// A taskgroup of the task.
    Taskgroup(&'a TaskRecord),
    /// The mutex with that wait id.
    Mutex(u64),
}

impl Construct<'_> {
    /// A number for each construct that a thread may be in at a time. (Of nested taskgroups the
    /// inner one replaces the outer one.)
    #[inline(always)]
    fn key(self) -> u64 {
        let of = |task: &TaskRecord| ptr::from_ref(task).addr() as u64;
        let (kind, object) = match self {
            Construct::Mutex(wait_id) => (1, wait_id),
            Construct::Masked(task) => (2, of(task)),
            Construct::Reduction(task) => (3, of(task)),
            Construct::Taskgroup(task) => (4, of(task)),
            Construct::Work(task, kind) => (5 + kind as u64, of(task)),
        };
        object ^ kind << 56
    }
}

/// The construct that the event begins or ends. A lock belongs to no construct: the calls that set
/// and unset it may be anywhere.
#[inline(always)]
fn construct_of<'a>(event: &Event<'a>) -> Option<(Construct<'a>, Endpoint)> {
    let is_block =
        |kind| matches!(kind, MutexKind::Critical | MutexKind::Atomic | MutexKind::Ordered);
    match *event {
        Event::Work { kind, endpoint, task, .. } => Some((Construct::Work(task, kind), endpoint)),
        Event::Masked { endpoint, task, .. } => Some((Construct::Masked(task), endpoint)),
        Event::Reduction { endpoint, task, .. } => Some((Construct::Reduction(task), endpoint)),
        // A taskgroup has a call at its begin, and one at its end, which begins to wait.
        Event::SyncRegion { kind: SyncRegion::Taskgroup, endpoint, task, .. } => {
            Some((Construct::Taskgroup(task), endpoint))
        }
        Event::SyncRegionWait { kind: SyncRegion::Taskgroup, task, .. } => {
            Some((Construct::Taskgroup(task), Endpoint::End))
        }
        Event::MutexAcquired { kind, wait_id, .. } if is_block(kind) => {
            Some((Construct::Mutex(wait_id), Endpoint::Begin))
        }
        Event::MutexReleased { kind, wait_id, .. } if is_block(kind) => {
            Some((Construct::Mutex(wait_id), Endpoint::End))
        }
        _ => None,
    }
}

/// The address of an event, null if the event has none; notes the begin of a construct. `None` if
/// the program made the call by a jump.
#[inline(always)]
pub(super) fn of_call(event: &Event<'_>) -> Option<*const c_void> {
    let site = event.site();
    let address = site.return_address();
    if address.is_null() && site.is_call() {
        return None;
    }
    if let Some((construct, Endpoint::Begin | Endpoint::BeginEnd)) = construct_of(event) {
        note(construct, address);
    }
    Some(address)
}

/// The address of an event whose call the program made by a jump.
pub(super) fn of_jump(event: &Event<'_>) -> *const c_void {
    let construct = construct_of(event);
    if let Some((construct, Endpoint::End)) = construct {
        let begin =
            Thread::known().map_or(ptr::null(), |thread| thread.ompt.begun.find(construct.key()));
        if !begin.is_null() {
            return begin;
        }
    }
    let address = nearest_call();
    if let Some((construct, Endpoint::Begin | Endpoint::BeginEnd)) = construct {
        note(construct, address);
    }
    address
}

/// The calling thread begins a construct by the call that returns to `address`.
#[inline(always)]
fn note(construct: Construct<'_>, address: *const c_void) {
    if let Some(thread) = Thread::known() {
        thread.ompt.begun.note(construct.key(), address);
    }
}

/// The return address of the call by which the program encountered a region of the calling thread:
/// of the innermost region whose call tells an address. Null in an explicit task.
pub(super) fn nearest_call() -> *const c_void {
    let Some(thread) = Thread::known() else { return ptr::null() };
    let Some(task) = thread.implicit_task_if_any() else { return ptr::null() };
    if thread.task().is_explicit() {
        return ptr::null();
    }
    let mut team = task.team();
    loop {
        let address = team.borrowed_site().site().return_address();
        match team.parent() {
            Some(member) if address.is_null() => team = member.team(),
            _ => return address,
        }
    }
}
