//! The multiplexer with tools written in C, on oxomp, libomp and libiomp5: each tool sees what it
//! would see alone, has data words of its own, and comes and goes without the others.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it; Intel's
//! runtime is used where `OXOMP_IOMP5` names it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use oxomp_prerequisites::skipped::{has_all, skip};
use oxomp_prerequisites::{File, Program};
use oxomp_testing::bench::{Bench, COMPILERS, Compiler};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;
use oxomp_testing::settings::multiplexer;

/// A bench with the multiplexer.
struct Place {
    bench: Bench,
    ours: PathBuf,
}

/// A runtime for programs of a compiler: its name, and the folder that has it under its sonames.
type Runtime = (String, Compiler, PathBuf);

impl Place {
    fn new() -> Self {
        let ours = std::env::var_os("OXOMP_LIB").expect("run `cargo xtask test`").into();
        Place { bench: Bench::new("multiplex"), ours }
    }

    fn runtimes(&self) -> Vec<Runtime> {
        let mut runtimes = vec![
            ("oxomp".to_owned(), Compiler::Gcc, self.ours.clone()),
            ("oxomp".to_owned(), Compiler::Clang, self.ours.clone()),
        ];
        let intel = std::env::var_os("OXOMP_IOMP5").map(PathBuf::from);
        for (name, library) in [("libomp", Some(File::Libomp.path().into())), ("libiomp5", intel)] {
            let Some(library) = library.filter(|path: &PathBuf| path.exists()) else {
                skip(&format!("the multiplexer on {name}: the runtime is missing"));
                continue;
            };
            let folder = self.bench.path(name);
            fs::create_dir(&folder).expect("a folder");
            let library = library.canonicalize().expect("it exists");
            symlink(library, folder.join("libomp.so.5")).expect("a link");
            runtimes.push((name.to_owned(), Compiler::Clang, folder));
        }
        runtimes
    }

    /// The tool `listener.c` called `name`, a letter.
    fn listener(&self, name: char, flags: &[&str]) -> String {
        let flag = format!("-DNAME='{name}'");
        let all = [&["-shared", "-fPIC", "listener.c", &flag], flags].concat();
        let tool = self.bench.compile(Program::Gcc, &format!("{name}.so"), &all);
        tool.to_str().expect("temporary folders have plain names").to_owned()
    }

    /// The tool `light.c` called `name`, a letter.
    fn light(&self, name: char, flags: &[&str]) -> String {
        let flag = format!("-DNAME='{name}'");
        let all = [&["-shared", "-fPIC", "-O2", "light.c", &flag], flags].concat();
        let tool = self.bench.compile(Program::Gcc, &format!("light_{name}.so"), &all);
        tool.to_str().expect("temporary folders have plain names").to_owned()
    }

    fn constructs(&self, compiler: Compiler) -> PathBuf {
        self.bench.program(compiler, &format!("constructs-{compiler:?}"), &["constructs.c"])
    }

    /// Runs the program with one tool, or with the tools of a list.
    fn run(&self, runtime: &Path, program: &Path, run: &Run<'_>) -> Outcome {
        let own = multiplexer(&self.ours);
        let own = own.to_str().expect("a plain name");
        let listen = self.bench.path(run.log);
        let tools = run.tools.join(":");
        let mut variables = vec![
            ("LD_LIBRARY_PATH", runtime.to_str().expect("a plain name")),
            ("OMP_NUM_THREADS", run.threads),
            ("OMP_CANCELLATION", "true"),
            ("LISTEN", listen.to_str().expect("a plain name")),
        ];
        match run.tools {
            [alone] => variables.push(("OMP_TOOL_LIBRARIES", alone)),
            _ => variables.extend([("OMP_TOOL_LIBRARIES", own), ("OXOMP_MULTIPLEX_TOOLS", &tools)]),
        }
        variables.extend(run.more);
        let outcome = self.bench.run(program, run.words, &variables);
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        outcome
    }

    /// The log of a listener: its answers, and the events of each thread.
    fn log(&self, log: &str, name: char) -> Log {
        let path = self.bench.path(&format!("{log}.{name}"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let mut parsed = Log::default();
        for line in text.lines() {
            match line.split_once(' ') {
                Some((thread, event)) if thread.parse::<u32>().is_ok() => {
                    let thread = thread.parse().expect("it is a number");
                    let main = *parsed.main.get_or_insert(thread);
                    let events = parsed.events.entry(after(main, thread)).or_default();
                    events.push(event.to_owned());
                }
                _ => parsed.notes.push(line.to_owned()),
            }
        }
        parsed
    }
}

struct Run<'a> {
    words: &'a [&'a str],
    log: &'a str,
    threads: &'a str,
    tools: &'a [&'a str],
    more: &'a [(&'a str, &'a str)],
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Log {
    notes: Vec<String>,
    /// The number of the thread with the first event.
    main: Option<u32>,
    /// The events of each thread, which has its distance to the first one's number.
    events: BTreeMap<u32, Vec<String>>,
}

/// How far the number of another thread comes after the main thread's: after the largest number the
/// system begins again with small ones.
fn after(main: u32, thread: u32) -> u32 {
    thread.wrapping_sub(main)
}

impl Log {
    /// What the tools of one run on `runtime` have in common. On other
    /// runtimes than oxomp another thread may use the memory of an outer task again between the
    /// questions of two tools: there each line loses the answers about the tasks around its own.
    fn comparable(mut self, runtime: &str) -> Self {
        if runtime != "oxomp" {
            self.events.values_mut().flatten().for_each(|line| *line = without_outer_tasks(line));
        }
        self
    }

    fn all(&self) -> impl Iterator<Item = &str> {
        self.events.values().flatten().map(String::as_str)
    }

    /// Fails if a word was another tool's, or another object's.
    #[track_caller]
    fn check_words(&self) {
        let wrong = self.all().find(|line| line.contains("WRONG") || line.contains("DIRTY"));
        assert_eq!(wrong, None);
        assert_eq!(self.notes.last().map(String::as_str), Some("finalize own"));
    }

    /// The log in a form that another run of the program has, too: threads are numbered, and
    /// objects called by the number of the thread where they began. libomp does not reset every
    /// word.
    fn in_any_process(&self) -> Vec<String> {
        let numbers: BTreeMap<u32, usize> = self.events.keys().copied().zip(0..).collect();
        let object = regex_lite::Regex::new("@([0-9]+)").expect("an expression");
        let name = |found: &regex_lite::Captures<'_>| {
            let value: u64 = found[1].parse().expect("digits");
            let thread = after(self.main.unwrap_or(0), (value >> 28) as u32);
            format!("@{}.{}", numbers[&thread], value & 0xfff_ffff)
        };
        let lines = self.events.iter().flat_map(|(thread, lines)| {
            lines.iter().map(|line| format!("{} {line}", numbers[thread]))
        });
        let named = lines.map(|line| object.replace_all(&line, name).replace("DIRTY ", ""));
        self.notes.iter().cloned().chain(named).collect()
    }
}

/// A line of a log without the answers behind the first one about a task, but for the state.
fn without_outer_tasks(line: &str) -> String {
    let Some((event, answers)) = line.split_once(" [") else { return line.to_owned() };
    let words: Vec<&str> = answers.split(' ').collect();
    // The answer about a task has five parts, that about a region two.
    let own = words.iter().position(|word| word.matches('/').count() == 4);
    let own = own.map_or(words.len(), |at| at + 1);
    let state = words[own..].last();
    let kept: Vec<&str> = words[..own].iter().chain(state).copied().collect();
    format!("{event} [{}", kept.join(" "))
}

#[test]
fn outer_tasks_are_left_out_of_a_line() {
    let line = "cancel task@3 48 null [thread@1 region@2/3 task@3/4/region@2/0/set region@5/1 \
                task@6/4/region@5/0/set state=1]";
    let left = "cancel task@3 48 null [thread@1 region@2/3 task@3/4/region@2/0/set state=1]";
    assert_eq!(without_outer_tasks(line), left);
    assert_eq!(without_outer_tasks(left), left);
    assert_eq!(
        without_outer_tasks("thread_begin 2 [zero state=0]"),
        "thread_begin 2 [zero state=0]"
    );
    assert_eq!(without_outer_tasks("finalize own"), "finalize own");
}

#[test]
fn each_tool_sees_what_it_sees_alone() {
    let place = Place::new();
    let (a, b, c) = (place.listener('a', &[]), place.listener('b', &[]), place.listener('c', &[]));
    for (name, compiler, runtime) in place.runtimes() {
        println!("{name} {compiler:?}");
        let program = place.constructs(compiler);
        let run = |log, threads, tools: &[&str]| {
            place.run(
                &runtime,
                &program,
                &Run { words: &["control"], log, threads, tools, more: &[] },
            );
        };
        run("alone", "1", &[&a]);
        run("several", "1", &[&a, &b, &c]);
        let expected = place.log("alone", 'a').in_any_process();
        assert!(expected.len() > 400, "{expected:#?}");
        for tool in ['a', 'b', 'c'] {
            let log = place.log("several", tool);
            log.check_words();
            let found = log.in_any_process();
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found, expected, "{tool}");
            }
            assert_eq!(found.len(), expected.len());
        }
        // With several threads no two runs are alike, but the tools of one are.
        run("threads", "3", &[&a, &b, &c]);
        let logs = ['a', 'b', 'c'].map(|tool| place.log("threads", tool));
        logs.iter().for_each(Log::check_words);
        let [first, others @ ..] = logs.map(|log| log.comparable(&name));
        assert!(first.events.len() > 3, "{first:?}");
        assert!(others.iter().all(|other| *other == first), "{others:#?}\n{first:#?}");
    }
}

#[test]
fn results_of_omp_control_tool_are_combined_and_ends_come_in_reverse() {
    let place = Place::new();
    let ignores = place.listener('a', &["-DRESULT=1"]);
    let answers = place.listener('b', &["-DRESULT=66"]);
    let other = place.listener('c', &["-DRESULT=67"]);
    for (name, compiler, runtime) in place.runtimes() {
        println!("{name} {compiler:?}");
        let program = place.constructs(compiler);
        let tools: &[&str] = &[&ignores, &answers, &other];
        let outcome = place.run(
            &runtime,
            &program,
            &Run { words: &["control"], log: "log", threads: "2", tools, more: &[] },
        );
        let expected = "control=66\ndone\nc: finalized\nb: finalized\na: finalized\n";
        assert_eq!(outcome.stdout, expected);
    }
}

#[test]
fn a_tool_ends_alone() {
    let place = Place::new();
    let goes = place.listener('a', &["-DENDS"]);
    let leaves_at_once = place.listener('b', &["-DENDS_INITIALIZING"]);
    let stays = place.listener('c', &[]);
    for (name, compiler, runtime) in place.runtimes() {
        println!("{name} {compiler:?}");
        let program = place.constructs(compiler);
        let tools: &[&str] = &[&goes, &leaves_at_once, &stays];
        let outcome = place.run(
            &runtime,
            &program,
            &Run { words: &["control"], log: "log", threads: "3", tools, more: &[] },
        );
        assert_eq!(
            outcome.stdout,
            "b: finalized\na: finalized\n\
             a: ended set_callback=0 get_callback=0 thread_data=null\n\
             control=0\ndone\nc: finalized\n"
        );
        let [gone, stayed] = ['a', 'c'].map(|tool| place.log("log", tool));
        stayed.check_words();
        let [gone, stayed] = [gone, stayed].map(|log| log.comparable(&name));
        assert_eq!(place.log("log", 'b').events.len(), 0);
        // On each thread, what the tool saw is the beginning of what the other saw.
        for (thread, lines) in &gone.events {
            let other = &stayed.events[thread];
            let differs = lines.iter().zip(other).find(|(line, other)| line != other);
            assert_eq!(differs, None, "thread {thread}");
            assert!(lines.len() <= other.len(), "thread {thread}: {lines:#?}");
        }
        assert!(gone.all().count() * 3 < stayed.all().count() * 2);
    }
}

#[test]
fn a_tool_unregisters_alone() {
    let place = Place::new();
    let quits = place.listener('a', &["-DUNREGISTERS"]);
    let stays = place.listener('b', &[]);
    for (name, compiler, runtime) in place.runtimes() {
        println!("{name} {compiler:?}");
        let program = place.constructs(compiler);
        let run = Run {
            words: &["control"],
            log: "log",
            threads: "1",
            tools: &[&quits, &stays],
            more: &[],
        };
        let outcome = place.run(&runtime, &program, &run);
        assert_eq!(outcome.stdout, "control=0\ndone\nb: finalized\na: finalized\n");
        let [quit, stayed] = ['a', 'b'].map(|tool| place.log("log", tool));
        stayed.check_words();
        let (before, all) = (quit.all().count(), stayed.all().count());
        assert!(before > 100 && before * 3 < all * 2, "{before} of {all}");
        assert!(stayed.all().take(before).eq(quit.all()), "{quit:#?}");
    }
}

/// libomp and libiomp5 test whether an event is registered, and call what is registered by then.
#[test]
fn a_tool_registers_and_unregisters_all_the_time() {
    let place = Place::new();
    let flags = ["-shared", "-fPIC", "-O1", "-pthread", "flips.c"];
    let flips = place.bench.compile(Program::Gcc, "flips.so", &flags);
    let flips = flips.to_str().expect("temporary folders have plain names");
    let stays = place.light('b', &[]);
    for (name, compiler, runtime) in place.runtimes() {
        println!("{name} {compiler:?}");
        let program = place.bench.program(compiler, &format!("locks-{compiler:?}"), &["locks.c"]);
        let tools: &[&str] = &[flips, &stays];
        let run = Run { words: &[], log: "", threads: "2", tools, more: &[] };
        let outcome = place.run(&runtime, &program, &run);
        assert_eq!(outcome.stdout, "count=1000000\nb: begun=10 strange=0\ncalled\n");
    }
}

#[test]
fn the_others_run_when_one_cannot() {
    let place = Place::new();
    let declines = place.listener('a', &["-DDECLINES"]);
    let refuses = place.listener('b', &["-DREFUSES"]);
    let runs = place.listener('c', &[]);
    let symbolless = place.listener('d', &["-Dompt_start_tool=another_name"]);
    let own = multiplexer(&place.ours);
    let own = own.to_str().expect("a plain name");
    // Of alternatives, the first that wants to run does.
    let either = format!("{declines}|{runs}|/not/reached.so");
    let tools: &[&str] = &["/missing.so", &symbolless, own, &declines, &refuses, &either];
    for (name, compiler, runtime) in place.runtimes() {
        println!("{name} {compiler:?}");
        let program = place.constructs(compiler);
        let run = |more| {
            place.run(
                &runtime,
                &program,
                &Run { words: &["control"], log: "log", threads: "2", tools, more },
            )
        };
        let outcome = run(&[]);
        assert_eq!(outcome.stdout, "control=0\ndone\nc: finalized\n");
        let said = outcome.stderr.lines().filter(|line| line.starts_with("oxomp-multiplex: "));
        let said: Vec<_> = said.collect();
        let expected = [
            "oxomp-multiplex: cannot load /missing.so: /missing.so: cannot open shared object \
             file: No such file or directory; the other tools go on"
                .to_owned(),
            format!(
                "oxomp-multiplex: {symbolless} is no OMPT tool: it has no ompt_start_tool; \
                 the other tools go on"
            ),
            format!(
                "oxomp-multiplex: {own} is no OMPT tool: it has no ompt_start_tool; \
                 the other tools go on"
            ),
        ];
        assert_eq!(said, expected);
        if name == "libiomp5" {
            // This runtime closes the file that OMP_TOOL_VERBOSE_INIT names twice, and aborts.
            continue;
        }
        let log = place.bench.path("verbose");
        let outcome = run(&[("OMP_TOOL_VERBOSE_INIT", log.to_str().expect("a plain name"))]);
        assert_eq!(outcome.stdout, "control=0\ndone\nc: finalized\n");
        let log = fs::read_to_string(log.with_extension("multiplex")).expect("a log");
        assert!(
            log.ends_with(&format!("{refuses}: did not start\noxomp-multiplex: {runs}: runs\n")),
            "{log}"
        );
    }
}

#[test]
fn a_program_without_a_willing_tool_runs_alone() {
    let place = Place::new();
    let declines = place.listener('a', &["-DDECLINES"]);
    let refuses = place.listener('b', &["-DREFUSES"]);
    for (name, compiler, runtime) in place.runtimes() {
        println!("{name} {compiler:?}");
        let program = place.constructs(compiler);
        for tools in [[&*declines, &declines], [&declines, &refuses]] {
            let run =
                Run { words: &["control"], log: "log", threads: "2", tools: &tools, more: &[] };
            let outcome = place.run(&runtime, &program, &run);
            assert_eq!(outcome.stdout, "control=-2\ndone\n");
        }
    }
}

/// The tools `a` and `b` see all of a million tasks, on every runtime, and no memory is left.
fn assert_sees_all_tasks(place: &Place, a: &str, b: &str) {
    for (name, compiler, runtime) in place.runtimes() {
        println!("{name} {compiler:?}");
        let program = place.bench.program(compiler, &format!("many-{compiler:?}"), &["many.c"]);
        let run = Run { words: &[], log: "", threads: "2", tools: &[a, b], more: &[] };
        let outcome = place.run(&runtime, &program, &run);
        assert_eq!(
            outcome.stdout,
            "no growth\nb: begun=1003000 strange=0\na: begun=1003000 strange=0\n"
        );
    }
}

#[test]
#[ignore = "takes long: cargo xtask test --only thorough"]
fn a_million_tasks_leave_nothing_behind() {
    let place = Place::new();
    assert_sees_all_tasks(&place, &place.light('a', &[]), &place.light('b', &[]));
}

#[test]
fn words_are_right_in_signal_handlers() {
    let place = Place::new();
    assert_sees_all_tasks(&place, &place.light('a', &["-DSAMPLES"]), &place.light('b', &[]));
}

#[test]
fn the_child_of_a_fork_goes_on() {
    let place = Place::new();
    let (a, b) = (place.light('a', &[]), place.light('b', &[]));
    for (name, compiler, runtime) in place.runtimes() {
        if name != "oxomp" {
            // Their children may hang, with and without tools.
            continue;
        }
        let program = place.bench.program(compiler, &format!("many-{compiler:?}"), &["many.c"]);
        let run = Run { words: &["fork"], log: "", threads: "2", tools: &[&a, &b], more: &[] };
        let outcome = place.run(&runtime, &program, &run);
        assert_eq!(
            outcome.stdout,
            "child=7\nb: begun=100300 strange=0\na: begun=100300 strange=0\n"
        );
    }
}

#[test]
fn memcheck_finds_nothing() {
    if !has_all(&[Program::Valgrind.into()]) {
        return;
    }
    let valgrind = Program::Valgrind.find().expect("it is there");
    let place = Place::new();
    let tools = [place.light('a', &[]), place.light('b', &[])].join(":");
    let own = multiplexer(&place.ours);
    let own = own.to_str().expect("a plain name");
    for compiler in COMPILERS {
        let program = place.bench.program(compiler, "many", &["many.c", "-DTASKS=4"]);
        let program = program.to_str().expect("a plain name");
        let words = [
            "--quiet",
            "--error-exitcode=99",
            "--leak-check=full",
            "--show-leak-kinds=definite",
            "--errors-for-leak-kinds=definite",
            program,
        ];
        let variables = [("OMP_TOOL_LIBRARIES", own), ("OXOMP_MULTIPLEX_TOOLS", &tools)];
        let outcome = place.bench.run(&valgrind, &words, &variables);
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        assert_eq!(outcome.stdout, "no growth\nb: begun=7000 strange=0\na: begun=7000 strange=0\n");
    }
}

/// Each of the two tools is finalized exactly once, and gets no callback afterwards: the
/// multiplexer decides once which of them is the last. With a third tool neither is the last;
/// libomp and libiomp5 crash at the end of the last.
#[test]
fn tools_end_together() {
    let place = Place::new();
    let meeter = |name: char, modifier: u32| {
        let flags = [format!("-DNAME='{name}'"), format!("-DMODIFIER={modifier}")];
        let words = ["-shared", "-fPIC", "-O1", "meets.c", &flags[0], &flags[1]];
        let tool = place.bench.compile(Program::Gcc, &format!("meets_{name}.so"), &words);
        tool.to_str().expect("temporary folders have plain names").to_owned()
    };
    let (a, b, stays) = (meeter('a', 0), meeter('b', 1), meeter('c', 2));
    for (name, compiler, runtime) in place.runtimes() {
        println!("{name} {compiler:?}");
        let words = ["together.c"];
        let program = place.bench.program(compiler, &format!("together-{compiler:?}"), &words);
        for tools in [&[&*a, &b][..], &[&*a, &b, &stays]] {
            if name != "oxomp" && tools.len() == 2 {
                continue;
            }
            let mut expected: Vec<_> = ["a", "b", "c"][..tools.len()]
                .iter()
                .map(|tool| format!("{tool}: finalized"))
                .collect();
            expected.push("count=80".to_owned());
            for _ in 0..20 {
                let run = Run { words: &[], log: "", threads: "2", tools, more: &[] };
                let outcome = place.run(&runtime, &program, &run);
                let mut found: Vec<_> = outcome.stdout.lines().collect();
                found.sort_unstable();
                assert_eq!(found, expected, "{} tools", tools.len());
            }
        }
    }
}

/// The last tool's end is the runtime's. libomp and libiomp5 crash there, with one tool alone too.
#[test]
fn the_last_tool_ends_the_runtimes_tool() {
    let place = Place::new();
    let (a, b) = (place.listener('a', &["-DENDS"]), place.listener('b', &["-DENDS"]));
    let ended = |tool| {
        format!("{tool}: finalized\n{tool}: ended set_callback=0 get_callback=0 thread_data=null\n")
    };
    for (name, compiler, runtime) in place.runtimes() {
        if name == "oxomp" {
            let program = place.constructs(compiler);
            let tools: &[&str] = &[&a, &b];
            let run = Run { words: &["control"], log: "log", threads: "3", tools, more: &[] };
            let outcome = place.run(&runtime, &program, &run);
            let expected = format!("{}{}control=0\ndone\n", ended('a'), ended('b'));
            assert_eq!(outcome.stdout, expected);
            let [first, last] = ['a', 'b'].map(|tool| place.log("log", tool));
            last.check_words();
            // The runtime delivers the outstanding ends to the last tool only.
            assert!(!first.all().any(|line| line.starts_with("thread_end")));
            assert!(last.all().any(|line| line.starts_with("thread_end")));
        }
    }
}
