//! What the entry points answer to a tool, at every moment and in signal handlers (OpenMP 5.2
//! §19.6.1).
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use oxomp_testing::bench::{Bench, COMPILERS};
use oxomp_testing::directives::Ending;

/// The program `name` prints `expected`, built by each compiler, with and without events for which
/// a worker waits at the end of its region.
#[track_caller]
fn assert_prints(name: &str, expected: &str) {
    let bench = Bench::new("entry_points");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, name, &[&format!("{name}.c")]);
        for events in [None, Some(("WITH_EVENTS", "1"))] {
            let mut variables = vec![("OMP_CANCELLATION", "true")];
            variables.extend(events);
            let outcome = bench.run(&program, &[], &variables);
            println!("{compiler:?} {variables:?}");
            assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
            assert_eq!(outcome.stdout, expected, "{outcome:#?}");
        }
    }
}

#[test]
fn a_sampled_thread_is_in_the_state_of_its_construct() {
    assert_prints("states", "asked=all failures=0\n");
}

#[test]
fn the_memory_of_a_task_holds_its_private_variables() {
    assert_prints("memory", "tasks=36 failures=0\n");
}

#[test]
fn entry_points_are_async_signal_safe() {
    assert_prints("storm", "sampled: tasks=yes\n");
}
