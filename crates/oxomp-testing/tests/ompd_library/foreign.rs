//! Threads that the program made: each that meets OpenMP has an initial task of its own.

use oxomp_sys::ompd::ompd_rc_t;

use crate::FAMILIES;
use crate::debuggee::{Debuggee, command, compile};
use crate::debugger::{Debugger, Task};
use crate::facts::Facts;
use crate::target::Stopped;

/// Lines of `foreign`: the stranger, and two threads of each region.
const FACTS: usize = 5;

#[test]
fn threads_of_the_program_have_regions_of_their_own() {
    for family in FAMILIES {
        for debug in ["enabled", "disabled"] {
            let program = compile(family, "foreign");
            let mut program = Debuggee::start(&mut command(&program, &[("OMP_DEBUG", debug)]));
            let facts: Vec<Facts> = (0..FACTS).map(|_| Facts::parse(&program.line())).collect();
            let debugger = Debugger::start(Stopped::new(program.pid()));
            let with = |role: &str| -> Vec<u64> {
                let facts = facts.iter().filter(|fact| fact.text("role") == role);
                facts.map(|fact| fact.number("lwp")).collect()
            };
            assert_eq!(debugger.thread(with("stranger")[0]), Err(ompd_rc_t::UNAVAILABLE));
            let mut roots: Vec<Task> = Vec::new();
            for role in ["main", "visitor"] {
                let threads: Vec<_> = with(role)
                    .into_iter()
                    .map(|lwp| debugger.thread(lwp).expect("a thread of the region"))
                    .collect();
                let region = debugger.current_region(threads[0]).expect("the region");
                let other = debugger.current_region(threads[1]).expect("the region");
                assert!(debugger.same_region(region, other), "{role}");
                for thread in &threads {
                    // Work in a parallel region, whoever made the thread.
                    assert_eq!(debugger.state(*thread), (0x001, 0), "{family:?}: {role}");
                }
                let outer = debugger.enclosing(region).expect("the one around");
                assert_eq!(debugger.text(outer, "team-generator-var"), Ok("program".to_owned()));
                let root = debugger.task_in(outer, 0).expect("the initial task");
                let primary = debugger.thread_in(outer, 0).expect("its thread");
                let first = debugger.thread_in(region, 0).expect("a thread");
                assert!(debugger.same_thread(primary, first));
                roots.push(root);
            }
            assert!(!debugger.same_task(roots[0], roots[1]));
            drop(debugger);
            program.finish();
        }
    }
}
