//! Fork and join of parallel regions (OpenMP 5.2 §10.1).

mod num_threads_clause;

use core::ffi::c_void;
use core::num::NonZeroU32;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use oxomp_protocol::barrier::Generation;
use oxomp_protocol::yield_now;

use crate::affinity_format;
use crate::arch::{self, CallSite};
use crate::barrier::meet;
use crate::barrier::order::INLINE_WORDS;
use crate::block::Native;
use crate::block::ToWorker;
use crate::block::{IdleTeam, ImplicitTask, Modifiers, Shared, Supply, Team, Thread};
use crate::icv::ProcBind;
use crate::icv::num_threads::NumThreads;
use crate::ompd::stops;
use crate::ompt::event::{
    Endpoint, EnterFrame, State, SyncRegion, ThreadKind, emit, flags, is_active,
};
use crate::os;
use crate::pool;
use crate::settings;
use crate::task::{self, Task};
use crate::threadprivate;
use crate::worksharing::WorksharingLoop;

/// The body of a region, as the compiler outlined it.
#[derive(Clone, Copy, Debug)]
pub enum Outlined {
    /// clang, flang: `function(&gtid, &bound, words…)`.
    Kmpc { function: *const c_void, argc: u32, words: *const usize },
    /// gcc, gfortran: `function(data)`.
    Gomp { function: *const c_void, data: *mut c_void },
}

/// What the construct asks for.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The if clause.
    pub if_clause: bool,
    /// The num_threads clause.
    pub num_threads: Option<NonZeroU32>,
    /// What that says beside its number.
    pub modifiers: Option<Modifiers>,
    /// The proc_bind clause.
    pub proc_bind: Option<ProcBind>,
    /// A worksharing loop that is combined with the region, so that each thread is in it when the
    /// body begins (gcc's combined forms).
    pub combined_loop: Option<WorksharingLoop>,
}

impl Request {
    /// A region as large as nthreads-var says.
    pub const PLAIN: Request = Request {
        if_clause: true,
        num_threads: None,
        modifiers: None,
        proc_bind: None,
        combined_loop: None,
    };
    /// A region of one thread.
    pub const SERIAL: Request = Request { if_clause: false, ..Request::PLAIN };
}

/// `Order::code`: the shape of gcc, with one word.
const GOMP: u32 = 1 << 31;
/// `Order::code`: each thread begins the region's combined loop first.
const COMBINED_LOOP: u32 = 1 << 30;
/// `Order::code`: the worker ends.
const QUIT: u32 = u32::MAX;
/// `Order::code`: the same, of the only thread in the child of a fork(2).
const QUIT_ALONE: u32 = u32::MAX - 1;
/// `Order::code`: number of argument words.
const ARGC: u32 = COMBINED_LOOP - 1;

impl Outlined {
    fn function(&self) -> *const c_void {
        match *self {
            Outlined::Kmpc { function, .. } | Outlined::Gomp { function, .. } => function,
        }
    }

    /// The order for all workers; each gets its own `member`.
    #[inline(always)]
    fn order(&self, combined_loop: bool) -> ToWorker {
        let mut words = [0; INLINE_WORDS];
        let (kind, function) = match *self {
            Outlined::Gomp { function, data } => {
                words[0] = data as usize;
                (GOMP, function)
            }
            Outlined::Kmpc { function, argc, words: from } => {
                if argc as usize <= INLINE_WORDS {
                    for (index, word) in words.iter_mut().enumerate().take(argc as usize) {
                        // SAFETY: the compiler gave `argc` words.
                        *word = unsafe { *from.add(index) };
                    }
                } else {
                    words[0] = from as usize;
                }
                (argc, function)
            }
        };
        let combined = if combined_loop { COMBINED_LOOP } else { 0 };
        ToWorker { code: kind | combined, outlined: function, words, member: None }
    }
}

/// Runs the order's outlined function on the calling thread, in the implicit task `task`.
///
/// # Safety
/// The order was made from an `Outlined` whose region is not over.
#[inline(always)]
unsafe fn call(order: &ToWorker, thread: &Thread, task: &ImplicitTask) {
    let exit_frame = task.ompt.frame.exit.as_ptr();
    // SAFETY: the compiler's function with the compiler's words; the frame is the task's own.
    unsafe {
        if order.code & GOMP != 0 {
            arch::call_gomp(order.outlined, order.words[0] as *mut c_void, exit_frame);
        } else {
            let mut gtid = thread.number() as i32;
            let mut bound = task.thread_num() as i32;
            let argc = (order.code & ARGC) as usize;
            let words = if argc <= INLINE_WORDS {
                order.words.as_ptr()
            } else {
                order.words[0] as *const usize
            };
            arch::call_kmpc(order.outlined, &mut gtid, &mut bound, argc, words, exit_frame);
        }
    }
    task.ompt.frame.exit.set(core::ptr::null_mut());
}

/// A parallel construct, whole: fork, the body on every thread of the team, join.
#[inline]
pub fn run(thread: &'static Thread, outlined: Outlined, request: Request, site: CallSite) {
    let encountering = thread.task();
    let _frame = EnterFrame::new(&encountering.ompt, site);
    let order = outlined.order(request.combined_loop.is_some());
    let kind = flags::TEAM | flags::INVOKER_RUNTIME;
    let outer = thread.implicit_task();
    let task = fork(thread, encountering, &outlined, &order, &request, kind, site);
    // SAFETY: the construct's caller waits for us.
    unsafe { call(&order, thread, task) };
    let team = join(thread, task, site);
    leave(thread, outer, encountering, team, kind, site);
}

/// A parallel construct whose body the program calls itself on the primary thread, until `end`: one
/// thread (`__kmpc_serialized_parallel`), or gcc's old form.
pub fn begin(thread: &'static Thread, outlined: Outlined, request: Request, site: CallSite) {
    let encountering = thread.task();
    if is_active() && encountering.ompt.frame.enter.get().is_null() {
        encountering.ompt.frame.enter_from(site);
    }
    let order = outlined.order(request.combined_loop.is_some());
    let kind = flags::TEAM | flags::INVOKER_PROGRAM;
    let task = fork(thread, encountering, &outlined, &order, &request, kind, site);
    if is_active() {
        let frame = &task.ompt.frame;
        let encountering = &encountering.ompt.frame;
        frame.exit.set(encountering.enter.get());
        frame.exit_flags.set(encountering.enter_flags.get());
    }
}

/// Ends the region that `begin` began.
pub fn end(thread: &'static Thread, site: CallSite) {
    let task = thread.implicit_task();
    let team = task.team();
    let (Some(encountering), Some(outer)) = (team.encountering(), team.parent()) else {
        // An end without a begin: the program's error, and nothing to end.
        return;
    };
    // SAFETY: `begin` left them for the calling thread, which was in them and is the region's primary.
    let (encountering, outer) = unsafe { (encountering.own(), outer.own()) };
    task.ompt.frame.exit.set(core::ptr::null_mut());
    task.ompt.frame.exit_flags.set(flags::FRAME_RUNTIME);
    let team = join(thread, task, site);
    leave(thread, outer, encountering, team, flags::TEAM | flags::INVOKER_PROGRAM, site);
    if is_active() {
        encountering.ompt.frame.enter.set(core::ptr::null_mut());
    }
}

/// Forms the team, releases its workers, and makes the calling thread its primary.
#[inline(always)]
fn fork(
    thread: &'static Thread,
    encountering: &'static Task,
    outlined: &Outlined,
    order: &ToWorker,
    request: &Request,
    kind: i32,
    site: CallSite,
) -> &'static ImplicitTask {
    let icvs = encountering.icvs();
    let outer = thread.implicit_task();
    let mut idle = outer.take_child();
    let team = idle.team();
    let outer_state = thread.set_state(State::Overhead);
    let wish = NumThreads {
        if_clause: request.if_clause,
        num_threads_clause: request.num_threads,
        nthreads_var: icvs.nthreads_var,
        dyn_var: icvs.dyn_var,
        active_levels_var: outer.team().active_level(),
        max_active_levels_var: icvs.max_active_levels_var,
        thread_limit_var: icvs.thread_limit_var,
        threads_busy: 1,
        num_procs_var: settings::processors(),
    };
    emit::begin_records(Some(team.record()), None);
    let requested = if request.if_clause { wish.requested() } else { 1 };
    emit::parallel_begin(
        &encountering.ompt,
        team.record(),
        requested,
        kind,
        outlined.function(),
        site,
    );
    let wanted = wish.team_size();
    let mut size = wanted.threads;
    if size > 1 && team.group().is_limited() {
        size = 1 + team.group().take(size - 1);
    }
    let granted = size;
    let of_region = match &request.modifiers {
        None => icvs.of_region(),
        Some(modifiers) => modifiers.of_region(icvs),
    };
    size = idle.prepare(size, &of_region, SUPPLY);
    if size < granted && team.group().is_limited() {
        team.group().give_back(granted - size);
    }
    if size < wanted.threads || wanted.limited || request.modifiers.is_some() {
        let refusal = idle.refusal();
        let modifiers = request.modifiers.as_ref();
        num_threads_clause::check(&wish, modifiers, granted, size, refusal, site);
    }
    if icvs.bind_var != ProcBind::False {
        idle.arrange(request.proc_bind.unwrap_or(icvs.bind_var), outer);
    }
    idle.tell_if_crowded();
    idle.set_outer_state(outer_state);
    idle.set_encountering(encountering);
    if is_active() {
        note_begin(thread, &idle, outlined.function(), site);
    }
    let combined = request.combined_loop;
    if combined.is_some() {
        idle.set_combined_loop(combined);
    }
    if affinity_format::is_displayed() {
        let displays = affinity_format::is_new(&mut idle, thread);
        idle.set_displays_affinity(displays);
    }
    let task = idle.primary();
    release(idle.begin(), 0, order);
    enter(thread, task, combined);
    task
}

/// Where the workers of teams come from.
const SUPPLY: Supply = Supply { hire: |first| pool::hire(work, first), may_hire: pool::may_hire };

/// Thread `from` of the team releases those below it in the tree.
#[inline(always)]
fn release(team: &'static Team, from: u32, order: &ToWorker) {
    let first = from * FAN_OUT + 1;
    for thread_num in first..(first + FAN_OUT).min(team.size()) {
        let member = team.member(thread_num);
        if let Some(worker) = member.thread().get() {
            worker.dock().release(ToWorker { member: Some(member), ..*order });
        }
    }
}

/// Workers that a thread releases before it starts its own share. Eight threads are released by the
/// primary alone: a release is 20 ns where its line is in another core's cache.
const FAN_OUT: u32 = 7;

/// The calling thread becomes `task`'s.
#[inline(always)]
fn enter(thread: &'static Thread, task: &'static ImplicitTask, combined: Option<WorksharingLoop>) {
    let team = task.team();
    task.inherit_icvs();
    thread.set_implicit_task(task);
    task.begin_implicit();
    thread.go_to(task.place());
    emit::begin_records(None, Some(&task.ompt));
    thread.set_state(State::WorkParallel);
    emit::implicit_task_begin(
        team.record(),
        &task.ompt,
        team.size(),
        task.thread_num(),
        flags::TASK_IMPLICIT,
    );
    if affinity_format::is_displayed() {
        affinity_format::show(team, thread);
    }
    if let Some(description) = combined {
        thread.begin_loop_quietly(description);
    }
}

/// The primary thread waits until the region is over for everybody.
#[inline(always)]
fn join(thread: &'static Thread, task: &'static ImplicitTask, site: CallSite) -> IdleTeam {
    const KIND: SyncRegion = SyncRegion::BarrierImplicitParallel;
    let team = task.team();
    if team.size() != 1 {
        let region = Some(team.record());
        emit::sync_region(KIND, Endpoint::Begin, region, &task.ompt, site);
        emit::sync_region_wait(KIND, Endpoint::Begin, region, &task.ompt, site);
        thread.set_state(State::WaitBarrierImplicitParallel);
        meet(thread, task);
        thread.set_state(State::Overhead);
        emit::sync_region_wait(KIND, Endpoint::End, None, &task.ompt, site);
        emit::sync_region(KIND, Endpoint::End, None, &task.ompt, site);
    } else {
        meet(thread, task);
    }
    emit::implicit_task_end(&task.ompt, 0, flags::TASK_IMPLICIT);
    // SAFETY: the barrier that ends the region is passed, and the calling thread is the primary one.
    unsafe { IdleTeam::after_region(team) }
}

/// The region is over: the calling thread goes on with the task that encountered it.
#[inline(always)]
fn leave(
    thread: &'static Thread,
    outer: &'static ImplicitTask,
    encountering: &'static Task,
    mut idle: IdleTeam,
    kind: i32,
    site: CallSite,
) {
    let team = idle.team();
    if team.size() > 1 && team.group().is_limited() {
        team.group().give_back(team.size() - 1);
    }
    thread.set_implicit_task(outer);
    thread.set_task(encountering);
    if settings::resets_affinity() && team.level() == 1 {
        thread.reset_affinity();
    }
    if emit::wants_parallel_end() {
        report_end(thread, encountering, team, kind, site);
    }
    thread.set_state(idle.outer_state());
    outer.give_child_back(idle);
}

/// Keeps what a tool or a debugger may ask for, and lets the debugger stop.
#[cold]
#[inline(never)]
fn note_begin(thread: &Thread, idle: &IdleTeam, outlined: *const c_void, site: CallSite) {
    idle.note_code(site.return_address(), outlined);
    stops::parallel_begins(thread, idle.team());
}

#[cold]
#[inline(never)]
fn report_end(
    thread: &Thread,
    encountering: &Task,
    team: &'static Team,
    kind: i32,
    site: CallSite,
) {
    emit::parallel_end(&encountering.ompt, team.record(), kind, site);
    stops::parallel_ends(thread, team);
}

/// The life of a worker: wait at the dock, do what the order says.
pub(crate) fn work(native: Native) {
    let thread = native.thread();
    emit::thread_begin(&thread.ompt, ThreadKind::Worker);
    thread.set_state(State::Idle);
    if settings::get().icvs.bind_var == ProcBind::False {
        thread.report_binding(&settings::get().available);
    }
    let mut seen = Generation::FIRST;
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
        if order.code == QUIT {
            end_worker(native);
            // Release: pairs with the Acquire in `quit`; the thread's last event has been.
            QUITTING.fetch_sub(1, Release);
            return;
        }
        if order.code == QUIT_ALONE {
            // With us the process ends, if no idle worker of ours keeps it.
            if let Some((task, _)) = last {
                dismiss_workers(task);
            }
            quit(&pool::take_idle());
            end_worker(native);
            return;
        }
        let Some(member) = order.member else { unreachable!("an order names the member") };
        // SAFETY: the primary thread of the team released this one for the member.
        let task = unsafe { member.own() };
        let team = task.team();
        if team.size() > FAN_OUT + 1 {
            release(team, task.thread_num(), &order);
        }
        let combined = if order.code & COMBINED_LOOP != 0 { task.combined_loop() } else { None };
        last = Some((task, team.region_number()));
        enter(thread, task, combined);
        if is_active() {
            thread.come_back();
        }
        // SAFETY: the primary thread waits for us at the region's end.
        unsafe { call(&order, thread, task) };
        patience = team.patience();
        arrive(thread, task);
    }
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
fn arrive(thread: &'static Thread, task: &'static ImplicitTask) {
    const KIND: SyncRegion = SyncRegion::BarrierImplicitParallel;
    let team = task.team();
    let me = task.thread_num();
    let region = Some(team.record());
    // No call of user code led a worker here: tools know it by its region.
    let site = CallSite::none();
    emit::sync_region(KIND, Endpoint::Begin, region, &task.ompt, site);
    emit::sync_region_wait(KIND, Endpoint::Begin, region, &task.ompt, site);
    thread.set_state(State::WaitBarrierImplicitParallel);
    if emit::wants_region_end() {
        // The team may be prepared for its next region once the barrier is passed: what follows
        // uses this worker's own record, and a barrier that is kept (Team, Invariant 4). Only who
        // gives the worker's place away waits for the end of this.
        thread.ompt.is_reporting.store(true, Relaxed);
        meet(thread, task);
        emit::sync_region_wait(KIND, Endpoint::End, None, &task.ompt, site);
        emit::sync_region(KIND, Endpoint::End, None, &task.ompt, site);
        emit::implicit_task_end(&task.ompt, me, flags::TASK_IMPLICIT);
        thread.set_state(State::Idle);
        // Release: pairs with the Acquire in `Team::disband`.
        thread.ompt.is_reporting.store(false, Release);
        return;
    }
    let barrier = team.barrier();
    if is_active() {
        thread.leave_before(barrier.end(me as usize));
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
