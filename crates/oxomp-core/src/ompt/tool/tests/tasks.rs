//! The code of regions and tasks, the end of tasks, and the task in which a switch is heard.

use core::ffi::c_void;
use core::ptr;
use std::sync::Mutex;

use oxomp_arch::CallSite;
use oxomp_base::os;
use oxomp_sys::ompt::ompt_callbacks_t as E;
use smallvec::smallvec;

use super::{Heard, Listening, address, all, of_thread, texts};
use crate::block::Thread;
use crate::ompt::event::{Mask, OtherCodes as _, bit, flags};
use crate::parallel::{self, Outlined, Request};
use crate::task::{self, Clauses, Dependence, DependenceKind, EventHandle, Properties, Task};

const EVENTS: Mask = bit(E::PARALLEL_BEGIN)
    | bit(E::TASK_CREATE)
    | bit(E::TASK_SCHEDULE)
    | bit(E::TASK_END)
    | bit(E::CANCEL);

unsafe extern "C" fn empty(_: *mut c_void) {}

/// The event that `fulfils` fulfils.
static EVENT: Mutex<Option<EventHandle>> = Mutex::new(None);

unsafe extern "C" fn fulfils(_: *mut c_void) {
    fulfil();
}

fn fulfil() {
    let event = *EVENT.lock().expect("no test panics with the event");
    task::fulfill(event.expect("a task has an event"));
}

type Body = unsafe extern "C" fn(*mut c_void);

fn new_task(body: Body, properties: Properties) -> &'static Task {
    let clauses = Clauses { properties, priority: 0 };
    task::allocate(Thread::current(), 8, body as *const c_void, clauses)
}

/// The events of this thread.
fn own() -> Vec<Heard> {
    of_thread(os::thread_id())
}

fn current() -> usize {
    address(&Thread::current().task().ompt)
}

/// The task is heard to end once, in itself, before the thread goes on with the outer task.
#[test]
fn a_task_ends_in_itself_before_the_switch() {
    let _listening = Listening::to(EVENTS);
    let task = new_task(empty, Properties::empty());
    let (inner, outer) = (address(&task.ompt), current());
    task::generate(Thread::current(), task, CallSite::here());
    let events = own();
    assert_eq!(
        texts(&events),
        ["task_create", "task_schedule Switch next", "task_end", "task_schedule Complete next"]
    );
    assert_eq!(events[0].about, empty as *const () as usize);
    assert_eq!(
        events.iter().map(|event| event.current).collect::<Vec<_>>(),
        [outer, inner, inner, outer]
    );
    assert_eq!((events[1].about, events[2].about, events[3].about), (inner, inner, outer));
}

/// An included task, whose data the generating task keeps (GOMP).
#[test]
fn an_included_task_has_its_code_and_its_end() {
    let _listening = Listening::to(EVENTS);
    let clauses = Clauses { properties: Properties::empty(), priority: 0 };
    let body = empty as Body as *const c_void;
    task::included(Thread::current(), body, (ptr::null_mut(), 0), clauses, CallSite::here());
    let events = own();
    assert_eq!(
        texts(&events),
        ["task_create", "task_schedule Switch next", "task_end", "task_schedule Complete next"]
    );
    assert_eq!(events[0].about, body.addr());
}

fn detachable(body: Body) -> (&'static Task, usize) {
    let task = new_task(body, Properties::DETACHABLE);
    *EVENT.lock().expect("no test panics with the event") = Some(task.detach());
    (task, address(&task.ompt))
}

#[test]
fn a_task_whose_event_is_fulfilled_early_ends_with_its_body() {
    let _listening = Listening::to(EVENTS);
    let (task, inner) = detachable(fulfils);
    task::generate(Thread::current(), task, CallSite::here());
    let events = own();
    assert_eq!(
        texts(&events),
        [
            "task_create",
            "task_schedule Switch next",
            "task_schedule EarlyFulfill",
            "task_end",
            "task_schedule Complete next",
        ]
    );
    assert_eq!((events[3].about, events[3].current), (inner, inner));
}

#[test]
fn a_task_whose_event_is_fulfilled_late_ends_with_that() {
    let _listening = Listening::to(EVENTS);
    let (task, inner) = detachable(empty);
    task::generate(Thread::current(), task, CallSite::here());
    assert_eq!(
        texts(&own()),
        ["task_create", "task_schedule Switch next", "task_schedule Detach next"]
    );
    // Another thread fulfils the event, so it completes the task.
    let other = std::thread::spawn(|| {
        Thread::current();
        fulfil();
        os::thread_id()
    });
    let other = other.join().expect("the event is fulfilled");
    let events = of_thread(other);
    assert_eq!(texts(&events), ["task_schedule LateFulfill", "task_end"]);
    assert_eq!(events[1].about, inner);
    let ends = all().iter().filter(|heard| heard.text == "task_end").count();
    assert_eq!(ends, 1);
}

/// A thread leaves the current task for another one, but not for the task of a taskwait.
#[test]
fn a_task_is_left_for_another_with_code() {
    let _listening = Listening::to(EVENTS | bit(E::TASK_SUSPEND));
    task::generate(Thread::current(), new_task(empty, Properties::empty()), CallSite::here());
    let location = 0;
    let on = Dependence { location: ptr::from_ref(&location).cast(), kind: DependenceKind::In };
    task::taskwait_depend(Thread::current(), smallvec![on], true, CallSite::here());
    let events = own();
    assert_eq!(
        texts(&events),
        [
            "task_create",
            "task_suspend",
            "task_schedule Switch next",
            "task_end",
            "task_schedule Complete next",
            "task_create",
            "task_schedule Switch next",
            "task_end",
            "task_schedule Complete next",
        ]
    );
    assert_eq!((events[1].about, events[1].current), (current(), current()));
}

#[test]
fn the_task_of_a_taskwait_has_no_code() {
    let _listening = Listening::to(EVENTS);
    let location = 0;
    let on = Dependence { location: ptr::from_ref(&location).cast(), kind: DependenceKind::In };
    task::taskwait_depend(Thread::current(), smallvec![on], false, CallSite::here());
    let events = own();
    assert_eq!(texts(&events), ["task_create", "task_schedule TaskwaitComplete", "task_end"]);
    assert_eq!(events[0].about, 0);
}

#[test]
fn a_region_has_the_code_that_its_threads_call() {
    let _listening = Listening::to(EVENTS);
    let function = empty as Body as *const c_void;
    let outlined = Outlined::Gomp { function, data: ptr::null_mut() };
    parallel::run(Thread::current(), outlined, Request::SERIAL, CallSite::here());
    parallel::begin(Thread::current(), outlined, Request::SERIAL, CallSite::here());
    parallel::end(Thread::current(), CallSite::here());
    let events = own();
    assert_eq!(texts(&events), ["parallel_begin", "parallel_begin"]);
    assert!(events.iter().all(|event| event.about == function.addr()), "{events:#?}");
}

/// A block that was used for one task is used for the next: no word and no frame is left in it,
/// though the tool of the first one wrote a word, and ended while that task was executed.
#[test]
fn a_task_has_nothing_of_the_last_one_in_its_block() {
    let listening = Listening::to(EVENTS);
    let thread = Thread::current();
    let begin = |word| {
        let task = new_task(empty, Properties::empty());
        assert_eq!(task.ompt.data.get(), 0);
        let frame = &task.ompt.frame;
        assert!(frame.exit.get().is_null() && frame.enter.get().is_null());
        assert_eq!(frame.exit_flags.get(), flags::FRAME_RUNTIME);
        task.ompt.data.set(word);
        task::begin_undeferred(thread, task, CallSite::here());
        assert!(!frame.exit.get().is_null());
        assert_ne!(frame.exit_flags.get(), flags::FRAME_RUNTIME);
        task
    };
    let first = begin(1);
    task::end_undeferred(thread, first);
    let second = begin(2);
    assert!(ptr::eq(first, second), "another block");
    drop(listening);
    task::end_undeferred(thread, second);
    let _listening = Listening::to(EVENTS);
    let third = begin(3);
    assert!(ptr::eq(first, third), "another block");
    task::end_undeferred(thread, third);
}
