//! `codeptr_ra`: the address in the program to which an event belongs (OpenMP 5.2 §19.5.2).
//!
//! It is the return address of the program's call. Optimising compilers turn a call at the end of
//! an outlined function into a jump, so that it returns to the runtime, which called the function.
//! The end of a construct then has the address of its begin, and everything else that of the
//! nearest call of the program: the call of the construct to which the outlined function belongs.
//! Where that is not known either, as in an explicit task, the address is null.

use core::ffi::c_void;
use core::ptr;

use crate::arch::CallSite;
use crate::block::Thread;
use crate::ompt::event::{Endpoint, TaskRecord, Work};

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

/// The address of an event that begins or ends a construct.
pub(super) fn of_construct(
    construct: Construct<'_>,
    endpoint: Endpoint,
    site: CallSite,
) -> *const c_void {
    match endpoint {
        Endpoint::End => at_end(construct, site),
        Endpoint::Begin | Endpoint::BeginEnd => at_begin(construct, site),
    }
}

/// The address of the event by which a thread begins a construct.
fn at_begin(construct: Construct<'_>, site: CallSite) -> *const c_void {
    let address = of_call(site);
    if let Some(thread) = Thread::known() {
        thread.ompt.begun.note(construct.key(), address);
    }
    address
}

/// The address of the event by which a thread ends a construct.
fn at_end(construct: Construct<'_>, site: CallSite) -> *const c_void {
    let address = site.return_address();
    if !address.is_null() || !site.is_call() {
        return address;
    }
    let begin =
        Thread::known().map_or(ptr::null(), |thread| thread.ompt.begun.find(construct.key()));
    if begin.is_null() { of_call(site) } else { begin }
}

/// The address of any other event.
pub(super) fn of_call(site: CallSite) -> *const c_void {
    let address = site.return_address();
    if address.is_null() && site.is_call() { nearest_call() } else { address }
}

/// The return address of the call by which the program encountered the innermost region of the
/// calling thread whose call tells one; null in an explicit task.
#[cold]
fn nearest_call() -> *const c_void {
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
