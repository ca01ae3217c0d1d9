//! Programs with a planted fault in the grain of their loops or tasks: loops, chunks and tasks are
//! counted, and where times are demanded the first advice names the fault.

use libtest_mimic::Failed;
use oxomp_analysis::report::{Names, Notes, Style, render, try_first};
use oxomp_analysis::summary::{Class, Loop, Summary};
use oxomp_analysis::symbols::Symbols;
use oxomp_prerequisites::Program;

use crate::Check;
use crate::advised::advises;
use crate::demand::Demand;
use crate::run::Setting;
use crate::whole::is_whole;

pub(crate) const MEASURED: &[Check] = &[
    ("tiny_chunks_cost_more_than_their_work", tiny_chunks),
    ("a_loop_whose_last_iterations_are_costly", |s| static_loop(s, "loop_last", "last", 3)),
    ("a_loop_whose_first_iterations_are_costly", |s| static_loop(s, "loop_first", "first", 0)),
    ("a_costly_chunk_handed_out_last", tail),
    ("few_iterations_for_each_thread", few),
    ("sections_of_different_length", sections),
    ("a_loop_that_is_mostly_ordered", ordered),
    ("tasks_shorter_than_their_scheduling", tiny_tasks),
    ("a_recursion_of_tasks_without_a_cut_off", recursion),
    ("threads_that_share_a_processor_are_not_useful_all_the_time", crowded),
    ("what_others_take_after_the_last_region_is_no_work", crowded_end),
];

/// Of each chunk at most so much counts as handing it out, ns.
const MOST_DISPATCH_NS: u64 = 200;

fn tiny_tasks(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "tasks_tiny", &["200 000 tasks", "times as much in each"], |summary| {
        let [one] = summary.tasks.as_slice() else { return Err("not one construct".to_owned()) };
        ensure(one.count == 200_000 && one.depth == 1, "200,000 tasks of depth 1")?;
        let binned: u64 = one.times.iter().map(|(_, count)| count).sum();
        ensure(binned == one.count, "each in a bin")?;
        let by_thread: u64 = one.by_thread.iter().map(|(_, count)| count).sum();
        ensure(by_thread == one.count, "each on a thread")?;
        if setting.demand == Demand::Counts {
            return Ok(());
        }
        // One thread creates all.
        let bound = summary.header.wall_ns / one.count;
        let creation = one.creating_ns.ok_or("no creations timed")?;
        ensure(creation > 0 && creation <= bound, "a creation takes a part of the time")
    })
}

fn recursion(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "fib", &["tasks of", "cut-off"], |summary| {
        let count: u64 = summary.tasks.iter().map(|one| one.count).sum();
        ensure(count == 2 * 10_945, "the tasks of fib(20)")?;
        let depth = summary.tasks.iter().map(|one| one.depth).max();
        ensure(depth == Some(19), "from 20 down to 1")
    })
}

/// Four threads on one processor: their useful time is the time for which they had the processor.
fn crowded(setting: &Setting) -> Result<(), Failed> {
    let compiled = setting.compile("crowded")?;
    let attempt = || {
        let run = setting.finish(&mut setting.confined_command(&compiled)?)?;
        let summary = run.summary()?;
        let [region] = summary.regions.as_slice() else { return Err("not one region".to_owned()) };
        ensure(region.calls == 10 && region.team.1 == 4, "ten regions of four threads")?;
        if setting.demand == Demand::Counts {
            return Ok(());
        }
        let places = Symbols::new().places(&summary.sites);
        let advice = try_first(summary, Names { places: &places });
        let told = advice.processors.as_deref().unwrap_or_default();
        let work = run.facts()?.get("cpu_work").copied().ok_or("no fact")? as f64;
        let useful = summary.budget.class_ns(Class::Useful) as f64;
        let taken = summary.budget.class_ns(Class::Scheduler) as f64;
        if (useful - work).abs() < 0.2 * work
            && taken > work
            && told.starts_with("4 threads share 1 CPU:")
            && told.contains("without a processor they were")
            && (advice.advices.is_empty() || advice.doubt.is_some())
        {
            return Ok(());
        }
        let text = render(summary, &places, &Notes::default(), Style::plain());
        Err(format!("useful {useful} ns, by the program {work}, taken {taken}:\n{text}"))
    };
    Ok(setting.demand.attempts(attempt)?)
}

/// Serial code after the last region, on a processor that it shares with another process: its time
/// is the time for which it had the processor.
fn crowded_end(setting: &Setting) -> Result<(), Failed> {
    let compiled = setting.compile("crowded_end")?;
    let attempt = || {
        let run = setting.finish(&mut setting.confined_command(&compiled)?)?;
        let summary = run.summary()?;
        ensure(summary.serial.iter().any(|it| it.before.is_none()), "work after the last region")?;
        if setting.demand == Demand::Counts {
            return Ok(());
        }
        let work = run.facts()?.get("cpu_work").copied().ok_or("no fact")? as f64;
        let serial = summary.budget.class_ns(Class::Serial) as f64;
        let taken = summary.budget.class_ns(Class::Scheduler) as f64;
        if (serial - work).abs() < 0.2 * work && taken > 0.5 * work {
            return Ok(());
        }
        Err(format!("serial {serial} ns, by the program {work}, taken {taken}"))
    };
    Ok(setting.demand.attempts(attempt)?)
}

/// Runs `program` until its summary agrees with `check`, and, where times are demanded, its first
/// advice has all of `parts`.
fn attempts(
    setting: &Setting,
    program: &str,
    parts: &[&str],
    check: impl Fn(&Summary) -> Result<(), String>,
) -> Result<(), Failed> {
    let compiled = setting.compile(program)?;
    let attempt = || {
        let run = setting.finish(&mut setting.urgent_command(&compiled))?;
        if !run.status.success() {
            return Err(format!("{program} ended with {}: {}", run.status, run.stderr));
        }
        let summary = run.summary()?;
        if !is_whole(summary) {
            return Err(format!("{program}: accounted {}", summary.budget.accounted));
        }
        check(summary).map_err(|error| format!("{error}: {summary:#?}"))?;
        setting.demand.times(|| {
            let places = Symbols::new().places(&summary.sites);
            let text = render(summary, &places, &Notes::default(), Style::plain());
            advises(summary, &places, parts, &text)
        })
    };
    Ok(setting.demand.attempts(attempt)?)
}

fn ensure(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}

/// The only loop.
fn only(summary: &Summary) -> Result<&Loop, String> {
    match summary.loops.as_slice() {
        [one] => Ok(one),
        other => Err(format!("{} loops instead of one", other.len())),
    }
}

fn tiny_chunks(setting: &Setting) -> Result<(), Failed> {
    let parts = ["schedule(dynamic,1)", "chunks", "schedule(dynamic,"];
    attempts(setting, "loop_tiny", &parts, |summary| {
        let chunks: u64 = summary.loops.iter().map(|one| one.chunks).sum();
        ensure(chunks == 1_000_000, "a million chunks")?;
        let iterations: u64 = summary.loops.iter().map(|one| one.iterations).sum();
        let single = summary.loops.iter().all(|one| one.sizes == (1, 1));
        ensure(iterations == 1_000_000 && single, "of one iteration")?;
        setting.demand.times(|| {
            let [useful, dispatch] =
                [Class::Useful, Class::Dispatch].map(|class| summary.budget.class_ns(class));
            // What two threads that ask at the same time take longer reads as useful work.
            let most = chunks * MOST_DISPATCH_NS;
            ensure(dispatch > (useful / 2).min(most / 10 * 9), "handing out is much of it")
        })
    })
}

/// A loop of static schedule with one costly quarter of its iterations. gcc computes the bounds in
/// the program itself, so that no runtime knows of the loop.
fn static_loop(
    setting: &Setting,
    program: &str,
    quarter: &str,
    index: usize,
) -> Result<(), Failed> {
    if setting.compiler() == Program::Gcc {
        let parts = ["its iterations are hidden", "schedule(runtime)", "schedule(dynamic,n)"];
        return attempts(setting, program, &parts, |summary| {
            let [region] = summary.regions.as_slice() else { return Err("regions".to_owned()) };
            ensure(region.calls == 3 && summary.loops.is_empty(), "three regions, no loop")
        });
    }
    let says = format!("the {quarter} quarter of the iterations takes");
    attempts(setting, program, &[&says, "schedule(dynamic,", "schedule(static,1)"], |summary| {
        let one = only(summary)?;
        ensure(one.count == 400 && one.iterations == 1200, "400 iterations three times")?;
        setting.demand.times(|| {
            let total: u64 = one.parts_ns.iter().sum();
            let part = one.parts_ns[index] as f64 / total as f64;
            ensure((0.36..0.46).contains(&part), "half of the half with three quarters")
        })
    })
}

fn tail(setting: &Setting) -> Result<(), Failed> {
    let parts = ["the last quarter of the iterations takes", "backwards", "smaller than 10"];
    attempts(setting, "loop_tail", &parts, |summary| {
        let one = only(summary)?;
        ensure(one.chunks == 30 && one.sizes == (10, 10), "30 chunks of 10")?;
        setting.demand.times(|| ensure(one.longest_ns > 8_000_000, "the longest chunk"))
    })
}

fn few(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "loop_few", &["3 iterations for 2 threads", "collapse"], |summary| {
        ensure(only(summary)?.iterations == 12, "three iterations four times")
    })
}

fn sections(setting: &Setting) -> Result<(), Failed> {
    // Other runtimes report a loop of two iterations for gcc's sections.
    let parts: &[&str] = match setting.is_oxomp() {
        true => &["2 sections for 2 threads", "split it"],
        false => &["for 2 threads"],
    };
    attempts(setting, "sections_two", parts, |summary| {
        let chunks: u64 = summary.loops.iter().map(|one| one.chunks).sum();
        ensure(chunks == 8, "two sections four times")?;
        let longest = summary.loops.iter().map(|one| one.longest_ns).max();
        setting.demand.times(|| {
            ensure(longest.is_some_and(|longest| longest > 24_000_000), "the longest section")
        })
    })
}

fn ordered(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "loop_ordered", &["ordered", "before or after"], |summary| {
        ensure(only(summary)?.chunks == 600, "200 iterations three times")?;
        let ordered: u64 = summary.mutexes.iter().map(|mutex| mutex.acquisitions).sum();
        ensure(ordered == 600, "each ordered")
    })
}
