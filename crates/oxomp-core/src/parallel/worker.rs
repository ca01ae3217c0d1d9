//! The life of a worker: it waits at its dock, and carries out each order that it gets there.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use oxomp_arch::CallSite;
use oxomp_base::icv::ProcBind;
use oxomp_base::{os, settings};
use oxomp_protocol::barrier::FLAT;
use oxomp_protocol::meeting::help_until;
use oxomp_protocol::patience::Patience;
use oxomp_protocol::yield_now;

use super::begin_region::{enter, release};
use super::end_region::Ending;
use super::league;
use super::outlined::{COMBINED_LOOP, LEAGUE, QUIT, QUIT_ALONE, call};
use crate::barrier::{arrive_at_end, meet_at_end};
use crate::block::{Alone, ImplicitTask, Native, Shared, Supply, Thread, ToWorker};
use crate::ompt::event::{
    Audience, Endpoint, Listened, State, ThreadKind, emit, for_audience, hears_under_way,
};
use crate::pool;
use crate::task::Waiter;
use crate::threadprivate;

/// The source of workers for teams: the pool.
pub(super) const SUPPLY: Supply = Supply { hire: pool::hire::<Worker>, may_hire: pool::may_hire };

/// The work of a worker's native thread, from its first call to its last.
struct Worker;

impl pool::Work for Worker {
    fn run(native: Native) {
        let thread = native.thread();
        thread.ompt.report_2015.idle_frame.set(oxomp_arch::frame_pointer());
        emit::thread_begin(&thread.ompt, ThreadKind::Worker);
        thread.set_state(State::Idle);
        if settings::get().icvs.bind_var == ProcBind::False {
            thread.report_binding(&settings::get().available);
        }
        thread.ompt.begin_idle();
        // SAFETY: the block was created or reset for this native thread, which asks once.
        let mut worker = unsafe { thread.dock.worker() };
        let mut patience = settings::get().patience(1);
        let mut last: Option<(&'static ImplicitTask, u32)> = None;
        loop {
            let order = worker.next_order(patience, || {
                last.is_some_and(|(task, region)| help(thread, task, region))
            });
            if matches!(order.code, QUIT | QUIT_ALONE) {
                return obey_last_order(native, order.code, last.map(|(task, _)| task));
            }
            let Some(member) = order.member else { unreachable!("an order names the member") };
            // SAFETY: the team's primary thread, or a worker above this one in the release tree,
            // released this worker with an order that names the member.
            let task = unsafe { member.own() };
            let team = task.team();
            if team.size() > FLAT {
                release(team, task.thread_num(), &order, order.region);
            }
            last = Some((task, order.region));
            let order = &order;
            patience = if order.code & LEAGUE == 0 {
                for_audience!(|audience| take_part(audience, thread, task, order))
            } else {
                take_part_in_league(thread, task, order)
            };
        }
    }
}

/// Ends the worker, whose last region was one of the team of `last`.
#[cold]
fn obey_last_order(native: Native, code: u32, last: Option<&'static ImplicitTask>) {
    if code == QUIT_ALONE {
        // The process ends with this thread, once no idle worker is left.
        if let Some(task) = last {
            dismiss_workers(task);
        }
        quit(&pool::take_idle());
        end_worker(native);
    } else {
        end_worker(native);
        // Release: pairs with the Acquire in `quit`, which so comes after the worker's last event.
        QUITTING.fetch_sub(1, Release);
    }
}

/// The worker executes its share of the region of `order`, as `task`. Returns the patience with
/// which it waits for its next order.
#[inline(always)]
fn take_part(
    audience: impl Audience,
    thread: &'static Thread,
    task: &'static ImplicitTask,
    order: &ToWorker,
) -> Patience {
    if audience.is_listening() {
        come_back(thread);
    }
    let is_combined = order.code & COMBINED_LOOP != 0;
    let combined = if is_combined { task.combined_loop() } else { None };
    enter(audience, thread, task, combined);
    // SAFETY: `Outlined::order` made the order, and the primary thread does not end the region
    // before this worker has arrived at its barrier.
    unsafe { call(order, thread, task) };
    // Read before this worker arrives: afterwards the team may be prepared for its next region.
    let patience = task.team().patience();
    if !audience.is_listening() && hears_under_way() {
        arrive_under_way(thread, task);
        return patience;
    }
    arrive(audience, thread, task, Ending::of_region(task), || task.team().size());
    patience
}

/// The worker has completed its share of a region that has begun without a listener, and reports
/// the end to a tool that was attached meanwhile.
#[cold]
#[inline(never)]
fn arrive_under_way(thread: &'static Thread, task: &'static ImplicitTask) {
    thread.left.come_back();
    arrive(Listened, thread, task, Ending::of_region(task), || task.team().size());
}

/// The worker executes its share of the league of `order`: the initial tasks that fall to `member`.
/// Returns the patience with which it waits for its next order.
#[inline(never)]
fn take_part_in_league(
    thread: &'static Thread,
    member: &'static ImplicitTask,
    order: &ToWorker,
) -> Patience {
    for_audience!(|audience| take_part_in_league_for(audience, thread, member, order))
}

#[inline(always)]
fn take_part_in_league_for(
    audience: impl Audience,
    thread: &'static Thread,
    member: &'static ImplicitTask,
    order: &ToWorker,
) -> Patience {
    if audience.is_listening() {
        come_back(thread);
    }
    let ending = league::execute_share(audience, thread, member, order);
    // Read before this worker arrives: afterwards the team may be prepared for its next region.
    let patience = member.team().patience();
    let teams = || member.team().league_size().unwrap_or(1);
    arrive(audience, thread, member, ending, teams);
    thread.set_implicit_task(member);
    patience
}

/// Notes for a tool that the worker, which has got an order, begins its next region.
fn come_back(thread: &Thread) {
    thread.ompt.end_idle();
    thread.come_back();
}

fn end_worker(native: Native) {
    let thread = native.thread();
    thread.ompt.end_idle();
    threadprivate::end_copies(thread);
    thread.left.forget();
    thread.set_state(State::Overhead);
    thread.ompt.is_leaving.set(true);
    emit::thread_end(&thread.ompt, thread.kind());
    if !thread.ompt.is_leaving.replace(false) {
        QUITTING_IN_CALLBACK.fetch_sub(1, Relaxed);
    }
    pool::recycle(native.leave());
}

/// A worker at its dock executes tasks of its last region, `region`. Returns false if the call is
/// for its next region: the team is in a later region, or another team has hired the worker, whose
/// last region is over then. The worker reads only fields of the team that any thread may read at
/// any time.
fn help(thread: &'static Thread, task: &'static ImplicitTask, region: u32) -> bool {
    // The hiring team stores its member before it calls, so the worker reads the new member.
    let is_of_team = task.thread.get().is_some_and(|worker| worker.is(thread));
    is_of_team && help_until(Waiter::new(thread, task), || task.team().region_number() != region)
}

/// The worker has completed its share of the region. If a tool wants the events of the region's
/// end, the worker waits for that end; otherwise it goes to its dock at once. `size` reads the size
/// of the region's team, or of the league: a word of the league lies on the line that the primary
/// thread writes when it begins a region, and a worker of a team does not read it (`parallel`).
#[inline(always)]
fn arrive(
    audience: impl Audience,
    thread: &'static Thread,
    member: &'static ImplicitTask,
    ending: Ending<'_>,
    size: impl FnOnce() -> u32,
) {
    let Ending { barrier: kind, task, .. } = ending;
    let team = member.team();
    let me = member.thread_num();
    if audience.is_listening() {
        let region = Some(team.record());
        // No call of the program led a worker here, so there is no return address: tools identify
        // the barrier by its region.
        let site = CallSite::none();
        audience.sync_region(kind, Endpoint::Begin, region, task, site);
        audience.sync_region_wait(kind, Endpoint::Begin, region, task, site);
        let is_reported = emit::wants_region_end();
        let end = team.barrier().end(me as usize);
        let copy = (team.record(), size());
        thread.left.leave(thread.implicit_task(), copy, end, is_reported);
        thread.set_state(kind.state());
        if is_reported {
            // Once all threads have arrived, the primary thread may prepare the team for its next
            // region. After `meet` this worker therefore uses only its own record; the barrier that
            // it leaves is kept (`Team`, Invariant 4). The thread that forms the team anew, or
            // gives the member to another worker, waits for the end of this report.
            thread.ompt.is_reporting.store(true, Relaxed);
            meet_at_end(thread, member);
            thread.set_state(State::Overhead);
            audience.sync_region_wait(kind, Endpoint::End, None, task, site);
            audience.sync_region(kind, Endpoint::End, None, task, site);
            audience.implicit_task_end(task, ending.index, ending.kind);
            thread.set_state(State::Idle);
            // Release: pairs with the Acquire in `wait_for_report`, called by an `IdleTeam`.
            thread.ompt.is_reporting.store(false, Release);
            // The worker's own record only: the team may be in its next region.
            thread.ompt.begin_idle();
            return;
        }
    } else {
        thread.set_state(kind.state());
    }
    arrive_at_end(thread, member);
}

/// Gives the workers of the teams that were formed under the task to the pool, unless one of their
/// regions runs.
pub(crate) fn dismiss_workers(task: &ImplicitTask) {
    let mut workers = Vec::new();
    task.with_idle_teams(&mut |team| team.disband(&mut |worker| workers.push(worker)));
    pool::dismiss(&workers);
}

/// The number of workers that have been ordered to end and have not reported their end.
static QUITTING: AtomicU32 = AtomicU32::new(0);
/// The number of these that have called `quit` themselves: the callback of their last event ends
/// the tool.
static QUITTING_IN_CALLBACK: AtomicU32 = AtomicU32::new(0);

/// Ends idle workers, and waits until they have reported their ends. The wait is bounded, so that a
/// worker that hangs in a tool's callback does not keep the process.
pub(crate) fn quit(workers: &[Shared<Thread>]) {
    const LONGEST_NS: u64 = 2_000_000_000;
    // Relaxed: the releases of the docks publish the count to the workers.
    QUITTING.fetch_add(workers.len() as u32, Relaxed);
    for worker in workers {
        // SAFETY: the caller has taken the worker from the pool, so no other thread releases it,
        // and it has carried out its last order.
        unsafe { worker.dock().release(ToWorker::command(QUIT)) };
    }
    if Thread::known().is_some_and(|own| own.ompt.is_leaving.replace(false)) {
        QUITTING_IN_CALLBACK.fetch_add(1, Relaxed);
    }
    let deadline = os::monotonic_ns() + LONGEST_NS;
    while QUITTING.load(Acquire) > QUITTING_IN_CALLBACK.load(Relaxed)
        && os::monotonic_ns() < deadline
    {
        yield_now();
    }
}

/// In the child of a fork(2): no worker is about to end, and if the surviving thread `left` is a
/// worker, it ends at its dock, since no thread will have work for it.
pub(crate) fn after_fork_in_child(left: Option<&Thread>, _: &Alone) {
    QUITTING.store(0, Relaxed);
    QUITTING_IN_CALLBACK.store(0, Relaxed);
    if let Some(worker) = left
        && worker.initial.get().is_none()
    {
        // SAFETY: the worker is the only thread, so no other releases it. It has copied the order
        // that it may be carrying out.
        unsafe { worker.dock.release(ToWorker::command(QUIT_ALONE)) };
    }
}
