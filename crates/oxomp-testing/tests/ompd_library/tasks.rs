//! Explicit tasks in flight.

use oxomp_sys::ompd::{ompd_rc_t, ompd_scope_t};

use crate::FAMILIES;
use crate::debuggee::{Debuggee, Mapped, command, compile};
use crate::debugger::Debugger;
use crate::facts::Facts;
use crate::target::Stopped;

#[test]
fn explicit_tasks_lead_to_those_that_they_came_from() {
    for family in FAMILIES {
        for debug in ["enabled", "disabled"] {
            let variables = [("OMP_DEBUG", debug), ("OMP_NUM_THREADS", "3")];
            let mut program = Debuggee::start(&mut command(&compile(family, "tasks"), &variables));
            let facts = [Facts::parse(&program.line()), Facts::parse(&program.line())];
            let mapped = Mapped::find(program.pid(), "tasks-");
            let debugger = Debugger::start(Stopped::new(program.pid()));
            let thread = |role: &str| {
                let fact = facts.iter().find(|fact| fact.text("role") == role).expect(role);
                debugger.thread(fact.number("lwp")).expect(role)
            };
            let (primary, other) = (thread("final"), thread("stolen"));
            let inner = debugger.current_task(primary).expect("the final task");
            let outer = debugger.generating(inner).expect("the task that made it");
            let around = debugger.generating(outer).expect("the implicit task");
            assert!(debugger.same_task(debugger.scheduling(inner).expect("a task"), outer));
            assert!(debugger.same_task(debugger.scheduling(outer).expect("a task"), around));
            assert_eq!(debugger.scheduling(around), Err(ompd_rc_t::UNAVAILABLE));
            let kinds = ["final-task-var", "implicit-task-var", "explicit-task-var"];
            let of = |task| kinds.map(|name| debugger.value(task, name));
            assert_eq!([of(inner), of(outer), of(around)], [[1, 0, 1], [0, 0, 1], [0, 1, 0]]);

            // Made by the one thread, executed by the other between its own.
            let stolen = debugger.current_task(other).expect("the other task");
            assert!(debugger.same_task(debugger.generating(stolen).expect("a task"), around));
            let below = debugger.scheduling(stolen).expect("the other's implicit task");
            assert!(!debugger.same_task(below, around));
            let number = |task| debugger.number_in(task, ompd_scope_t::TASK, 31);
            assert_eq!((number(inner), number(stolen)), (Ok((0, true)), Ok((1, true))));
            let region = debugger.current_region(primary).expect("the region");
            for task in [inner, outer, around, stolen, below] {
                assert!(debugger.same_region(debugger.region_of(task).expect("a region"), region));
            }
            for task in [inner, outer, stolen] {
                let function = debugger.function(task).expect("a function");
                let name = mapped.name(function).expect("a function");
                assert!(name.contains("omp_task_entry") || name.contains("_omp_fn"), "{name}");
            }
            drop(debugger);
            program.finish();
        }
    }
}
