//! A task that runs in place (GOMP): its generating task waits for it, and the task's body gets the
//! data of the construct's call, of which no copy is made unless the program's own code makes it.

use core::ffi::c_void;
use core::ptr;

use oxomp_arch::CallSite;

use super::allocate::{Clauses, allocate_for, allocate_local};
use super::announce::announce;
use super::complete::retire_included;
use super::decision::{self, Decision};
use super::execute::{begin, end_with_more, resume};
use super::{Properties, Task, discard};
use crate::block::Thread;
use crate::cancel::begun;
use crate::ompt::event::{Audience, TaskStatus, for_audience, is_active};

/// The decision for a task that is not executed in place.
#[derive(Clone, Copy, Debug)]
pub struct Decided(pub(super) Decision);

/// Decides how a task runs that consists of `body`, a `void (void *data)` (GOMP), and the `bytes`
/// at `data`. If the generating task waits for it and it need not wait for siblings, executes it
/// with these data in place. Otherwise the caller makes a task with a copy of them, and generates
/// it with the returned decision by `generate_decided`.
#[inline(always)]
pub fn run_in_place(
    thread: &'static Thread,
    body: *const c_void,
    data: (*mut c_void, usize),
    (if_clause, clauses, has_dependences): (bool, Clauses, bool),
    site: CallSite,
) -> Option<Decided> {
    for_audience!(|audience| {
        run_in_place_for(audience, thread, body, data, (if_clause, clauses, has_dependences), site)
    })
}

#[inline(always)]
fn run_in_place_for(
    audience: impl Audience,
    thread: &'static Thread,
    body: *const c_void,
    data: (*mut c_void, usize),
    (if_clause, clauses, has_dependences): (bool, Clauses, bool),
    site: CallSite,
) -> Option<Decided> {
    let facts = decision::of_child(thread, if_clause, clauses, has_dependences);
    let decision = Decision::of(audience, thread, facts);
    if decision == Decision::AtOnce || decision == Decision::Undeferred && !has_dependences {
        included_for(audience, thread, body, data, clauses, site);
        return None;
    }
    Some(Decided(decision))
}

/// Generates and executes a task that consists of `body`, a `void (void *data)` (GOMP), and `data`,
/// while the generating task waits for it. The task has no data of its own: the generating task
/// keeps the `bytes` at `data`.
#[inline(always)]
pub fn included(
    thread: &'static Thread,
    body: *const c_void,
    data: (*mut c_void, usize),
    clauses: Clauses,
    site: CallSite,
) {
    for_audience!(|audience| included_for(audience, thread, body, data, clauses, site));
}

#[inline(always)]
fn included_for(
    audience: impl Audience,
    thread: &'static Thread,
    body: *const c_void,
    (data, bytes): (*mut c_void, usize),
    clauses: Clauses,
    site: CallSite,
) {
    let properties = clauses.properties | Properties::UNDEFERRED;
    if !audience.is_listening() {
        return call_unheard(thread, body, (0, 1), |_| data, properties);
    }
    let task = allocate_for(true, thread, 0, body, Clauses { properties, ..clauses });
    task.note_kept_by_parent(data, bytes);
    let _frame = audience.enter(&thread.task().ompt, site);
    announce(audience, task, &[], site);
    call_heard(audience, thread, task, body, data);
}

/// Executes a task of `body`, a `void (void *data)` (GOMP), if it runs at once and nobody listens.
/// The task has neither dependences nor an event. `copy` writes its data, of that size and
/// alignment: code of the program, which may generate siblings of the task. Returns whether the
/// task has been executed.
#[inline(always)]
pub fn run_copy_in_place(
    thread: &'static Thread,
    body: *const c_void,
    data: (usize, usize),
    copy: impl FnOnce(*mut c_void),
    (if_clause, clauses): (bool, Clauses),
) -> bool {
    if is_active() || !decision::is_at_once_anyway(thread, if_clause) {
        return false;
    }
    let properties = clauses.properties | Properties::UNDEFERRED;
    let place = |task: &Task| {
        let data = task.data();
        copy(data);
        data
    };
    call_unheard(thread, body, data, place, properties);
    true
}

/// Executes a task of `body` that nobody listens to: only the thread itself, and the children of
/// the task, ever know it. The task has room for data of the size and alignment `room`; `place`
/// returns where they are.
#[inline(always)]
fn call_unheard(
    thread: &'static Thread,
    body: *const c_void,
    room: (usize, usize),
    place: impl FnOnce(&Task) -> *mut c_void,
    properties: Properties,
) {
    let parent = thread.task();
    let task = allocate_local(thread, parent, room, body, properties);
    let data = place(task);
    if begun::is_discarded(task) {
        return discard::discard_included(thread, task);
    }
    task.link.set(Some(parent));
    thread.set_task(task);
    call(task, body, data);
    thread.set_task(parent);
    retire_included(thread, task, parent);
}

/// Executes a task of `body` and `data` that a listener hears of.
#[inline(always)]
fn call_heard(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static Task,
    body: *const c_void,
    data: *mut c_void,
) {
    if begun::is_discarded(task) {
        return discard::discard_included(thread, task);
    }
    let left = begin(audience, thread, task, TaskStatus::Switch);
    call(task, body, data);
    if audience.hears_events() {
        end_with_more(audience, thread, task, left, true);
    } else {
        resume(audience, thread, task, left, TaskStatus::Complete);
        retire_included(thread, task, left.task);
    }
}

#[inline(always)]
fn call(task: &Task, body: *const c_void, data: *mut c_void) {
    // SAFETY: the construct's call passed the compiler's function together with its data.
    unsafe { oxomp_arch::call_gomp(body, data, task.ompt.frame.exit.as_ptr()) };
    task.ompt.frame.exit.set(ptr::null_mut());
}
