//! The life of a tool of the 2015 report (§7, §3.1, appendix C): every way to provide `ompt_tool`,
//! beside tools of OpenMP 5; OMP_TOOL; what may be called when; and the end of its sessions, in
//! every way in which a process ends, pauses or forks.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use std::path::Path;

use oxomp_prerequisites::Program;
use oxomp_testing::bench::{Bench, COMPILERS, Compiler};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;

/// The tool's output when it is asked, and when it is initialized, by the program's first call.
const ASKED: &str = "tool: asked\n";
const STARTED: &str = "\
tool: initialize runtime=oxomp version=2 unknown=NULL
tool: registered bad=0
";

/// The output from the first event on.
const WORKS: &str = "\
tool: thread_begin own=1
tool: initial_task_begin set=1
tool: parallel_begin parent=1 set=1 requested=2 late=0
program: sum=3
tool: control 64 1099511627776 reenter=1
tool: control 65 18446744073709551615 reenter=1
program: control=0
program: ends
tool: initial_task_end set=1
tool: thread_end own=1
tool: shutdown late=0
";

/// The program without a tool.
const ALONE: &str = "\
program: begins
program: sum=3
program: control=-2
program: ends
";

const BEGINS: &str = "program: begins\n";

/// With a tool in the address space: it is asked and initialized by the program's first call.
fn with_tool() -> String {
    [BEGINS, ASKED, STARTED, WORKS].concat()
}

/// With a tool of a library that OMP_TOOL_LIBRARIES names: it is asked when the runtime is loaded.
fn with_library() -> String {
    [ASKED, BEGINS, STARTED, WORKS].concat()
}

#[track_caller]
fn assert_output(outcome: &Outcome, expected: &str) {
    assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
    assert_eq!(outcome.stdout, expected, "{outcome:#?}");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

/// A library with tools: `sources` and the name that the tools bear.
fn library(bench: &Bench, out: &str, sources: &[&str], name: &str) -> std::path::PathBuf {
    let name = format!("-DNAME=\"{name}\"");
    bench.compile(Program::Gcc, out, &[&["-shared", "-fPIC", &name], sources].concat())
}

#[test]
fn a_tool_in_the_address_space_is_found() {
    let bench = Bench::new("report_2015_life");
    let tool = bench.tool("libtool.so", &[]);
    let tool = text(&tool);
    let keep = "-Wl,--no-as-needed";
    let log = "----- START LOGGING OF TOOL REGISTRATION -----\n\
               Search for OMP tool in current address space... Failed.\n\
               Search for ompt_tool in current address space... Success.\n\
               Tool was started and is using the OMPT interface.\n\
               ----- END LOGGING OF TOOL REGISTRATION -----\n";
    for compiler in COMPILERS {
        for (way, arguments, preload) in [
            ("inside", &["program.c", "tool.c", keep, "-lomp"][..], ""),
            ("exported", &["program.c", "tool.c", "-rdynamic", keep, "-lomp"], ""),
            ("before", &["program.c", keep, tool, "-lomp"], ""),
            ("after", &["program.c", keep, "-lomp", tool], ""),
            ("preloaded", &["program.c", keep, "-lomp"], tool),
        ] {
            println!("{compiler:?} {way}");
            let program = bench.program(compiler, way, arguments);
            let variables = [("LD_PRELOAD", preload), ("OMP_TOOL_VERBOSE_INIT", "stderr")];
            let outcome = bench.run(&program, &[], &variables);
            assert_output(&outcome, &with_tool());
            assert_eq!(outcome.stderr, log);
        }
    }
}

/// The loader runs the constructors of a library before `main`, but perhaps after the runtime's.
#[test]
fn a_tool_with_global_objects_finds_them_alive() {
    let bench = Bench::new("report_2015_life");
    let source = ["-shared", "-fPIC", "constructed.cpp"];
    let tool = bench.compile(Program::Gxx, "libtool.so", &source);
    let tool = text(&tool);
    let object = bench.compile(Program::Gxx, "tool.o", &["-c", "constructed.cpp"]);
    let keep = "-Wl,--no-as-needed";
    let asked = "tool: asked constructed\n";
    let rest = "tool: initialize constructed\n\
         program: sum=3\nprogram: control=-1\nprogram: ends\ntool: shutdown constructed\n";
    let at_call = [BEGINS, asked, rest].concat();
    let at_load = [asked, BEGINS, rest].concat();
    for (way, arguments, variable, expected) in [
        ("inside", &["program.c", text(&object), "-lstdc++", keep, "-lomp"][..], "NONE", &at_call),
        ("before", &["program.c", keep, tool, "-lomp"], "NONE", &at_call),
        ("after", &["program.c", keep, "-lomp", tool], "NONE", &at_call),
        ("preloaded", &["program.c", keep, "-lomp"], "LD_PRELOAD", &at_call),
        ("named", &["program.c", keep, "-lomp"], "OMP_TOOL_LIBRARIES", &at_load),
    ] {
        println!("{way}");
        let program = bench.program(Compiler::Gcc, way, arguments);
        assert_output(&bench.run(&program, &[], &[(variable, tool)]), expected);
        // The report's tool is a tool of the OpenMP runtime, which does not start here.
        let outcome = bench.run(&program, &["nothing"], &[(variable, tool)]);
        let asked = if variable == "OMP_TOOL_LIBRARIES" { asked } else { "" };
        assert_output(&outcome, &[asked, BEGINS].concat());
    }
}

/// The tools of a process, in the order of the search.
const TOOLS: [&str; 4] = ["space-newer", "space-older", "library-newer", "library-older"];

/// All combinations of tools of both generations, in the address space and in a library, that are
/// absent, decline or run: those before the first that runs are asked, and no other. If all decline
/// at load, they are asked again.
#[test]
fn the_first_tool_that_wants_to_run_does() {
    let bench = Bench::new("report_2015_life");
    let file = |name: &str, newer: bool, older: bool| -> Option<String> {
        let mut sources = Vec::new();
        sources.extend(newer.then_some("newer.c"));
        sources.extend(older.then_some("older.c"));
        let out = format!("{name}{newer}{older}.so");
        let built = || text(&library(&bench, &out, &sources, name)).to_owned();
        (!sources.is_empty()).then(built)
    };
    let kinds = [(false, false), (true, false), (false, true), (true, true)];
    let files = ["space", "library"].map(|name| kinds.map(|(n, o)| file(name, n, o)));
    for compiler in COMPILERS {
        let program =
            bench.program(compiler, "program", &["program.c", "-Wl,--no-as-needed", "-lomp"]);
        // Each tool is absent (0), declines (1) or runs (2).
        for case in 0..3_usize.pow(4) {
            let state = |tool: usize| case / 3_usize.pow(tool as u32) % 3;
            let kind = |first: usize| {
                usize::from(state(first) != 0) + 2 * usize::from(state(first + 1) != 0)
            };
            let [space, named] = [&files[0][kind(0)], &files[1][kind(2)]]
                .map(|file| file.as_deref().unwrap_or_default());
            let declining: Vec<_> =
                (0..4).filter(|tool| state(*tool) == 1).map(|tool| TOOLS[tool]).collect();
            let declining = declining.join(",");
            println!("{compiler:?} {:?}", [0, 1, 2, 3].map(state));
            let variables =
                [("LD_PRELOAD", space), ("OMP_TOOL_LIBRARIES", named), ("DECLINE", &declining)];
            let outcome = bench.run(&program, &[], &variables);
            assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
            let mut expected = Vec::new();
            let wants = (0..4).find(|tool| state(*tool) == 2);
            // At load, tools are asked only if this may lead to a tool of OpenMP 5; then again if
            // no tool wants to run.
            let at_load = state(0) != 0 || !named.is_empty();
            for _ in 0..if wants.is_none() && at_load { 2 } else { 1 } {
                let asked = (0..=wants.unwrap_or(3)).filter(|tool| state(*tool) != 0);
                expected.extend(asked.map(|tool| format!("{}: asked", TOOLS[tool])));
            }
            expected.extend(wants.map(|tool| format!("{}: initialized", TOOLS[tool])));
            let lines = outcome.stdout.lines();
            let said: Vec<_> = lines.filter(|line| !line.starts_with("program:")).collect();
            assert_eq!(said, expected, "{outcome:#?}");
        }
    }
}

/// The lines about `ompt_tool` follow the lines of the newer search, and stand only where an
/// `ompt_tool` exists.
#[test]
fn the_search_in_libraries_is_logged() {
    let bench = Bench::new("report_2015_life");
    let newer = library(&bench, "newer.so", &["newer.c"], "first");
    let both = library(&bench, "both.so", &["newer.c", "older.c"], "second");
    let older = library(&bench, "older.so", &["older.c"], "third");
    let program =
        bench.program(Compiler::Gcc, "program", &["program.c", "-Wl,--no-as-needed", "-lomp"]);
    let files = [&newer, &both, &older].map(|path| text(path));
    let list = files.join(":");
    let [newer, both, older] = files;
    let declined = "Found but not using the OMPT interface.\nContinuing search...\n";
    let variables = [
        ("OMP_TOOL_LIBRARIES", list.as_str()),
        ("OMP_TOOL_VERBOSE_INIT", "stderr"),
        ("DECLINE", "first-newer,second-newer,second-older"),
    ];
    let outcome = bench.run(&program, &[], &variables);
    let expected = format!(
        "----- START LOGGING OF TOOL REGISTRATION -----\n\
         Search for OMP tool in current address space... Failed.\n\
         Searching tool libraries...\n\
         OMP_TOOL_LIBRARIES = {list}\n\
         Opening {newer}... Success. \n\
         Searching for ompt_start_tool in {newer}... {declined}\
         Opening {both}... Success. \n\
         Searching for ompt_start_tool in {both}... {declined}\
         Searching for ompt_tool in {both}... {declined}\
         Opening {older}... Success. \n\
         Searching for ompt_start_tool in {older}... \
         Failed: {older}: undefined symbol: ompt_start_tool\n\
         Searching for ompt_tool in {older}... Success.\n\
         Tool was started and is using the OMPT interface.\n\
         ----- END LOGGING OF TOOL REGISTRATION -----\n"
    );
    assert_eq!(outcome.stderr, expected, "{outcome:#?}");
    assert!(outcome.stdout.contains("third-older: initialized"), "{outcome:#?}");
}

#[test]
fn a_tool_that_declines_is_left_alone() {
    let bench = Bench::new("report_2015_life");
    for compiler in COMPILERS {
        let words = ["program.c", "tool.c", "-DDECLINES"];
        let program = bench.program_with_tool(compiler, "program", &words);
        let (begins, rest) = ALONE.split_at(BEGINS.len());
        assert_output(&bench.run(&program, &[], &[]), &[begins, ASKED, rest].concat());
    }
}

#[test]
fn a_tool_needs_no_callback() {
    let bench = Bench::new("report_2015_life");
    for compiler in COMPILERS {
        let words = ["program.c", "tool.c", "-DQUIET"];
        let program = bench.program_with_tool(compiler, "program", &words);
        let (begins, rest) = ALONE.split_at(BEGINS.len());
        let initialize = STARTED.lines().next().expect("a line");
        let expected = [begins, ASKED, initialize, "\n", &rest.replace("=-2", "=-1")].concat();
        assert_output(&bench.run(&program, &[], &[]), &expected);
    }
}

#[test]
fn omp_tool_enables_disables_or_ends_the_program() {
    let bench = Bench::new("report_2015_life");
    let tool = bench.tool("libtool.so", &[]);
    for compiler in COMPILERS {
        let inside = bench.program_with_tool(compiler, "inside", &["program.c", "tool.c"]);
        let plain = bench.program_with_tool(compiler, "plain", &["program.c"]);
        for (program, libraries, expected) in
            [(&inside, "", with_tool()), (&plain, text(&tool), with_library())]
        {
            let run = |value| {
                let variables = [("OMP_TOOL", value), ("OMP_TOOL_LIBRARIES", libraries)];
                bench.run(program, &[], &variables)
            };
            for value in ["", " ", "enabled", " ENABLED ", "Enabled", "\teNaBlEd\n"] {
                println!("{compiler:?} {value:?}");
                assert_output(&run(value), &expected);
            }
            for value in ["disabled", "DISABLED ", "\t Disabled"] {
                println!("{compiler:?} {value:?}");
                let outcome = run(value);
                assert_output(&outcome, ALONE);
                assert_eq!(outcome.stderr, "");
            }
            for value in ["disable", "enable", "0", "1", "true", "enabled,", "enabled disabled"] {
                println!("{compiler:?} {value:?}");
                let outcome = run(value);
                assert_eq!(outcome.ending, Ending::Status(1), "{outcome:#?}");
                assert_eq!(outcome.stdout, BEGINS);
                assert!(outcome.stderr.contains(&format!("OMP_TOOL=\"{value}\"")), "{outcome:#?}");
            }
        }
    }
}

/// The variable is read when the runtime starts, if no library is named at load.
#[test]
fn a_program_may_disable_its_tool_before_it_uses_openmp() {
    let bench = Bench::new("report_2015_life");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "program", &["program.c", "tool.c"]);
        assert_output(&bench.run(&program, &["set", "OMP_TOOL", "disabled"], &[]), ALONE);
        // Asking the tool does not start the runtime, which reads its variables at its start.
        let outcome = bench.run(&program, &["set", "OMP_THREAD_LIMIT", "1"], &[]);
        assert_output(&outcome, &with_tool().replace("sum=3", "sum=1"));
    }
}

/// The initializer is called before any execution environment routine completes (§7.2).
#[test]
fn each_routine_initializes_the_tool() {
    let bench = Bench::new("report_2015_life");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "routines", &["routines.c"]);
        let run = |number: usize| bench.run(&program, &[&number.to_string()], &[]);
        let outcomes: Vec<_> =
            (0..100).map(run).take_while(|outcome| outcome.ending != Ending::Status(9)).collect();
        assert_eq!(outcomes.len(), 78);
        for outcome in outcomes {
            assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
            assert!(outcome.stdout.starts_with("after "), "{outcome:#?}");
        }
    }
}

/// The tool comes with the library that uses OpenMP, or before it, or is named by a variable.
#[test]
fn a_tool_comes_with_a_runtime_that_is_loaded_late() {
    let bench = Bench::new("report_2015_life");
    let tool = bench.tool("libtool.so", &[]);
    let program = bench.compile(Program::Gcc, "loads", &["../tool_ends/loads.c"]);
    let works = "program: threads=3\nprogram: threads=3\nprogram: ends\n";
    let alone = [BEGINS, works].concat();
    let shared = ["-shared", "-fPIC", "../tool_ends/library.c", "-Wl,--no-as-needed", "-lomp"];
    for compiler in COMPILERS {
        let plain = bench.program(compiler, "libplain.so", &shared);
        let words = [&["tool.c"], &shared[..]].concat();
        let both = bench.program(compiler, "libboth.so", &words);
        let (plain, both) = (text(&plain), text(&both));
        let named = [("OMP_TOOL_LIBRARIES", text(&tool))];
        for (scope, libraries, variables, has_tool) in [
            ("local", &[plain][..], &[][..], false),
            ("local", &[plain], &named, true),
            ("global", &[plain], &named, true),
            ("local", &[both], &[], true),
            ("global", &[both], &[], true),
            ("global", &[text(&tool), plain], &[], true),
            // A tool that only its own loader sees, and that has no part in the runtime.
            ("local", &[text(&tool), plain], &[], false),
        ] {
            println!("{compiler:?} {scope} {libraries:?} {variables:?}");
            let arguments = [&[scope], libraries].concat();
            let outcome = bench.run(&program, &arguments, variables);
            if has_tool {
                let from_program = outcome.stdout.lines().filter(|line| !line.contains("tool: "));
                assert_eq!(from_program.collect::<Vec<_>>().join("\n") + "\n", alone);
                for (event, times) in
                    [("asked", 1), ("initialize", 1), ("parallel_begin", 2), ("shutdown", 1)]
                {
                    let told = outcome.stdout.matches(&format!("tool: {event}")).count();
                    assert_eq!(told, times, "{event}: {outcome:#?}");
                }
            } else {
                assert_output(&outcome, &alone);
            }
        }
    }
}

/// The callback of the end runs before the status of the process is settled.
#[test]
fn the_last_callback_may_end_the_process() {
    let bench = Bench::new("report_2015_life");
    for compiler in COMPILERS {
        let words = ["program.c", "tool.c", "-DSTATUS=42"];
        let program = bench.program_with_tool(compiler, "program", &words);
        let outcome = bench.run(&program, &[], &[]);
        assert_eq!(outcome.ending, Ending::Status(42), "{outcome:#?}");
        assert_eq!(outcome.stdout, with_tool());
    }
}

const REGION: &str = "tool: parallel_begin parent=1 set=1 requested=2 late=0\n";
const SESSION_BEGINS: &str = "tool: thread_begin own=1\ntool: initial_task_begin set=1\n";
const SESSION_ENDS: &str =
    "tool: initial_task_end set=1\ntool: thread_end own=1\ntool: shutdown late=0\n";
/// The inquiry functions in a session, outside of regions, and between sessions.
const KNOWN: &str = ": thread=1 state=0 task=1 1\n";
const UNKNOWN: &str = ": thread=0 state=80 task=0 0\n";

/// A session that begins, one region long, and what is known then.
fn session(when: &str) -> String {
    [STARTED, SESSION_BEGINS, REGION, when, KNOWN].concat()
}

#[test]
fn a_hard_pause_ends_the_session_and_the_next_use_begins_another() {
    let bench = Bench::new("report_2015_life");
    let first = [ASKED, &session("before")].concat();
    let paused = [SESSION_ENDS, "pause=0\npaused", UNKNOWN, "late=0\n"].concat();
    let second = [REGION, "after", KNOWN, "ends\n", SESSION_ENDS].concat();
    let again = [STARTED, SESSION_BEGINS].concat();
    for compiler in COMPILERS {
        let words = ["sessions.c", "tool.c"];
        let program = bench.program_with_tool(compiler, "sessions", &words);
        for (way, use_again) in [
            ("region", again.clone()),
            ("device", again.clone()),
            ("routine", format!("{again}max=2\n")),
            ("critical", format!("{again}critical\n")),
            ("lock", again.clone()),
            ("control", format!("{again}tool: control 64 1 reenter=1\n")),
        ] {
            println!("{compiler:?} {way}");
            let expected = [&first, &paused, &use_again, &second].map(String::as_str).concat();
            assert_output(&bench.run(&program, &[way], &[]), &expected);
        }
        let expected = [&first, &paused, "ends\n"].concat();
        assert_output(&bench.run(&program, &["unused"], &[]), &expected);
        let on = ["paused", KNOWN, "late=0\n", &second].concat();
        let expected = [&first, "pause=0\n", &on].concat();
        assert_output(&bench.run(&program, &["soft"], &[]), &expected);
        let expected = [&first, REGION, "pause=1\n", &on].concat();
        assert_output(&bench.run(&program, &["in-region"], &[]), &expected);
        let one = [STARTED, SESSION_BEGINS, REGION, SESSION_ENDS].concat();
        let expected = [&first, &paused, &one.repeat(50), "ends\n"].concat();
        assert_output(&bench.run(&program, &["threads"], &[]), &expected);
    }
}

/// A tool of OpenMP 5 lasts until the process ends.
#[test]
fn a_pause_does_not_end_a_newer_tool() {
    let bench = Bench::new("report_2015_life");
    for compiler in COMPILERS {
        let words = ["pauses.c", "../tool_activation/tool.c"];
        let program = bench.program_with_tool(compiler, "pauses", &words);
        let outcome = bench.run(&program, &[], &[]);
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        for (event, times) in [("start", 1), ("initialize", 1), ("parallel_begin", 2)] {
            let told = outcome.stdout.matches(&format!("tool: {event}")).count();
            assert_eq!(told, times, "{event}: {outcome:#?}");
        }
        let (before, after) = outcome.stdout.split_once("program: ends\n").expect("it ends");
        assert!(before.contains("program: pause=0\n") && !before.contains("finalize"), "{before}");
        assert!(after.ends_with("tool: finalize data=42\n"), "{outcome:#?}");
    }
}

/// The runtime does not end while another root uses it.
#[test]
fn a_pause_beside_another_root_ends_no_session() {
    let bench = Bench::new("report_2015_life");
    let root = [SESSION_BEGINS, REGION].concat();
    let first = [ASKED, &session("before"), &root].concat();
    let ends = "tool: initial_task_end set=1\ntool: thread_end own=1\n";
    for compiler in COMPILERS {
        let words = ["sessions.c", "tool.c"];
        let program = bench.program_with_tool(compiler, "sessions", &words);
        let outcome = bench.run(&program, &["other-root"], &[]);
        let rest = [REGION, ends, REGION, SESSION_ENDS].concat();
        assert_output(&outcome, &[&first, "pause=0\n", &rest].concat());
    }
}

/// The ways of `process.c` in which no function of the program or of a library is called at the
/// end.
const UNHEARD: [&str; 4] = ["_exit", "_Exit", "quick_exit", "_exit-in-worker"];

const FORKED: &str = "parent: child status=0\nparent: ends\n";

/// The ways of `process.c` in which the tool is told of the end, and the output.
fn heard() -> Vec<(&'static str, String)> {
    let asked = |process: &str| format!("{process}: asked\n");
    let ended =
        |process: &str, regions: u32| format!("{process}: shutdown regions={regions} late=0\n");
    let once = |regions| asked("parent") + &ended("parent", regions);
    // The child begins with the first region of its own.
    let forked = |child: &str, regions| {
        [&asked("parent"), child, FORKED, &ended("parent", regions)].concat()
    };
    let child = |regions| asked("child") + &ended("child", regions);
    vec![
        ("return", once(1)),
        ("exit", once(1)),
        ("exec", asked("parent") + &once(1)),
        ("exit-in-region", once(2)),
        ("exit-in-worker", once(2)),
        ("exit-in-task", once(2)),
        ("exit-on-foreign-thread", once(2)),
        ("pthread_exit", once(2)),
        ("pthread_exit-alone", once(1)),
        ("fork", forked("", 1)),
        ("fork-asks", forked("", 1)),
        ("fork-_exit", forked("", 1)),
        ("fork-region", forked(&child(1), 1)),
        ("fork-routine", forked(&child(0), 1)),
        ("fork-thread", forked(&child(1), 1)),
        ("fork-in-region", forked("", 2)),
        ("fork-in-worker", forked("", 2)),
        ("fork-in-region-goes-on", [&asked("parent"), &child(1), &*ended("parent", 3)].concat()),
        (
            "daemon",
            [
                &*asked("parent"),
                &asked("grandchild"),
                &ended("grandchild", 1),
                "parent: ends\n",
                &ended("parent", 1),
            ]
            .concat(),
        ),
        ("fork-first", child(1) + "parent: child status=0\n" + &once(1)),
    ]
}

#[test]
fn a_tool_is_told_of_the_end_once_in_each_process_that_used_openmp() {
    let bench = Bench::new("report_2015_life");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "process", &["process.c"]);
        for (way, expected) in heard() {
            println!("{compiler:?} {way}");
            assert_output(&bench.run(&program, &[way], &[]), &expected);
        }
        for way in UNHEARD {
            println!("{compiler:?} {way}");
            assert_output(&bench.run(&program, &[way], &[]), "parent: asked\n");
        }
    }
}

/// The runtime has not started when the process forks, but the search in libraries has asked the
/// tool.
#[test]
fn a_child_asks_the_tool_of_a_library_again() {
    let bench = Bench::new("report_2015_life");
    let tool = bench.tool("libtool.so", &[]);
    for compiler in COMPILERS {
        let words = ["process.c", "-Dompt_tool=another_name"];
        let program = bench.program_with_tool(compiler, "process", &words);
        let session = [
            STARTED,
            SESSION_BEGINS,
            "tool: parallel_begin parent=1 set=1 requested=3 \
                        late=0\n",
            SESSION_ENDS,
        ]
        .concat();
        let variables = [("OMP_TOOL_LIBRARIES", text(&tool))];
        let outcome = bench.run(&program, &["fork-first"], &variables);
        let status = "parent: child status=0\n";
        assert_output(&outcome, &[ASKED, ASKED, &session, status, &session].concat());
    }
}

/// A tool that has declined in the parent is asked again in the child, where it may want to run.
#[test]
fn a_child_asks_a_tool_that_has_declined() {
    let bench = Bench::new("report_2015_life");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "process", &["process.c"]);
        let outcome = bench.run(&program, &["fork-region"], &[("DECLINES", "1")]);
        let child = "child: asked\nchild: shutdown regions=1 late=0\n";
        assert_output(&outcome, &["parent: asked\n", child, FORKED].concat());
    }
}

#[test]
fn a_child_may_be_made_while_the_session_ends() {
    let bench = Bench::new("report_2015_life");
    for compiler in COMPILERS {
        let program = bench.program_with_tool(compiler, "process", &["process.c"]);
        let mut outcome = bench.run(&program, &["fork-beside-shutdown"], &[]);
        let mut lines: Vec<_> = outcome.stdout.lines().collect();
        // The parent's callback returns before or after the child has ended.
        lines.sort_by_key(|line| line.contains("parent: shutdown"));
        outcome.stdout = lines.join("\n");
        let expected = "parent: asked\nchild: asked\nchild: shutdown regions=1 late=0\n\
             parent: child status=0\nparent: ends\nparent: shutdown regions=1 late=0";
        assert_output(&outcome, expected);
    }
}
