//! What is under way when a tool is attached (`oxomp_sys::under_way`): the regions that a thread is
//! in when the tool first hears of it, and the data words of tasks that are older than the tool's
//! session.
//!
//! Constructs that begin without a listener keep nothing for a tool. What is told here the blocks
//! have anyway: a thread's implicit tasks, the sizes of their teams, the barriers that are over,
//! and the frames from which the runtime has called outlined functions.

use core::ffi::{c_int, c_void};
use core::mem::transmute;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicPtr, AtomicU64};

use oxomp_sys::ompt::ompt_state_t;
use oxomp_sys::under_way::{OXOMP_UNDER_WAY_LEVELS, oxomp_region_under_way_t, oxomp_under_way_t};

use super::encoder_5x::parallel_data;
use super::request::request;
use super::running_callbacks::RunningCallback;
use crate::block::{ImplicitTask, Shared, Thread};
use crate::ompt::event::{Endpoint, Event, Mask, State, SyncRegion, TaskRecord, UNDER_WAY, flags};

/// The function of the tool that has asked for what is under way; null for none.
static TELL: AtomicPtr<c_void> = AtomicPtr::new(ptr::null_mut());
/// The tool's data word of explicit tasks that were generated before its session.
static TASK: AtomicU64 = AtomicU64::new(0);

/// `oxomp_hear_under_way`: 0 for a tool that is not being attached.
pub(super) extern "C" fn hear_under_way(tell: Option<oxomp_under_way_t>, task: u64) -> c_int {
    if request().is_none() {
        return 0;
    }
    TASK.store(task, Relaxed);
    TELL.store(tell.map_or(ptr::null_mut(), |tell| tell as *mut c_void), Release);
    1
}

/// The tool has ended: the next one is told of nothing before it asks.
pub(super) fn forget() {
    TELL.store(ptr::null_mut(), Release);
}

fn function() -> Option<oxomp_under_way_t> {
    let tell = TELL.load(Acquire);
    // SAFETY: null, or the function that `hear_under_way` was given.
    (!tell.is_null()).then(|| unsafe { transmute::<*mut c_void, oxomp_under_way_t>(tell) })
}

/// Whether the tool wants to hear what is under way.
pub(super) fn is_heard() -> bool {
    !TELL.load(Relaxed).is_null()
}

/// The part of the set of events that makes constructs which have begun silently report their ends.
pub(super) fn mask() -> Mask {
    if is_heard() { UNDER_WAY } else { 0 }
}

/// Whether the thread waits at the end of a region that has begun without a listener, or executes a
/// task meanwhile that has begun without one.
pub(super) fn is_leaving(thread: &Thread) -> bool {
    let state = thread.ompt.state.get();
    matches!(state, State::WaitBarrierImplicitParallel | State::WaitBarrierTeams | State::Idle)
}

/// A region that a thread is in, or one around it.
#[derive(Clone, Copy)]
struct Level {
    /// The member of the region's team that the thread is, or in which the next region has begun.
    member: Shared<ImplicitTask>,
    is_in: bool,
    outer_threads: u32,
}

/// The regions that a thread is in, and those around them, the innermost first.
pub(super) struct Regions {
    levels: [Option<Level>; OXOMP_UNDER_WAY_LEVELS],
    count: usize,
}

impl Regions {
    /// The regions that the calling thread is in; `None` if it is in no region, or in a league.
    pub(super) fn of(thread: &Thread) -> Option<Self> {
        let mut levels = [None; OXOMP_UNDER_WAY_LEVELS];
        let mut count = 0;
        let mut next = thread.implicit_task_if_any().map(ImplicitTask::shared);
        let mut is_in = true;
        while let Some(member) = next {
            let team = member.team();
            if team.is_of_league() || team.league_size().is_some() {
                return None;
            }
            let Some(parent) = team.parent() else { break };
            // The team of an initial task that executes a target region is no region of threads.
            if !team.is_of_target_region() {
                for inner in levels.iter_mut().flatten() {
                    let Level { outer_threads, .. } = inner;
                    *outer_threads = outer_threads.saturating_mul(team.size());
                }
                if count < levels.len() {
                    levels[count] = Some(Level { member, is_in, outer_threads: 1 });
                    count += 1;
                }
                // A worker of the region is not in those around it.
                is_in &= member.thread_num() == 0;
            }
            next = Some(parent);
        }
        (count > 0).then_some(Regions { levels, count })
    }

    /// Tells the tool of the regions, on their thread, before the event `first`.
    #[cold]
    pub(super) fn tell(&self, thread: &Thread, first: &Event<'_>) {
        let _running = RunningCallback::enter();
        let Some(tell) = function() else { return };
        let state = thread.ompt.state.get();
        let mut told = [NO_REGION; OXOMP_UNDER_WAY_LEVELS];
        let levels = self.levels[..self.count].iter().rev().flatten();
        for (place, level) in told.iter_mut().zip(levels) {
            *place = level.facts();
        }
        let innermost = &mut told[self.count - 1];
        if SyncRegion::of_barrier(state).is_some() && !ends_wait(first) {
            // It has arrived at the barrier that is not over.
            innermost.barriers = innermost.barriers.wrapping_add(1);
        }
        let in_task = match *first {
            // The thread has just left the prior task.
            Event::TaskSchedule { prior, .. } => is_explicit(prior),
            _ => thread.task_if_any().is_some_and(|task| task.is_explicit()),
        };
        // SAFETY: the tool's own function, with as many regions as it is told.
        unsafe {
            tell(
                told.as_ptr(),
                self.count as u32,
                ompt_state_t(state as c_int),
                c_int::from(in_task),
            );
        }
    }
}

const NO_REGION: oxomp_region_under_way_t = oxomp_region_under_way_t {
    region: ptr::null(),
    exit_frame: ptr::null(),
    outer_exit_frame: ptr::null(),
    is_in: 0,
    team_size: 0,
    thread_num: 0,
    barriers: 0,
    outer_threads: 0,
};

impl Level {
    fn facts(&self) -> oxomp_region_under_way_t {
        let Level { member, is_in, outer_threads } = *self;
        let team = member.team();
        let me = member.thread_num();
        let exit_frame = |task: &TaskRecord| task.frame.exit.get().cast_const();
        let encountering = team.encountering().map(|task| exit_frame(task.ompt()));
        // A team of one thread has no barrier that others know of.
        let has_barrier = is_in && team.size() > 1;
        oxomp_region_under_way_t {
            region: parallel_data(team.record()).cast_const().cast(),
            exit_frame: exit_frame(team.member(0).task().ompt()),
            outer_exit_frame: encountering.unwrap_or(ptr::null()),
            is_in: u32::from(is_in),
            team_size: team.size(),
            thread_num: if is_in { me } else { 0 },
            barriers: if has_barrier { team.barrier().passed(me as usize) } else { 0 },
            outer_threads,
        }
    }
}

/// Whether the event is the end of a wait: the barrier of the thread's state is over then.
fn ends_wait(event: &Event<'_>) -> bool {
    matches!(event, Event::SyncRegionWait { endpoint: Endpoint::End, .. })
}

/// Whether the task is explicit. The flags of an explicit task that was generated silently say no
/// kind.
fn is_explicit(task: &TaskRecord) -> bool {
    task.flags.get() & (flags::TASK_IMPLICIT | flags::TASK_INITIAL) == 0
}

/// Gives the tasks of the event, which the tool hears in the session of that number, the data words
/// of tasks that are older than the session, if they are.
pub(super) fn adopt_tasks(event: &Event<'_>, session: u32) {
    let adopt = |task: &TaskRecord| {
        if task.session.get() != session {
            task.session.set(session);
            task.data.set(if is_explicit(task) { TASK.load(Relaxed) } else { 0 });
        }
    };
    match *event {
        Event::TaskCreate { encountering, task, .. } => {
            adopt(encountering);
            task.session.set(session);
        }
        Event::ImplicitTaskBegin { task, .. } => task.session.set(session),
        Event::ParallelBegin { encountering, .. } => adopt(encountering),
        Event::TaskSchedule { prior, next, .. } => {
            adopt(prior);
            next.into_iter().for_each(adopt);
        }
        Event::TaskDependence { source, sink } => {
            adopt(source);
            adopt(sink);
        }
        Event::Dependences { task, .. } | Event::Cancel { task, .. } => adopt(task),
        _ => {}
    }
}
