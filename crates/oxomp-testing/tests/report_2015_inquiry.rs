//! What a tool of the 2015 report learns by asking: states (chapter 2), ids, wait ids and frames
//! (chapter 4), the inquiry functions (chapter 5), and the frames of a stack that the tool samples
//! (appendix B).
//!
//! Each program runs with its tool linked in and preloaded. Needs `OXOMP_LIB`, the folder of the
//! runtime under test, as `cargo xtask test` sets it.

use std::path::PathBuf;

use oxomp_prerequisites::Program;
use oxomp_testing::bench::{Bench, COMPILERS, Compiler};
use oxomp_testing::directives::Ending;

/// The source of the tool that lets the program register its callbacks.
const TOOL: &str = "tool.c";
/// The source of the tool that samples by itself.
const SAMPLING_TOOL: &str = "sampling_tool.c";

/// The program of `name`.c, with its tool: a program, and a library to be preloaded if the tool is
/// not in the program.
fn builds(
    bench: &Bench,
    compiler: Compiler,
    name: &str,
    tool: &str,
    flags: &[&str],
) -> [(PathBuf, Option<PathBuf>); 2] {
    let source = format!("{name}.c");
    // The tool finds the program's functions, and the program the tool's, by their names.
    let flags = [flags, &["-rdynamic"]].concat();
    let linked = bench.program_with_tool(
        compiler,
        &format!("{name}_with_tool"),
        &[&flags[..], &[&source, tool]].concat(),
    );
    let library = bench.compile(
        Program::Gcc,
        &format!("{tool}.so"),
        &["-shared", "-fPIC", "-fno-omit-frame-pointer", tool],
    );
    let alone = bench.program_with_tool(compiler, name, &[&flags[..], &[&source]].concat());
    [(linked, None), (alone, Some(library))]
}

/// How a program is built and run, and what it prints.
struct Expected<'a> {
    tool: &'a str,
    flags: &'a [&'a str],
    /// The values of `EVENTS`, `None` for no such variable.
    events: &'a [Option<&'a str>],
    status: i32,
    stdout: &'a str,
}

impl Default for Expected<'_> {
    fn default() -> Self {
        Expected { tool: TOOL, flags: &[], events: &[None], status: 0, stdout: "" }
    }
}

/// The program of `name`.c does what is expected, built by each compiler, with its tool inside and
/// preloaded.
#[track_caller]
fn assert_does(name: &str, expected: &Expected<'_>) {
    let bench = Bench::new("report_2015_inquiry");
    for compiler in COMPILERS {
        for (program, preloaded) in builds(&bench, compiler, name, expected.tool, expected.flags) {
            for events in expected.events {
                let mut variables = vec![("OMP_CANCELLATION", "true")];
                variables.extend(events.map(|value| ("EVENTS", value)));
                let library = preloaded.as_ref().map(|path| path.to_str().expect("UTF-8"));
                variables.extend(library.map(|path| ("LD_PRELOAD", path)));
                let outcome = bench.run(&program, &[], &variables);
                println!("{compiler:?} {:?} {variables:?}", expected.flags);
                assert_eq!(outcome.ending, Ending::Status(expected.status), "{outcome:#?}");
                assert_eq!(outcome.stdout, expected.stdout, "{outcome:#?}");
            }
        }
    }
}

#[test]
fn a_sampled_thread_is_in_the_state_of_its_construct() {
    let events = &[None, Some("waits"), Some("all")];
    let stdout = "asked=all failures=0\n";
    assert_does("states", &Expected { events, stdout, ..Expected::default() });
}

#[test]
fn enumerations_run_in_the_loops_of_the_report() {
    let stdout = "locks=2 waits=2 wrong=0\n";
    assert_does("enumerations", &Expected { stdout, ..Expected::default() });
}

#[test]
fn ids_are_unique_and_the_same_by_event_and_by_inquiry() {
    let events = &[Some("none"), None, Some("all")];
    let stdout = "regions=236 tasks=100523 wrong=0\n";
    assert_does("ids", &Expected { events, stdout, ..Expected::default() });
}

/// Of each task on the thread's stack, the innermost first: its type, its frames (x exit, r
/// reenter), the level of its region; then the sizes of the regions.
const CHAINS: &str = "\
initial: serial -- - of
undeferred: explicit x- - | serial -r - of
region of a task: implicit x- 0 | explicit xr - | serial -r - of 1
undeferred again: explicit x- - | serial -r - of
final: explicit x- - | serial -r - of
included: explicit x- - | explicit xr - | serial -r - of
final again: explicit x- - | serial -r - of
in taskgroup: explicit x- - | serial -r - of
one: implicit x- 0 | serial -r - of 1
two: implicit x- 0 | implicit xr 1 | serial -r - of 1 1
three: implicit x- 0 | implicit xr 1 | implicit xr 2 | serial -r - of 1 1 1
two again: implicit x- 0 | implicit xr 1 | serial -r - of 1 1
two after a barrier: implicit x- 0 | implicit xr 1 | serial -r - of 1 1
one again: implicit x- 0 | serial -r - of 1
initial again: serial -- - of
primary: implicit x- 0 | serial -r - of 2
nested: implicit x- 0 | implicit xr 1 | serial -r - of 2 2
primary again: implicit x- 0 | serial -r - of 2
worker: implicit x- 0 | serial -r - of 2
task of a worker: explicit x- 0 | implicit xr 0 | serial -r - of 2
region of a worker: implicit x- 0 | implicit xr 1 | serial -r - of 1 2
teams: serial x- - | serial -r - of
in teams: implicit x- 0 | serial xr - | serial -r - of 1
initial at last: serial -- - of
wrong=0
";

#[test]
fn the_chain_of_tasks_has_types_regions_and_frames() {
    let events = &[None, Some("all")];
    assert_does("tasks", &Expected { events, stdout: CHAINS, ..Expected::default() });
}

#[test]
fn inquiry_functions_answer_at_odd_moments() {
    let stdout = "shutdown wrong=0\nafter wrong=0\nafter wrong=0\n";
    assert_does("moments", &Expected { stdout, ..Expected::default() });
}

/// The program's functions have frames, at every level of optimisation.
const FRAMES: [&[&str]; 2] = [
    &["-O0", "-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer"],
    &["-O2", "-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer"],
];

#[test]
fn frames_point_where_table_1_says() {
    for flags in FRAMES {
        let events = &[None, Some("all")];
        let stdout = "wrong=0\n";
        assert_does("frames", &Expected { flags, events, stdout, ..Expected::default() });
    }
}

/// Without frame pointers too, except where a function needs one.
#[test]
fn the_reenter_frame_is_the_callers_in_code_of_any_kind() {
    let with_frames: &[&str] = &["-O0", "-fno-omit-frame-pointer", "-DKEEPS_FRAMES"];
    let without: [&[&str]; 2] =
        [&["-O1", "-fomit-frame-pointer"], &["-O2", "-fomit-frame-pointer"]];
    for flags in [with_frames, FRAMES[1], without[0], without[1]] {
        let stdout = "wrong=0\n";
        assert_does("optimized_frames", &Expected { flags, stdout, ..Expected::default() });
    }
}

#[test]
fn the_rules_of_the_test_suite_of_the_drafts_hold() {
    let stdout = "begins=50 wrong=0\n";
    assert_does("draft", &Expected { status: 42, stdout, ..Expected::default() });
}

#[test]
fn samples_of_nested_regions_are_the_stacks_of_appendix_b() {
    for flags in FRAMES {
        let stdout = "threads=20 failures=0 samples=enough\n";
        let expected = Expected { tool: SAMPLING_TOOL, flags, stdout, ..Expected::default() };
        assert_does("nested", &expected);
    }
}

#[test]
fn inquiry_functions_are_async_signal_safe() {
    let events = &[None, Some("all")];
    let stdout = "sampled: tasks=yes\n";
    assert_does("storm", &Expected { events, stdout, ..Expected::default() });
}

#[test]
fn inquiry_functions_do_not_need_the_loaders_lock() {
    let stdout = "in time=1\n";
    assert_does("loader", &Expected { stdout, ..Expected::default() });
}

/// The trap flag makes the steps.
#[cfg(target_arch = "x86_64")]
#[test]
fn no_instruction_lies_between_a_state_and_what_belongs_to_it() {
    let events = &[None, Some("all")];
    assert_does("stepped", &Expected { events, stdout: "wrong=0\n", ..Expected::default() });
}
