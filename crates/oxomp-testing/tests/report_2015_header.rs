//! What `include/README.md` shows to authors of tools of the 2015 report: its tool, in each way in
//! which a program may get it, and the declarations of `ompt_control` in C and Fortran.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use std::fs;
use std::path::{Path, PathBuf};

use oxomp_prerequisites::Program;
use oxomp_testing::bench::{Bench, COMPILERS};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;

const PAGE: &str = include_str!("../../../include/README.md");

const FOLDER: &str = "report_2015_header";

/// The page's blocks of code of `language`.
fn blocks(language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let blocks = PAGE.split(&fence).skip(1);
    blocks.map(|text| text.split("```").next().expect("a split has a first part")).collect()
}

/// Writes a source among the executables of the bench.
fn write(bench: &Bench, name: &str, source: &str) -> PathBuf {
    let path = bench.path(name);
    fs::write(&path, source).expect("the folder is writable");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

#[track_caller]
fn assert_tool_ran(outcome: &Outcome) {
    assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
    let lines: Vec<_> = outcome.stdout.lines().collect();
    let [first, region, last] = lines[..] else { panic!("{outcome:#?}") };
    assert!(first.starts_with("oxomp ") && first.ends_with(", version 2"), "{outcome:#?}");
    assert!(region.starts_with("thread ") && region.ends_with(", 2 threads"), "{outcome:#?}");
    assert!(!region.contains(" 0:") && !region.contains(" 0,"), "{outcome:#?}");
    assert_eq!((last, outcome.stderr.as_str()), ("shutdown", ""));
}

#[test]
fn the_tool_of_the_page_runs_preloaded_linked_built_in_and_named() {
    let bench = Bench::new(FOLDER);
    let source = write(&bench, "tool.c", blocks("c")[0]);
    let library = bench.compile(Program::Gcc, "tool.so", &["-shared", "-fPIC", text(&source)]);
    let library = text(&library);
    for compiler in COMPILERS {
        println!("{compiler:?}");
        let alone = bench.program(compiler, "alone", &["program.c"]);
        assert_tool_ran(&bench.run(&alone, &[], &[("LD_PRELOAD", library)]));
        assert_tool_ran(&bench.run(&alone, &[], &[("OMP_TOOL_LIBRARIES", library)]));
        let outcome = bench.run(&alone, &[], &[("LD_PRELOAD", library), ("OMP_TOOL", "disabled")]);
        assert_eq!((outcome.ending, outcome.stdout.as_str()), (Ending::Status(0), ""));
        let words = ["program.c", "-Wl,--no-as-needed", library];
        assert_tool_ran(&bench.run(&bench.program(compiler, "linked", &words), &[], &[]));
        let words = ["program.c", text(&source)];
        assert_tool_ran(&bench.run(&bench.program(compiler, "with", &words), &[], &[]));
    }
}

#[test]
fn programs_in_c_and_fortran_command_a_tool() {
    let bench = Bench::new(FOLDER);
    let tool = bench.compile(Program::Gcc, "control.so", &["-shared", "-fPIC", "control.c"]);
    let [interface] = blocks("fortran")[..] else { panic!("the page has one block of Fortran") };
    let source = format!(
        "program commands\n  implicit none\n{interface}\
           call ompt_control(64_8, -3_8)\nend program commands\n"
    );
    let source = write(&bench, "commands.f90", &source);
    let links = ["-fopenmp", "-Wl,--no-as-needed", "-lomp"];
    let mut programs: Vec<_> = COMPILERS
        .map(|compiler| bench.program(compiler, &format!("{compiler:?}"), &["program.c"]))
        .into();
    programs.extend([Program::Gfortran, Program::Flang].map(|compiler| {
        let words = [&[text(&source)], &links[..]].concat();
        bench.compile_fortran(compiler, &compiler.to_string(), &words)
    }));
    for program in programs {
        let with = bench.run(&program, &[], &[("LD_PRELOAD", text(&tool))]);
        let said = "set_callback: 4\ncommand 64, modifier -3\n";
        assert_eq!((with.ending, with.stdout.as_str()), (Ending::Status(0), said), "{program:?}");
        let without = bench.run(&program, &[], &[]);
        assert_eq!((without.ending, without.stdout.as_str()), (Ending::Status(0), ""));
    }
}

/// C accepts a second declaration of a function only if it is the same.
#[test]
fn the_declaration_of_the_page_is_that_of_the_header() {
    let bench = Bench::new(FOLDER);
    let declaration = blocks("c")[1];
    assert!(declaration.contains("void ompt_control("), "{declaration}");
    let source = format!("#include <ompt.h>\n{declaration}");
    let source = write(&bench, "again.c", &source);
    let words = ["-shared", "-fPIC", text(&source)];
    for compiler in [Program::Gcc, Program::Clang] {
        assert!(bench.compile(compiler, "again.so", &words).exists());
    }
}
