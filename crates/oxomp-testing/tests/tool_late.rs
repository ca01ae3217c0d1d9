//! A tool that becomes ready after it has been loaded, as Caliper's does when `main` sets it up, or
//! that comes after the runtime: whoever has declined when the runtime was loaded is asked again at
//! the first use of OpenMP (OpenMP 5.2 §19.2.2).
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use std::fs;
use std::path::{Path, PathBuf};

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{File, Program};
use oxomp_testing::bench::{Bench, COMPILERS, Compiler};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;

/// The interface of the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Generation {
    OpenMp5,
    Report2015,
}

use Generation::{OpenMp5, Report2015};

impl Generation {
    fn flags(self) -> &'static [&'static str] {
        match self {
            OpenMp5 => &[],
            Report2015 => &["-DOLDER"],
        }
    }
}

const NOT_READY: &str = "tool: asked ready=0\n";
const READY: &str = "tool: asked ready=1\ntool: initialized threads=0\n";
const ENDS: &str = "program: ends 0\n";

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

/// The tool as a library of its own. Linked with a runtime only by its routines.
fn library(bench: &Bench, generation: Generation, more: &[&str]) -> PathBuf {
    let words = [&["-shared", "-fPIC", "tool.c"], generation.flags(), more].concat();
    bench.compile(Program::Gcc, "libtool.so", &words)
}

#[track_caller]
fn assert_output(outcome: &Outcome, expected: &str) {
    assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
    assert_eq!(outcome.stdout, expected, "{outcome:#?}");
}

/// How the tool comes into the address space before `main`, in programs with and without
/// optimization.
const PLACES: [(&str, &str); 4] =
    [("inside", "-O2"), ("before", "-O0"), ("after", "-O2"), ("preloaded", "-O0")];

/// A program with the tool in that place, and what LD_PRELOAD has to name.
fn placed(
    bench: &Bench,
    compiler: Compiler,
    generation: Generation,
    place: &str,
    level: &str,
    tool: &Path,
) -> (PathBuf, String) {
    let (keep, tool) = ("-Wl,--no-as-needed", text(tool));
    let words = match place {
        "inside" => [&["program.c", "tool.c", "-rdynamic", keep, "-lomp"], generation.flags()],
        "before" => [&["program.c", keep, tool, "-rdynamic", "-lomp"][..], &[]],
        "after" => [&["program.c", keep, "-lomp", tool][..], &[]],
        _ => [&["program.c", keep, "-lomp"][..], &[]],
    };
    let preload = if place == "preloaded" { tool } else { "" };
    (bench.program(compiler, place, &[words.concat(), vec![level]].concat()), preload.to_owned())
}

/// The ways of `program.c` in which a tool of the address space becomes ready, and the output that
/// follows the tool's first answer.
fn ways() -> Vec<(&'static str, String)> {
    let ended = |regions: u32| format!("{ENDS}tool: finalized regions={regions}\n");
    vec![
        ("plain", format!("{READY}{}", ended(1))),
        ("pause", format!("{READY}{}", ended(1))),
        ("threads", format!("{READY}{}", ended(8))),
        ("critical", format!("{READY}program: critical=1\n{}", ended(0))),
        ("routine", format!("{READY}program: routine=1\n{}", ended(0))),
        // The first routine asks, and then the first construct.
        ("routine-before", format!("{NOT_READY}{READY}{}", ended(1))),
        ("control", format!("{READY}program: control=-1\n{}", ended(0))),
        ("fork-before", format!("{READY}{}", ended(1)).repeat(2)),
    ]
}

#[test]
fn a_tool_that_becomes_ready_in_main_is_found() {
    let bench = Bench::new("tool_late");
    for generation in [OpenMp5, Report2015] {
        let tool = library(&bench, generation, &[]);
        // One of the report is asked for the first time when OpenMP is used.
        let declines = if generation == OpenMp5 { NOT_READY } else { "" };
        for compiler in COMPILERS {
            for (place, level) in PLACES {
                let (program, preload) = placed(&bench, compiler, generation, place, level, &tool);
                for (way, expected) in ways() {
                    println!("{generation:?} {compiler:?} {place} {way}");
                    let outcome = bench.run(&program, &[way], &[("LD_PRELOAD", &preload)]);
                    assert_output(&outcome, &format!("{declines}{expected}"));
                }
            }
        }
    }
}

#[test]
fn the_first_use_is_the_last_search() {
    let bench = Bench::new("tool_late");
    for generation in [OpenMp5, Report2015] {
        let tool = library(&bench, generation, &[]);
        let asked = if generation == OpenMp5 { 2 } else { 1 };
        for compiler in COMPILERS {
            let (program, preload) =
                placed(&bench, compiler, generation, "preloaded", "-O2", &tool);
            for way in ["region-before", "pause-before"] {
                println!("{generation:?} {compiler:?} {way}");
                let outcome = bench.run(&program, &[way], &[("LD_PRELOAD", &preload)]);
                assert_output(&outcome, &format!("{}{ENDS}", NOT_READY.repeat(asked)));
            }
        }
    }
}

/// Each process has its own first use.
#[test]
fn a_child_finds_the_tool_for_itself() {
    let bench = Bench::new("tool_late");
    let tool = library(&bench, OpenMp5, &[]);
    let ended = |regions: u32| format!("{ENDS}tool: finalized regions={regions}\n");
    for compiler in COMPILERS {
        let (program, preload) = placed(&bench, compiler, OpenMp5, "preloaded", "-O2", &tool);
        let run = |way| bench.run(&program, &[way], &[("LD_PRELOAD", &preload)]);
        let expected = format!("{NOT_READY}{READY}{}{NOT_READY}{ENDS}", ended(1));
        assert_output(&run("fork-child-ready"), &expected);
        // This child has its parent's tool.
        assert_output(&run("fork-after"), &format!("{NOT_READY}{READY}{}", ended(2).repeat(2)));
    }
}

/// What the tool does when it starts late is as harmless as at load.
#[test]
fn a_late_tool_may_fork_end_itself_and_call_routines() {
    let bench = Bench::new("tool_late");
    let tool = library(&bench, OpenMp5, &["-fopenmp"]);
    let finalized = |who: &str, regions: u32| format!("{who}: finalized regions={regions}\n");
    let child = format!("{ENDS}{}", finalized("child tool", 1));
    let parent = format!("{ENDS}{}", finalized("tool", 1));
    let (asked, initialized) = READY.split_at(READY.find("tool: init").expect("its second line"));
    for compiler in COMPILERS {
        let (program, preload) = placed(&bench, compiler, OpenMp5, "preloaded", "-O2", &tool);
        for (deed, expected) in [
            ("fork-asked", format!("{asked}child {initialized}{child}{initialized}{parent}")),
            ("fork-initializer", format!("{READY}{child}{parent}")),
            ("fork-callback", format!("{READY}{child}{parent}")),
            ("uses-openmp", format!("{}{parent}", READY.replace("=0", "=2"))),
            ("finalize", format!("{READY}{}{ENDS}", finalized("tool", 1))),
        ] {
            println!("{compiler:?} {deed}");
            let variables = [("LD_PRELOAD", &*preload), ("TOOL_DOES", deed)];
            let outcome = bench.run(&program, &["plain"], &variables);
            assert_output(&outcome, &format!("{NOT_READY}{expected}"));
        }
    }
}

#[test]
fn a_tool_that_is_loaded_before_the_first_use_is_found() {
    let bench = Bench::new("tool_late");
    for generation in [OpenMp5, Report2015] {
        let tool = library(&bench, generation, &[]);
        let tool = text(&tool);
        let regions = |number: u32| format!("{READY}{ENDS}tool: finalized regions={number}\n");
        for compiler in COMPILERS {
            let program = bench.program(compiler, "program", &["program.c"]);
            // Because of a second tool of the address space, which declines, the runtime searches
            // at load.
            let declines = bench.compile(
                Program::Gcc,
                "libother.so",
                &["-shared", "-fPIC", "tool.c", "-Dbecome_ready=unused"],
            );
            for (way, does, expected) in [
                ("global", "", regions(1)),
                // The program closes the tool's library, which stays.
                ("unload", "", regions(2)),
                ("close-at-exit", "", regions(1)),
                ("names-library", "ready", regions(1)),
                // Only its own loader sees it.
                ("local", "", ENDS.to_owned()),
            ] {
                println!("{generation:?} {compiler:?} {way}");
                let variables = [("TOOL_DOES", does)];
                assert_output(&bench.run(&program, &[way, tool], &variables), &expected);
            }
            let variables = [("OMP_TOOL_LIBRARIES", text(&declines))];
            let outcome = bench.run(&program, &["unload", tool], &variables);
            assert_output(&outcome, &format!("{NOT_READY}{}", regions(2)));
        }
    }
}

/// Like tools that are a part of the program for some time, the tool declines at load, becomes
/// ready in `main`, and finds routines by name in its callbacks. It is closed, and the program
/// forks, while other threads execute regions. The runtime keeps the tool's library, so the tool is
/// told of each region in both processes, and in the child of the child's regions alone.
#[test]
fn a_late_tool_that_asks_by_name_is_closed_amid_regions_and_a_fork() {
    const ROUNDS: usize = 10;
    let bench = Bench::new("tool_late");
    for generation in [OpenMp5, Report2015] {
        let tool = library(&bench, generation, &[]);
        let tool = text(&tool);
        for compiler in COMPILERS {
            let program = bench.program(compiler, "program", &["program.c"]);
            let ended = format!("{ENDS}child tool: finalized regions=1\n");
            // A tool of the report begins anew in the child.
            let begins = READY.replace("tool:", "child tool:");
            let child = if generation == OpenMp5 { ended } else { begins + &ended };
            let parent = format!("{ENDS}tool: finalized regions={}\n", 3 * 200 + 2);
            for does in ["", "asks"].repeat(ROUNDS) {
                let variables = [("TOOL_DOES", does)];
                let outcome = bench.run(&program, &["unload-amid-regions", tool], &variables);
                assert_output(&outcome, &format!("{READY}{child}{parent}"));
            }
            let variables = [("TOOL_DOES", "asks"), ("LD_PRELOAD", tool)];
            let outcome = bench.run(&program, &["threads"], &variables);
            let asked = if generation == OpenMp5 { NOT_READY } else { "" };
            let ended = "tool: finalized regions=8\n";
            assert_output(&outcome, &format!("{asked}{READY}{ENDS}{ended}"));
        }
    }
}

/// It is asked at load, where it declines, and again at the first use.
#[test]
fn a_named_library_that_declines_is_asked_again() {
    let bench = Bench::new("tool_late");
    for generation in [OpenMp5, Report2015] {
        let tool = library(&bench, generation, &[]);
        let tool = text(&tool);
        let log = bench.path("log");
        for compiler in COMPILERS {
            // The address space has the library too, so that it keeps what it has been told.
            let keep = "-Wl,--no-as-needed";
            let program = bench.program(compiler, "program", &["program.c", keep, tool]);
            let variables = [
                ("OMP_TOOL_LIBRARIES", tool),
                ("OMP_TOOL_VERBOSE_INIT", text(&log)),
                ("LD_PRELOAD", ""),
            ];
            let outcome = bench.run(&program, &["plain"], &variables);
            let ended = format!("{READY}{ENDS}tool: finalized regions=1\n");
            assert_output(&outcome, &format!("{}{ended}", NOT_READY.repeat(2)));
            let logged = fs::read_to_string(&log).expect("the log was written");
            let bounds = ["START LOGGING", "No OMP tool loaded.", "again", "END LOGGING", "START"];
            let mut rest = &*logged;
            for bound in bounds.iter().chain(&["Tool was started", "END LOGGING"]) {
                let at = rest.find(bound).unwrap_or_else(|| panic!("{bound} in {logged}"));
                rest = &rest[at + bound.len()..];
            }
            assert_eq!(outcome.stderr, "", "{logged}");
        }
    }
}

/// The constructor of the tool's own library is the first use of OpenMP: no tool is asked after it.
#[test]
fn a_library_that_uses_openmp_when_it_is_loaded_makes_the_search_the_last() {
    let bench = Bench::new("tool_late");
    let log = ("OMP_TOOL_VERBOSE_INIT", "stderr");
    for compiler in COMPILERS {
        let words = ["-shared", "-fPIC", "tool.c", "-DEARLY"];
        let tool = bench.program(compiler, "libtool.so", &words);
        let program = bench.program(compiler, "program", &["program.c"]);
        let variables = [("OMP_TOOL_LIBRARIES", text(&tool)), log];
        let outcome = bench.run(&program, &["global", text(&tool)], &variables);
        assert_output(&outcome, &format!("{NOT_READY}{ENDS}"));
        assert!(outcome.stderr.contains("No OMP tool loaded.\n"), "{outcome:#?}");
        assert_eq!(outcome.stderr.matches("START LOGGING").count(), 1, "{outcome:#?}");
    }
}

#[test]
fn the_program_may_disable_tools_before_the_first_use() {
    let bench = Bench::new("tool_late");
    let tool = library(&bench, OpenMp5, &[]);
    for compiler in COMPILERS {
        let (program, preload) = placed(&bench, compiler, OpenMp5, "preloaded", "-O2", &tool);
        let variables = [("LD_PRELOAD", &*preload), ("OMP_TOOL_VERBOSE_INIT", "stderr")];
        let outcome = bench.run(&program, &["disables"], &variables);
        assert_output(&outcome, &format!("{NOT_READY}{ENDS}"));
        assert!(outcome.stderr.ends_with("OMP tool disabled. \n"), "{outcome:#?}");
    }
}

/// LLVM's runtime asks once, at the first use: apart from the first question, tools see the same.
#[test]
fn llvms_runtime_does_the_same() {
    if !has_all(&[Program::Clang.into(), File::Libomp.into()]) {
        return;
    }
    let bench = Bench::new("tool_late");
    let tool = library(&bench, OpenMp5, &[]);
    let llvm = text(File::Libomp.path().parent().expect("a file lies in a folder"));
    let program = bench.program(Compiler::Clang, "program", &["program.c"]);
    for (way, does, preload) in [
        ("plain", "", text(&tool)),
        ("threads", "", text(&tool)),
        ("fork-before", "", text(&tool)),
        ("disables", "", text(&tool)),
        ("region-before", "", text(&tool)),
        // Without the program's closing it: LLVM's runtime does not keep it, and crashes.
        ("global", "", ""),
        ("local", "", ""),
        ("names-library", "ready", ""),
    ] {
        println!("{way}");
        let words = [way, text(&tool)];
        let variables = [("LD_PRELOAD", preload), ("TOOL_DOES", does)];
        let ours = bench.run(&program, &words, &variables);
        let theirs = [&variables[..], &[("LD_LIBRARY_PATH", llvm)]].concat();
        let theirs = bench.run(&program, &words, &theirs);
        let first = if preload.is_empty() { "" } else { NOT_READY };
        assert_output(&ours, &format!("{first}{}", theirs.stdout));
    }
}
