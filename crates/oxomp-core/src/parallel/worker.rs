//! The life of a worker: it waits at its dock, and does what each order says.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use oxomp_protocol::barrier::Epoch;
use oxomp_protocol::patience::Patience;
use oxomp_protocol::yield_now;

use super::fork::{FAN_OUT, enter, release};
use super::outlined::{COMBINED_LOOP, QUIT, QUIT_ALONE, call};
use crate::arch::CallSite;
use crate::barrier::meet;
use crate::block::{ImplicitTask, Native, Shared, Supply, Thread, ToWorker};
use crate::icv::ProcBind;
use crate::ompt::event::{
    Audience, Endpoint, State, SyncRegion, ThreadKind, emit, flags, for_audience,
};
use crate::os;
use crate::pool;
use crate::settings;
use crate::task;
use crate::threadprivate;

/// Where the workers of teams come from.
pub(super) const SUPPLY: Supply =
    Supply { hire: |first| pool::hire(work, first), may_hire: pool::may_hire };

/// What a worker does from its first moment to its last.
fn work(native: Native) {
    let thread = native.thread();
    emit::thread_begin(&thread.ompt, ThreadKind::Worker);
    thread.set_state(State::Idle);
    if settings::get().icvs.bind_var == ProcBind::False {
        thread.report_binding(&settings::get().available);
    }
    let mut seen = Epoch::FIRST;
    let mut patience = settings::get().patience(1);
    let mut last: Option<(&'static ImplicitTask, u32)> = None;
    loop {
        if !thread.dock.wait_or_hear(seen, patience) {
            if !last.is_some_and(|(task, region)| help(thread, task, region)) {
                thread.dock.keep_call(seen, patience);
            }
            continue;
        }
        let (order, next) = thread.dock.order();
        seen = next;
        if matches!(order.code, QUIT | QUIT_ALONE) {
            return obey_last_order(native, order.code, last.map(|(task, _)| task));
        }
        let Some(member) = order.member else { unreachable!("an order names the member") };
        // SAFETY: the primary thread of the team released this one for the member.
        let task = unsafe { member.own() };
        let team = task.team();
        if team.size() > FAN_OUT + 1 {
            release(team, task.thread_num(), &order, order.region);
        }
        last = Some((task, order.region));
        let order = &order;
        patience = for_audience!(|audience| take_part(audience, thread, task, order));
    }
}

/// The worker ends; it was in a region of `last`'s team before.
#[cold]
fn obey_last_order(native: Native, code: u32, last: Option<&'static ImplicitTask>) {
    if code == QUIT_ALONE {
        // With this thread the process ends, if no idle worker keeps it.
        if let Some(task) = last {
            dismiss_workers(task);
        }
        quit(&pool::take_idle());
        end_worker(native);
    } else {
        end_worker(native);
        // Release: pairs with the Acquire in `quit`; the thread's last event has been.
        QUITTING.fetch_sub(1, Release);
    }
}

/// A worker takes part in the region of `order`, as `task`: how it waits for the next.
#[inline(always)]
fn take_part(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static ImplicitTask,
    order: &ToWorker,
) -> Patience {
    let is_combined = order.code & COMBINED_LOOP != 0;
    let combined = if is_combined { task.combined_loop() } else { None };
    enter(audience, thread, task, combined);
    if audience.is_listening() {
        thread.come_back();
    }
    // SAFETY: the primary thread waits for us at the region's end.
    unsafe { call(order, thread, task) };
    // Before the team may be prepared for its next region.
    let patience = task.team().patience();
    arrive(audience, thread, task);
    patience
}

fn end_worker(native: Native) {
    let thread = native.thread();
    threadprivate::end_copies(thread);
    thread.set_state(State::Overhead);
    emit::thread_end(&thread.ompt);
    pool::recycle(native.leave());
}

/// A worker at its dock helps with the tasks of its last region, `region`: whether it is not late for
/// that. What it reads of the team is the team's for ever.
fn help(thread: &'static Thread, task: &'static ImplicitTask, region: u32) -> bool {
    task::help_until_released(thread, task, || task.team().region_number() != region)
}

/// A worker is done with its region. If a tool wants to know when the region ends it waits for that;
/// else it goes to its dock at once.
#[inline(always)]
fn arrive(audience: impl Audience, thread: &'static Thread, task: &'static ImplicitTask) {
    const KIND: SyncRegion = SyncRegion::BarrierImplicitParallel;
    let team = task.team();
    let me = task.thread_num();
    let barrier = team.barrier();
    if audience.is_listening() {
        let region = Some(team.record());
        // No call of user code led a worker here: tools know it by its region.
        let site = CallSite::none();
        audience.sync_region(KIND, Endpoint::Begin, region, &task.ompt, site);
        audience.sync_region_wait(KIND, Endpoint::Begin, region, &task.ompt, site);
        thread.set_state(State::WaitBarrierImplicitParallel);
        if emit::wants_region_end() {
            // The team may be prepared for its next region once the barrier is passed: what follows
            // uses this worker's own record, and a barrier that is kept (Team, Invariant 4). Only the
            // thread that gives the member to another worker waits for the end of this.
            thread.ompt.is_reporting.store(true, Relaxed);
            meet(thread, task);
            audience.sync_region_wait(KIND, Endpoint::End, None, &task.ompt, site);
            audience.sync_region(KIND, Endpoint::End, None, &task.ompt, site);
            audience.implicit_task_end(&task.ompt, me, flags::TASK_IMPLICIT);
            thread.set_state(State::Idle);
            // Release: pairs with the Acquire in `IdleTeam::disband`.
            thread.ompt.is_reporting.store(false, Release);
            return;
        }
        thread.leave_before(barrier.end(me as usize));
    } else {
        thread.set_state(State::WaitBarrierImplicitParallel);
    }
    if barrier.arrive(me as usize) {
        task::run_all(thread, team);
        barrier.release();
    }
}

/// The workers of the teams under the task go to the pool, if none of those runs a region.
pub(crate) fn dismiss_workers(task: &ImplicitTask) {
    let mut workers = Vec::new();
    if let Some(mut child) = task.take_child_if_any() {
        child.disband(&mut |worker| workers.push(worker));
        task.give_child_back(child);
    }
    pool::dismiss(&workers);
}

/// Workers that have been told to end and have not yet.
static QUITTING: AtomicU32 = AtomicU32::new(0);

/// Ends idle workers and waits until they have reported it, but not for long: a worker that a broken
/// tool keeps does not keep the process.
pub(crate) fn quit(workers: &[Shared<Thread>]) {
    const LONGEST_NS: u64 = 2_000_000_000;
    // Relaxed: the docks publish it to the workers.
    QUITTING.fetch_add(workers.len() as u32, Relaxed);
    for worker in workers {
        worker.dock().release(ToWorker::command(QUIT));
    }
    let deadline = os::monotonic_ns() + LONGEST_NS;
    while QUITTING.load(Acquire) != 0 && os::monotonic_ns() < deadline {
        yield_now();
    }
}

/// In the child of a fork(2): nobody else is on the way to its end, and if `left` is a worker nobody will
/// have work for it.
pub(crate) fn after_fork_in_child(left: Option<&Thread>) {
    QUITTING.store(0, Relaxed);
    if let Some(worker) = left
        && worker.initial.get().is_none()
    {
        worker.dock.release(ToWorker::command(QUIT_ALONE));
    }
}
