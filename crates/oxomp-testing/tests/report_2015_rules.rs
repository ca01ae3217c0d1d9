//! Rules of the 2015 report that the programs for single constructs do not check: a tool may
//! register any event, and at no other moment than in its initializer; one callback follows the
//! other on each thread; the answer of `ompt_set_callback` is kept; each event comes between the
//! pieces of the program between which it belongs; target constructs; and the runtime exports none
//! of the inquiry functions.
//!
//! `tests/report_2015.tsv` lists the rules of the report, and the tests that check them. Needs
//! `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use object::{Object, ObjectSymbol};
use oxomp_sys::report_2015::{EventRow, SetResult};
use oxomp_testing::bench::{Bench, COMPILERS, Compiler};
use oxomp_testing::directives::Ending;

/// Events whose number of occurrences depends on the threads' speed.
const VARYING: [&str; 14] = [
    "idle_begin",
    "idle_end",
    "wait_barrier_begin",
    "wait_barrier_end",
    "wait_taskwait_begin",
    "wait_taskwait_end",
    "wait_taskgroup_begin",
    "wait_taskgroup_end",
    "task_switch",
    "wait_lock",
    "wait_nest_lock",
    "wait_critical",
    "wait_atomic",
    "wait_ordered",
];

/// Events that code of `compiler` cannot raise.
fn never_of(compiler: Compiler) -> &'static [&'static str] {
    match compiler {
        // gcc executes master and flush inline.
        Compiler::Gcc => &["master_begin", "master_end", "flush"],
        // clang's code for the host calls no entry point for target constructs.
        Compiler::Clang => {
            &["target_task_begin", "target_task_end", "target_data_begin", "target_data_end"]
        }
    }
}

/// How often each event happened in a run of `program` that registers `event`, or all.
fn counts(bench: &Bench, program: &Path, event: &str) -> BTreeMap<String, usize> {
    let outcome = bench.run(program, &[], &[("EVENT", event)]);
    assert_eq!(outcome.ending, Ending::Status(0), "{event}: {outcome:#?}");
    assert_eq!(outcome.stderr, "", "{event}");
    let mut counts = BTreeMap::new();
    for line in outcome.stdout.lines() {
        *counts.entry(line.to_owned()).or_default() += 1;
    }
    counts
}

#[test]
fn each_event_is_reported_where_it_alone_is_registered() {
    let bench = Bench::new("report_2015_rules");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "alone", &["-O1", "alone.c"]);
        let all = counts(&bench, &program, "all");
        for row in EventRow::ALL {
            let alone = counts(&bench, &program, row.name);
            println!("{compiler:?} {}: {alone:?}", row.name);
            let expected: &[&str] =
                if row.answer == SetResult::NEVER || never_of(compiler).contains(&row.name) {
                    &[]
                } else {
                    &[row.name]
                };
            assert!(alone.keys().eq(expected), "{compiler:?} {}: {alone:?}", row.name);
            if !VARYING.contains(&row.name) {
                assert_eq!(alone.get(row.name), all.get(row.name), "{compiler:?} {}", row.name);
            }
        }
        let names: Vec<&str> = EventRow::ALL.iter().map(|row| row.name).collect();
        assert!(all.keys().all(|name| names.contains(&name.as_str())), "{compiler:?}: {all:?}");
    }
}

#[test]
fn callbacks_are_registered_in_the_initializer_and_known_at_any_time() {
    let bench = Bench::new("report_2015_rules");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "registration", &["registration.c"]);
        let outcome = bench.run(&program, &[], &[]);
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        assert_eq!(outcome.stdout, "controls=4 wrong=0\n", "{outcome:#?}");
    }
}

#[test]
fn events_come_where_the_program_is() {
    let bench = Bench::new("report_2015_rules");
    for compiler in COMPILERS {
        for level in ["-O0", "-O2"] {
            let program = bench.program_with_tool(compiler, "positions", &[level, "positions.c"]);
            let outcome = bench.run(&program, &[], &[]);
            assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
            assert_eq!(outcome.stdout, "wrong=0\n", "{compiler:?} {level} {outcome:#?}");
        }
    }
}

/// Only gcc's code calls the runtime for all target constructs that the host executes.
#[test]
fn target_tasks_and_data_regions_are_told() {
    let bench = Bench::new("report_2015_rules");
    for level in ["-O0", "-O2"] {
        let program = bench.program_with_tool(Compiler::Gcc, "target", &[level, "target.c"]);
        let outcome = bench.run(&program, &[], &[]);
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        assert_eq!(outcome.stdout, "begins=6 ends=6 wrong=0\n", "{outcome:#?}");
    }
}

/// The symbols for which a tool, a program or another runtime asks the loader; the inquiry
/// functions are not among them (sections 5 and A.5 of the report).
#[test]
fn the_runtimes_own_ompt_tool_is_weak_and_finds_no_tool() {
    let folder = env::var_os("OXOMP_LIB").map(PathBuf::from).expect("OXOMP_LIB is set");
    let contents = fs::read(folder.join("libomp.so")).expect("the runtime");
    let runtime = object::File::parse(&*contents).expect("a shared object");
    let symbols = runtime.dynamic_symbols().filter(|symbol| symbol.is_definition());
    let mut of_tools: Vec<(&str, bool)> = symbols
        .map(|symbol| (symbol.name().expect("UTF-8"), symbol.is_weak()))
        .filter(|(name, _)| name.starts_with("ompt_"))
        .collect();
    of_tools.sort_unstable();
    let expected = [
        ("ompt_control", false),
        ("ompt_control_", false),
        ("ompt_libomp_connect", false),
        ("ompt_start_tool", true),
        ("ompt_tool", true),
    ];
    assert_eq!(of_tools, expected);

    let bench = Bench::new("report_2015_rules");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "no_tool", &["no_tool.c"]);
        let outcome = bench.run(&program, &[], &[]);
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        assert_eq!(outcome.stdout, "none=1 1\n", "{outcome:#?}");
    }
}
