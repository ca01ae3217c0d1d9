//! The begin and the end of parallel regions (OpenMP 5.2 §10.1).
//!
//! The primary thread executes a region from `begin_region` to `end_region`; a worker executes it
//! in `worker`, from its order to the barrier that ends the region.

mod begin_region;
mod end_region;
pub mod league;
mod num_threads_clause;
mod outlined;
mod worker;

use core::num::NonZeroU32;
use core::ptr;

use oxomp_base::diag;
use oxomp_base::icv::ProcBind;

pub use outlined::Outlined;
pub(crate) use worker::{after_fork_in_child, dismiss_workers, quit};

use oxomp_arch::CallSite;

use self::begin_region::{ParallelConstruct, begin_region};
use self::end_region::{Ending, end_region, leave};
use self::outlined::call;
use crate::block::{ImplicitTask, Modifiers, Thread};
use crate::ompt::event::{Audience, Listened, flags, for_audience, hears_under_way};
use crate::task::{Task, Taskgroup};
use crate::worksharing::WorksharingLoop;

/// The clauses of a parallel construct.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The if clause.
    pub if_clause: bool,
    /// The num_threads clause.
    pub num_threads: Option<NonZeroU32>,
    /// The modifiers of the num_threads clause, and its list.
    pub modifiers: Option<Modifiers>,
    /// The proc_bind clause.
    pub proc_bind: Option<ProcBind>,
    /// The worksharing loop that is combined with the construct: each thread has begun it when the
    /// body begins (gcc's combined forms).
    pub combined_loop: Option<WorksharingLoop>,
    /// The taskgroup in which the region's implicit tasks begin, if it reduces for their tasks
    /// (`task::reduce_in_region`).
    pub taskgroup: Option<&'static Taskgroup>,
}

impl Request {
    /// A region without clauses: *nthreads-var* gives its size.
    pub const PLAIN: Request = Request {
        if_clause: true,
        num_threads: None,
        modifiers: None,
        proc_bind: None,
        combined_loop: None,
        taskgroup: None,
    };
    /// A region of one thread.
    pub const SERIAL: Request = Request { if_clause: false, ..Request::PLAIN };
}

/// Executes a whole parallel construct: the begin of the region, the body on every thread of the
/// team, the end of the region.
#[inline(always)]
pub fn run(thread: &'static Thread, outlined: Outlined, request: Request, site: CallSite) {
    for_audience!(|audience| run_for(audience, thread, outlined, &request, site));
}

#[inline(always)]
fn run_for(
    audience: impl Audience,
    thread: &'static Thread,
    outlined: Outlined,
    request: &Request,
    site: CallSite,
) {
    let (outer, encountering) = (thread.implicit_task(), thread.task());
    let _frame = audience.enter(&encountering.ompt, site);
    let order = outlined.order(request.combined_loop.is_some());
    let kind = flags::TEAM | flags::INVOKER_RUNTIME;
    let function = outlined.function();
    let construct = ParallelConstruct { outer, encountering, function, request, kind, site };
    let task = begin_region(audience, thread, &construct, &order);
    // SAFETY: the caller of the construct waits for the region, so `outlined` and its words are
    // there until it is over.
    unsafe { call(&order, thread, task) };
    if !audience.is_listening() && hears_under_way() {
        return end_under_way(thread, task, outer, encountering, site);
    }
    let team = end_region(audience, thread, task, Ending::of_region(task), site);
    leave(audience, thread, outer, encountering, team, kind, site);
}

/// Ends a region that has begun without a listener, for a tool that was attached meanwhile.
#[cold]
#[inline(never)]
fn end_under_way(
    thread: &'static Thread,
    task: &'static ImplicitTask,
    outer: &'static ImplicitTask,
    encountering: &'static Task,
    site: CallSite,
) {
    let kind = flags::TEAM | flags::INVOKER_RUNTIME;
    let team = end_region(Listened, thread, task, Ending::of_region(task), site);
    leave(Listened, thread, outer, encountering, team, kind, site);
}

/// Begins a parallel region whose body the program itself calls on the primary thread, until `end`:
/// a region of one thread (`__kmpc_serialized_parallel`), or gcc's old form.
pub fn begin(thread: &'static Thread, outlined: Outlined, request: Request, site: CallSite) {
    for_audience!(|audience| begin_for(audience, thread, outlined, &request, site));
}

fn begin_for(
    audience: impl Audience,
    thread: &'static Thread,
    outlined: Outlined,
    request: &Request,
    site: CallSite,
) {
    let (outer, encountering) = (thread.implicit_task(), thread.task());
    if audience.is_listening() && encountering.ompt.frame.enter.get().is_null() {
        encountering.ompt.frame.enter_from(site);
    }
    let order = outlined.order(request.combined_loop.is_some());
    let kind = flags::TEAM | flags::INVOKER_PROGRAM;
    let function = outlined.function();
    let construct = ParallelConstruct { outer, encountering, function, request, kind, site };
    let task = begin_region(audience, thread, &construct, &order);
    if audience.is_listening() {
        let frame = &task.ompt.frame;
        let encountering = &encountering.ompt.frame;
        frame.exit.set(encountering.enter.get());
        frame.exit_flags.set(encountering.enter_flags.get());
    }
}

/// Ends the region that `begin` began. Has no effect, but for a warning, on a thread or in a task
/// that has no such region to end.
pub fn end(thread: &'static Thread, site: CallSite) {
    for_audience!(|audience| end_for(audience, thread, site));
}

fn end_for(audience: impl Audience, thread: &'static Thread, site: CallSite) {
    let task = thread.implicit_task();
    let Some((encountering, outer)) = before(thread, task) else { return misplaced_end() };
    task.ompt.frame.exit.set(ptr::null_mut());
    task.ompt.frame.exit_flags.set(flags::FRAME_RUNTIME);
    let begin = task.team().borrowed_site();
    let is_jump = audience.is_listening() && site.return_address().is_null();
    // A call that does not return to the program belongs to the construct that this one ends.
    let site = if is_jump { begin.site() } else { site };
    let team = end_region(audience, thread, task, Ending::of_region(task), site);
    let kind = flags::TEAM | flags::INVOKER_PROGRAM;
    leave(audience, thread, outer, encountering, team, kind, site);
    if audience.is_listening() {
        encountering.ompt.frame.enter.set(ptr::null_mut());
    }
}

/// The task that encountered the region of `task` by `begin`, and the implicit task under which it
/// did; `None` unless the thread is the region's primary thread and executes its implicit task.
fn before(
    thread: &'static Thread,
    task: &'static ImplicitTask,
) -> Option<(&'static Task, &'static ImplicitTask)> {
    let team = task.team();
    let is_primary = task.thread_num() == 0;
    let executes_it = ptr::eq::<Task>(thread.task(), &raw const **task);
    if !(is_primary && team.has_call_to_end() && executes_it) {
        return None;
    }
    let (encountering, outer) = (team.encountering()?, team.parent()?);
    // SAFETY: `begin` opened the region, and made the thread that called it the primary thread. So
    // the calling thread executed both tasks then, has executed the region since, and goes back to
    // them. In the child of a fork(2) another survivor becomes the primary thread, but has no call
    // to end (`Team::forget_workers`).
    Some(unsafe { (encountering.own(), outer.own()) })
}

/// Reports an end without a begin.
#[cold]
#[inline(never)]
fn misplaced_end() {
    let what = format_args!("there is no region that the call could end");
    diag::misuse("parallel", what, "the call has no effect");
}
