//! The constants against the compiler's own `omp-tools.h`, and the table of events against itself.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::Stdio;

use oxomp_prerequisites::Program;
use oxomp_sys::ompt::ompt_state_t;

mod constants;

use constants::all_constants;

const COMPILER: Program = Program::Clang;

/// Names of OpenMP 5.2 and 6.0 that clang 22's header does not have.
const NOT_IN_THE_HEADER: &[&str] = &[
    "ompt_target_data_transfer",
    "ompt_target_data_memset",
    "ompt_target_data_transfer_rect",
    "ompt_target_data_transfer_async",
    "ompt_target_data_memset_async",
    "ompt_target_data_transfer_rect_async",
    "ompt_work_workdistribute",
    "ompt_task_importing",
    "ompt_task_exporting",
    "ompt_target_map_flag_always",
    "ompt_target_map_flag_present",
    "ompt_target_map_flag_close",
    "ompt_target_map_flag_shared",
    "ompt_state_work_free_agent",
    "ompt_state_work_induction",
    "ompd_rc_incompatible_handle",
    "ompd_scope_teams",
    "ompd_scope_target",
    "ompd_generator_program",
    "ompd_generator_parallel",
    "ompd_generator_teams",
    "ompd_generator_target",
];

/// Compiles `source` without producing anything; the compiler's messages are the error.
fn compile(source: &str) -> Result<(), String> {
    let mut child = COMPILER
        .command()
        .args(["-x", "c", "-std=c11", "-fopenmp", "-fsyntax-only", "-ferror-limit=0", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{COMPILER} is needed for this test: {error}"));
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(source.as_bytes()).expect("the compiler reads its input");
    drop(stdin);
    let output = child.wait_with_output().expect("the compiler ends");
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn assertion(name: &str, value: u32) -> String {
    format!("_Static_assert((unsigned){name} == {value}u, \"{name}\");\n")
}

#[test]
fn values_are_those_of_the_header() {
    let mut source = String::from("#include <stdint.h>\n#include <omp-tools.h>\n");
    let missing: BTreeSet<_> = NOT_IN_THE_HEADER.iter().copied().collect();
    let constants = all_constants();
    let mut compared = 0;
    for (name, value) in &constants {
        if !missing.contains(name) {
            source.push_str(&assertion(name, *value));
            compared += 1;
        }
    }
    assert_eq!(compared + missing.len(), constants.len(), "a missing name is not one of ours");
    if let Err(messages) = compile(&source) {
        panic!("{messages}");
    }
}

#[test]
fn a_wrong_value_would_be_found() {
    let source = format!("#include <omp-tools.h>\n{}", assertion("ompt_state_idle", 0x101));
    let messages = compile(&source).expect_err("0x101 is another state");
    assert!(messages.contains("ompt_state_idle"), "{messages}");
}

#[test]
fn names_are_unique() {
    let constants = all_constants();
    let names: BTreeSet<_> = constants.iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), constants.len());
}

#[test]
fn a_value_without_a_name_is_kept() {
    let state = ompt_state_t(0x2AB);
    assert_eq!(state.name(), None);
    assert_eq!(ompt_state_t(0x100).name(), Some(c"ompt_state_idle"));
}
