//! The headers under `include/`: clean in C and C++, and equal to the compilers' own in numbers.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use oxomp_prerequisites::Program;

const BOTH_TWICE: &str =
    "#include <omp.h>\n#include <omp-tools.h>\n#include <omp.h>\n#include <omp-tools.h>\n";

/// Uses every clause whose argument has a type of `omp.h`.
const CLAUSES: &str = r"
#include <omp.h>
int main(void) {
    int x = 0;
    omp_depend_t dependence;
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp depobj(dependence) depend(inout : x)
#pragma omp task depend(depobj : dependence)
        x++;
#pragma omp depobj(dependence) destroy
#pragma omp task detach(event)
        omp_fulfill_event(event);
    }
    int y = 1;
#pragma omp parallel private(y) allocate(omp_default_mem_alloc : y)
    y = 2;
    return x + y > 100;
}
";

/// Constants that differ between the compilers' headers, or stand in ours to fix a type's width.
const OWN: [&str; 6] = [
    "omp_atv_all",
    "omp_default_mem_space",
    "omp_memspace_handle_max",
    "omp_allocator_handle_max",
    "omp_event_handle_max",
    "omp_interop_none",
];

const TYPES: [&str; 13] = [
    "omp_lock_t",
    "omp_nest_lock_t",
    "omp_depend_t",
    "omp_event_handle_t",
    "omp_allocator_handle_t",
    "omp_memspace_handle_t",
    "omp_alloctrait_t",
    "omp_sched_t",
    "omp_proc_bind_t",
    "omp_sync_hint_t",
    "omp_pause_resource_t",
    "omp_interop_t",
    "omp_control_tool_t",
];

fn include() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../include")
}

/// Compiles `source` with our headers and every warning an error.
fn compile(compiler: Program, standard: &str, suffix: &str, source: &str) -> Output {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join(format!("probe.{suffix}"));
    fs::write(&file, source).expect("writable");
    compiler
        .command()
        .arg(format!("-std={standard}"))
        .args(["-fopenmp", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c", "-I"])
        .arg(include())
        .arg(&file)
        .arg("-o")
        .arg(folder.path().join("probe.o"))
        .output()
        .unwrap_or_else(|error| panic!("{compiler}: {error}"))
}

fn assert_compiles(compiler: Program, standard: &str, suffix: &str, source: &str) {
    let output = compile(compiler, standard, suffix, source);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} -std={standard}:\n{said}");
}

#[test]
fn the_headers_can_be_included_twice_without_a_warning() {
    let main = format!("{BOTH_TWICE}int main(void) {{ return 0; }}\n");
    for compiler in [Program::Gcc, Program::Clang] {
        for standard in ["c99", "c17"] {
            assert_compiles(compiler, standard, "c", &main);
        }
    }
    for compiler in [Program::Gxx, Program::Clangxx] {
        for standard in ["c++11", "c++20"] {
            assert_compiles(compiler, standard, "cpp", &main);
        }
    }
}

#[test]
fn a_warning_in_a_header_would_be_seen() {
    let bad = format!("{BOTH_TWICE}enum {{ too_wide = 0x80000000U, }};\nint unused(int x) {{ }}\n");
    for compiler in [Program::Gcc, Program::Clang] {
        assert!(!compile(compiler, "c99", "c", &bad).status.success(), "{compiler}");
    }
}

#[test]
fn clauses_accept_the_types() {
    for compiler in [Program::Gcc, Program::Clang] {
        assert_compiles(compiler, "c99", "c", CLAUSES);
    }
    for compiler in [Program::Gxx, Program::Clangxx] {
        assert_compiles(compiler, "c++11", "cpp", CLAUSES);
    }
}

#[test]
fn constants_and_sizes_are_those_of_the_compilers_own_headers() {
    for (compiler, headers) in
        [(Program::Gcc, &["omp.h"][..]), (Program::Clang, &["omp.h", "omp-tools.h"][..])]
    {
        for header in headers {
            let own = fs::read_to_string(own_header(compiler, header)).expect("readable");
            let ours = fs::read_to_string(include().join(header)).expect("readable");
            let theirs = words(&own);
            let wanted = |name: &&String| theirs.contains(*name) && !OWN.contains(&name.as_str());
            let constants = enumerators(&ours);
            let mut values: Vec<String> =
                constants.iter().filter(wanted).map(|name| format!("(unsigned){name}")).collect();
            assert!(values.len() > 30, "{compiler} {header}: {} constants", values.len());
            if *header == "omp.h" {
                let known = TYPES.iter().filter(|name| theirs.contains(**name));
                values.extend(known.map(|name| format!("(unsigned)sizeof({name})")));
            }
            let source = printer(header, &values);
            let printed = run(compiler, Some(&include()), &source);
            let expected = run(compiler, None, &source);
            assert_eq!(printed.lines().count(), expected.lines().count());
            for (printed, expected) in printed.lines().zip(expected.lines()) {
                assert_eq!(printed, expected, "{compiler} {header}");
            }
        }
    }
}

fn own_header(compiler: Program, header: &str) -> PathBuf {
    let ask = |option: &str| {
        let output = compiler.command().arg(option).output().expect("the compiler runs");
        PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
    };
    match compiler {
        Program::Gcc => ask(&format!("-print-file-name=include/{header}")),
        _ => ask("-print-resource-dir").join("include").join(header),
    }
}

fn words(text: &str) -> BTreeSet<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_word(c)).map(str::to_owned).collect()
}

/// The names before `=` in the enumerations of `header`.
fn enumerators(header: &str) -> BTreeSet<String> {
    let names = header.split(['{', ',', '\n']).filter_map(|part| part.split_once('='));
    let names = names.map(|(name, _)| name.trim().to_owned());
    names.filter(|name| name.starts_with("omp") && !name.contains(' ')).collect()
}

fn printer(header: &str, values: &[String]) -> String {
    let mut source = format!("#include <stdio.h>\n#include <{header}>\nint main(void) {{\n");
    for value in values {
        source.push_str(&format!("printf(\"{value} %u\\n\", {value});\n"));
    }
    source + "return 0; }\n"
}

fn run(compiler: Program, include: Option<&Path>, source: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, program) = (folder.path().join("print.c"), folder.path().join("print"));
    fs::write(&file, source).expect("writable");
    let mut compile = compiler.command();
    if let Some(include) = include {
        compile.arg("-I").arg(include);
    }
    let output = compile.arg(&file).arg("-o").arg(&program).output().expect("the compiler runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&program).output().expect("the program runs");
    String::from_utf8(output.stdout).expect("text")
}
