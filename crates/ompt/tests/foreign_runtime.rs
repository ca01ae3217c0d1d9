//! A runtime that is not oxomp never gets a null pointer for an event that a thread may be about to
//! report: the tool ends, and stops listening, all the same.

mod fake;

use std::sync::Mutex;
use std::sync::atomic::Ordering;

use fake::Word;
use ompt::{
    ControlResult, ControlTool, EntryPoints, Event, Initialization, ParallelBegin, SetResult,
    ThreadBegin, Tool,
};

static CALLS: Mutex<Vec<&str>> = Mutex::new(Vec::new());
static ENTRY_POINTS: Mutex<Option<EntryPoints>> = Mutex::new(None);

struct Listener;

#[ompt::tool]
impl Tool for Listener {
    fn initialize(initialization: &Initialization) -> Option<Self> {
        *ENTRY_POINTS.lock().unwrap() = Some(initialization.entry_points);
        Some(Self)
    }

    fn thread_begin(&self, _: &ThreadBegin<'_>) {
        CALLS.lock().unwrap().push("thread_begin");
    }

    fn parallel_begin(&self, _: &ParallelBegin<'_>) {
        CALLS.lock().unwrap().push("parallel_begin");
    }

    fn control_tool(&self, _: &ControlTool) -> ControlResult {
        CALLS.lock().unwrap().push("control_tool");
        ControlResult(77)
    }
}

ompt::ompt_tool!(Listener);

fn raise() -> (Vec<&'static str>, Option<i32>) {
    fake::thread_begin(&Word::new());
    fake::parallel_begin(&Word::new());
    let answer = fake::control_tool();
    (std::mem::take(&mut *CALLS.lock().unwrap()), answer)
}

/// Unregisters an event, then all; the events for which the runtime got a null pointer.
fn quieten(is_foreign: bool) -> Vec<Event> {
    fake::IS_FOREIGN.store(is_foreign, Ordering::Relaxed);
    assert!(fake::run());
    let entry_points = ENTRY_POINTS.lock().unwrap().expect("the tool runs");
    assert_eq!(raise(), (vec!["thread_begin", "parallel_begin", "control_tool"], Some(77)));

    assert!(entry_points.is_registered(Event::PARALLEL_BEGIN));
    assert_eq!(ompt::unregister(&entry_points, Event::PARALLEL_BEGIN), SetResult::Always);
    assert_eq!(ompt::unregister(&entry_points, Event::WORK), SetResult::Always, "never registered");
    assert!(!entry_points.is_registered(Event::PARALLEL_BEGIN));
    assert_eq!(raise(), (vec!["thread_begin", "control_tool"], Some(77)));
    let again = ompt::register::<Listener>(&entry_points, Event::PARALLEL_BEGIN);
    assert_eq!(again, SetResult::Always);
    assert!(entry_points.is_registered(Event::PARALLEL_BEGIN));
    assert_eq!(raise().0, ["thread_begin", "parallel_begin", "control_tool"]);

    entry_points.end_tool();
    let answer = is_foreign.then_some(ControlResult::IGNORED.0);
    assert_eq!(raise(), (vec![], answer));
    if is_foreign {
        let had = [Event::THREAD_BEGIN, Event::PARALLEL_BEGIN, Event::CONTROL_TOOL];
        assert_eq!(fake::registered(), had, "no other event is registered");
    }
    fake::finalize();
    fake::forget();
    std::mem::take(&mut *fake::NULLS.lock().unwrap())
}

/// One test, since there is one tool.
#[test]
fn only_our_runtime_gets_null_pointers() {
    assert_eq!(quieten(true), []);
    let ours = quieten(false);
    assert!(ours.contains(&Event::THREAD_BEGIN) && ours.contains(&Event::PARALLEL_BEGIN));
}
