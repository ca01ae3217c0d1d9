//! Tools of the 2015 report, and programs that run with them, in situations that the report does
//! not provide for: the program goes on, and the tool sees what the report promises.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use oxomp_testing::bench::{Bench, COMPILERS};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;

#[track_caller]
fn assert_output(outcome: &Outcome, expected: &str) {
    assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
    assert_eq!(outcome.stdout, expected, "{outcome:#?}");
}

/// The starting thread does not exist in the child, which starts the runtime itself.
#[test]
fn a_thread_forks_while_another_one_starts_the_runtime() {
    let bench = Bench::new("report_2015_hostile");
    for compiler in COMPILERS {
        for generation in ["-DNEWER", "-DOLDER"] {
            let words = ["forks_in_start.c", generation, "-rdynamic", "-pthread"];
            let program = bench.program(compiler, &generation[2..], &words);
            for place in ["search", "initializer"] {
                println!("{compiler:?} {generation} {place}");
                let outcome = bench.run(&program, &[], &[("WHERE", place)]);
                assert_output(&outcome, "child: 2\nparent: 3\nthread: 2\n");
            }
        }
    }
}

#[test]
fn the_first_region_of_a_child_begins_in_its_initial_task() {
    let bench = Bench::new("report_2015_hostile");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "region", &["region_after_fork.c"]);
        let outcome = bench.run(&program, &[], &[]);
        assert_output(&outcome, &"region: parent=1 reenter=1 exit=0\n".repeat(3));
    }
}

/// The task that the thread has taken is in no queue any more, and on no stack yet.
#[test]
fn a_child_of_a_wait_that_ends_for_a_task_executes_the_task() {
    let bench = Bench::new("report_2015_hostile");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "wait", &["fork_in_wait.c"]);
        assert_output(&bench.run(&program, &[], &[]), "parent: 1, child: 0\n");
    }
}

/// A hard pause ends the session of the tool if no other root is there.
#[test]
fn roots_pause_without_tearing_regions_apart() {
    let bench = Bench::new("report_2015_hostile");
    for compiler in COMPILERS {
        let words = ["roots_pause.c", "-pthread"];
        let program = bench.program_with_tool(compiler, "pauses", &words);
        for _ in 0..3 {
            assert_output(&bench.run(&program, &[], &[]), "alone: 100 sessions\n");
        }
    }
}

/// The report's programs have the tool inside (appendix C). The linker shows the runtime a function
/// of the program only if the library that it links with names it.
#[test]
fn a_tool_inside_the_program_needs_no_option_of_the_linker() {
    let bench = Bench::new("report_2015_hostile");
    for compiler in COMPILERS {
        for source in ["region_after_fork.c", "newer_inside.c"] {
            println!("{compiler:?} {source}");
            let program = bench.program(compiler, "inside", &[source]);
            let outcome = bench.run(&program, &[], &[]);
            assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
            assert!(outcome.stdout.starts_with("region: "), "{outcome:#?}");
        }
    }
}
