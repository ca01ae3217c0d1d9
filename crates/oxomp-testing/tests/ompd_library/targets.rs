//! Target regions on the host: the target task, and the initial task of the region.

use oxomp_sys::ompd::{ompd_rc_t, ompd_scope_t};
use oxomp_testing::compiler::Family;

use crate::debuggee::{Debuggee, command, compile};
use crate::debugger::Debugger;
use crate::facts::Facts;
use crate::target::Stopped;

/// Lines of `target`: the threads of the region inside the target region.
const THREADS: usize = 2;

#[test]
fn the_target_task_generates_the_initial_task_of_its_region() {
    let variables = [("OMP_DEBUG", "enabled"), ("OMP_MAX_ACTIVE_LEVELS", "2")];
    let program = compile(Family::Gcc, "target");
    let mut program = Debuggee::start(&mut command(&program, &variables));
    let facts: Vec<Facts> = (0..THREADS).map(|_| Facts::parse(&program.line())).collect();
    let debugger = Debugger::start(Stopped::new(program.pid()));
    for fact in &facts {
        let thread = debugger.thread(fact.number("lwp")).expect("a thread");
        let region = debugger.current_region(thread).expect("the region");
        let around = debugger.enclosing(region).expect("that of the initial task");
        let generator = |region| debugger.text(region, "team-generator-var").expect("a text");
        assert_eq!([generator(region), generator(around)], ["parallel", "target"]);
        let task = debugger.current_task(thread).expect("a task");
        assert_eq!(debugger.value(task, "thread-limit-var"), fact.number("limit"));
        let initial = debugger.generating(task).expect("the initial task");
        assert!(debugger.function(initial).is_ok());
        let target = debugger.generating(initial).expect("the target task");
        assert!(debugger.data(target, ompd_scope_t::TARGET).is_ok());
        let wrong = debugger.data(initial, ompd_scope_t::TARGET);
        assert_eq!(wrong, Err(ompd_rc_t::INCOMPATIBLE));
        assert!(debugger.generating(target).is_ok());
    }
    drop(debugger);
    program.finish();
}
