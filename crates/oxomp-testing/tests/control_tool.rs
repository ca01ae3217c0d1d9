//! `omp_control_tool` (OpenMP 5.2 §18.14) and `ompt_control` (the report of 2015 §8): every kind of
//! command, from C and from Fortran, everywhere in a program, with and without a tool that has the
//! callback, and with tools of the other generation.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use oxomp_prerequisites::Program;
use oxomp_testing::bench::{Bench, COMPILERS, Compiler};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;

/// A case: its name, the variables, and the result of a call that the tool does not answer; 0 if it
/// does.
type Case = (&'static str, &'static [(&'static str, &'static str)], &'static str);

const CASES: [Case; 5] = [
    ("no tool", &[("TEST_CALLBACK", "declines")], "-2"),
    ("disabled", &[("OMP_TOOL", "disabled")], "-2"),
    ("without the callback", &[("TEST_CALLBACK", "never")], "-1"),
    ("removed", &[("TEST_CALLBACK", "removed")], "-1"),
    ("with the callback", &[], "0"),
];

#[track_caller]
fn assert_output(outcome: &Outcome, expected: &str) {
    assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
    assert_eq!(outcome.stdout, expected, "{outcome:#?}");
    assert_eq!(outcome.stderr, "");
}

#[test]
fn a_c_program_controls_its_tool() {
    let bench = Bench::new("control_tool");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "program", &["-O1", "program.c", "tool.c"]);
        for (case, variables, result) in CASES {
            println!("{compiler:?} {case}");
            let outcome = bench.run(&program, &[result], variables);
            assert_output(&outcome, "right after=-2 after_=-2\n");
        }
    }
}

/// A callback that is registered counts at once; before, the tool is not active yet.
#[test]
fn a_tool_calls_the_routine_in_its_initializer() {
    let bench = Bench::new("control_tool");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "program", &["-O1", "program.c", "tool.c"]);
        for (callback, result) in [("initializer", 5), ("unset-initializer", -2)] {
            let outcome = bench.run(&program, &["0"], &[("TEST_CALLBACK", callback)]);
            let said = format!("initializer: {result}\nright after=-2 after_=-2\n");
            assert_output(&outcome, &said);
        }
    }
}

#[test]
fn a_fortran_program_controls_its_tool() {
    let bench = Bench::new("control_tool");
    let object = bench.path("tool.o");
    let tool = bench.program(Compiler::Gcc, "tool.o", &["-c", "tool.c"]);
    assert_eq!(tool, object);
    let object = object.to_str().expect("temporary folders have plain names");
    for (compiler, source) in [
        (Program::Gfortran, "by_reference.f90"),
        (Program::Flang, "by_reference.f90"),
        (Program::Flang, "by_module.f90"),
    ] {
        let words = [source, object, "-fopenmp", "-Wl,--no-as-needed", "-lomp"];
        let program = bench.compile_fortran(compiler, "program", &words);
        for (case, variables, result) in CASES {
            println!("{compiler} {source} {case}");
            let expected = match result {
                "0" => "start: 0\nmodifier=-3 arg=NULL codeptr=set\nprint: 66\n\
                        answer: 2147483647\nanswer: -65\nend: 0\n"
                    .to_owned(),
                _ => ["start", "print", "answer", "answer", "end"]
                    .map(|call| format!("{call}: {result}\n"))
                    .concat(),
            };
            let mut outcome = bench.run(&program, &[], variables);
            // Fortran and C have buffers of their own.
            outcome.stdout = sorted(&outcome.stdout);
            assert_output(&outcome, &sorted(&expected));
        }
    }
}

/// The flags for tools of both generations, and for their programs.
const GENERATIONS: [&str; 2] = ["-DNEWER=0", "-DNEWER=1"];

/// The cases in which a tool of either generation can be.
const CASES_2015: [Case; 4] = [CASES[0], CASES[1], CASES[2], CASES[4]];

#[test]
fn the_routine_of_2015_reaches_tools_of_both_generations() {
    let bench = Bench::new("control_tool");
    for compiler in COMPILERS {
        for flag in GENERATIONS {
            let words = ["-O1", "program_2015.c", "tool.c", flag];
            let program = bench.program_with_tool(compiler, "program", &words);
            for (case, variables, result) in CASES_2015 {
                println!("{compiler:?} {flag} {case}");
                assert_output(&bench.run(&program, &[result], variables), "right\n");
            }
        }
    }
}

#[test]
fn a_fortran_program_uses_the_routine_of_2015() {
    let bench = Bench::new("control_tool");
    for flag in GENERATIONS {
        let object = bench.program(Compiler::Gcc, "tool.o", &["-c", "tool.c", flag]);
        let object = object.to_str().expect("temporary folders have plain names");
        let told = if flag == "-DNEWER=1" { " arg=NULL codeptr=set" } else { "" };
        for compiler in [Program::Gfortran, Program::Flang] {
            let source = "by_reference_2015.f90";
            let words = [source, object, "-fopenmp", "-Wl,--no-as-needed", "-lomp"];
            let program = bench.compile_fortran(compiler, "program", &words);
            for (case, variables, result) in CASES_2015 {
                println!("{compiler} {flag} {case}");
                let expected = match result {
                    "0" => format!("modifier=-3{told}\nmodifier=1099511627776{told}\nends\n"),
                    _ => "ends\n".to_owned(),
                };
                assert_output(&bench.run(&program, &[], variables), &expected);
            }
        }
    }
}

fn sorted(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines.join("\n")
}
