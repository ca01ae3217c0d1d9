//! `include/omp-tools.h` against the list of all names of the specification, in C and C++, by gcc
//! and clang; and the list against LLVM's header and against the constants of this crate.

use std::collections::BTreeSet;

use oxomp_prerequisites::Program;

mod c_header;
mod constants;

use c_header::{Folder, Line, OURS, lines, program, run, unlisted};
use constants::all_constants;

const HEADER: &str = "omp-tools.h";
const NAMES: &str = include_str!("omp_tools_names.txt");

const LANGUAGES: [(Program, &str); 8] = [
    (Program::Gcc, "-std=c99"),
    (Program::Gcc, "-std=c17"),
    (Program::Clang, "-std=c99"),
    (Program::Clang, "-std=c17"),
    (Program::Gxx, "-std=c++11"),
    (Program::Gxx, "-std=c++20"),
    (Program::Clangxx, "-std=c++11"),
    (Program::Clangxx, "-std=c++20"),
];

#[test]
fn the_header_has_every_name() {
    let folder = Folder::new("omp-tools-h");
    let lines = lines(NAMES);
    let all: Vec<_> = lines.iter().collect();
    for language in LANGUAGES {
        let said = run(&folder.0, language, &program(HEADER, &all), &[OURS]);
        assert_eq!(said, format!("{}\n", all.len()), "{language:?}");
    }
}

#[test]
fn a_tool_with_every_callback_and_entry_point_compiles() {
    let folder = Folder::new("omp-tools-h-tool");
    for language in LANGUAGES {
        let said = run(&folder.0, language, include_str!("every_type.c"), &[OURS]);
        assert_eq!(said, "37 callbacks\n", "{language:?}");
    }
}

/// gcc has no such header of its own.
#[test]
fn the_list_is_true_of_llvms_header() {
    let folder = Folder::new("omp-tools-h-llvm");
    let lines = lines(NAMES);
    let known: Vec<_> = lines.iter().filter(|line| line.last() != Some(&"-")).collect();
    // LLVM's header is not free of warnings.
    let flags = ["-fopenmp", "-Wno-error", "-w"];
    let said = run(&folder.0, (Program::Clang, "-std=c17"), &program(HEADER, &known), &flags);
    assert_eq!(said, format!("{}\n", known.len()));
}

#[test]
fn a_wrong_line_would_be_found() {
    let folder = Folder::new("omp-tools-h-wrong");
    let lines: Vec<_> = ["constant ompt_state_idle 257", "type ompt_frame_t 16"]
        .map(|line| -> Line { line.split(' ').collect() })
        .into();
    let all: Vec<_> = lines.iter().collect();
    let said = run(&folder.0, (Program::Clang, "-std=c17"), &program(HEADER, &all), &[OURS]);
    assert_eq!(said, "constant ompt_state_idle 257: 256\ntype ompt_frame_t 16: 24\n2\n");
}

/// Every name of the header is in the list, and nothing is there twice.
#[test]
fn the_list_has_every_name_of_the_header() {
    let missing = unlisted(HEADER, &lines(NAMES));
    // `ompt_task_` and the like, in comments.
    let missing: Vec<_> = missing.into_iter().filter(|name| !name.ends_with('_')).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_constants_of_this_crate_are_those_of_the_list() {
    let lines = lines(NAMES);
    let listed: BTreeSet<(&str, u32)> = lines
        .iter()
        .filter(|line| line[0] == "constant")
        .filter(|line| line[1].starts_with("ompt_") || line[1].starts_with("ompd_"))
        .filter(|line| !line[1].ends_with("_none") && line[1] != "ompd_icv_undefined")
        .map(|line| (line[1], line[2].parse().expect("32 bits")))
        .collect();
    let ours: BTreeSet<_> = all_constants().into_iter().collect();
    // The crate gives a number one name.
    let former: BTreeSet<_> = [("ompt_callback_master", 21)].into();
    let differ: Vec<_> = listed.symmetric_difference(&ours).collect();
    assert_eq!(differ, former.iter().collect::<Vec<_>>());
}
