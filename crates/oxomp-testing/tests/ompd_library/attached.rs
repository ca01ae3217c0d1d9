//! A debugger that comes later, to a program that was started without OMP_DEBUG: each function
//! answers from what the runtime keeps anyway, or `needs_state_tracking`.

use core::ffi::c_void;
use core::ptr;

use oxomp_sys::ompd::{ompd_rc_t, ompd_scope_t};

use crate::FAMILIES;
use crate::debugger::{Answer, Debugger, Region, Task, Thread, ask, take_text};
use crate::facts::Facts;
use crate::target::Stopped;
use crate::waits::waiting;

const UNTRACKED: ompd_rc_t = ompd_rc_t::NEEDS_STATE_TRACKING;
const NONE: ompd_rc_t = ompd_rc_t::UNAVAILABLE;

/// The name of a function, and its answer.
type Answered = (&'static str, Answer<()>);

/// Calls a function of the library for one result, which counts only as an answer.
macro_rules! answer {
    ($debugger:ident.$name:ident($($argument:expr),*)) => {
        // SAFETY: handles and ids are passed; the last argument is a place for the result.
        (stringify!($name), ask(|place| unsafe {
            ($debugger.api.$name)($($argument,)* place)
        }).map(|_| ()))
    };
}

fn holder(facts: &[Facts]) -> &Facts {
    facts.iter().find(|fact| fact.text("role") == "holder").expect("a thread that holds locks")
}

/// Every function of threads, regions and tasks that makes a handle or gives an address.
fn relations(debugger: &Debugger, thread: Thread, region: Region, task: Task) -> Vec<Answered> {
    vec![
        answer!(debugger.ompd_get_curr_parallel_handle(thread)),
        answer!(debugger.ompd_get_enclosing_parallel_handle(region)),
        answer!(debugger.ompd_get_task_parallel_handle(task)),
        answer!(debugger.ompd_get_curr_task_handle(thread)),
        answer!(debugger.ompd_get_generating_task_handle(task)),
        answer!(debugger.ompd_get_task_in_parallel(region, 0)),
        answer!(debugger.ompd_get_thread_in_parallel(region, 0)),
        answer!(debugger.ompd_get_device_from_thread(thread)),
        answer!(debugger.ompd_thread_handle_compare(thread, thread)),
        answer!(debugger.ompd_parallel_handle_compare(region, region)),
        answer!(debugger.ompd_task_handle_compare(task, task)),
        answer!(debugger.ompd_get_omp_version(debugger.space)),
    ]
}

/// What the runtime keeps without a debugger is told.
#[test]
fn what_the_runtime_keeps_anyway_is_told() {
    for family in FAMILIES {
        let (program, facts) = waiting(family, &[]);
        let debugger = Debugger::start(Stopped::new(program.pid()));
        let fact = holder(&facts);
        let thread = debugger.thread(fact.number("lwp")).expect("a thread");
        let region = debugger.current_region(thread).expect("a region");
        let task = debugger.current_task(thread).expect("a task");
        for (name, answer) in relations(&debugger, thread, region, task) {
            assert_eq!(answer, Ok(()), "{family:?}: {name}");
        }
        // SAFETY: a handle and places are passed; the id has eight bytes, or the text is freed.
        unsafe {
            let id = ask(|id: *mut u64| (debugger.api.ompd_get_thread_id)(thread, 1, 8, id.cast()));
            assert_eq!(id, Ok(fact.number("lwp")));
            let text = ask(|text| (debugger.api.ompd_get_omp_version_string)(debugger.space, text));
            assert!(take_text(text.expect("a text")).starts_with("oxomp "));
        }
        let [exit, enter] = debugger.frames(task);
        assert_ne!(exit.0, 0);
        assert_eq!(enter.0, 0, "enter frames are kept for tools and debuggers");
        // It works inside the region, and no wait id is left of an earlier wait.
        assert_eq!(debugger.state(thread), (0x001, 0));
        drop(debugger);
        program.finish();
    }
}

/// The functions of regions, the texts of the environment, and the place list are kept for a
/// debugger only. An implicit task has no scheduling task.
#[test]
fn what_is_kept_for_a_debugger_needs_state_tracking() {
    for family in FAMILIES {
        let (program, facts) = waiting(family, &[]);
        let debugger = Debugger::start(Stopped::new(program.pid()));
        let thread = debugger.thread(holder(&facts).number("lwp")).expect("a thread");
        let task = debugger.current_task(thread).expect("a task");
        assert_eq!(debugger.function(task), Err(UNTRACKED), "{family:?}");
        assert_eq!(debugger.scheduling(task), Err(NONE));
        let (_, vars) = answer!(debugger.ompd_get_display_control_vars(debugger.space));
        assert_eq!(vars, Err(UNTRACKED));
        // Without a tool the process has no word of a tool; other words are 0.
        assert_eq!(debugger.data(debugger.space, ompd_scope_t::GLOBAL), Err(NONE));
        assert_eq!(debugger.data(thread, ompd_scope_t::THREAD), Ok(0));
        drop(debugger);
        program.finish();
    }
}

/// Each variable has its value, or its text, except the variables whose texts are not kept.
#[test]
fn variables_have_values_in_a_program_that_expects_no_debugger() {
    for family in FAMILIES {
        let (program, facts) = waiting(family, &[("OMP_PLACES", "threads")]);
        let debugger = Debugger::start(Stopped::new(program.pid()));
        let thread = debugger.thread(holder(&facts).number("lwp")).expect("a thread");
        let region = debugger.current_region(thread).expect("a region");
        let task = debugger.current_task(thread).expect("a task");
        for (name, scope) in debugger.variables() {
            let handle: *mut c_void = match scope {
                ompd_scope_t::ADDRESS_SPACE => debugger.space.cast(),
                ompd_scope_t::THREAD => thread.cast(),
                ompd_scope_t::PARALLEL => region.cast(),
                ompd_scope_t::TASK => task.cast(),
                other => panic!("{name} is of {other:?}"),
            };
            let (number, text) = (debugger.number(handle, &name), debugger.text(handle, &name));
            let is_text = matches!(
                &*name,
                "affinity-format-var" | "tool-libraries-var" | "tool-verbose-init-var"
            );
            let untracked = match &*name {
                "tool-libraries-var" | "tool-verbose-init-var" => [true, true],
                "place-partition-var" => [false, true],
                _ => [false, false],
            };
            let wanted = |untracked: bool| if untracked { Err(UNTRACKED) } else { Ok(()) };
            let wanted_number = match is_text && !untracked[0] {
                true => Err(ompd_rc_t::INCOMPATIBLE),
                false => wanted(untracked[0]),
            };
            assert_eq!(number.map(drop), wanted_number, "{family:?}: {name}");
            assert_eq!(text.map(drop), wanted(untracked[1]), "{family:?}: {name}");
        }
        assert_eq!(debugger.value(debugger.space, "debug-var"), 0);
        drop(debugger);
        program.finish();
    }
}

/// Handles stay usable until they are released: without generations no handle becomes stale.
#[test]
fn handles_are_released_in_a_program_that_expects_no_debugger() {
    for family in FAMILIES {
        let (program, facts) = waiting(family, &[]);
        let debugger = Debugger::start(Stopped::new(program.pid()));
        let thread = debugger.thread(holder(&facts).number("lwp")).expect("a thread");
        let region = debugger.current_region(thread).expect("a region");
        let task = debugger.current_task(thread).expect("a task");
        let stranger = ask(|place| {
            let id = (&raw const STRANGER).cast();
            // SAFETY: a handle, an id and a place are passed.
            unsafe { (debugger.api.ompd_get_thread_handle)(debugger.space, 1, 4, id, place) }
        });
        assert_eq!(stranger, Err(NONE));
        // SAFETY: handles are passed, which the library checks.
        unsafe {
            for wanted in [ompd_rc_t::OK, ompd_rc_t::STALE_HANDLE] {
                assert_eq!((debugger.api.ompd_rel_parallel_handle)(region), wanted);
                assert_eq!((debugger.api.ompd_rel_task_handle)(task), wanted);
                assert_eq!((debugger.api.ompd_rel_thread_handle)(thread), wanted);
            }
            let unused = (debugger.api.ompd_rel_display_control_vars)(&mut ptr::null());
            assert_eq!(unused, ompd_rc_t::BAD_INPUT);
        }
        drop(debugger);
        program.finish();
    }
}

/// The kernel's id of no thread of the program.
static STRANGER: u32 = 1;
