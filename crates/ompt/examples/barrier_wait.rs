//! A whole tool: how long each thread waited in barriers.
//!
//! ```text
//! cargo build --release -p ompt --example barrier_wait
//! OMP_TOOL_LIBRARIES=target/release/examples/libbarrier_wait.so ./program
//! ```
//!
//! A thread's sums lie behind the thread's data word, so that nothing is shared, locked or looked
//! up: the pattern for tools that must not disturb what they measure. (A runtime that reports the
//! end of a region's last barrier late, as libomp does, has the idle time until then in the sum.)

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use ompt::{Endpoint, EntryPoints, Initialization, SyncRegion, SyncRegionKind, ThreadBegin, Tool};

/// What is summed for one thread. Only that thread writes; `finalize` reads.
#[derive(Default)]
struct Waits {
    /// When the present wait began, in ns since the start of the tool.
    began: AtomicU64,
    total_ns: AtomicU64,
    count: AtomicU64,
}

struct BarrierWait {
    entry_points: EntryPoints,
    started: Instant,
    /// Every thread's sums, in the order of the threads' begins; they stay until the end.
    threads: Mutex<Vec<&'static Waits>>,
}

impl BarrierWait {
    fn now(&self) -> u64 {
        self.started.elapsed().as_nanos() as u64
    }
}

#[ompt::tool]
impl Tool for BarrierWait {
    fn initialize(initialization: &Initialization) -> Option<Self> {
        Some(Self {
            entry_points: initialization.entry_points,
            started: Instant::now(),
            threads: Mutex::new(Vec::new()),
        })
    }

    fn thread_begin(&self, event: &ThreadBegin<'_>) {
        let waits: &'static Waits = Box::leak(Box::default());
        if let Some(word) = event.thread {
            word.set_ptr(std::ptr::from_ref(waits).cast_mut());
        }
        self.threads.lock().expect("no holder panics").push(waits);
    }

    fn sync_region_wait(&self, event: &SyncRegion<'_>) {
        if matches!(event.kind, SyncRegionKind::Taskwait | SyncRegionKind::Taskgroup) {
            return;
        }
        let now = self.now();
        self.entry_points.thread_data(|word| {
            // SAFETY: the word is null, or `thread_begin` stored sums that are never freed.
            let Some(waits) = (unsafe { word.ptr::<Waits>().as_ref() }) else { return };
            if event.endpoint == Endpoint::Begin {
                waits.began.store(now, Ordering::Relaxed);
                return;
            }
            let wait = now - waits.began.load(Ordering::Relaxed);
            waits.total_ns.store(waits.total_ns.load(Ordering::Relaxed) + wait, Ordering::Relaxed);
            waits.count.store(waits.count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        });
    }

    fn finalize(&self) {
        for (thread, waits) in self.threads.lock().expect("no holder panics").iter().enumerate() {
            let total_ms = waits.total_ns.load(Ordering::Relaxed) as f64 / 1e6;
            let count = waits.count.load(Ordering::Relaxed);
            eprintln!("thread {thread}: waited {count} times in barriers, {total_ms:.3} ms in all");
        }
    }
}

ompt::ompt_tool!(BarrierWait);
