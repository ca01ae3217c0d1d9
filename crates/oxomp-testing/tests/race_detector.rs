//! Programs under ThreadSanitizer with LLVM's Archer: Archer reports no race in a correct program,
//! although memory goes from task to task, and reports a planted one.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it, and
//! the compiler's ThreadSanitizer: without it the tests say so and check nothing.

use std::fs;
use std::os::unix::fs::symlink;

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{File, Program};
use oxomp_testing::bench::{Bench, COMPILERS, Compiler};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;

/// The status of a program in which a race was found.
const FOUND: i32 = 66;
/// Archer notes the ends of tasks for a later dependence on `omp_all_memory` from the beginning.
const ALL_MEMORY: &str = "all_memory=1";
/// Archer's default: it begins to note them when the runtime first tells of such a dependence, says
/// so, and does not order tasks that were complete by then before that dependence. Archer of LLVM
/// 22 reports the writes of such a task as races on every runtime, libomp included.
const ALL_MEMORY_FROM_THE_FIRST: &str = "all_memory=0";

/// The run of a program, named from the folder `tests/c`, with Archer's `options`; `None` where
/// Archer is not to be had.
fn run(source: &str, options: &str) -> Option<Outcome> {
    if !has_all(&[File::ThreadSanitizer.into(), File::Archer.into()]) {
        return None;
    }
    let bench = Bench::new("../../../tests/c");
    let headers = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../../tests/include");
    let is_cpp = source.ends_with(".cpp");
    let compiler = if is_cpp { Program::Clangxx } else { Program::Clang };
    let words = [
        "-fopenmp",
        "-fsanitize=thread",
        "-g",
        "-O1",
        "-Wno-unknown-pragmas",
        "-Wno-sign-compare",
        headers,
        source,
    ];
    let program = bench.compile(compiler, "program", &words);
    let variables = [
        ("OMP_TOOL_LIBRARIES", File::Archer.text()),
        ("ARCHER_OPTIONS", options),
        ("OMP_NUM_THREADS", "4"),
    ];
    Some(bench.run(&program, &[], &variables))
}

#[track_caller]
fn assert_no_races(source: &str) {
    let Some(outcome) = run(source, ALL_MEMORY) else { return };
    assert_eq!(outcome.ending, Ending::Status(0), "{source}: {outcome:#?}");
}

#[track_caller]
fn assert_race(source: &str, options: &str) {
    let Some(outcome) = run(source, options) else { return };
    assert_eq!(outcome.ending, Ending::Status(FOUND), "{outcome:#?}");
    assert!(outcome.stderr.contains("data race"), "{outcome:#?}");
}

#[test]
fn memory_that_goes_from_task_to_task_is_no_race() {
    for source in ["task/blocks.c", "task/data.cpp", "task/depend.c"] {
        assert_no_races(source);
    }
}

#[test]
fn a_dependence_on_all_memory_orders_tasks_that_are_complete() {
    assert_no_races("../../crates/oxomp-testing/tests/race_detector/all_memory.c");
}

/// If this fails, Archer has learnt to order them, and `ALL_MEMORY` can go.
#[test]
fn archer_needs_its_option_for_all_memory() {
    let source = "../../crates/oxomp-testing/tests/race_detector/all_memory.c";
    assert_race(source, ALL_MEMORY_FROM_THE_FIRST);
}

#[test]
fn tasks_without_the_order_that_they_need_are_a_race() {
    assert_race("../../crates/oxomp-testing/tests/race_detector/race.c", ALL_MEMORY);
}

/// The constructs of `constructs.c`.
const CONSTRUCTS: [&str; 16] = [
    "critical",
    "lock",
    "nest_lock",
    "barrier",
    "region",
    "ordered",
    "single",
    "loop",
    "sections",
    "reduction",
    "atomic",
    "taskwait",
    "taskgroup",
    "depend",
    "task_data",
    "taskloop",
];

/// The program `source` for the race detector of `compiler`; `None` where this is not to be had.
fn watched(bench: &Bench, compiler: Compiler, source: &str) -> Option<std::path::PathBuf> {
    let detector = match compiler {
        Compiler::Gcc => File::GccThreadSanitizer,
        Compiler::Clang => File::ThreadSanitizer,
    };
    has_all(&[detector.into(), File::Archer.into()])
        .then(|| bench.program(compiler, "program", &["-fsanitize=thread", "-g", "-O1", source]))
}

#[test]
fn each_construct_orders_what_it_should_and_nothing_else() {
    let bench = Bench::new("race_detector");
    for compiler in COMPILERS {
        let Some(program) = watched(&bench, compiler, "constructs.c") else { continue };
        let variables = [("OMP_TOOL_LIBRARIES", File::Archer.text())];
        for construct in CONSTRUCTS {
            println!("{compiler:?} {construct}");
            let outcome = bench.run(&program, &[construct, "ordered"], &variables);
            assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
            let outcome = bench.run(&program, &[construct, "race"], &variables);
            assert_eq!(outcome.ending, Ending::Status(FOUND), "{outcome:#?}");
            assert!(outcome.stderr.contains("data race"), "{outcome:#?}");
        }
    }
}

/// Only a program under the race detector makes the runtime look for Archer by itself: it is found
/// as Debian's packages install it, in a folder which the loader does not search.
#[test]
fn archer_is_found_by_itself_under_the_detector_only() {
    let bench = Bench::new("race_detector");
    let variables = [("OMP_TOOL_VERBOSE_INIT", "stderr")];
    for compiler in COMPILERS {
        let Some(program) = watched(&bench, compiler, "constructs.c") else { continue };
        for construct in CONSTRUCTS {
            println!("{compiler:?} {construct}");
            let outcome = bench.run(&program, &[construct, "ordered"], &variables);
            assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
            assert!(outcome.stderr.contains("/libarcher.so... Success."), "{outcome:#?}");
            assert!(outcome.stderr.contains("Tool was started"), "{outcome:#?}");
            let outcome = bench.run(&program, &[construct, "race"], &variables);
            assert_eq!(outcome.ending, Ending::Status(FOUND), "{outcome:#?}");
        }
        let program = bench.program(compiler, "program", &["-O1", "constructs.c"]);
        let outcome = bench.run(&program, &["barrier", "ordered"], &variables);
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        assert!(!outcome.stderr.contains("archer"), "{outcome:#?}");
        assert!(outcome.stderr.contains("No OMP tool loaded."), "{outcome:#?}");
    }
}

/// The order of the search: what the loader finds, what lies beside the libomp of the program, and
/// what is installed. A file that cannot be loaded is passed over.
#[test]
fn archer_lies_beside_the_libomp_of_the_program() {
    if !has_all(&[File::ThreadSanitizer.into(), File::Archer.into()]) {
        return;
    }
    let bench = Bench::new("race_detector");
    let (linked, llvm) = (bench.path("linked"), bench.path("llvm"));
    for folder in [&linked, &llvm] {
        fs::create_dir(folder).expect("the folder is writable");
    }
    fs::write(llvm.join("libomp.so.5"), "not loaded: ours comes before").expect("writable");
    symlink("../llvm/libomp.so.5", linked.join("libomp.so.5")).expect("the folder is writable");
    let path = format!("-Wl,-rpath,{}", linked.display());
    let words = ["-fsanitize=thread", "-g", "-O1", "constructs.c", &path];
    let program = bench.program(Compiler::Clang, "program", &words);
    let archer = llvm.canonicalize().expect("it exists").join("libarcher.so");
    let opens = |path: &str, how: &str| format!("Opening {path}... {how}");
    let run = |more: &[(&str, &str)]| {
        let variables = [&[("OMP_TOOL_VERBOSE_INIT", "stderr")], more].concat();
        let outcome = bench.run(&program, &["barrier", "ordered"], &variables);
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        assert!(outcome.stderr.contains("Tool was started"), "{outcome:#?}");
        outcome.stderr
    };
    let beside = archer.to_str().expect("temporary folders have plain names");
    symlink(File::Archer.path(), &archer).expect("the folder is writable");
    assert!(run(&[]).contains(&opens(beside, "Success.")));
    fs::remove_file(&archer).expect("it is there");
    fs::write(&archer, "no library").expect("the folder is writable");
    let log = run(&[]);
    assert!(log.contains(&opens(beside, "Failed: ")), "{log}");
    // The loader's own comes before.
    let runtime = std::env::var("OXOMP_LIB").expect("`Bench::new` has read it");
    let folder = File::Archer.path().parent().expect("a file lies in a folder");
    let path = format!("{runtime}:{}", folder.display());
    let log = run(&[("LD_LIBRARY_PATH", &path)]);
    assert!(log.contains(&opens("libarcher.so", "Success.")), "{log}");
}
