//! Programs under valgrind's memcheck: no access to memory that is not allocated, no use of memory
//! that was never written, and no lost block.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it, and
//! valgrind: without it the tests say so and check nothing.

use std::path::Path;

use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::has_all;
use oxomp_testing::bench::{Bench, COMPILERS, Compiler};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;

/// The status of a program in which memcheck found something.
const FOUND: i32 = 99;

/// The run of the program and its arguments under memcheck; `None` where memcheck is not to be had.
fn checked(bench: &Bench, program: &Path, arguments: &[&str]) -> Option<Outcome> {
    if !has_all(&[Program::Valgrind.into()]) {
        return None;
    }
    let valgrind = Program::Valgrind.find()?;
    let program = program.to_str().expect("temporary folders have plain names");
    let status = format!("--error-exitcode={FOUND}");
    let words = [
        "--quiet",
        status.as_str(),
        "--leak-check=full",
        "--show-leak-kinds=definite",
        "--errors-for-leak-kinds=definite",
        "--trace-children=yes",
        program,
    ];
    // Only programs that cancel constructs notice the variable.
    let variables = [("OMP_CANCELLATION", "true")];
    Some(bench.run(&valgrind, &[&words, arguments].concat(), &variables))
}

#[track_caller]
fn assert_clean(source: &str, wanted: &str) {
    let bench = Bench::new("memcheck");
    for compiler in COMPILERS {
        // Without debug information: this valgrind does not know all of clang's.
        let program = bench.program(compiler, "program", &["-O1", source]);
        let Some(outcome) = checked(&bench, &program, &[]) else { return };
        assert_eq!(outcome.ending, Ending::Status(0), "{compiler:?}: {outcome:#?}");
        assert_eq!(outcome.stdout, wanted, "{compiler:?}: {}", outcome.stderr);
    }
}

/// A program of `tests/c`, which judges itself.
#[track_caller]
fn assert_program_clean(source: &str, arguments: &[&str]) {
    let bench = Bench::new("../../../tests/c");
    let headers = concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../../tests/include");
    let quiet = ["-Wno-unknown-pragmas", "-Wno-uninitialized", "-Wno-sign-compare"];
    for compiler in COMPILERS {
        let command = match (compiler, source.ends_with(".cpp")) {
            (Compiler::Gcc, false) => Program::Gcc,
            (Compiler::Gcc, true) => Program::Gxx,
            (Compiler::Clang, false) => Program::Clang,
            (Compiler::Clang, true) => Program::Clangxx,
        };
        let words = [&["-fopenmp", "-O1", headers, source], &quiet[..]].concat();
        let program = bench.compile(command, "program", &words);
        let Some(outcome) = checked(&bench, &program, arguments) else { return };
        assert_eq!(outcome.ending, Ending::Status(0), "{source}, {compiler:?}: {outcome:#?}");
    }
}

#[test]
fn constructs_use_memory_as_they_should() {
    assert_clean("constructs.c", "3026700 79 999\n");
}

#[test]
fn threads_that_come_and_go_leave_no_memory_behind() {
    assert_clean("threads.c", "60 4\n");
}

#[test]
#[ignore = "takes long: cargo xtask test --only thorough"]
fn tasks_use_memory_as_they_should() {
    for source in ["data.cpp", "depend.c", "detach.c", "reduction.cpp", "reduction_modifier.c"] {
        assert_program_clean(&format!("task/{source}"), &[]);
    }
    assert_program_clean("task/taskloop.cpp", &[]);
    assert_program_clean("stress/random_tasks.cpp", &["60"]);
}

#[test]
#[ignore = "takes long: cargo xtask test --only thorough"]
fn leagues_use_memory_as_they_should() {
    for source in ["sizes.c", "tasks.c", "foreign.c", "fork.c"] {
        assert_program_clean(&format!("teams/{source}"), &[]);
    }
}

#[test]
fn target_constructs_use_memory_as_they_should() {
    for source in ["regions.c", "nowait_depend.c"] {
        assert_program_clean(&format!("target/{source}"), &[]);
    }
}

#[test]
#[ignore = "takes long: cargo xtask test --only thorough"]
fn cancelled_constructs_use_memory_as_they_should() {
    // Not `detach.c`: the block of a discarded task with an event stays, for a late call.
    for source in ["parallel.c", "taskgroup.c", "waits.c"] {
        assert_program_clean(&format!("cancel/{source}"), &[]);
    }
}

#[test]
fn doacross_loops_use_memory_as_they_should() {
    assert_program_clean("doacross/nowait.c", &[]);
    assert_program_clean("stress/doacross.c", &["4"]);
}

#[test]
#[ignore = "takes long: cargo xtask test --only thorough"]
fn allocators_use_memory_as_they_should() {
    for source in ["pool_exact.c", "traits.c", "destroyed.c", "default_allocator.c"] {
        assert_program_clean(&format!("allocator/{source}"), &[]);
    }
    assert_program_clean("allocator/allocate_clause.c", &[]);
}

#[test]
fn what_a_program_loses_is_found() {
    let bench = Bench::new("memcheck");
    for compiler in COMPILERS {
        let program = bench.program(compiler, "program", &["-O1", "-DLOSES", "constructs.c"]);
        let Some(outcome) = checked(&bench, &program, &[]) else { return };
        assert_eq!(outcome.ending, Ending::Status(FOUND), "{compiler:?}: {outcome:#?}");
        assert!(outcome.stderr.contains("1,000 bytes"), "{compiler:?}: {outcome:#?}");
    }
}
