//! Programs with a planted fault: the first advice is the plant, and nothing is claimed that cannot
//! be.

use std::collections::BTreeMap;
use std::process::Command;

use libtest_mimic::Failed;
use oxomp_analysis::report::{Names, Notes, Style, render, try_first};
use oxomp_analysis::summary::{Class, Region, SerialStretch, Summary};
use oxomp_analysis::symbols::{Place, Symbols};

use crate::Check;
use crate::advised::advises;
use crate::demand::Demand;
use crate::run::{Run, Setting};
use crate::whole::is_whole;

pub(crate) const CHECKS: &[Check] = &[
    ("no_gain_of_nested_regions_is_above_the_wall_time", nested),
    ("copies_of_a_construct_are_one_row", copies),
    ("regions_in_a_time_loop_have_their_own_lines", time_loop),
    ("regions_of_one_line_are_rows_of_their_own", one_line),
    ("regions_at_the_end_of_functions_have_their_own_lines", tail_call),
    ("regions_of_fortran_have_their_own_lines", fortran),
    ("regions_of_methods_and_lambdas_are_one_row_each", methods),
];

pub(crate) const MEASURED: &[Check] = &[
    ("the_region_of_a_closed_plug_in_keeps_its_line", closed_plugin),
    ("serial_work_before_and_after_openmp_counts", serial_ends),
    ("waiting_in_serial_code_is_no_work", serial_waits),
    ("cpu_time_of_threads_beside_openmp_is_told", outside),
    ("a_chain_of_tasks_is_starvation", chain),
    ("a_taskwait_behind_one_long_task_is_starvation", long_task),
    ("a_region_of_one_critical_is_the_locks_before_imbalance", all_critical),
    ("shares_of_a_paused_run_are_of_the_recorded_time", paused),
];

/// A summary as a user reads it.
struct Report {
    summary: Summary,
    places: Vec<Place>,
    text: String,
    /// The program's own facts; empty if it tells no facts.
    facts: BTreeMap<String, i64>,
    demand: Demand,
}

impl Report {
    fn of(summary: &Summary, run: &Run, demand: Demand) -> Self {
        let places = Symbols::new().places(&summary.sites);
        let text = render(summary, &places, &Notes::default(), Style::plain());
        let facts = run.facts().unwrap_or_default();
        Self { summary: summary.clone(), places, text, facts, demand }
    }

    /// How many explicit tasks there were.
    fn tasks(&self) -> u64 {
        self.summary.tasks.iter().map(|one| one.count).sum()
    }

    /// Function, line and calls of each region, by line.
    fn regions(&self) -> Vec<(&str, u32, u64)> {
        let row = |region: &Region| {
            let place = &self.places[region.site?.0 as usize];
            Some((place.function.as_deref()?, place.line.as_ref()?.1, region.calls))
        };
        let mut rows: Vec<_> =
            self.summary.regions.iter().map(|region| row(region).unwrap_or_default()).collect();
        rows.sort_by_key(|row| row.1);
        rows
    }

    /// The first piece of advice has all of `parts`.
    fn advises(&self, parts: &[&str]) -> Result<(), String> {
        advises(&self.summary, &self.places, parts, &self.text)
    }

    /// The part of the recorded time that a class has.
    fn share(&self, class: Class) -> f64 {
        let budget = &self.summary.budget;
        let recorded = budget.recorded_ns();
        budget.class_ns(class) as f64 / recorded as f64
    }
}

/// Runs `program` until its report agrees with `check`.
fn attempts(
    setting: &Setting,
    program: &str,
    check: fn(&Report) -> Result<(), String>,
) -> Result<(), Failed> {
    let compiled = setting.compile(program)?;
    attempts_of(setting, program, || setting.urgent_command(&compiled), check)
}

/// As [`attempts`], by `command`.
fn attempts_of(
    setting: &Setting,
    program: &str,
    command: impl Fn() -> Command,
    check: fn(&Report) -> Result<(), String>,
) -> Result<(), Failed> {
    let attempt = || {
        let run = setting.finish(&mut command())?;
        if !run.status.success() {
            return Err(format!("{program} ended with {}: {}", run.status, run.stderr));
        }
        let summary = run.summary()?;
        bounded(summary)?;
        check(&Report::of(summary, &run, setting.demand))
    };
    Ok(setting.demand.attempts(attempt)?)
}

/// What holds in every run, disturbed or not.
fn bounded(summary: &Summary) -> Result<(), String> {
    let wall = summary.header.wall_ns;
    if !is_whole(summary) {
        return Err(format!("accounted {}", summary.budget.accounted));
    }
    if !(0.0..=1.0).contains(&summary.budget.parallel_efficiency) {
        return Err(format!("efficiency {}", summary.budget.parallel_efficiency));
    }
    let regions = summary.regions.iter().map(|region| region.gain.total_ns());
    let mutexes = summary.mutexes.iter().map(|mutex| mutex.gain_ns);
    let serial = summary.serial.iter().map(|stretch| stretch.gain_ns);
    match regions.chain(mutexes).chain(serial).find(|gain| *gain > wall) {
        Some(gain) => Err(format!("a gain of {gain} ns in a run of {wall} ns")),
        None => Ok(()),
    }
}

fn ensure(holds: bool, report: &Report, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("{what}:\n{}", report.text)) }
}

/// The start of a process is known to the hundredth of a second.
const START_NS: u64 = 10_000_000;

fn serial_ends(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "serial_ends", |report| {
        let summary = &report.summary;
        for end in [|s: &SerialStretch| s.after.is_none(), |s: &SerialStretch| s.before.is_none()] {
            ensure(summary.serial.iter().any(end), report, "work at both ends")?;
        }
        if report.demand == Demand::Counts {
            return Ok(());
        }
        report.advises(&["run in parallel", "between the start and serial_ends.c:11"])?;
        let found = |first: bool| {
            let stretches = summary.serial.iter();
            let mut ends = stretches.filter(|s| s.after.is_none() == first);
            ends.next().map(|stretch| stretch.total_ns).unwrap_or_default()
        };
        for (fact, first, more) in [("serial_before", true, START_NS), ("serial_after", false, 0)] {
            let truth = report.facts.get(fact).copied().unwrap_or_default().unsigned_abs();
            let allowed = truth.saturating_sub(START_NS)..truth + truth / 20 + more;
            let found = found(first);
            ensure(allowed.contains(&found), report, &format!("{fact}: {truth}, not {found}"))?;
        }
        let cpu = summary.header.cpu_ns.unwrap_or_default();
        ensure(cpu <= 2 * summary.header.wall_ns, report, "CPU time within the wall time")
    })
}

/// Processor time that the thread needs besides, to start a child and a thread and in regions: the
/// waits are a lower bound.
const BESIDES_NS: u64 = 50_000_000;

fn serial_waits(setting: &Setting) -> Result<(), Failed> {
    let compiled = setting.compile("serial_waits")?;
    let command = || setting.real_time_command(&compiled);
    attempts_of(setting, "serial_waits", command, |report| {
        let stretches = &report.summary.serial;
        let between = stretches.iter().find(|s| s.after.is_some() && s.before.is_some());
        let between = between.ok_or("nothing between the regions")?;
        ensure(report.text.contains("waiting in serial code"), report, "the class")?;
        if report.demand == Demand::Counts {
            return Ok(());
        }
        let fact = |name: &str| report.facts.get(name).copied().unwrap_or_default().unsigned_abs();
        let waits = fact("waits");
        let allowed = waits.saturating_sub(BESIDES_NS)..waits + START_NS;
        let found = report.summary.budget.class_ns(Class::SerialWait);
        ensure(allowed.contains(&found), report, &format!("waits: {waits}, not {found}"))?;
        let serial = report.summary.budget.class_ns(Class::Serial);
        ensure(serial >= fact("works"), report, &format!("work: {serial}"))?;
        let apart = fact("works") + 2 * BESIDES_NS;
        ensure(between.waited_ns + apart >= waits, report, "most of it lies between them")?;
        ensure(2 * between.gain_ns <= apart, report, "waiting cannot be run in parallel")
    })
}

fn outside(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "outside", |report| {
        let truth = report.facts.get("outside").copied().unwrap_or_default().unsigned_abs();
        let found = report.summary.quality.unseen_cpu_ns.unwrap_or_default();
        let most = if report.demand == Demand::Counts { u64::MAX } else { truth + truth / 10 };
        let allowed = truth..most;
        ensure(allowed.contains(&found), report, &format!("{truth} ns outside, not {found}"))?;
        ensure(report.text.contains("threads that OpenMP does not know"), report, "it is told")
    })
}

fn chain(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "starved_chain", |report| {
        ensure(report.tasks() == 20, report, "twenty tasks")?;
        ensure(report.summary.chains.len() == 1, report, "a chain")?;
        if report.demand == Demand::Counts {
            return Ok(());
        }
        report
            .advises(&["20 tasks (starved_chain.c:17) run one after the other", "dependences"])?;
        let waiting = report.share(Class::Starved) + report.share(Class::Taskwait);
        ensure(waiting > 0.3, report, "half of the time is waiting for tasks")?;
        ensure(report.share(Class::Barrier) < 0.1, report, "barriers cost little")?;
        // The last section says what recording took for loops, and for a `single`.
        let results = report.text.split("\nData\n").next().unwrap_or_default();
        ensure(!results.contains("nowait"), report, "there is nothing for nowait")?;
        ensure(!results.contains("loop"), report, "there is no loop")
    })
}

fn long_task(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "starved_taskwait", |report| {
        ensure(report.tasks() == 11, report, "one task and ten")?;
        let alone = report.summary.tasks.iter().filter(|one| one.count == 1).count();
        ensure(alone == 1, report, "one construct of one task")?;
        if report.demand == Demand::Counts {
            return Ok(());
        }
        report.advises(&["one long task", "(starved_taskwait.c:16)", "split it"])?;
        let waiting = report.share(Class::Starved) + report.share(Class::Taskwait);
        ensure(waiting > 0.3, report, "half of the time is waiting for tasks")?;
        let longest = *report.facts.get("longest").ok_or("no fact")? as f64;
        let most = report.summary.tasks.iter().max_by_key(|one| one.waits_ns).ok_or("no tasks")?;
        ensure(most.count == 1, report, "the waits are for the long task")?;
        let waits = most.waits_ns as f64 / longest;
        ensure((0.8..1.05).contains(&waits), report, "as long as it takes, but for the others")?;
        let tasking = report.summary.regions[0].tasking.ok_or("no tasks in the region")?;
        let alone = (0.9..1.1).contains(&tasking.parallelism[9]);
        ensure(alone, report, "in the end it runs alone")?;
        let sum: f64 = tasking.parallelism.iter().sum();
        let mean = 10.0 * tasking.work_ns as f64 / tasking.span_ns as f64;
        ensure((sum - mean).abs() < 0.01 * mean, report, "the tenths are all of the work")
    })
}

/// The most rows that one construct can have. Where a thread leaves a critical while thread 0
/// enters a construct, LLVM's runtimes forget where thread 0 is, and name a place of their own.
fn most_rows(report: &Report) -> usize {
    if report.summary.header.runtime.starts_with("oxomp") { 1 } else { 2 }
}

/// How often the only critical was acquired.
fn acquisitions_of_one(report: &Report) -> Result<u64, String> {
    let mutexes = &report.summary.mutexes;
    ensure((1..=most_rows(report)).contains(&mutexes.len()), report, "one critical")?;
    Ok(mutexes.iter().map(|one| one.acquisitions).sum())
}

fn all_critical(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "all_critical", |report| {
        ensure(acquisitions_of_one(report)? == 240, report, "240 acquisitions")?;
        if report.demand == Demand::Counts {
            return Ok(());
        }
        report.advises(&["critical"])?;
        let region = &report.summary.regions[0];
        let (lock, imbalance) = (region.gain.mutex_ns, region.gain.imbalance_ns);
        ensure(lock > 5 * imbalance, report, "the lock is the cause")
    })
}

fn nested(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "nested", |report| {
        let header = &report.summary.header;
        ensure(header.threads == 6, report, "two inner teams of three threads")?;
        let (first, body) = report.text.split_once("Where ").unwrap_or_default();
        ensure(first.contains("6 threads in teams of at most 3"), report, "the header's threads")?;
        ensure(body.contains("of 6 threads") || body.starts_with("6 ×"), report, "the body's")?;
        ensure(!report.text.contains("OMP_NUM_THREADS"), report, "the variable does not rule")
    })
}

fn paused(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "paused", |report| {
        let header = &report.summary.header;
        let calls: u64 = report.summary.regions.iter().map(|region| region.calls).sum();
        ensure(calls == 20 && header.recorded_ns < header.wall_ns, report, "20 are recorded")?;
        let useful = format!("{:.1} %", report.share(Class::Useful) * 100.0);
        ensure(report.text.contains(&useful), report, &format!("{useful} are useful"))?;
        if report.demand == Demand::Counts {
            return Ok(());
        }
        let part = header.recorded_ns as f64 / header.wall_ns as f64;
        ensure((0.3..0.7).contains(&part), report, "half of the run is recorded")?;
        // Two threads work 5.5 of 10 ms, of those in which others leave them a processor.
        let had_processor = 1.0 - report.share(Class::Scheduler);
        let efficiency = report.summary.budget.parallel_efficiency / had_processor;
        ensure((0.45..0.65).contains(&efficiency), report, "efficiency of the recorded time")?;
        let advice = try_first(&report.summary, Names { places: &report.places });
        let first = advice.advices.first().ok_or("no advice")?;
        let imbalance_ns = report.summary.regions[0].gain.imbalance_ns;
        ensure(first.gain_ns >= imbalance_ns / 10 * 9, report, "the imbalance is first")?;
        let shown = first.gain(header.recorded_ns);
        let flat = report.text.split_whitespace().collect::<Vec<_>>().join(" ");
        ensure(flat.contains(&shown), report, &format!("`{shown}`"))
    })
}

fn copies(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "copies", |report| {
        ensure(report.regions() == [("step", 10, 13)], report, "one region")?;
        let barriers = report.summary.barriers.len();
        ensure((1..=most_rows(report)).contains(&barriers), report, "one barrier")?;
        ensure(acquisitions_of_one(report)? == 26, report, "26 acquisitions")
    })
}

fn time_loop(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "time_loop", |report| {
        let lines = [("main", 13, 5), ("main", 16, 5), ("main", 19, 5)];
        ensure(report.regions() == lines, report, "three regions")
    })
}

/// Five regions in four lines: two regions of a macro, in one line, have six calls each, the other
/// three two calls each. Optimising clang makes one call of the calls in the branches, and no line
/// tells this call's argument. At -Os gcc makes one call of two of them, and the row of both says
/// so.
fn one_line(setting: &Setting) -> Result<(), Failed> {
    let is_clang = setting.compiler() != oxomp_prerequisites::Program::Gcc;
    for level in ["-O0", "-O2", "-Os"].into_iter().take(if is_clang { 1 } else { 3 }) {
        let program = setting.compile_as("one_line", "one_line", &[level])?;
        attempts_of(
            setting,
            "one_line",
            || setting.command(&program),
            |report| {
                let named: Vec<String> = report.places.iter().map(Place::short).collect();
                let is_merged = |name: &String| name.contains("_omp_fn.") && name.contains(" or ");
                let mut rows = report.regions();
                rows.sort_unstable_by_key(|(_, line, calls)| (*calls, *line));
                let own = [17, 21, 25].map(|line| ("main", line, 2));
                let apart = [own.as_slice(), &[("main", 15, 6); 2]].concat();
                if let [other, merged, of_macro @ ..] = rows.as_slice()
                    && (merged.2, named.iter().filter(|name| is_merged(name)).count()) == (4, 1)
                {
                    ensure(own.contains(other), report, "a region of one branch")?;
                    ensure(of_macro == &apart[3..], report, "two regions of a macro")?;
                } else {
                    ensure(rows == apart, report, "five regions")?;
                }
                let told = named.iter().filter(|name| name.starts_with("one_line.c:15 (main"));
                ensure(told.count() >= 2, report, &format!("two names for a line: {named:?}"))
            },
        )?;
    }
    Ok(())
}

fn tail_call(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "tail_call", |report| {
        let lines = [("last", 9, 3), ("main", 17, 3), ("main", 19, 6)];
        ensure(report.regions() == lines, report, "three regions")
    })
}

fn closed_plugin(setting: &Setting) -> Result<(), Failed> {
    let plugin =
        setting.compile_as("closed_plugin", "plugin.so", &["-DPLUGIN", "-shared", "-fPIC"])?;
    let program = setting.compile("closed_plugin")?;
    // The collector's helper thread has to see the plug-in before it goes, and on a busy machine
    // waits for a processor.
    let open_us = if setting.demand == Demand::Times { "0" } else { "1500000" };
    let attempt = || {
        let run = setting.finish(setting.command(&program).arg(&plugin).arg(open_us))?;
        let report = Report::of(run.summary()?, &run, setting.demand);
        ensure(report.regions() == [("run", 14, 1)], &report, "the plug-in's region")
    };
    Ok(setting.demand.attempts(attempt)?)
}

fn fortran(setting: &Setting) -> Result<(), Failed> {
    for level in ["-O0", "-O2"] {
        let program = setting.compile_as("three_loops", "three_loops", &[level])?;
        attempts_of(
            setting,
            "three_loops",
            || setting.command(&program),
            |report| {
                let regions = report.regions();
                let found: Vec<_> =
                    regions.iter().map(|(_, line, calls)| (*line, *calls)).collect();
                ensure(found == [(11, 5), (15, 5), (19, 5)], report, "three loops")
            },
        )?;
    }
    Ok(())
}

fn methods(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "methods", |report| {
        let regions = report.regions();
        let found: Vec<_> = regions.iter().map(|(_, line, calls)| (*line, *calls)).collect();
        ensure(found == [(11, 7), (30, 1)], report, "a method and a lambda")?;
        ensure(regions[0].0 == "Grid::step", report, "the method's name")
    })
}
