//! The end of a tool: by itself, in any callback, on any thread; and with the process, in every way
//! in which a process may end.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use std::path::Path;

use oxomp_prerequisites::Program;
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

/// The ways of `process.c` in which the process ends with its tool still running: no function of
/// the program or of a library is called then.
const UNHEARD: [&str; 4] = ["_exit", "_Exit", "quick_exit", "_exit-in-worker"];

const FORKED: &str = "parent: child status=0\nparent: ends\n";

/// The ways of `process.c` in which the tool is told of the end, and the output. The child of
/// fork(2) has the tool in the parent's state, like everything else, and the tool is finalized in
/// the child, too.
fn heard() -> Vec<(&'static str, String)> {
    let parent = |regions| format!("parent: finalized regions={regions} late=0\n");
    let forked = |child: u32, own| {
        format!("child: finalized regions={child} late=0\n{FORKED}{}", parent(own))
    };
    vec![
        ("return", parent(1)),
        ("exit", parent(1)),
        // The program that comes in place of the first has a tool of its own.
        ("exec", parent(1)),
        ("exit-in-region", parent(2)),
        ("exit-in-worker", parent(2)),
        ("exit-in-task", parent(2)),
        ("exit-on-foreign-thread", parent(2)),
        ("fork", forked(1, 1)),
        ("fork-region", forked(2, 1)),
        ("fork-thread", forked(2, 1)),
        ("fork-_exit", format!("{FORKED}{}", parent(1))),
        ("fork-in-region", forked(2, 2)),
        ("fork-in-worker", forked(2, 2)),
        ("fork-in-region-goes-on", format!("child: finalized regions=3 late=0\n{}", parent(3))),
        ("daemon", format!("grandchild: finalized regions=2 late=0\nparent: ends\n{}", parent(1))),
        ("finalize-beside-exit", parent(1)),
        ("fork-in-finalizer", format!("parent: child status=0\n{}parent: ends\n", parent(1))),
        ("fork-beside-callback", forked(1, 1)),
        ("pthread_exit", parent(2)),
        ("pthread_exit-alone", parent(1)),
    ]
}

#[test]
fn a_tool_is_finalized_once_in_each_process_that_ends_by_exit() {
    let bench = Bench::new("tool_ends");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "process", &["process.c"]);
        for (way, expected) in heard() {
            println!("{compiler:?} {way}");
            assert_output(&bench.run(&program, &[way], &[]), &expected);
        }
    }
}

#[test]
fn a_process_that_ends_without_exit_does_not_finalize_its_tool() {
    let bench = Bench::new("tool_ends");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "process", &["process.c"]);
        for way in UNHEARD {
            println!("{compiler:?} {way}");
            assert_output(&bench.run(&program, &[way], &[]), "");
        }
        let outcome = bench.run(&program, &["abort"], &[]);
        assert_eq!(outcome.ending, Ending::Signal(libc::SIGABRT), "{outcome:#?}");
        assert_eq!(outcome.stdout, "");
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

/// The tool comes with the library that uses OpenMP, or before it, or is named by a variable; it
/// stays when the program closes the library.
#[test]
fn a_tool_comes_with_a_runtime_that_is_loaded_late() {
    let bench = Bench::new("tool_ends");
    let tool = bench.tool("libtool.so", &[]);
    let program = bench.compile(Program::Gcc, "loads", &["loads.c"]);
    let begins = "program: begins\n";
    let works = "program: threads=3\nprogram: threads=3\nprogram: ends\n";
    let alone = format!("{begins}{works}");
    let with_tool = format!("{begins}tool: initialized\n{works}tool: finalized regions=2\n");
    let shared = ["-shared", "-fPIC", "library.c"];
    for compiler in COMPILERS {
        let plain = bench.program(compiler, "libplain.so", &shared);
        let words = [&shared[..], &["tool.c"]].concat();
        let both = bench.program_with_tool(compiler, "libboth.so", &words);
        let (plain, both) = (text(&plain), text(&both));
        let named = [("OMP_TOOL_LIBRARIES", text(&tool))];
        for (scope, libraries, variables, expected) in [
            ("local", &[plain][..], &[][..], &alone),
            ("local", &[plain], &named, &with_tool),
            ("global", &[plain], &named, &with_tool),
            ("local", &[both], &[], &with_tool),
            ("global", &[both], &[], &with_tool),
            ("global", &[text(&tool), plain], &[], &with_tool),
            // A tool that only its own loader sees, and that has no part in the runtime.
            ("local", &[text(&tool), plain], &[], &alone),
        ] {
            println!("{compiler:?} {scope} {libraries:?} {variables:?}");
            let arguments = [&[scope], libraries].concat();
            assert_output(&bench.run(&program, &arguments, variables), expected);
        }
    }
}
