//! A tool that keeps data of every thread, region and task, and finds out whether they are seen
//! when they are alive only. The test `examples` runs it.

use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use ompt::{
    Cancel, Data, Dependences, Dispatch, EntryPoints, Flush, ImplicitTask, Initialization, Live,
    Masked, MutexAcquire, NewTask, ParallelBegin, ParallelEnd, SyncRegion, TaskCreate,
    TaskSchedule, ThreadBegin, ThreadEnd, Tool, Typed, Work,
};

const ALIVE: u64 = 0x0123_4567_89AB_CDEF;

/// Marked while it is alive.
struct Marked<const KIND: usize>(AtomicU64);

/// How many of each kind are alive, and how many there were.
static NOW: [AtomicI64; 3] = [const { AtomicI64::new(0) }; 3];
static EVER: [AtomicI64; 3] = [const { AtomicI64::new(0) }; 3];

impl<const KIND: usize> Marked<KIND> {
    fn new() -> Self {
        NOW[KIND].fetch_add(1, Ordering::Relaxed);
        EVER[KIND].fetch_add(1, Ordering::Relaxed);
        Self(AtomicU64::new(ALIVE))
    }

    fn look(&self) {
        assert_eq!(self.0.load(Ordering::Relaxed), ALIVE, "data of kind {KIND} after their end");
    }
}

impl<const KIND: usize> Drop for Marked<KIND> {
    fn drop(&mut self) {
        self.look();
        self.0.store(0, Ordering::Relaxed);
        NOW[KIND].fetch_sub(1, Ordering::Relaxed);
    }
}

struct OfThread {
    mark: Marked<0>,
    events: Cell<u64>,
}

struct Watcher {
    entry_points: EntryPoints<Typed<Self>>,
    /// The tool ends itself with the event of this number, wherever that is; 0 for never.
    last: u64,
    events: AtomicU64,
}

#[ompt::tool]
impl Data for Watcher {
    type Thread = OfThread;
    type Region = Marked<1>;
    type Task = Marked<2>;

    fn new_thread(&self, _: &ThreadBegin<'_, Typed<Self>>) -> OfThread {
        OfThread { mark: Marked::new(), events: Cell::new(0) }
    }

    fn new_region(&self, _: &ParallelBegin<'_, Typed<Self>>) -> Marked<1> {
        Marked::new()
    }

    fn new_task(&self, _: &NewTask<'_, Self>) -> Marked<2> {
        Marked::new()
    }
}

impl Watcher {
    /// Looks at what an event shows and at what the entry points show.
    fn see(&self, region: Option<Live<'_, Marked<1>>>, task: Option<Live<'_, Marked<2>>>) {
        if let Some(region) = region {
            region.look();
        }
        if let Some(task) = task {
            task.look();
        }
        self.entry_points.task_data(|task| task.look());
        self.entry_points.region_data(|region| region.look());
        self.entry_points.thread_data(|thread| {
            thread.mark.look();
            thread.events.set(thread.events.get() + 1);
            if self.events.fetch_add(1, Ordering::Relaxed) + 1 == self.last {
                self.entry_points.end_tool();
                thread.mark.look();
            }
        });
        if let Some(region) = region {
            region.look();
        }
        if let Some(task) = task {
            task.look();
        }
    }
}

#[ompt::tool]
impl Tool for Watcher {
    type Model = Typed<Self>;

    fn initialize(initialization: &Initialization<Typed<Self>>) -> Option<Self> {
        let last = std::env::var("LIVE_DATA_LAST").map_or(0, |last| last.parse().unwrap_or(0));
        let entry_points = initialization.entry_points;
        Some(Self { entry_points, last, events: AtomicU64::new(0) })
    }

    fn thread_end(&self, _: &ThreadEnd<'_, Typed<Self>>) {
        self.see(None, None);
    }

    fn parallel_begin(&self, event: &ParallelBegin<'_, Typed<Self>>) {
        self.see(event.parallel, event.encountering_task);
    }

    fn parallel_end(&self, event: &ParallelEnd<'_, Typed<Self>>) {
        self.see(event.parallel, event.encountering_task);
    }

    fn implicit_task(&self, event: &ImplicitTask<'_, Typed<Self>>) {
        self.see(event.parallel, event.task);
    }

    fn work(&self, event: &Work<'_, Typed<Self>>) {
        self.see(event.parallel, event.task);
    }

    fn dispatch(&self, event: &Dispatch<'_, Typed<Self>>) {
        self.see(event.parallel, event.task);
    }

    fn masked(&self, event: &Masked<'_, Typed<Self>>) {
        self.see(event.parallel, event.task);
    }

    fn sync_region(&self, event: &SyncRegion<'_, Typed<Self>>) {
        self.see(event.parallel, event.task);
    }

    fn sync_region_wait(&self, event: &SyncRegion<'_, Typed<Self>>) {
        self.see(event.parallel, event.task);
    }

    fn reduction(&self, event: &SyncRegion<'_, Typed<Self>>) {
        self.see(event.parallel, event.task);
    }

    fn task_create(&self, event: &TaskCreate<'_, Typed<Self>>) {
        self.see(None, event.task);
        self.see(None, event.encountering_task);
    }

    fn dependences(&self, event: &Dependences<'_, Typed<Self>>) {
        self.see(None, event.task);
    }

    fn task_schedule(&self, event: &TaskSchedule<'_, Typed<Self>>) {
        self.see(None, event.prior);
        self.see(None, event.next);
    }

    fn cancel(&self, event: &Cancel<'_, Typed<Self>>) {
        self.see(None, event.task);
    }

    fn flush(&self, _: &Flush<'_, Typed<Self>>) {
        self.see(None, None);
    }

    fn mutex_acquire(&self, _: &MutexAcquire) {
        self.see(None, None);
    }

    fn finalize(&self) {
        let counts = |of: &[AtomicI64; 3]| of.each_ref().map(|count| count.load(Ordering::Relaxed));
        let ([threads, regions, tasks], left) = (counts(&EVER), counts(&NOW));
        eprintln!("threads {threads} regions {regions} tasks {tasks} left {left:?}");
    }
}

ompt::ompt_tool!(Watcher);
