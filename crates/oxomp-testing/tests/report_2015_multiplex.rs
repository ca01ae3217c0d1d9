//! The multiplexer with tools of the 2015 report written in C: each sees what it would see alone;
//! tools of OpenMP's come before them.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use oxomp_prerequisites::{File, Program};
use oxomp_testing::bench::{Bench, COMPILERS};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;
use oxomp_testing::settings::multiplexer;

struct Place {
    bench: Bench,
    multiplexer: String,
}

/// How a program is run: its words, the name of the logs, and further variables.
#[derive(Default)]
struct Run<'a> {
    words: &'a [&'a str],
    log: &'a str,
    threads: &'a str,
    more: &'a [(&'a str, &'a str)],
}

impl Place {
    fn new() -> Self {
        let ours: PathBuf = std::env::var_os("OXOMP_LIB").expect("run `cargo xtask test`").into();
        let multiplexer = multiplexer(&ours).to_str().expect("a plain name").to_owned();
        Place { bench: Bench::new("report_2015_multiplex"), multiplexer }
    }

    /// The tool called `name`, a letter.
    fn tool(&self, name: char, flags: &[&str]) -> String {
        let flag = format!("-DNAME='{name}'");
        let all = [&["-shared", "-fPIC", "listener.c", &flag], flags].concat();
        let tool = self.bench.compile(Program::Gcc, &format!("{name}.so"), &all);
        tool.to_str().expect("temporary folders have plain names").to_owned()
    }

    /// Runs the program with one tool, or with the multiplexer for the tools of a list.
    fn run(&self, program: &Path, tools: &[&str], run: &Run<'_>) -> Outcome {
        let listen = self.bench.path(run.log);
        let list = tools.join(":");
        let mut variables = vec![
            ("OMP_NUM_THREADS", run.threads),
            ("LISTEN", listen.to_str().expect("a plain name")),
        ];
        match tools {
            [alone] if run.more.is_empty() => variables.push(("OMP_TOOL_LIBRARIES", alone)),
            _ => variables.extend([
                ("OMP_TOOL_LIBRARIES", &*self.multiplexer),
                ("OXOMP_MULTIPLEX_TOOLS", &*list),
            ]),
        }
        variables.extend(run.more);
        let outcome = self.bench.run(program, run.words, &variables);
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        outcome
    }

    /// The log of a tool: the lines before the first event, and the events of each thread.
    fn log(&self, log: &str, name: char) -> (Vec<String>, BTreeMap<u64, Vec<String>>) {
        let path = self.bench.path(&format!("{log}.{name}"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let (mut notes, mut events) = (Vec::new(), BTreeMap::<u64, Vec<String>>::new());
        for line in text.lines() {
            match line
                .split_once(' ')
                .and_then(|(thread, event)| Some((thread.parse().ok()?, event)))
            {
                Some((thread, event)) => events.entry(thread).or_default().push(event.to_owned()),
                None => notes.push(line.to_owned()),
            }
        }
        (notes, events)
    }
}

#[test]
fn each_tool_sees_what_it_sees_alone() {
    let place = Place::new();
    let tools = ['a', 'b', 'c'].map(|name| place.tool(name, &[]));
    let [a, b, c] = &tools;
    for compiler in COMPILERS {
        let name = format!("program-{compiler:?}");
        let program = place.bench.program(compiler, &name, &["program.c"]);
        let (alone, several) = (format!("alone-{compiler:?}"), format!("several-{compiler:?}"));
        place.run(&program, &[a], &Run { log: &alone, threads: "1", ..Run::default() });
        let run = Run { log: &several, threads: "1", ..Run::default() };
        let outcome = place.run(&program, &[a, b, c], &run);
        // Initializers are called in the order of the list, ends come in the reverse.
        let expected = "a: begun on oxomp 2\nb: begun on oxomp 2\nc: begun on oxomp 2\ndone\n\
                        c: over set_callback=0\nb: over set_callback=0\na: over set_callback=0\n";
        assert_eq!(outcome.stdout, expected);
        let expected = place.log(&alone, 'a');
        assert!(expected.1.values().flatten().count() > 80, "{expected:#?}");
        assert!(expected.1.values().flatten().any(|line| line.starts_with("control 64 7")));
        assert!(!expected.0.iter().any(|line| line.contains("WRONG")), "{expected:#?}");
        for name in ['a', 'b', 'c'] {
            assert_eq!(place.log(&several, name), expected, "{name}");
        }
        // With several threads no two runs are alike, but the tools of one are.
        let threads = format!("threads-{compiler:?}");
        place.run(&program, &[a, b, c], &Run { log: &threads, threads: "3", ..Run::default() });
        let first = place.log(&threads, 'a');
        assert_eq!(first.1.len(), 3, "{first:#?}");
        for name in ['b', 'c'] {
            let other = place.log(&threads, name);
            assert_eq!(without_states(&other.1), without_states(&first.1), "{name}");
        }
    }
}

/// The events without the state, which may change between the questions of two tools.
fn without_states(log: &BTreeMap<u64, Vec<String>>) -> Vec<(u64, Vec<&str>)> {
    let event = |line: &'_ str| line.find(" state ").unwrap_or(line.len());
    log.iter()
        .map(|(thread, lines)| (*thread, lines.iter().map(|line| &line[..event(line)]).collect()))
        .collect()
}

#[test]
fn each_tool_has_callbacks_of_its_own() {
    let place = Place::new();
    let (few, all) = (place.tool('a', &["-DONLY_TASKS"]), place.tool('b', &[]));
    let program = place.bench.program(COMPILERS[1], "program", &["program.c"]);
    // The tool with few events comes after the other one, whose callbacks are registered by then.
    place.run(&program, &[&all, &few], &Run { log: "log", threads: "2", ..Run::default() });
    let (notes, events) = place.log("log", 'a');
    // Unknown events are refused, a function that the runtime lacks is not there.
    assert_eq!(notes[0], "unknown 0 0 0 1");
    assert_eq!(notes.iter().filter(|note| *note == "other's 0").count(), 20, "{notes:#?}");
    assert!(!notes.iter().any(|note| note == "other's 1"), "{notes:#?}");
    let names = events.values().flatten().map(|line| line.split(' ').next().unwrap_or_default());
    assert!(names.clone().all(|name| ["task_begin", "task_end"].contains(&name)));
    assert_eq!(names.filter(|name| *name == "task_end").count(), 6);
    let (_, events) = place.log("log", 'b');
    assert!(events.values().flatten().any(|line| line.starts_with("parallel_begin")));
}

#[test]
fn tools_begin_again_after_a_hard_pause_and_in_a_child() {
    let place = Place::new();
    let (a, b) = (place.tool('a', &[]), place.tool('b', &[]));
    let program = place.bench.program(COMPILERS[1], "program", &["program.c"]);
    let begun = "a: begun on oxomp 2\nb: begun on oxomp 2\n";
    let over = "b: over set_callback=0\na: over set_callback=0\n";
    for (word, expected) in [
        ("pause", format!("{begun}{over}{begun}done\n{over}")),
        ("fork", format!("{begun}{begun}{over}done\n{over}")),
    ] {
        let run = Run { words: &[word], log: word, threads: "2", more: &[] };
        assert_eq!(place.run(&program, &[&a, &b], &run).stdout, expected, "{word}");
    }
}

#[test]
fn of_alternatives_the_first_that_wants_to_run_does() {
    let place = Place::new();
    let (declines, runs) = (place.tool('a', &["-DDECLINES"]), place.tool('b', &[]));
    let either = format!("{declines}|{runs}");
    let program = place.bench.program(COMPILERS[1], "program", &["program.c"]);
    let tools: &[&str] = &["/missing.so", &declines, &either, &runs];
    let outcome = place.run(&program, tools, &Run { log: "log", threads: "1", ..Run::default() });
    assert_eq!(outcome.stdout, "b: begun on oxomp 2\ndone\nb: over set_callback=0\n");
    let said: Vec<_> = outcome.stderr.lines().map(|line| line.split(": ").nth(1)).collect();
    let twice = format!("{runs} is named twice, and runs once");
    assert_eq!(said, [Some("cannot load /missing.so"), Some(&*twice)]);

    // The tool behind the preloaded multiplexer.
    let preload = format!("{}:{runs}", place.multiplexer);
    let more: &[(&str, &str)] = &[("LD_PRELOAD", &preload), ("OMP_TOOL_LIBRARIES", "")];
    let run = Run { log: "next", threads: "1", more, ..Run::default() };
    let outcome = place.run(&program, &["@next"], &run);
    assert_eq!(outcome.stdout, "b: begun on oxomp 2\ndone\nb: over set_callback=0\n");
    assert_eq!(outcome.stderr, "");
}

#[test]
fn tools_of_openmp_come_before() {
    let place = Place::new();
    let (old, both) = (place.tool('a', &[]), place.tool('b', &["-DBOTH"]));
    let declines = place.tool('c', &["-DDECLINES"]);
    let program = place.bench.program(COMPILERS[1], "program", &["program.c"]);
    let run = Run { log: "log", threads: "1", ..Run::default() };
    let outcome = place.run(&program, &[&old, &both, &declines], &run);
    assert_eq!(outcome.stdout, "newer: begun\ndone\n");
    let said = |tool: &str| {
        format!(
            "oxomp-multiplex: {tool} does not run: it is a tool of the 2015 report, and one \
             interface runs at a time: the tools of OpenMP's do\n"
        )
    };
    assert_eq!(outcome.stderr, said(&old) + &said(&declines));
}

#[test]
fn a_runtime_without_the_interface_is_named() {
    let place = Place::new();
    let (a, b) = (place.tool('a', &[]), place.tool('b', &[]));
    let folder = place.bench.path("libomp");
    fs::create_dir(&folder).expect("a folder");
    let library = File::Libomp.path().canonicalize().expect("it exists");
    symlink(library, folder.join("libomp.so.5")).expect("a link");
    let program = place.bench.program(COMPILERS[1], "program", &["program.c"]);
    let more = [("LD_LIBRARY_PATH", folder.to_str().expect("a plain name"))];
    let run = Run { log: "log", threads: "1", more: &more, ..Run::default() };
    let outcome = place.run(&program, &[&a, &b], &run);
    assert_eq!(outcome.stdout, "done\n");
    let said = |tool: &str| {
        format!(
            "oxomp-multiplex: {tool} does not run: it is a tool of the 2015 report, whose \
             interface this runtime does not have\n"
        )
    };
    assert_eq!(outcome.stderr, said(&a) + &said(&b));
}
