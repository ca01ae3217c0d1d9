//! A whole tool of the 2015 report: how long each thread was idle, waited at barriers and waited
//! for mutexes, and how often the release of a mutex ended the wait of others.
//!
//! ```text
//! cargo build --release -p ompt --example waiting
//! OMP_TOOL_LIBRARIES=target/release/examples/libwaiting.so ./program
//! ```

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex as StdMutex;
use std::time::{Duration, Instant};

use ompt::report_2015::{
    EntryPoints, Idle, Initialization, Lock, Mutex, Region, ThreadId, Tool, WaitId,
};

/// The sums of a thread.
#[derive(Clone, Copy, Default)]
struct Sums {
    idle: Duration,
    barriers: Duration,
    mutexes: Duration,
    /// Releases of mutexes for which others waited.
    blamed: u64,
}

#[derive(Default)]
struct State {
    threads: BTreeMap<Option<ThreadId>, Sums>,
    /// How many threads wait for each mutex.
    waiting: HashMap<Option<WaitId>, u64>,
}

// The interface keeps no data of tools, so a thread keeps its own.
std::thread_local! {
    static SINCE: Cell<Option<Instant>> = const { Cell::new(None) };
}

struct Waiting {
    entry_points: EntryPoints,
    state: StdMutex<State>,
}

impl Waiting {
    fn begin() {
        SINCE.set(Some(Instant::now()));
    }

    /// Adds the time since the begin to the calling thread's sums.
    fn end(&self, sum: impl FnOnce(&mut Sums) -> &mut Duration) {
        if let Some(since) = SINCE.take() {
            let mut state = self.state.lock().expect("no holder panics");
            let sums = state.threads.entry(self.entry_points.thread_id()).or_default();
            *sum(sums) += since.elapsed();
        }
    }

    fn wait(&self, mutex: Option<WaitId>) {
        Self::begin();
        *self.state.lock().expect("no holder panics").waiting.entry(mutex).or_default() += 1;
    }

    fn acquired(&self, mutex: Option<WaitId>) {
        // The time has begun only if the thread has waited.
        if SINCE.get().is_some() {
            self.end(|sums| &mut sums.mutexes);
            let mut state = self.state.lock().expect("no holder panics");
            *state.waiting.entry(mutex).or_insert(1) -= 1;
        }
    }

    fn released(&self, mutex: Option<WaitId>) {
        let mut state = self.state.lock().expect("no holder panics");
        if state.waiting.get(&mutex).is_some_and(|count| *count > 0) {
            state.threads.entry(self.entry_points.thread_id()).or_default().blamed += 1;
        }
    }
}

#[ompt::report_2015::tool]
impl Tool for Waiting {
    fn initialize(initialization: &Initialization) -> Option<Self> {
        Some(Self { entry_points: initialization.entry_points, state: StdMutex::default() })
    }

    fn idle_begin(&self, _: &Idle) {
        Self::begin();
    }

    fn idle_end(&self, _: &Idle) {
        self.end(|sums| &mut sums.idle);
    }

    fn wait_barrier_begin(&self, _: &Region) {
        Self::begin();
    }

    fn wait_barrier_end(&self, _: &Region) {
        self.end(|sums| &mut sums.barriers);
    }

    fn wait_critical(&self, event: &Lock) {
        self.wait(event.wait_id);
    }

    fn acquired_critical(&self, event: &Mutex) {
        self.acquired(event.wait_id);
    }

    fn release_critical(&self, event: &Mutex) {
        self.released(event.wait_id);
    }

    fn wait_lock(&self, event: &Mutex) {
        self.wait(event.wait_id);
    }

    fn acquired_lock(&self, event: &Mutex) {
        self.acquired(event.wait_id);
    }

    fn release_lock(&self, event: &Mutex) {
        self.released(event.wait_id);
    }

    fn runtime_shutdown(&self) {
        let state = self.state.lock().expect("no holder panics");
        for (thread, sums) in &state.threads {
            let name = thread.map_or("unknown".to_owned(), |thread| thread.to_string());
            let Sums { idle, barriers, mutexes, blamed } = sums;
            eprintln!(
                "thread {name}: idle {idle:?}, at barriers {barriers:?}, for mutexes {mutexes:?}, \
                 blamed {blamed} times"
            );
        }
    }
}

ompt::report_2015::ompt_tool!(Waiting);
