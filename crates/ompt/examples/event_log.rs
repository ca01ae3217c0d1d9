//! A whole tool: a line on stderr for each event, with names, flags and states.
//!
//! ```text
//! cargo build --release -p ompt --example event_log
//! OMP_TOOL_LIBRARIES=target/release/examples/libevent_log.so ./program
//! ```
//!
//! Regions and tasks are numbered in their data words.

use std::sync::atomic::{AtomicU64, Ordering};

use ompt::{
    DataWord, Dispatch, Endpoint, EntryPoints, ImplicitTask, Initialization, ParallelBegin,
    ParallelEnd, SyncRegion, TaskCreate, TaskSchedule, ThreadBegin, ThreadEnd, Tool, Work,
};

struct EventLog {
    entry_points: EntryPoints,
    /// The last number given to a thread, a region or a task.
    last: AtomicU64,
}

impl EventLog {
    /// Numbers an object that begins.
    fn number(&self, word: Option<&DataWord>) {
        if let Some(word) = word {
            word.set(self.last.fetch_add(1, Ordering::Relaxed) + 1);
        }
    }

    fn line(&self, text: &str) {
        let thread = self.entry_points.thread_data(DataWord::get).unwrap_or(0);
        eprintln!("thread {thread} {}: {text}", self.entry_points.state());
    }
}

/// The number of an object; 0 if its begin was not seen.
fn of(word: Option<&DataWord>) -> u64 {
    word.map_or(0, DataWord::get)
}

#[ompt::tool]
impl Tool for EventLog {
    fn initialize(initialization: &Initialization) -> Option<Self> {
        eprintln!("runtime {:?}", initialization.runtime.version);
        Some(Self { entry_points: initialization.entry_points, last: AtomicU64::new(0) })
    }

    fn thread_begin(&self, event: &ThreadBegin<'_>) {
        self.number(event.thread);
        self.line(&format!("thread_begin {}", event.kind));
    }

    fn thread_end(&self, _: &ThreadEnd<'_>) {
        self.line("thread_end");
    }

    fn parallel_begin(&self, event: &ParallelBegin<'_>) {
        self.number(event.parallel);
        let (region, threads) = (of(event.parallel), event.requested_parallelism);
        self.line(&format!("parallel_begin {region} of {threads}, {}", event.flags));
    }

    fn parallel_end(&self, event: &ParallelEnd<'_>) {
        self.line(&format!("parallel_end {} at {}", of(event.parallel), event.codeptr_ra));
    }

    fn implicit_task(&self, event: &ImplicitTask<'_>) {
        if event.endpoint == Endpoint::Begin {
            self.number(event.task);
        }
        let (task, index) = (of(event.task), event.index);
        self.line(&format!("implicit_task {} {task} #{index}, {}", event.endpoint, event.flags));
    }

    fn work(&self, event: &Work<'_>) {
        self.line(&format!("work {} {}, {}", event.kind, event.endpoint, event.count));
    }

    fn dispatch(&self, event: &Dispatch<'_>) {
        self.line(&format!("dispatch {:?}", event.instance));
    }

    fn sync_region(&self, event: &SyncRegion<'_>) {
        self.line(&format!("sync_region {} {}", event.kind, event.endpoint));
    }

    fn task_create(&self, event: &TaskCreate<'_>) {
        self.number(event.task);
        self.line(&format!("task_create {}, {}", of(event.task), event.flags));
    }

    fn task_schedule(&self, event: &TaskSchedule<'_>) {
        let (prior, next) = (of(event.prior), of(event.next));
        self.line(&format!("task_schedule {prior} {} {next}", event.status));
    }
}

ompt::ompt_tool!(EventLog);
