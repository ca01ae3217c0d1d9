//! The begin of a parallel region: the encountering thread forms the team, releases its workers,
//! and becomes its primary thread.

use core::ffi::c_void;

use oxomp_arch::CallSite;
use oxomp_base::icv::num_threads::NumThreads;
use oxomp_base::icv::{Icvs, ProcBind};
use oxomp_base::settings;
use oxomp_protocol::barrier::released_by;

use super::worker::SUPPLY;
use super::{Request, num_threads_clause};
use crate::affinity_format;
use crate::block::{IdleTeam, ImplicitTask, Modifiers, Team, Thread, ToWorker};
use crate::ompd::stops;
use crate::ompt::event::{Audience, State, flags};
use crate::task::Task;
use crate::worksharing::WorksharingLoop;

/// A parallel construct, and the tasks in which a thread encounters it.
pub(super) struct ParallelConstruct<'a> {
    /// The implicit task that the encountering thread executes, or under whose thread number it
    /// executes an explicit task.
    pub(super) outer: &'static ImplicitTask,
    /// The task that encounters the construct.
    pub(super) encountering: &'static Task,
    /// The outlined function.
    pub(super) function: *const c_void,
    pub(super) request: &'a Request,
    /// `ompt_parallel_flag_t`.
    pub(super) kind: i32,
    pub(super) site: CallSite,
}

/// Forms the team, releases its workers, and makes the calling thread its primary thread. Returns
/// the implicit task that the calling thread executes from now on.
#[inline(always)]
pub(super) fn begin_region(
    audience: impl Audience,
    thread: &'static Thread,
    construct: &ParallelConstruct<'_>,
    order: &ToWorker,
) -> &'static ImplicitTask {
    let &ParallelConstruct { outer, encountering, request, .. } = construct;
    let mut idle = outer.take_child();
    idle.set_outer_state(thread.set_state(State::Overhead));
    let icvs = encountering.icvs();
    let wish = wish(construct, &icvs);
    if audience.is_listening() {
        let outer_state = idle.outer_state();
        idle = outer.choose_child(idle, wish.team_size().threads);
        idle.set_outer_state(outer_state);
        announce(audience, construct, &idle, &wish);
    }
    idle = gather(audience, construct, &icvs, idle, &wish);
    idle.tell_if_crowded();
    idle.set_encountering(encountering);
    // The program itself calls the body of only those regions that `begin` opens.
    idle.set_has_call_to_end(construct.kind & flags::INVOKER_PROGRAM != 0);
    if audience.is_listening() {
        idle.note_code(construct.site.return_address(), construct.function);
        stops::parallel_begins(thread, idle.team());
    }
    let combined = request.combined_loop;
    if combined.is_some() {
        idle.set_combined_loop(combined);
    }
    if request.taskgroup.is_some() {
        idle.set_taskgroup(request.taskgroup);
    }
    if affinity_format::is_displayed() {
        let displays = affinity_format::is_new(&mut idle, thread);
        idle.set_displays_affinity(displays);
    }
    let task = idle.primary();
    let team = idle.begin();
    release(team, 0, order, team.region_number());
    enter(audience, thread, task, combined);
    task
}

/// The number of threads that the construct and the variables ask for.
#[inline(always)]
fn wish(construct: &ParallelConstruct<'_>, icvs: &Icvs) -> NumThreads {
    NumThreads {
        if_clause: construct.request.if_clause,
        num_threads_clause: construct.request.num_threads,
        nthreads_var: icvs.nthreads_var,
        dyn_var: icvs.dyn_var,
        active_levels_var: construct.outer.team().active_level(),
        max_active_levels_var: icvs.max_active_levels_var,
        thread_limit_var: icvs.thread_limit_var,
        threads_busy: 1,
        num_procs_var: settings::processors(),
    }
}

/// Emits the begin of the region.
fn announce(
    audience: impl Audience,
    construct: &ParallelConstruct<'_>,
    idle: &IdleTeam,
    wish: &NumThreads,
) {
    let &ParallelConstruct { encountering, function, request, kind, site, .. } = construct;
    let record = idle.team().record();
    audience.begin_records(Some(record), None);
    let requested = if request.if_clause { wish.requested() } else { 1 };
    audience.parallel_begin(&encountering.ompt, record, requested, kind, function, site);
}

/// Gives the team as many threads as are asked for and can be had, and an OpenMP place to each.
#[inline(always)]
fn gather(
    audience: impl Audience,
    construct: &ParallelConstruct<'_>,
    icvs: &Icvs,
    mut idle: IdleTeam,
    wish: &NumThreads,
) -> IdleTeam {
    let &ParallelConstruct { outer, encountering, request, site, .. } = construct;
    let team = idle.team();
    let wanted = wish.team_size();
    let mut size = wanted.threads;
    if size > 1 && team.group().is_limited() {
        size = 1 + team.group().take(size - 1);
    }
    let granted = size;
    (idle, size) = if request.modifiers.is_none() && !encountering.is_explicit() {
        prepare(audience, idle, outer, size, &icvs.of_region())
    } else {
        prepare_unusual(audience, idle, size, request.modifiers.as_ref(), encountering, outer)
    };
    if size < granted && team.group().is_limited() {
        team.group().give_back(granted - size);
    }
    if size < wanted.threads || wanted.limited || request.modifiers.is_some() {
        let refusal = idle.refusal();
        let modifiers = request.modifiers.as_ref();
        num_threads_clause::check(wish, modifiers, granted, size, refusal, site);
    }
    if icvs.bind_var != ProcBind::False {
        idle.arrange(request.proc_bind.unwrap_or(icvs.bind_var), outer);
    }
    idle
}

/// Prepares the team, or the other one of the two that the task `outer` has. Returns the team, and
/// the size that it got.
#[inline(always)]
fn prepare(
    audience: impl Audience,
    mut idle: IdleTeam,
    outer: &'static ImplicitTask,
    size: u32,
    icvs: &Icvs,
) -> (IdleTeam, u32) {
    if audience.is_listening() {
        // The team that was announced serves the region, however many threads it gets.
        let size = idle.prepare(size, icvs, SUPPLY);
        (idle, size)
    } else {
        idle.prepare_child(outer, size, icvs, SUPPLY)
    }
}

/// Prepares the team for a region that has modifiers, or that an explicit task encounters.
#[cold]
#[inline(never)]
fn prepare_unusual(
    audience: impl Audience,
    idle: IdleTeam,
    size: u32,
    modifiers: Option<&Modifiers>,
    encountering: &Task,
    outer: &'static ImplicitTask,
) -> (IdleTeam, u32) {
    let icvs = encountering.icvs();
    let mut of_region = match modifiers {
        None => icvs.of_region(),
        Some(modifiers) => modifiers.of_region(&icvs),
    };
    // An implicit task's variable, whatever task encounters the region.
    of_region.def_allocator_var = outer.icvs().def_allocator_var;
    prepare(audience, idle, outer, size, &of_region)
}

/// Thread `from` of the team releases its children in the release tree, for the region number
/// `region`.
#[inline(always)]
pub(super) fn release(team: &'static Team, from: u32, order: &ToWorker, region: u32) {
    for thread_num in released_by(from, team.size()) {
        let member = team.member(thread_num);
        if let Some(worker) = member.thread().get() {
            let order = ToWorker { member: Some(member), region, ..*order };
            // SAFETY: the primary thread, which has begun the region, or the worker above this one
            // in the tree releases it. The worker has carried out its last order: it arrived at the
            // barrier that ended its last region, or is new.
            unsafe { worker.dock().release(order) };
        }
    }
}

/// Makes `task` the implicit task that the calling thread executes.
#[inline(always)]
pub(super) fn enter(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static ImplicitTask,
    combined: Option<WorksharingLoop>,
) {
    let team = task.team();
    task.inherit_icvs();
    // Before a signal handler sees the task.
    audience.begin_records(None, Some(&task.ompt));
    thread.set_implicit_task(task);
    task.begin_implicit();
    thread.go_to(task.place());
    thread.set_state(State::WorkParallel);
    if audience.is_listening() {
        let (size, index) = (team.size(), task.thread_num());
        let kind = flags::TASK_IMPLICIT;
        audience.implicit_task_begin(team.record(), &task.ompt, size, index, kind);
    }
    if affinity_format::is_displayed() {
        affinity_format::show(team, thread);
    }
    if let Some(description) = combined {
        thread.begin_loop_quietly(description);
    }
}
