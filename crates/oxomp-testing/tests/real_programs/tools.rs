//! Tools that Debian packages, on programs that run on oxomp: EZTrace, which listens by OMPT, and
//! likwid-pin, which binds threads when they are created.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use oxomp_prerequisites::skipped::{has_all, skip};
use oxomp_prerequisites::{Application, File};
use oxomp_testing::bench::{Bench, COMPILERS, Compiler};
use oxomp_testing::directives::Ending;

use crate::place;
use crate::session::finished;

const SOURCES: &str = "../../../tests/applications";

/// Where EZTrace is unpacked.
struct EzTrace(PathBuf);

impl EzTrace {
    /// As `cargo xtask applications` has unpacked it.
    fn unpacked() -> Option<Self> {
        let folder = env::var_os("OXOMP_EZTRACE");
        if folder.is_none() {
            skip("OXOMP_EZTRACE names no folder: `cargo xtask applications` unpacks EZTrace");
        }
        folder.map(|folder| Self(folder.into()))
    }

    fn libraries(&self) -> PathBuf {
        self.0.join("usr/lib/x86_64-linux-gnu")
    }

    /// The events that the tool writes of `program` on the runtime of that folder.
    fn trace(&self, bench: &Bench, program: &Path, runtime: &Path) -> Events {
        let libraries = self.libraries();
        let tool = ["core", "lib", "ompt"].map(|part| format!("libeztrace-{part}.so"));
        let tool = tool.map(|file| text(&libraries.join(file)).to_owned()).join(":");
        let path = env::join_paths([runtime, &libraries]).expect("no colon in a path");
        let folder = bench.path("trace");
        let outcome = bench.run(
            program,
            &[],
            &[
                ("LD_LIBRARY_PATH", path.to_str().expect("plain names")),
                ("LD_PRELOAD", &tool),
                ("EZTRACE_TRACE", "ompt"),
                ("EZTRACE_TRACE_DIR", text(&folder)),
            ],
        );
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        assert_eq!(outcome.stdout, "sum 1900, 40 entries, 50 tasks\n", "{outcome:#?}");
        let name = program.file_name().expect("a file").to_str().expect("a plain name");
        let file = folder.join(format!("{name}_trace/eztrace_log.otf2"));
        let mut printer = Command::new(self.0.join("usr/bin/otf2-print"));
        let printed = finished(printer.env("LD_LIBRARY_PATH", libraries).arg(&file));
        fs::remove_dir_all(&folder).expect("the tool has made it");
        Events::read(&printed.stdout)
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

/// How often each kind of event is in a trace, and each region is entered and left.
#[derive(Debug, PartialEq, Eq)]
struct Events {
    kinds: BTreeMap<String, u32>,
    entered: BTreeMap<String, u32>,
    left: BTreeMap<String, u32>,
}

impl Events {
    fn read(printed: &str) -> Self {
        let mut events =
            Self { kinds: BTreeMap::new(), entered: BTreeMap::new(), left: BTreeMap::new() };
        for line in printed.lines() {
            let kind = line.split(' ').next().unwrap_or("");
            let by_region = match kind {
                "ENTER" => &mut events.entered,
                "LEAVE" => &mut events.left,
                _ => {
                    *events.kinds.entry(kind.to_owned()).or_default() += 1;
                    continue;
                }
            };
            let region = line.split('"').nth(1).unwrap_or_else(|| panic!("no region: {line}"));
            *by_region.entry(region.to_owned()).or_default() += 1;
        }
        events
    }

    fn kind(&self, name: &str) -> u32 {
        self.kinds.get(name).copied().unwrap_or(0)
    }

    fn entered(&self, region: &str) -> u32 {
        self.entered.get(region).copied().unwrap_or(0)
    }
}

#[test]
#[ignore = "a package that is unpacked: cargo xtask applications"]
fn eztrace_by_ompt_hears_each_begin_and_each_end() {
    let Some(tool) = EzTrace::unpacked() else { return };
    if !has_all(&[File::Libomp.into()]) {
        return;
    }
    let bench = Bench::new(SOURCES);
    let llvm = File::Libomp.path().parent().expect("a file lies in a folder");
    for compiler in COMPILERS {
        let program = bench.program(compiler, "traced", &["-O2", "traced.c"]);
        let events = tool.trace(&bench, &program, &place::runtime());
        println!("{compiler:?} {events:#?}");
        // LLVM's runtime tells of the ends of the last region's implicit tasks too late for this.
        assert_eq!(events.entered, events.left, "{compiler:?}");
        for (region, expected) in [
            ("OpenMP parallel", 10),
            ("OpenMP implicit task", 41),
            ("OpenMP acquire mutex", 40),
            ("Working", 4),
        ] {
            assert_eq!(events.entered(region), expected, "{compiler:?} {region}: {events:#?}");
        }
        let barriers = events.entered("OpenMP barrier") + events.entered("OpenMP implicit barrier");
        assert_eq!(barriers, 160, "{compiler:?}: {events:#?}");
        for (kind, expected) in [
            ("THREAD_BEGIN", 4),
            ("THREAD_END", 4),
            ("THREAD_TEAM_BEGIN", 10),
            ("THREAD_TEAM_END", 10),
            ("THREAD_ACQUIRE_LOCK", 40),
            ("THREAD_RELEASE_LOCK", 40),
            ("THREAD_TASK_CREATE", 50),
        ] {
            assert_eq!(events.kind(kind), expected, "{compiler:?} {kind}: {events:#?}");
        }
        // With gcc the two runtimes name another kind of barrier.
        if matches!(compiler, Compiler::Clang) {
            let theirs = tool.trace(&bench, &program, llvm);
            assert_eq!(events.entered, theirs.entered, "{theirs:#?}");
        }
    }
}

#[test]
#[ignore = "a package that few machines have: cargo xtask applications"]
fn threads_by_likwid_pin_run_where_they_do_on_their_own_runtime() {
    let needed = Application::LikwidPin;
    if !has_all(&[needed.into(), File::Libgomp.into(), File::Libomp.into()]) {
        return;
    }
    let pin = needed.find().expect("it was just there");
    let bench = Bench::new(SOURCES);
    let is_alone = thread::available_parallelism().is_ok_and(|processors| processors.get() == 1);
    let places = if is_alone { "N:0" } else { "N:0-1" };
    let folder = |file: File| text(file.path().parent().expect("it lies in a folder"));
    for (compiler, theirs) in [(Compiler::Gcc, File::Libgomp), (Compiler::Clang, File::Libomp)] {
        let program = bench.program(compiler, "pinned", &["pinned.c"]);
        let run = |variables: &[(&str, &str)]| {
            let words = ["-q", "-c", places, text(&program)];
            let outcome = bench.run(&pin, &words, variables);
            assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
            outcome.stdout
        };
        let ours = run(&[]);
        let each_has_one = ours.lines().all(|line| line.split(' ').count() == 3);
        assert!(each_has_one && ours.lines().count() == 4, "{compiler:?}: {ours}");
        let theirs = run(&[("LD_LIBRARY_PATH", folder(theirs))]);
        assert_eq!(ours, theirs, "{compiler:?}");
    }
}
