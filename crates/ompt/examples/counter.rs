//! A whole tool: how often each construct ran, for the process and for each thread.
//!
//! ```text
//! cargo build --release -p ompt --example counter
//! OMP_TOOL_LIBRARIES=target/release/examples/libcounter.so ./program
//! ```
//!
//! Each thread counts in data of its own, so that nothing is shared or locked when an event comes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ompt::{
    Data, Endpoint, EntryPoints, Initialization, MutexKind, ParallelBegin, Registration,
    SyncRegion, TaskCreate, ThreadBegin, Tool, Typed, Work,
};

const NAMES: [&str; 5] = ["regions", "tasks", "work", "barriers", "criticals"];

/// The counts of one thread. Only that thread writes; `finalize` reads.
#[derive(Default)]
struct Counts([AtomicU64; NAMES.len()]);

struct Counter {
    entry_points: EntryPoints<Typed<Self>>,
    threads: Mutex<Vec<Arc<Counts>>>,
}

#[ompt::tool]
impl Data for Counter {
    type Thread = Arc<Counts>;

    fn new_thread(&self, _: &ThreadBegin<'_, Typed<Self>>) -> Arc<Counts> {
        let counts = Arc::<Counts>::default();
        self.threads.lock().expect("no holder panics").push(Arc::clone(&counts));
        counts
    }
}

impl Counter {
    fn count(&self, what: usize) {
        self.entry_points.thread_data(|thread| {
            let count = &thread.0[what];
            count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        });
    }
}

#[ompt::tool]
impl Tool for Counter {
    type Model = Typed<Self>;

    fn initialize(initialization: &Initialization<Typed<Self>>) -> Option<Self> {
        let entry_points = initialization.entry_points;
        Some(Self { entry_points, threads: Mutex::new(Vec::new()) })
    }

    fn registered(&self, registration: &Registration) {
        let (refused, partial) = (registration.refused(), registration.partial());
        eprintln!("counter: never counted: {refused:?}, partly counted: {partial:?}");
    }

    fn parallel_begin(&self, _: &ParallelBegin<'_, Typed<Self>>) {
        self.count(0);
    }

    fn task_create(&self, _: &TaskCreate<'_, Typed<Self>>) {
        self.count(1);
    }

    fn work(&self, event: &Work<'_, Typed<Self>>) {
        if event.endpoint == Endpoint::Begin {
            self.count(2);
        }
    }

    fn sync_region(&self, event: &SyncRegion<'_, Typed<Self>>) {
        if event.endpoint == Endpoint::Begin && event.kind.is_barrier() {
            self.count(3);
        }
    }

    fn mutex_acquired(&self, event: &ompt::Mutex) {
        if event.kind == MutexKind::Critical {
            self.count(4);
        }
    }

    fn finalize(&self) {
        let threads = self.threads.lock().expect("no holder panics");
        for (what, name) in NAMES.iter().enumerate() {
            let counts = threads.iter().map(|thread| thread.0[what].load(Ordering::Relaxed));
            let counts: Vec<u64> = counts.collect();
            eprintln!("counter: {name} {} {counts:?}", counts.iter().sum::<u64>());
        }
    }
}

ompt::ompt_tool!(Counter);
