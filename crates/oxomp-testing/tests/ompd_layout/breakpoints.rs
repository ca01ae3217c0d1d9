//! The functions at which a debugger stops: gdb stops at each, every time, and there the thread's
//! current task and region are what the specification says (OpenMP 5.2 §20.6).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use oxomp_ompd_layout::Field;
use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::has_all;
use oxomp_testing::compiler::Family;
use oxomp_testing::process::clear_environment;

use crate::debuggee::{Debuggee, compile, reader, runtime};
use crate::view::{Eye, Parallel, Task, Thread};
use crate::{FAMILIES, Facts};

/// The breakpoints of `regions`: threads that begin and end, regions, implicit, initial and
/// explicit tasks.
const THREADS: usize = 8;
const REGIONS: usize = 19;
const TASKS: usize = 45;
/// The names of what they begin and end.
const ALL: &str = "thread parallel task";

/// gdb on `program` with OMP_DEBUG as given, which stops at the begins and ends of what `stops_at`
/// names; `None` where the machine has no gdb.
fn under_gdb(family: Family, program: &str, stops_at: &str, debug: &str) -> Option<Debuggee> {
    if !has_all(&[Program::Gdb.into()]) {
        return None;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ompd_layout/stops.py");
    let mut gdb = Program::Gdb.command();
    clear_environment(&mut gdb);
    gdb.env("STOPS_AT", stops_at);
    gdb.args(["-batch", "-nx", "-ex", "set debuginfod enabled off"]);
    let library_path = format!("set environment LD_LIBRARY_PATH {}", runtime().display());
    gdb.args(["-ex", &library_path, "-ex", &format!("set environment OMP_DEBUG {debug}"), "-x"]);
    gdb.arg(script).arg(compile(family, program));
    Some(Debuggee::start(&mut gdb))
}

/// The objects that have begun and not ended, as handles: address and generation.
#[derive(Debug, Default)]
struct Lives {
    threads: BTreeSet<u64>,
    regions: BTreeSet<(u64, u64)>,
    tasks: BTreeSet<(u64, u64)>,
    /// Handles that there were.
    all: BTreeSet<(u64, u64)>,
    hits: BTreeMap<String, usize>,
}

fn handle_of(task: &Task) -> (u64, u64) {
    assert_eq!(task.generation % 2, 1, "it lives: {task:?}");
    (task.address, task.generation)
}

fn handle_of_region(region: &Parallel) -> (u64, u64) {
    assert_eq!(region.generation % 2, 1, "it runs: {region:?}");
    (region.address, region.generation)
}

impl Lives {
    fn stop(&mut self, name: &str, thread: &Thread) {
        *self.hits.entry(name.to_owned()).or_default() += 1;
        let current = &thread.tasks[0];
        match name {
            "ompd_bp_thread_begin" => assert!(self.threads.insert(thread.number)),
            "ompd_bp_thread_end" => assert!(self.threads.remove(&thread.number)),
            "ompd_bp_parallel_begin" => {
                let region = thread.region.as_ref().expect("the region that begins");
                let handle = handle_of_region(region);
                assert!(self.regions.insert(handle) && self.all.insert(handle), "{handle:x?}");
                self.check_around(region, current);
                assert!((1..=3).contains(&region.size) && region.function != 0);
                assert_eq!(region.members.len() as u64, region.size);
            }
            "ompd_bp_parallel_end" => {
                let region = thread.region.as_ref().expect("the region that ends");
                assert!(self.regions.remove(&handle_of_region(region)), "{region:?}");
                self.check_around(region, current);
                // The region's implicit tasks are over.
                let primary = (region.members[0].0, region.generation);
                assert!(!self.tasks.iter().any(|(address, _)| *address == primary.0));
            }
            "ompd_bp_task_begin" => {
                let handle = thread.executes.expect("the task that begins");
                assert!(self.tasks.insert(handle) && self.all.insert(handle), "{handle:x?}");
                assert_eq!(handle.1 % 2, 1, "it lives: {handle:x?}");
                assert!(thread.region.is_none());
                // An explicit task runs while the implicit one lives.
                assert!(self.tasks.contains(&handle_of(current)), "{current:?}");
                assert_eq!(current.is_initial, current.parallel.level == 0);
                if !current.is_initial {
                    assert!(self.regions.contains(&handle_of_region(&current.parallel)));
                }
            }
            "ompd_bp_task_end" => {
                let handle = thread.executes.expect("the task that ends");
                assert!(self.tasks.remove(&handle), "{handle:x?}");
                assert!(thread.region.is_none());
            }
            other => panic!("{other} is no breakpoint function"),
        }
    }

    /// The encountering task is current, outside of the region.
    fn check_around(&self, region: &Parallel, current: &Task) {
        assert_eq!(region.encountering, Some(current.address));
        assert_eq!(region.level, current.parallel.level + 1);
        assert!(self.tasks.contains(&handle_of(current)));
    }
}

#[test]
fn a_debugger_stops_at_each_begin_and_end() {
    for family in FAMILIES {
        let Some(mut gdb) = under_gdb(family, "regions", ALL, "enabled") else { return };
        let mut lives = Lives::default();
        let mut counted = String::new();
        while let Some(line) = gdb.line_if_any() {
            // gdb's own words may stand before it in the line.
            if let Some(at) = line.find("regions=") {
                counted = line[at..].to_owned();
            } else if let Some(at) = line.find("stop name=") {
                let stop = Facts::parse(&line[at..]);
                let reader = reader(u32::try_from(stop.number("pid")).expect("a process id"));
                let threads = Eye(&reader).alive();
                let thread = crate::thread_of(&threads, stop.number("lwp"));
                lives.stop(stop.text("name"), thread);
                gdb.tell("go on");
            }
        }
        assert_eq!(counted, format!("regions={REGIONS} tasks={TASKS}"));
        for (what, count) in [("thread", THREADS), ("parallel", REGIONS), ("task", TASKS)] {
            for end in ["begin", "end"] {
                let name = format!("ompd_bp_{what}_{end}");
                assert_eq!(lives.hits.get(&name), Some(&count), "{name}, {family:?}");
            }
        }
        assert!(lives.threads.is_empty() && lives.regions.is_empty() && lives.tasks.is_empty());
        gdb.finish();
    }
}

#[test]
fn nothing_stops_where_no_debugger_is_expected() {
    for family in FAMILIES {
        let Some(mut gdb) = under_gdb(family, "regions", ALL, "disabled") else { return };
        let mut lines = Vec::new();
        while let Some(line) = gdb.line_if_any() {
            assert!(!line.contains("stop name="), "{line}");
            lines.push(line);
        }
        let counted = format!("regions={REGIONS} tasks={TASKS}");
        assert!(lines.iter().any(|line| line.contains(&counted)), "{lines:?}");
        gdb.finish();
    }
}

/// At both ends of a league its number of teams can be read, and the league is not (yet, or any
/// more) a parallel region.
#[test]
fn a_league_is_one_from_its_begin_to_its_end() {
    for family in FAMILIES {
        let Some(mut gdb) = under_gdb(family, "leagues", "teams", "enabled") else { return };
        let mut sizes = Vec::new();
        while let Some(line) = gdb.line_if_any() {
            let Some(at) = line.find("stop name=") else { continue };
            let stop = Facts::parse(&line[at..]);
            let reader = reader(u32::try_from(stop.number("pid")).expect("a process id"));
            let threads = Eye(&reader).alive();
            let thread = crate::thread_of(&threads, stop.number("lwp"));
            let region = thread.region.as_ref().expect("the league");
            sizes.push(Eye(&reader).number(region.address, Field::ParallelLeagueSize));
            gdb.tell("go on");
        }
        assert_eq!(sizes, [1, 1, 2, 2, 3, 3], "{family:?}");
        gdb.finish();
    }
}

/// A teams region is a teams region and, for a debugger of OpenMP 5, a parallel region.
#[test]
fn a_debugger_stops_at_leagues() {
    if !has_all(&[Program::Gdb.into()]) {
        return;
    }
    let names = ["teams_begin", "teams_end", "parallel_begin", "parallel_end", "device_begin"];
    for family in FAMILIES {
        let mut gdb = Program::Gdb.command();
        clear_environment(&mut gdb);
        gdb.args(["-batch", "-nx", "-ex", "set debuginfod enabled off"]);
        let library_path = format!("set environment LD_LIBRARY_PATH {}", runtime().display());
        gdb.args(["-ex", &library_path, "-ex", "set environment OMP_DEBUG enabled"]);
        gdb.args(["-ex", "set breakpoint pending on"]);
        for (index, name) in names.iter().enumerate() {
            gdb.args(["-ex", &format!("break ompd_bp_{name}")]);
            gdb.args(["-ex", &format!("ignore {} 1000", index + 1)]);
        }
        gdb.args(["-ex", "run", "-ex", "info breakpoints"]).arg(compile(family, "leagues"));
        let output = gdb.output().expect("gdb runs");
        let said = String::from_utf8_lossy(&output.stdout);
        let hits = |name: &str| {
            let mut lines = said.lines().skip_while(|line| !line.starts_with("Num"));
            lines.find(|line| line.contains(name)).expect("the breakpoint");
            let hits = lines.next().and_then(|line| line.split_whitespace().nth(3));
            hits.and_then(|hits| hits.parse().ok()).unwrap_or(0)
        };
        assert!(said.contains("leagues=3 teams=6"), "{said}");
        assert_eq!(names.map(hits), [3, 3, 4, 4, 0], "{family:?}: {said}");
    }
}
