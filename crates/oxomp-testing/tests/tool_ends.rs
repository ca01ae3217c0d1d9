//! The end of a tool: by itself, in any callback, on any thread; and with the process, in every way
//! in which a process may end.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use oxomp_sys::ompt::{EventRow, Raised};
use oxomp_testing::bench::{Bench, COMPILERS, Compiler};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;

#[track_caller]
fn assert_output(outcome: &Outcome, expected: &str) {
    assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
    assert_eq!(outcome.stdout, expected, "{outcome:#?}");
}

/// Whether the program raises the event with the code of `compiler`.
fn is_raised(row: &EventRow, compiler: Compiler) -> bool {
    let raised = match compiler {
        Compiler::Clang => row.clang,
        Compiler::Gcc => row.gcc,
    };
    raised != Raised::Never
}

fn result(happened: bool) -> String {
    let happened = if happened { "yes" } else { "no" };
    format!("works\nhappened={happened} finalized=1 late=0 beside=0 wrong=0\n")
}

fn end_everywhere(threads: &[&str]) {
    let bench = Bench::new("tool_ends");
    let cancellation = [("OMP_CANCELLATION", "true")];
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "anywhere", &["anywhere.c"]);
        for thread in threads {
            for row in EventRow::ALL {
                println!("{compiler:?} {} {thread}", row.name);
                let number = row.event.0.to_string();
                let outcome = bench.run(&program, &[&number, thread], &cancellation);
                let happened = match *thread {
                    "any" => is_raised(row, compiler),
                    // Not every event is raised on each thread.
                    _ => outcome.stdout.contains("happened=yes"),
                };
                assert_output(&outcome, &result(happened));
            }
        }
    }
}

#[test]
fn a_tool_may_end_itself_in_any_callback() {
    end_everywhere(&["any"]);
}

#[test]
fn a_tool_may_end_itself_on_any_thread() {
    end_everywhere(&["initial", "worker", "foreign", "nested"]);
}

#[test]
fn a_tool_may_end_itself_on_several_threads_at_once() {
    end_everywhere(&["together"]);
}

#[test]
fn a_tool_may_end_itself_in_its_initializer() {
    let bench = Bench::new("tool_ends");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "anywhere", &["anywhere.c"]);
        let outcome = bench.run(&program, &["0", "any"], &[("OMP_CANCELLATION", "true")]);
        assert_output(&outcome, &result(true));
    }
}
