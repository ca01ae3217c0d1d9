//! How a tool gets into a program and out of it: every way to provide `ompt_start_tool`, the three
//! variables, and what the interface answers where there is little to say (OpenMP 5.2 §19.2).
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use std::fs;
use std::path::Path;

use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::skip;
use oxomp_sys::ompt::{EventRow, ompt_callbacks_t, ompt_set_result_t};
use oxomp_testing::bench::{Bench, COMPILERS, Compiler};
use oxomp_testing::directives::Ending;
use oxomp_testing::needs::{Need, with_processors};
use oxomp_testing::process::Outcome;

/// The tool's output before the program's first line.
const ATTACHED: &str = "\
tool: start omp_version=202111 runtime=oxomp
tool: initialize device=0 data=0 unknown=NULL
tool: thread_begin type=1
tool: initial_task endpoint=1 parallel=set task=77 actual=1 index=1 flags=1
";

/// The tool's output while the program runs and after it.
const WORKS: &str = "\
program: begins
tool: parallel_begin task=77 enter_frame=set data=0 requested=2 team=1 codeptr=set
tool: thread_begin type=2
tool: parallel_end task=77 codeptr=set
program: sum=3
tool: control command=64 modifier=-1 arg=set codeptr=set
program: control=65
tool: control command=65 modifier=-3 arg=NULL codeptr=set
program: control_=66
tool: parallel_begin task=77 enter_frame=set data=0 requested=2 team=1 codeptr=set
tool: parallel_end task=77 codeptr=set
program: sum=3
program: ends
tool: thread_end data=1002
tool: initial_task endpoint=2 parallel=NULL task=77 actual=0 index=1 flags=1
tool: thread_end data=1001
tool: finalize data=42
";

/// The program without a tool.
const ALONE: &str = "\
program: begins
program: sum=3
program: control=-2
program: control_=-2
program: sum=3
program: ends
";

/// It ended well and printed just this, in this order; a worker may begin and end as it likes.
#[track_caller]
fn assert_output(outcome: &Outcome, expected: &str) {
    assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
    let (out, workers) = without_workers(&outcome.stdout);
    let (wanted, wanted_workers) = without_workers(expected);
    assert_eq!(out, wanted, "{outcome:#?}");
    assert_eq!(workers, wanted_workers, "{outcome:#?}");
}

/// The lines that have a fixed order, and the worker's lines.
fn without_workers(text: &str) -> (Vec<&str>, Vec<&str>) {
    let of_worker =
        |line: &&str| line.ends_with("thread_begin type=2") || line.ends_with("data=1002");
    let (workers, others) = text.lines().partition(of_worker);
    (others, workers)
}

/// With a tool that was there at load: it starts then, the runtime with the program's first call.
fn with_tool() -> String {
    let begins = "program: begins\n";
    let works = WORKS.strip_prefix(begins).expect("its first line");
    let root = ATTACHED.find("tool: thread_begin").expect("the root's first event");
    let (start, root) = ATTACHED.split_at(root);
    format!("{start}{begins}{root}{works}")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

/// How the log begins where the address space holds no tool.
fn log_of_search(libraries: &str) -> String {
    format!(
        "----- START LOGGING OF TOOL REGISTRATION -----\n\
         Search for OMP tool in current address space... Failed.\n\
         Searching tool libraries...\n\
         OMP_TOOL_LIBRARIES = {libraries}\n"
    )
}

const LOG_FOUND: &str = "\
Tool was started and is using the OMPT interface.
----- END LOGGING OF TOOL REGISTRATION -----
";

#[test]
fn a_program_without_a_tool_runs_alone() {
    let bench = Bench::new("tool_activation");
    for compiler in COMPILERS {
        let program = bench.program(compiler, "program", &["program.c"]);
        let outcome = bench.run(&program, &[], &[]);
        assert_output(&outcome, ALONE);
        assert_eq!(outcome.stderr, "");
        let outcome = bench.run(&program, &[], &[("OMP_TOOL_VERBOSE_INIT", "stderr")]);
        assert_output(&outcome, ALONE);
        assert_eq!(
            outcome.stderr,
            "----- START LOGGING OF TOOL REGISTRATION -----\n\
             Search for OMP tool in current address space... Failed.\n\
             No OMP_TOOL_LIBRARIES defined.\n\
             ...searching tool libraries failed. \n\
             No OMP tool loaded.\n\
             ----- END LOGGING OF TOOL REGISTRATION -----\n"
        );
    }
}

#[test]
fn a_tool_in_the_address_space_is_found() {
    let bench = Bench::new("tool_activation");
    let tool = bench.tool("libtool.so", &[]);
    let tool = text(&tool);
    for compiler in COMPILERS {
        let runtime = match compiler {
            Compiler::Gcc => "-lgomp",
            Compiler::Clang => "-lomp",
        };
        let keep = "-Wl,--no-as-needed";
        let inside = bench.program_with_tool(compiler, "inside", &["program.c", "tool.c"]);
        assert_output(&bench.run(&inside, &[], &[]), &with_tool());
        // Linked with GCC's library, which does not name the tool's function: the program exports
        // it by itself.
        let exported = bench.program(compiler, "exported", &["program.c", "tool.c", "-rdynamic"]);
        assert_output(&bench.run(&exported, &[], &[]), &with_tool());
        for (way, arguments, preload) in [
            ("before", &["program.c", keep, tool, runtime][..], ""),
            ("after", &["program.c", keep, runtime, tool], ""),
            ("preloaded", &["program.c"], tool),
        ] {
            let program = bench.program(compiler, way, arguments);
            let variables = [("LD_PRELOAD", preload), ("OMP_TOOL_VERBOSE_INIT", "stderr")];
            let outcome = bench.run(&program, &[], &variables);
            println!("{compiler:?} {way}");
            assert_output(&outcome, &with_tool());
            assert_eq!(
                outcome.stderr,
                format!(
                    "----- START LOGGING OF TOOL REGISTRATION -----\n\
                     Search for OMP tool in current address space... Success.\n{LOG_FOUND}"
                )
            );
        }
    }
}

/// A tool that was written for LLVM's runtime, with the header that comes with it.
#[test]
fn a_tool_compiled_with_llvms_header_runs() {
    let bench = Bench::new("tool_activation");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tool_activation/tool.c");
    let tool = bench.path("libtool.so");
    let headers = Program::Clang.command().args(["-M", source]).output().expect("clang is there");
    let headers = String::from_utf8_lossy(&headers.stdout).into_owned();
    assert!(headers.contains("/lib/clang/22/include/omp-tools.h"), "{headers}");
    let mut compiler = Program::Clang.command();
    compiler.args(["-shared", "-fPIC", "-Wall", "-o", text(&tool), source]);
    assert!(compiler.status().expect("clang is there").success());
    for compiler in COMPILERS {
        let program = bench.program(compiler, "program", &["program.c"]);
        let outcome = bench.run(&program, &[], &[("OMP_TOOL_LIBRARIES", text(&tool))]);
        assert_output(&outcome, &with_tool());
    }
}

#[test]
fn tool_libraries_are_asked_from_left_to_right() {
    let bench = Bench::new("tool_activation");
    let missing = bench.path("missing.so");
    let text_file = bench.path("text.so");
    fs::write(&text_file, "not a library").expect("the folder is writable");
    let symbolless = bench.compile(
        Program::Gcc,
        "symbolless.so",
        &["-shared", "-fPIC", "tool.c", "-Dompt_start_tool=another_name"],
    );
    let with_openmp = bench.compile(
        Program::Gcc,
        "with_openmp.so",
        &[
            "-shared",
            "-fPIC",
            "-fopenmp",
            "-Wl,--no-as-needed",
            "tool.c",
            "-Dompt_start_tool=another_name",
        ],
    );
    let declines = bench.tool("declines.so", &["-DDECLINES", "-DNAME=\"declines\""]);
    let tool = bench.tool("tool.so", &[]);
    let second = bench.tool("second.so", &["-DNAME=\"second\""]);
    let files = [&missing, &text_file, &symbolless, &with_openmp, &declines, &tool, &second];
    let files = files.map(|path| text(path));
    let list = files.join(":");
    let expected_log = log_of_libraries(files, &list);
    let (declines, tool) = (text(&declines), text(&tool));
    let declined = "declines: start omp_version=202111 runtime=oxomp\n";
    for compiler in COMPILERS {
        let program = bench.program(compiler, "program", &["program.c"]);
        let log = bench.path("log");
        for whereto in ["STDERR", text(&log), "/nonexistent/folder/log", "stdout", "disabled"] {
            let variables = [("OMP_TOOL_LIBRARIES", &*list), ("OMP_TOOL_VERBOSE_INIT", whereto)];
            let outcome = bench.run(&program, &[], &variables);
            println!("{compiler:?} {whereto}");
            let stdout = match whereto {
                "stdout" => {
                    // In order with what the tools print.
                    let asked = format!("Searching for ompt_start_tool in {declines}... ");
                    let started = format!("Searching for ompt_start_tool in {tool}... ");
                    let with_tool = with_tool();
                    let (start, attached) = with_tool.split_once('\n').expect("several lines");
                    let log = expected_log
                        .replace(&asked, &format!("{asked}{declined}"))
                        .replace(&started, &format!("{started}{start}\n"));
                    format!("{log}{attached}")
                }
                _ => format!("{declined}{}", with_tool()),
            };
            assert_output(&outcome, &stdout);
            if !matches!(whereto, "stdout" | "disabled") {
                assert_eq!(logged(whereto, &log, outcome.stderr), expected_log);
            }
        }
    }
}

/// The log of a search in these files: a missing one, one that is not a library, two without the
/// tool's function, one that declines, and one with a tool.
fn log_of_libraries(files: [&str; 7], list: &str) -> String {
    let [missing, text_file, symbolless, with_openmp, declines, tool, _] = files;
    format!(
        "{}Opening {missing}... Failed: {missing}: cannot open shared object file: \
         No such file or directory\n\
         Opening {text_file}... Failed: {text_file}: file too short\n\
         Opening {symbolless}... Success. \n\
         Searching for ompt_start_tool in {symbolless}... Failed: {symbolless}: \
         undefined symbol: ompt_start_tool\n\
         Opening {with_openmp}... Success. \n\
         Searching for ompt_start_tool in {with_openmp}... Failed: {with_openmp}: \
         undefined symbol: ompt_start_tool\n\
         Opening {declines}... Success. \n\
         Searching for ompt_start_tool in {declines}... \
         Found but not using the OMPT interface.\n\
         Continuing search...\n\
         Opening {tool}... Success. \n\
         Searching for ompt_start_tool in {tool}... Success.\n{LOG_FOUND}",
        log_of_search(list)
    )
}

/// The log that a run with OMP_TOOL_VERBOSE_INIT=`whereto` has written: to `log`, or to `stderr`.
fn logged(whereto: &str, log: &Path, stderr: String) -> String {
    match whereto {
        "STDERR" => stderr,
        file if file == text(log) => {
            assert_eq!(stderr, "");
            fs::read_to_string(log).expect("the log was written")
        }
        nowhere => {
            // The runtime warns of a log that it cannot write, and writes the log to stderr.
            let (told, logged) = stderr.split_once('\n').expect("several lines");
            assert!(told.starts_with("OMP: Warning") && told.contains(nowhere), "{told}");
            logged.to_owned()
        }
    }
}

#[test]
fn a_tool_in_the_address_space_goes_before_the_libraries() {
    let bench = Bench::new("tool_activation");
    let tool = bench.tool("libtool.so", &["-DNAME=\"library\""]);
    for (flags, first_line) in [
        (&["program.c", "tool.c"][..], "tool: start omp_version=202111 runtime=oxomp\ntool: init"),
        (
            &["program.c", "tool.c", "-DDECLINES"],
            "tool: start omp_version=202111 runtime=oxomp\n\
             library: start omp_version=202111 runtime=oxomp\nlibrary: init",
        ),
    ] {
        let program = bench.program_with_tool(Compiler::Gcc, "program", flags);
        let outcome = bench.run(&program, &[], &[("OMP_TOOL_LIBRARIES", text(&tool))]);
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        assert!(outcome.stdout.starts_with(first_line), "{outcome:#?}");
    }
}

#[test]
fn a_tool_that_refuses_is_left_alone() {
    let bench = Bench::new("tool_activation");
    for compiler in COMPILERS {
        let program =
            bench.program_with_tool(compiler, "program", &["program.c", "tool.c", "-DREFUSES"]);
        let outcome = bench.run(&program, &[], &[]);
        let start = ATTACHED.lines().take(2).collect::<Vec<_>>().join("\n");
        assert_output(&outcome, &format!("{start}\n{ALONE}"));
    }
}

#[test]
fn a_tool_needs_no_finalizer_and_no_callback() {
    let bench = Bench::new("tool_activation");
    let program = bench.program_with_tool(
        Compiler::Clang,
        "program",
        &["program.c", "tool.c", "-DNO_FINALIZE"],
    );
    let expected = with_tool().replace("tool: finalize data=42\n", "");
    assert_output(&bench.run(&program, &[], &[]), &expected);
    let program =
        bench.program_with_tool(Compiler::Clang, "program", &["program.c", "tool.c", "-DQUIET"]);
    let start = ATTACHED.lines().take(2).collect::<Vec<_>>().join("\n");
    let alone = ALONE.replace("=-2", "=-1");
    let expected = format!("{start}\n{alone}tool: finalize data=42\n");
    assert_output(&bench.run(&program, &[], &[]), &expected);
}

/// The end of the initial task is an event of the shutdown that the tool asks for.
#[test]
fn a_tool_may_end_itself_in_the_last_events() {
    let bench = Bench::new("tool_activation");
    for compiler in COMPILERS {
        let words = ["program.c", "tool.c", "-DENDS_LAST"];
        let program = bench.program_with_tool(compiler, "program", &words);
        let expected = with_tool().replace("tool: thread_end data=1001\n", "");
        assert_ne!(expected, with_tool());
        assert_output(&bench.run(&program, &[], &[]), &expected);
    }
}

#[test]
fn omp_tool_enables_disables_or_ends_the_program() {
    let bench = Bench::new("tool_activation");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "program", &["program.c", "tool.c"]);
        for value in ["", "enabled", " ENABLED ", "Enabled"] {
            assert_output(&bench.run(&program, &[], &[("OMP_TOOL", value)]), &with_tool());
        }
        for value in ["disabled", "DISABLED "] {
            let variables = [("OMP_TOOL", value), ("OMP_TOOL_VERBOSE_INIT", "stderr")];
            let outcome = bench.run(&program, &[], &variables);
            assert_output(&outcome, ALONE);
            assert_eq!(outcome.stderr, "OMP tool disabled. \n");
        }
        let outcome = bench.run(&program, &[], &[("OMP_TOOL", "disable")]);
        assert_eq!(outcome.ending, Ending::Status(1), "{outcome:#?}");
        assert_eq!(outcome.stdout, "program: begins\n");
        assert!(outcome.stderr.contains("OMP_TOOL=\"disable\""), "{outcome:#?}");
    }
}

#[test]
fn a_program_may_name_its_tool_before_it_uses_openmp() {
    let bench = Bench::new("tool_activation");
    let tool = bench.tool("libtool.so", &[]);
    for compiler in COMPILERS {
        let program = bench.program(compiler, "program", &["program.c"]);
        let outcome = bench.run(&program, &["set", "OMP_TOOL_LIBRARIES", text(&tool)], &[]);
        let works = WORKS.strip_prefix("program: begins\n").expect("its first line");
        assert_output(&outcome, &format!("program: begins\n{ATTACHED}{works}"));
    }
}

/// Looking for a tool does not start the runtime: variables that `main` sets still count.
#[test]
fn a_search_in_vain_leaves_the_environment_unread() {
    let bench = Bench::new("tool_activation");
    let declines = bench.tool("declines.so", &["-DDECLINES"]);
    let program = bench.program(Compiler::Gcc, "program", &["program.c"]);
    let arguments = ["set", "OMP_THREAD_LIMIT", "1"];
    let one_thread = ALONE.replace("sum=3", "sum=1");
    for (libraries, declined) in
        [(text(&declines), "tool: start omp_version=202111 runtime=oxomp\n"), ("/missing.so", "")]
    {
        let outcome = bench.run(&program, &arguments, &[("OMP_TOOL_LIBRARIES", libraries)]);
        let (begins, rest) = one_thread.split_at("program: begins\n".len());
        // The first use of OpenMP asks again.
        assert_output(&outcome, &format!("{declined}{begins}{declined}{rest}"));
    }
}

/// The runtime may be initialized before the tool's library, and ends after it: neither may show.
#[test]
fn a_tool_with_global_objects_finds_them_alive() {
    let bench = Bench::new("tool_activation");
    let tool = bench.compile(Program::Gxx, "libtool.so", &["-shared", "-fPIC", "tool.cpp"]);
    let tool = text(&tool);
    let keep = "-Wl,--no-as-needed";
    let object = bench.compile(Program::Gxx, "tool.o", &["-c", "tool.cpp"]);
    let expected_start = "tool: start constructed\ntool: initialize constructed\n";
    let alone = ALONE.replace("=-2", "=-1");
    let (begins, rest) = alone.split_at("program: begins\n".len());
    let before = format!("{expected_start}{begins}{rest}tool: finalize constructed\n");
    // The tool's constructors run after ours: the tool is asked at the first call of the runtime.
    let after = format!("{begins}{expected_start}{rest}tool: finalize constructed\n");
    for (way, arguments, preload, expected) in [
        ("inside", &["program.c", text(&object), "-lstdc++", keep, "-lomp"][..], "", &after),
        ("before", &["program.c", keep, tool, "-lgomp"], "", &before),
        ("after", &["program.c", keep, "-lgomp", tool], "", &before),
        ("preloaded", &["program.c"], tool, &before),
    ] {
        println!("{way}");
        let program = bench.program(Compiler::Gcc, way, arguments);
        assert_output(&bench.run(&program, &[], &[("LD_PRELOAD", preload)]), expected);
    }
    // Even if the program never uses OpenMP.
    let program = bench.program(Compiler::Gcc, "nothing", &["program.c"]);
    let outcome = bench.run(&program, &["nothing"], &[("LD_PRELOAD", tool)]);
    assert_output(&outcome, &format!("{expected_start}tool: finalize constructed\n"));
}

/// The search for a tool opens the library, whose constructor calls the runtime, whether the search
/// runs when the runtime is loaded or at the first call.
#[test]
fn a_tools_library_may_call_the_runtime_before_the_tool_starts() {
    let bench = Bench::new("tool_activation");
    for compiler in COMPILERS {
        let tool = bench.program(compiler, "early_call.so", &["-shared", "-fPIC", "early_call.c"]);
        let program = bench.program(compiler, "program", &["program.c"]);
        // The search opens a library that is named; one that is preloaded is there, and its
        // constructor runs after the tool has started.
        for (variable, found, regions) in [("OMP_TOOL_LIBRARIES", 2, 2), ("LD_PRELOAD", 0, 3)] {
            println!("{compiler:?}, {variable}");
            let outcome = bench.run(&program, &[], &[(variable, text(&tool))]);
            let started = format!("tool: start threads=1\ntool: initialize found={found}\n");
            let alone = ALONE.replace("=-2", "=-1");
            let ended = format!("tool: finalize initial=1 regions={regions}\n");
            assert_output(&outcome, &format!("{started}{alone}{ended}"));
        }
    }
}

/// A mutex routine looks only at its word and the mask, so before the runtime has started, the mask
/// must not say that no tool listens.
#[test]
fn the_first_construct_is_heard_though_it_starts_the_tool() {
    let bench = Bench::new("tool_activation");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "first_construct", &["first_construct.c"]);
        let expected = "program: constructor\n\
             program: begins\n\
             tool: acquire kind=5 codeptr=set\n\
             tool: acquired kind=5\n\
             program: inside\n\
             tool: released kind=5\n\
             program: ends\n\
             tool: finalize\n";
        assert_output(&bench.run(&program, &[], &[]), expected);
    }
}

/// A tool that could not start when the library was loaded is initialized before the program's
/// first routine returns, whichever that is: those that need no thread of the runtime, too.
#[test]
fn each_routine_initializes_a_tool_that_waits() {
    let bench = Bench::new("report_2015_life");
    for compiler in COMPILERS {
        for level in ["-O0", "-O2"] {
            let sources = ["-DOPENMP_5", level, "routines.c"];
            let program = bench.program_with_tool(compiler, "routines", &sources);
            let run = |number: usize| bench.run(&program, &[&number.to_string()], &[]);
            let is_routine = |outcome: &Outcome| outcome.ending != Ending::Status(9);
            let outcomes: Vec<_> = (0..100).map(run).take_while(is_routine).collect();
            assert_eq!(outcomes.len(), 78);
            for outcome in outcomes {
                assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
                assert!(outcome.stdout.starts_with("after "), "{outcome:#?}");
            }
        }
    }
}

#[test]
fn a_region_keeps_its_size_until_its_worker_has_reported_its_end() {
    let bench = Bench::new("tool_activation");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "late_end", &["late_end.c"]);
        assert_output(&bench.run(&program, &[], &[]), "tool: asked=yes differ=0\n");
    }
}

#[test]
fn a_tool_may_end_itself() {
    let bench = Bench::new("tool_activation");
    for compiler in COMPILERS {
        let program =
            bench.program_with_tool(compiler, "program", &["program.c", "tool.c", "-DENDS"]);
        let outcome = bench.run(&program, &[], &[]);
        let with_tool = with_tool();
        let (start, _) = with_tool.split_once("program: control=").expect("it is controlled");
        let expected = format!(
            "{start}\
             tool: thread_end data=1002\n\
             tool: initial_task endpoint=2 parallel=NULL task=77 actual=0 index=1 flags=1\n\
             tool: thread_end data=1001\n\
             tool: finalize data=42\n\
             tool: ended set_callback=0 get_callback=0\n\
             program: control=65\n\
             program: control_=-2\n\
             program: sum=3\n\
             program: ends\n"
        );
        assert_output(&outcome, &expected);
    }
}

#[test]
fn no_callback_runs_when_the_finalizer_does_or_later() {
    let bench = Bench::new("tool_activation");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "leaves", &["leaves.c"]);
        for thread in ["0", "1", "3"] {
            for _ in 0..10 {
                let outcome = bench.run(&program, &["exit", thread], &[]);
                assert_output(&outcome, "finalized running=0 late=0\n");
                let outcome = bench.run(&program, &["finalize", thread], &[]);
                assert_output(&outcome, "finalized running=0 late=0\nends late=0\n");
            }
        }
    }
}

#[test]
fn entry_points_answer_everywhere() {
    let bench = Bench::new("tool_activation");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "asks", &["asks.c"]);
        assert_output(&bench.run(&program, &[], &[]), "asked\nfinalized\n");
        let program = bench.program_with_tool(compiler, "refuses", &["asks.c", "-DREFUSES"]);
        assert_output(&bench.run(&program, &[], &[]), "asked\n");
    }
}

/// Only gcc's code calls the runtime for target constructs that the host executes.
#[test]
fn entry_points_know_target_regions() {
    let bench = Bench::new("tool_activation");
    let program = bench.program_with_tool(Compiler::Gcc, "target", &["target.c"]);
    assert_output(&bench.run(&program, &[], &[]), "10 of 10\n");
}

#[test]
fn entry_points_answer_in_signal_handlers() {
    let bench = Bench::new("tool_activation");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "sampled", &["-O2", "sampled.c"]);
        assert_output(&bench.run(&program, &[], &[]), "sampled\n");
    }
}

#[test]
fn entry_points_know_places() {
    let bench = Bench::new("tool_activation");
    let processors = match Need::Processors(2).met() {
        Ok(processors) => processors,
        Err(reason) => return skip(&format!("entry_points_know_places: {reason}")),
    };
    let list = with_processors("{<p1>},{<p0>,<p1>},{<p0>}", &processors);
    let [first, second] = ["<p0>", "<p1>"].map(|word| with_processors(word, &processors));
    let variables = [
        ("OMP_PLACES", list.as_str()),
        ("OMP_PROC_BIND", "spread"),
        ("FIRST", &first),
        ("SECOND", &second),
    ];
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "places", &["places.c"]);
        assert_output(&bench.run(&program, &[], &variables), "placed\n");
    }
}

#[test]
fn each_event_is_answered_as_its_row_says() {
    let bench = Bench::new("tool_activation");
    let answer = |code| {
        EventRow::of(ompt_callbacks_t(code)).map_or(ompt_set_result_t::ERROR, EventRow::answer).0
    };
    let expected: String = (-1..=64).map(|code| format!("{code} {}\n", answer(code))).collect();
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "answers", &["answers.c"]);
        assert_output(&bench.run(&program, &[], &[]), &expected);
    }
}
