//! The stream of events, heard by a listener of the tests: events that OpenMP 5 has no callback
//! for, and the contexts in which events are raised.

mod idle;
mod mutexes;
mod tasks;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use oxomp_base::os;
use oxomp_protocol::yield_now;

use crate::block::Thread;
use crate::ompt::event::{
    ACTIVE, Event, Hear, Listener, Mask, State, TaskRecord, set_mask, set_tool,
};
use crate::parallel;
use crate::pool;

/// An event that a thread has heard.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Heard {
    /// The kernel's id of the thread.
    thread: i32,
    /// The event and its arguments, without addresses.
    text: String,
    /// The address of the task, mutex or code that the event tells.
    about: usize,
    /// The record of the thread's current task.
    current: usize,
    state: State,
    waits_for_nest_lock: bool,
    wait_id: u64,
}

static HEARD: Mutex<Vec<Heard>> = Mutex::new(Vec::new());

/// The events are those of the whole process: one test listens at a time.
static LISTENING: Mutex<()> = Mutex::new(());

fn address<T>(record: &T) -> usize {
    core::ptr::from_ref(record).addr()
}

struct Record;

impl Hear for Record {
    fn hear(event: &Event<'_>) {
        let (text, about) = match *event {
            Event::ThreadBegin { kind, .. } => (format!("thread_begin {kind:?}"), 0),
            Event::ThreadEnd { kind, .. } => (format!("thread_end {kind:?}"), 0),
            Event::Idle { endpoint, .. } => (format!("idle {endpoint:?}"), 0),
            Event::ParallelBegin { outlined, .. } => ("parallel_begin".to_owned(), outlined.addr()),
            Event::ImplicitTaskBegin { .. } => ("implicit_task Begin".to_owned(), 0),
            Event::ImplicitTaskEnd { .. } => ("implicit_task End".to_owned(), 0),
            Event::SyncRegion { endpoint, .. } => (format!("sync_region {endpoint:?}"), 0),
            Event::SyncRegionWait { endpoint, .. } => (format!("sync_region_wait {endpoint:?}"), 0),
            Event::TaskCreate { outlined, .. } => ("task_create".to_owned(), outlined.addr()),
            Event::TaskSchedule { prior, status, next } => match next {
                Some(next) => (format!("task_schedule {status:?} next"), address(next)),
                None => (format!("task_schedule {status:?}"), address(prior)),
            },
            Event::TaskSuspend { task } => ("task_suspend".to_owned(), address(task)),
            Event::TaskEnd { task } => ("task_end".to_owned(), address(task)),
            Event::MutexAcquire { kind, .. } => (format!("mutex_acquire {kind:?}"), 0),
            Event::MutexWait { kind, hint, wait_id, .. } => {
                (format!("mutex_wait {kind:?} {hint}"), wait_id as usize)
            }
            Event::MutexAcquired { kind, .. } => (format!("mutex_acquired {kind:?}"), 0),
            Event::Cancel { task, .. } => ("cancel".to_owned(), address(task)),
            _ => return,
        };
        let Some(thread) = Thread::known() else { return };
        let heard = Heard {
            thread: os::thread_id(),
            text,
            about,
            current: thread.task_if_any().map_or(0, |task| address::<TaskRecord>(&task.ompt)),
            state: thread.state(),
            waits_for_nest_lock: thread.ompt.waits_for_nest_lock.get(),
            wait_id: thread.ompt.wait_id.get(),
        };
        all().push(heard);
    }
}

static RECORD: Listener = Listener::of::<Record>();

fn all() -> MutexGuard<'static, Vec<Heard>> {
    HEARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The test hears events until this value is dropped.
struct Listening(#[expect(dead_code, reason = "held until the drop")] MutexGuard<'static, ()>);

impl Listening {
    /// Listens to `events`, on this thread and on all others.
    fn to(events: Mask) -> Self {
        let guard = LISTENING.lock().unwrap_or_else(PoisonError::into_inner);
        // Starts the runtime, which has no tool here.
        Thread::current();
        all().clear();
        set_tool(&RECORD);
        set_mask(ACTIVE | events);
        Listening(guard)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        set_mask(0);
        end_workers();
    }
}

/// Ends the workers that roots have left, so that the next test has new ones.
fn end_workers() {
    parallel::quit(&pool::take_idle());
}

/// Waits until `condition` holds of what has been heard; panics if it does not within a minute.
fn await_heard(condition: impl Fn(&[Heard]) -> bool) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while !condition(&all()) {
        assert!(Instant::now() < deadline, "not heard in time; heard: {:#?}", all());
        yield_now();
    }
}

/// The events of the native thread `thread`, in order.
fn of_thread(thread: i32) -> Vec<Heard> {
    all().iter().filter(|heard| heard.thread == thread).cloned().collect()
}

fn texts(events: &[Heard]) -> Vec<&str> {
    events.iter().map(|heard| heard.text.as_str()).collect()
}
