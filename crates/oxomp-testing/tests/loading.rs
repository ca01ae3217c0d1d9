//! How the runtime gets into a process and stays there: through libraries of several compilers and
//! runtimes' names, at the start or late.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use std::path::PathBuf;

use oxomp_prerequisites::Program;
use oxomp_testing::bench::{Bench, COMPILERS};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;

/// A library with OpenMP inside that asks for a runtime of a certain name.
struct Part {
    /// The name of its table.
    name: &'static str,
    compiler: Program,
    runtime: &'static str,
}

const PARTS: [Part; 3] = [
    Part { name: "of_gomp", compiler: Program::Gcc, runtime: "libgomp.so.1" },
    Part { name: "of_omp", compiler: Program::Clang, runtime: "libomp.so.5" },
    Part { name: "of_iomp", compiler: Program::Clang, runtime: "libiomp5.so" },
];

/// Builds the libraries; nothing but the name of its runtime is known to the linker of each.
fn libraries(bench: &Bench) -> Vec<PathBuf> {
    PARTS.iter().map(|part| library(bench, part)).collect()
}

fn library(bench: &Bench, part: &Part) -> PathBuf {
    let soname = format!("-Wl,-soname,{}", part.runtime);
    let stub =
        bench.compile(Program::Gcc, &format!("stub-{}", part.runtime), &["-shared", &soname]);
    let object = format!("{}.o", part.name);
    let table = format!("-DPART={}", part.name);
    let unlinked = "-Wno-unused-command-line-argument";
    let words = ["-c", "-fPIC", "-O2", "-fopenmp", unlinked, &table, "part.c"];
    let object = bench.compile(part.compiler, &object, &words);
    let soname = format!("-Wl,-soname,lib{}.so", part.name);
    let words = ["-shared", "-Wl,--no-as-needed", &soname, text(&object), text(&stub)];
    bench.compile(Program::Gcc, &format!("lib{}.so", part.name), &words)
}

fn text(path: &std::path::Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

#[track_caller]
fn assert_says(outcome: &Outcome, wanted: &str) {
    assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
    assert_eq!(outcome.stdout, wanted);
    assert_eq!(outcome.stderr, "");
}

#[test]
fn libraries_of_three_runtimes_share_one() {
    let bench = Bench::new("loading");
    let libraries = libraries(&bench);
    let rpath = format!("-Wl,-rpath,{}", text(&bench.path("")));
    let flags = ["together.c", "-Wl,--no-as-needed", "-Wl,--allow-shlib-undefined", &rpath];
    let words: Vec<&str> =
        flags.into_iter().chain(libraries.iter().map(|path| text(path))).collect();
    let program = bench.compile(Program::Gcc, "together", &words);
    for policy in ["active", "passive"] {
        let outcome = bench.run(&program, &[], &[("OMP_WAIT_POLICY", policy)]);
        assert_says(&outcome, "together\n");
    }
}

#[test]
fn libraries_are_loaded_late_closed_and_loaded_again() {
    let bench = Bench::new("loading");
    let libraries = libraries(&bench);
    let program = bench.compile(Program::Gcc, "late", &["late.c"]);
    let paths: Vec<&str> = libraries.iter().map(|path| text(path)).collect();
    for policy in ["active", "passive"] {
        let outcome = bench.run(&program, &paths, &[("OMP_WAIT_POLICY", policy)]);
        assert_says(&outcome, "late\n");
    }
}

/// The runtime has the routines for devices too, and comes first in the search order.
#[test]
fn an_offload_library_answers_once_it_is_loaded() {
    let bench = Bench::new("loading");
    let words = ["-shared", "-fPIC", "-O2", "offload_library.c"];
    let library = bench.compile(Program::Gcc, "liboffload.so", &words);
    let wanted = "before: 0 devices, the host is 0, memory 0, present 0, copied 22, name fr_id\n\
        after: 3 devices, the host is 3, memory 1, present 1, copied 43210, name theirs\n\
        freed on 2\n\
        closed: 3 devices, the host is 3, memory 1, present 1, copied 43210, name theirs\n";
    for compiler in COMPILERS {
        let program = bench.program(compiler, "calls", &["-O1", "-fPIC", "offload_calls.c"]);
        let outcome = bench.run(&program, &[text(&library)], &[]);
        assert_says(&outcome, wanted);
    }
}
