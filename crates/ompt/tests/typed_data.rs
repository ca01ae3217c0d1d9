//! Data of the tool's own types: made, shown and ended where the objects are.

mod fake;

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;

use fake::Word;
use ompt::{
    Data, EntryPoints, Event, ImplicitTask, Initialization, NewTask, ParallelBegin, ParallelEnd,
    SetResult, SyncRegion, TaskSchedule, ThreadBegin, ThreadEnd, Tool, Typed,
};
use oxomp_sys::ompt::{ompt_task_flag_t, ompt_task_status_t};

static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

static ENTRY_POINTS: OnceLock<EntryPoints<Typed<Typist>>> = OnceLock::new();

fn entry_points() -> EntryPoints<Typed<Typist>> {
    *ENTRY_POINTS.get().expect("the tool has started")
}

fn note(text: impl Into<String>) {
    NOTES.lock().unwrap().push(text.into());
}

fn take_notes() -> Vec<String> {
    std::mem::take(&mut NOTES.lock().unwrap())
}

struct Typist {
    entry_points: EntryPoints<Typed<Self>>,
    tasks: AtomicU32,
}

/// Data that only their own thread may see.
struct OfThread {
    events: Cell<u32>,
    not_sync: std::rc::Rc<()>,
}

struct OfRegion {
    name: &'static str,
}

struct OfTask {
    number: u32,
}

impl Drop for OfRegion {
    fn drop(&mut self) {
        note(format!("drop region {}", self.name));
    }
}

#[ompt::tool]
impl Data for Typist {
    type Thread = OfThread;
    type Region = OfRegion;
    type Task = OfTask;

    fn new_thread(&self, event: &ThreadBegin<'_, Typed<Self>>) -> OfThread {
        assert!(event.thread.is_none(), "not made yet");
        OfThread { events: Cell::new(0), not_sync: std::rc::Rc::new(()) }
    }

    fn new_region(&self, event: &ParallelBegin<'_, Typed<Self>>) -> OfRegion {
        OfRegion { name: if event.encountering_task.is_some() { "inner" } else { "outer" } }
    }

    fn new_task(&self, event: &NewTask<'_, Self>) -> OfTask {
        let number = self.tasks.fetch_add(1, Ordering::Relaxed);
        let kind = match event {
            NewTask::Implicit(task) => task.parallel.map_or("initial", |region| region.get().name),
            NewTask::Created(_) => "created",
        };
        note(format!("new task {number} {kind}"));
        OfTask { number }
    }

    fn end_thread(&self, data: OfThread) {
        assert_eq!(std::rc::Rc::strong_count(&data.not_sync), 1);
        note(format!("end thread after {} events", data.events.get()));
    }

    fn end_task(&self, data: OfTask) {
        note(format!("end task {}", data.number));
    }
}

impl Typist {
    fn count(&self) {
        self.entry_points.thread_data(|thread| thread.events.set(thread.events.get() + 1));
    }
}

#[ompt::tool]
impl Tool for Typist {
    type Model = Typed<Self>;

    fn initialize(initialization: &Initialization<Typed<Self>>) -> Option<Self> {
        ENTRY_POINTS.set(initialization.entry_points).expect("one start");
        Some(Self { entry_points: initialization.entry_points, tasks: AtomicU32::new(0) })
    }

    fn thread_begin(&self, event: &ThreadBegin<'_, Typed<Self>>) {
        assert_eq!(event.thread.expect("just made").events.get(), 0);
    }

    fn thread_end(&self, event: &ThreadEnd<'_, Typed<Self>>) {
        if event.thread.is_none() {
            note("end of a thread without data here");
        }
    }

    fn implicit_task(&self, event: &ImplicitTask<'_, Typed<Self>>) {
        self.count();
        let task = event.task.expect("data of each task").number;
        note(format!(
            "{} {task} in {:?}",
            event.endpoint,
            event.parallel.map(|data| data.get().name)
        ));
    }

    fn sync_region(&self, event: &SyncRegion<'_, Typed<Self>>) {
        self.count();
        let region = event.parallel.expect("the region's data outlive its word").get().name;
        let task = event.task.expect("the task").number;
        note(format!("barrier {region} {task}"));
        let same = self.entry_points.region_data(|region| region.name);
        assert_eq!(same, Some(region));
        assert_eq!(self.entry_points.task_data(|data| data.number), Some(task));
    }

    fn task_schedule(&self, event: &TaskSchedule<'_, Typed<Self>>) {
        let number = |task: Option<ompt::Live<'_, OfTask>>| task.map(|task| task.number);
        note(format!("{} {:?} {:?}", event.status, number(event.prior), number(event.next)));
    }

    fn parallel_end(&self, event: &ParallelEnd<'_, Typed<Self>>) {
        note(format!("parallel_end {:?}", event.parallel.map(|data| data.get().name)));
        if self.entry_points.thread_data(|thread| thread.events.get()) == Some(1000) {
            self.entry_points.thread_data(|thread| {
                // SAFETY: the test's runtime allows it.
                unsafe { self.entry_points.finalize_tool() };
                // Still there, although the thread has ended below.
                assert_eq!(thread.events.get(), 1000);
                assert_eq!(std::rc::Rc::strong_count(&thread.not_sync), 1);
            });
            assert_eq!(self.entry_points.thread_data(|_| ()), None, "the tool has ended");
        }
    }

    fn finalize(&self) {
        note("finalize");
    }
}

ompt::ompt_tool!(Typist);

/// One test, since there is one tool.
#[test]
fn data_live_as_long_as_their_objects() {
    assert!(fake::run());
    assert!(!fake::registered().contains(&Event::WORK));
    assert!(fake::registered().contains(&Event::PARALLEL_BEGIN), "asked for by the data");
    let (own, initial) = (Word::new(), Word::new());
    fake::thread_begin(&own);
    fake::implicit_begin(Word::new().raw(), &initial);
    assert_eq!(take_notes(), ["new task 0 initial", "begin 0 in None"]);

    a_late_worker_keeps_its_region();
    a_task_ends_on_another_thread(&initial);
    a_detached_task_ends_once(&initial);
    tasks_without_an_end_event_leave_nothing(&initial);
    data_need_their_events();

    fake::implicit_end(&initial);
    assert_eq!(initial.value(), 0);
    thread::scope(|scope| {
        // A runtime that shuts down reports the end of another thread.
        scope.spawn(|| fake::thread_end(own.raw()));
    });
    assert_eq!(take_notes(), ["end 0 in None", "end task 0", "end of a thread without data here"]);
    a_callback_ends_the_tool();
}

fn a_late_worker_keeps_its_region() {
    let (region, tasks) = (Word::new(), [Word::new(), Word::new()]);
    fake::parallel_begin(&region);
    fake::implicit_begin(region.raw(), &tasks[0]);
    assert_eq!(take_notes(), ["new task 1 inner", "begin 1 in Some(\"inner\")"]);
    let (begun, ended) = (std::sync::Barrier::new(2), std::sync::Barrier::new(2));
    thread::scope(|scope| {
        scope.spawn(|| {
            let own = Word::new();
            fake::thread_begin(&own);
            fake::implicit_begin(region.raw(), &tasks[1]);
            begun.wait();
            ended.wait();
            fake::barrier_end(&tasks[1]);
            fake::implicit_end(&tasks[1]);
            fake::own_thread_end();
            assert_eq!((own.value(), tasks[1].value()), (0, 0));
        });
        begun.wait();
        fake::implicit_end(&tasks[0]);
        fake::parallel_end(&region);
        assert_eq!(region.value(), 0);
        assert_eq!(
            take_notes(),
            [
                "new task 2 inner",
                "begin 2 in Some(\"inner\")",
                "end 1 in Some(\"inner\")",
                "end task 1",
                "parallel_end Some(\"inner\")",
            ],
            "the region's data stay for the worker"
        );
        ended.wait();
    });
    assert_eq!(
        take_notes(),
        [
            "barrier inner 2",
            "end 2 in Some(\"inner\")",
            "end task 2",
            "drop region inner",
            "end thread after 3 events",
        ]
    );
}

fn a_task_ends_on_another_thread(encountering: &Word) {
    let task = Word::new();
    fake::execute(encountering);
    fake::task_create(&task, ompt_task_flag_t::EXPLICIT);
    thread::scope(|scope| {
        scope.spawn(|| {
            let implicit = Word::new();
            fake::task_schedule(&implicit, ompt_task_status_t::SWITCH, Some(&task));
            fake::task_schedule(&task, ompt_task_status_t::COMPLETE, Some(&implicit));
        });
    });
    assert_eq!(
        take_notes(),
        ["new task 3 created", "switch None Some(3)", "complete Some(3) None", "end task 3"]
    );
    assert_eq!(task.value(), 0);
}

fn a_detached_task_ends_once(initial: &Word) {
    let (early, late) = (Word::new(), Word::new());
    for task in [&early, &late] {
        fake::task_create(task, ompt_task_flag_t::EXPLICIT);
    }
    take_notes();
    fake::task_schedule(&early, ompt_task_status_t::EARLY_FULFILL, None);
    fake::task_schedule(&early, ompt_task_status_t::COMPLETE, Some(initial));
    assert_eq!(take_notes(), ["early_fulfill None None", "complete Some(4) Some(0)", "end task 4"]);
    fake::task_schedule(&late, ompt_task_status_t::DETACH, Some(initial));
    assert_eq!(take_notes(), ["detach Some(5) Some(0)"]);
    fake::task_schedule(&late, ompt_task_status_t::LATE_FULFILL, None);
    assert_eq!(take_notes(), ["late_fulfill None None", "end task 5"]);
    assert_eq!(late.value(), 0);
}

fn tasks_without_an_end_event_leave_nothing(initial: &Word) {
    let (merged, discarded, waiting) = (Word::new(), Word::new(), Word::new());
    fake::task_create(&merged, ompt_task_flag_t::EXPLICIT | ompt_task_flag_t::MERGED);
    assert_eq!((merged.value(), take_notes()), (0, vec![]));
    fake::task_create(&discarded, ompt_task_flag_t::EXPLICIT);
    fake::discard(&discarded);
    assert_eq!(take_notes(), ["new task 6 created", "end task 6"]);
    fake::task_create(&waiting, ompt_task_flag_t::TASKWAIT);
    fake::task_schedule(&waiting, ompt_task_status_t::TASKWAIT_COMPLETE, None);
    assert_eq!(
        take_notes(),
        ["new task 7 created", "taskwait_complete Some(7) None", "end task 7"]
    );
    assert_ne!(initial.value(), 0);
}

fn data_need_their_events() {
    let entry_points = entry_points();
    assert_eq!(ompt::unregister(&entry_points, Event::TASK_SCHEDULE), SetResult::Always);
    assert_eq!(ompt::unregister(&entry_points, Event::SYNC_REGION), SetResult::Always);
    assert!(!fake::registered().contains(&Event::SYNC_REGION));
    let task = Word::new();
    fake::task_create(&task, ompt_task_flag_t::EXPLICIT);
    fake::task_schedule(&task, ompt_task_status_t::COMPLETE, None);
    assert_eq!(take_notes(), ["new task 8 created", "end task 8"], "without the method");
    for event in [Event::TASK_SCHEDULE, Event::SYNC_REGION] {
        assert_eq!(ompt::register::<Typist>(&entry_points, event), SetResult::Always);
    }
    let no_method = ompt::register::<Typist>(&entry_points, Event::WORK);
    assert_eq!(no_method, SetResult::Error);
}

fn a_callback_ends_the_tool() {
    let (own, region) = (Word::new(), Word::new());
    fake::thread_begin(&own);
    fake::parallel_begin(&region);
    let result = fake::start();
    assert!(result.is_none(), "another runtime of the process does not get the tool");
    fake::on_finalize_tool(|| {
        fake::own_thread_end();
        fake::finalize();
        fake::finalize();
    });
    entry_points().thread_data(|thread| thread.events.set(1000));
    take_notes();
    fake::parallel_end(&region);
    assert_eq!(take_notes(), ["parallel_end Some(\"outer\")", "finalize"], "nothing is dropped");
    assert_eq!((own.value(), region.value()), (0, 0));
}
