//! A tool that ends itself where its data are made: no method follows, that of the event at hand
//! included, and data that are alive are not handed back.

mod fake;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use fake::Word;
use ompt::{
    Data, EntryPoints, ImplicitTask, Initialization, NewTask, ParallelBegin, TaskCreate,
    ThreadBegin, ThreadEnd, Tool, Typed,
};
use oxomp_sys::ompt::ompt_task_flag_t;

static PLACE: Mutex<&str> = Mutex::new("");
static BY_RUNTIME: AtomicBool = AtomicBool::new(false);
static NOTES: Mutex<Vec<&str>> = Mutex::new(Vec::new());

struct Ender {
    entry_points: EntryPoints<Typed<Self>>,
}

impl Ender {
    /// Notes where it is, and ends the tool if the test wants that here.
    fn at(&self, place: &'static str) {
        NOTES.lock().unwrap().push(place);
        if *PLACE.lock().unwrap() != place {
            return;
        }
        match BY_RUNTIME.load(Ordering::Relaxed) {
            // SAFETY: the test's runtime allows it.
            true => unsafe { self.entry_points.finalize_tool() },
            false => self.entry_points.end_tool(),
        }
    }
}

#[ompt::tool]
impl Data for Ender {
    type Thread = u8;
    type Region = u8;
    type Task = u8;

    fn new_thread(&self, _: &ThreadBegin<'_, Typed<Self>>) -> u8 {
        self.at("new thread");
        1
    }

    fn new_region(&self, _: &ParallelBegin<'_, Typed<Self>>) -> u8 {
        self.at("new region");
        2
    }

    fn new_task(&self, event: &NewTask<'_, Self>) -> u8 {
        self.at(match event {
            NewTask::Implicit(_) => "new implicit task",
            NewTask::Created(_) => "new created task",
        });
        3
    }

    fn end_thread(&self, _: u8) {
        self.at("data end");
    }
}

#[ompt::tool]
impl Tool for Ender {
    type Model = Typed<Self>;

    fn initialize(initialization: &Initialization<Typed<Self>>) -> Option<Self> {
        Some(Self { entry_points: initialization.entry_points })
    }

    fn thread_begin(&self, _: &ThreadBegin<'_, Typed<Self>>) {
        self.at("thread_begin");
    }

    fn thread_end(&self, _: &ThreadEnd<'_, Typed<Self>>) {
        self.at("thread_end");
    }

    fn parallel_begin(&self, _: &ParallelBegin<'_, Typed<Self>>) {
        self.at("parallel_begin");
    }

    fn implicit_task(&self, _: &ImplicitTask<'_, Typed<Self>>) {
        self.at("implicit_task");
    }

    fn task_create(&self, _: &TaskCreate<'_, Typed<Self>>) {
        self.at("task_create");
    }

    fn finalize(&self) {
        NOTES.lock().unwrap().push("finalize");
    }
}

ompt::ompt_tool!(Ender);

/// The calls until the end of the tool in `place`, and those after it.
fn calls(place: &'static str) -> Vec<&'static str> {
    *PLACE.lock().unwrap() = place;
    NOTES.lock().unwrap().clear();
    let (thread, region, implicit, created) = (Word::new(), Word::new(), Word::new(), Word::new());
    assert!(fake::run());
    fake::thread_begin(&thread);
    fake::parallel_begin(&region);
    fake::implicit_begin(region.raw(), &implicit);
    fake::task_create(&created, ompt_task_flag_t::EXPLICIT);
    fake::own_thread_end();
    fake::finalize();
    fake::forget();
    NOTES.lock().unwrap().clone()
}

/// One test, since there is one tool.
#[test]
fn no_method_follows_the_end_in_a_data_hook() {
    fake::on_finalize_tool(fake::finalize);
    let all = [
        "new thread",
        "thread_begin",
        "new region",
        "parallel_begin",
        "new implicit task",
        "implicit_task",
        "new created task",
        "task_create",
        "thread_end",
        "data end",
    ];
    let whole = [&all[..], &["finalize"]].concat();
    assert_eq!(calls("nowhere"), whole);
    for by_runtime in [false, true] {
        BY_RUNTIME.store(by_runtime, Ordering::Relaxed);
        for (at, place) in all.iter().enumerate() {
            let expected = [&all[..=at], &["finalize"]].concat();
            assert_eq!(calls(place), expected, "{by_runtime}");
        }
    }
}
