//! Handles that the debugger keeps while the program runs on, past the end of what they denote.

use oxomp_sys::ompd::ompd_rc_t;
use oxomp_testing::compiler::Family;

use crate::FAMILIES;
use crate::debuggee::{Debuggee, command, compile};
use crate::debugger::{Debugger, Region, Task, Thread};
use crate::facts::Facts;
use crate::target::{Stopped, resume, stop};

/// Handles made while the first region runs.
struct Kept {
    thread: Thread,
    worker: Thread,
    region: Region,
    around: Region,
    explicit: Task,
    implicit: Task,
    initial: Task,
}

/// The program in its second region, and the handles of the first.
fn gone_on(family: Family, debug: &str) -> (Debuggee, Debugger, Kept) {
    let program = compile(family, "ended");
    let mut program = Debuggee::start(&mut command(&program, &[("OMP_DEBUG", debug)]));
    let lwp = Facts::parse(&program.line()).number("lwp");
    let debugger = Debugger::start(Stopped::new(program.pid()));
    let thread = debugger.thread(lwp).expect("a thread");
    let region = debugger.current_region(thread).expect("a region");
    let around = debugger.enclosing(region).expect("the region around the program");
    let kept = Kept {
        thread,
        worker: debugger.thread_in(region, 1).expect("a thread"),
        region,
        around,
        explicit: debugger.current_task(thread).expect("a task"),
        implicit: debugger.task_in(region, 1).expect("a task"),
        initial: debugger.task_in(around, 0).expect("a task"),
    };
    assert!(!debugger.same_task(kept.explicit, debugger.task_in(region, 0).expect("a task")));
    resume(program.pid());
    program.tell("go on");
    assert!(program.line().starts_with("second "));
    stop(program.pid());
    (program, debugger, kept)
}

#[test]
fn handles_of_what_has_ended_are_stale() {
    for family in FAMILIES {
        let (program, debugger, kept) = gone_on(family, "enabled");
        let stale = ompd_rc_t::STALE_HANDLE;
        assert_eq!(debugger.enclosing(kept.region), Err(stale), "{family:?}");
        assert_eq!(debugger.thread_in(kept.region, 0), Err(stale));
        assert_eq!(debugger.number(kept.region, "levels-var"), Err(stale));
        for task in [kept.explicit, kept.implicit] {
            assert_eq!(debugger.region_of(task), Err(stale), "{family:?}");
            assert_eq!(debugger.function(task), Err(stale));
            assert_eq!(debugger.text(task, "bind-var"), Err(stale));
        }
        // What goes on has the handles that it had.
        let region = debugger.current_region(kept.thread).expect("the second region");
        assert!(!debugger.same_region(region, kept.region));
        let around = debugger.enclosing(region).expect("a region");
        assert!(debugger.same_region(around, kept.around));
        let initial = debugger.task_in(around, 0).expect("a task");
        assert!(debugger.same_task(initial, kept.initial));
        let worker = debugger.thread_in(region, 1).expect("a thread");
        assert!(debugger.same_thread(worker, kept.worker));
        // A stale handle is still one: it can be released, once.
        // SAFETY: handles are passed, which the library checks.
        unsafe {
            for wanted in [ompd_rc_t::OK, stale] {
                assert_eq!((debugger.api.ompd_rel_parallel_handle)(kept.region), wanted);
                assert_eq!((debugger.api.ompd_rel_task_handle)(kept.explicit), wanted);
            }
        }
        drop(debugger);
        program.finish();
    }
}

/// Without OMP_DEBUG the runtime counts no generations: the block of a region, which the next one
/// has, answers for that.
#[test]
fn handles_without_generations_denote_the_block() {
    for family in FAMILIES {
        let (program, debugger, kept) = gone_on(family, "disabled");
        let region = debugger.current_region(kept.thread).expect("the second region");
        assert!(debugger.same_region(region, kept.region), "{family:?}");
        let around = debugger.enclosing(kept.region).expect("a region");
        assert!(debugger.same_region(around, kept.around));
        drop(debugger);
        program.finish();
    }
}
