//! The answers of the entry points to a tool, at every moment and in signal handlers (OpenMP 5.2
//! §19.6.1).
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use oxomp_testing::bench::{Bench, COMPILERS};
use oxomp_testing::directives::Ending;

/// The program `name` prints `expected`, built by each compiler, with and without events for which
/// a worker waits at the end of its region.
#[track_caller]
fn assert_prints(name: &str, expected: &str) {
    assert_prints_with(name, &[], expected);
}

/// As `assert_prints`, with `more` variables.
#[track_caller]
fn assert_prints_with(name: &str, more: &[(&str, &str)], expected: &str) {
    let bench = Bench::new("entry_points");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, name, &[&format!("{name}.c")]);
        for events in [None, Some(("WITH_EVENTS", "1"))] {
            let mut variables = vec![("OMP_CANCELLATION", "true")];
            variables.extend(more.iter().copied().chain(events));
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

#[test]
fn a_worker_that_reports_late_answers_about_the_region_that_ends() {
    assert_prints("late", "asked=yes wrong=0\n");
}

#[test]
fn workers_report_ends_without_another_region() {
    for wait in [("OMP_WAIT_POLICY", "active"), ("OMP_WAIT_POLICY", "passive")] {
        for which in ["t", "w", "r"] {
            assert_prints_with("prompt", &[wait, ("WHICH", which)], "threads=0\n");
        }
    }
}

#[test]
fn entry_points_answer_at_odd_moments() {
    for bind in ["false", "close", "spread"] {
        let variables = [("OMP_PLACES", "threads"), ("OMP_PROC_BIND", bind)];
        assert_prints_with("odd", &variables, "finalized wrong=0\nwrong=0\n");
    }
}

/// Of each task on the thread's stack, the innermost first: its flags, its thread number and its
/// frames (x exit, e enter); then the sizes of the regions.
const CHAINS: &str = "\
initial: initial 0 -- of 1
undeferred: explicit,undeferred 0 x- | initial 0 -e of 1
region of a task: implicit,undeferred 0 x- | explicit,undeferred 0 xe | initial 0 -e of 1 1
undeferred again: explicit,undeferred 0 x- | initial 0 -e of 1
final: explicit,undeferred,untied,final 0 x- | initial 0 -e of 1
included: explicit,undeferred,final 0 x- | explicit,undeferred,untied,final 0 xe | initial 0 -e of 1
final again: explicit,undeferred,untied,final 0 x- | initial 0 -e of 1
in taskgroup: explicit,undeferred 0 x- | initial 0 -e of 1
one: implicit,undeferred 0 x- | initial 0 -e of 1 1
two: implicit,undeferred 0 x- | implicit,undeferred 0 xe | initial 0 -e of 1 1 1
three: implicit,undeferred 0 x- | implicit,undeferred 0 xe | implicit,undeferred 0 xe | initial 0 -e of 1 1 1 1
two again: implicit,undeferred 0 x- | implicit,undeferred 0 xe | initial 0 -e of 1 1 1
two after a barrier: implicit,undeferred 0 x- | implicit,undeferred 0 xe | initial 0 -e of 1 1 1
one again: implicit,undeferred 0 x- | initial 0 -e of 1 1
initial again: initial 0 -- of 1
primary: implicit 0 x- | initial 0 -e of 2 1
nested: implicit 0 x- | implicit 0 xe | initial 0 -e of 2 2 1
primary again: implicit 0 x- | initial 0 -e of 2 1
worker: implicit 1 x- | initial 0 -e of 2 1
task of a worker: explicit,undeferred 1 x- | implicit 1 xe | initial 0 -e of 2 1
region of a worker: implicit,undeferred 0 x- | implicit 1 xe | initial 0 -e of 1 2 1
teams: initial 0 x- | initial 0 -e of 1 1
in teams: implicit,undeferred 0 x- | initial 0 xe | initial 0 -e of 1 1 1
initial at last: initial 0 -- of 1
wrong=0
";

#[test]
fn the_chain_of_tasks_has_flags_numbers_and_frames() {
    assert_prints("chain", CHAINS);
}

/// Frame pointers in every function, in those that need one, and in none.
const CODE: [&[&str]; 4] = [
    &["-O0", "-fno-omit-frame-pointer", "-DKEEPS_FRAMES"],
    &["-O2", "-fno-omit-frame-pointer"],
    &["-O1", "-fomit-frame-pointer"],
    &["-O2", "-fomit-frame-pointer"],
];

#[test]
fn the_enter_frame_is_the_callers_in_code_of_any_kind() {
    let bench = Bench::new("entry_points");
    for compiler in COMPILERS {
        for flags in CODE {
            let words = [flags, &["frames.c"]].concat();
            let program = bench.program_with_tool(compiler, "frames", &words);
            let outcome = bench.run(&program, &[], &[("OMP_CANCELLATION", "true")]);
            println!("{compiler:?} {flags:?}");
            assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
            assert_eq!(outcome.stdout, "wrong=0\n", "{outcome:#?}");
        }
    }
}
