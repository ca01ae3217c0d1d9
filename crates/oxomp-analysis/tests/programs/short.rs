//! Regions, tasks and acquisitions of locks that are too short to be timed one by one. Where times
//! are demanded, the estimates agree with what the programs measure themselves.

use std::collections::BTreeMap;

use libtest_mimic::Failed;
use oxomp_analysis::report::{Names, try_first};
use oxomp_analysis::summary::{Class, Mutex, MutexKind, Region, SerialStretch, Summary};
use oxomp_analysis::symbols::Symbols;

use crate::Check;
use crate::demand::Demand;
use crate::recorded::took;
use crate::run::Setting;

pub(crate) const CHECKS: &[Check] = &[
    ("counts_agree_in_a_file_without_much_room", smallest),
    ("locks_that_no_thread_waits_for_are_each_counted", uncontended),
    ("regions_are_summed_up_after_a_pause_in_a_wait", waits),
    ("short_regions_at_many_places_are_each_counted", places),
    ("tasks_that_become_shorter_take_no_more_than_the_time", shrinking),
];

pub(crate) const MEASURED: &[Check] = &[
    ("short_regions_are_like_those_that_are_timed", regions),
    ("short_regions_go_on_after_a_pause_inside_them", pauses),
    ("short_tasks_are_like_those_that_are_timed", tasks),
    ("quick_locks_are_like_those_that_are_timed", locks),
];

/// Runs `program`, whose events are summed up almost from the begin on, until `check` agrees with
/// its summary and its facts.
fn attempts(
    setting: &Setting,
    program: &str,
    check: impl Fn(&Summary, &BTreeMap<String, i64>) -> Result<(), String>,
) -> Result<(), Failed> {
    attempts_within(setting, program, "1M", check)
}

/// As [`attempts`], with a file of at most `size`: events are recorded until a quarter is used.
fn attempts_within(
    setting: &Setting,
    program: &str,
    size: &str,
    check: impl Fn(&Summary, &BTreeMap<String, i64>) -> Result<(), String>,
) -> Result<(), Failed> {
    let compiled = setting.compile(program)?;
    let attempt = || {
        let run = setting.finish(
            setting.urgent_command(&compiled).env("OXOMP_MAX_SIZE", size).env("OXOMP_HZ", "0"),
        )?;
        let (summary, facts) = (run.summary()?, run.facts()?);
        check(summary, &facts).map_err(|error| format!("{error}: {facts:?}, {summary:#?}"))
    };
    Ok(setting.demand.attempts(attempt)?)
}

/// `found` is `expected` up to the part `tolerance`, and up to what was `beside` it, ns.
fn near(what: &str, found: u64, expected: i64, tolerance: f64, beside: u64) -> Result<(), String> {
    let (found, expected) = (found as f64, expected as f64);
    if (found - expected).abs() <= tolerance * expected + beside as f64 {
        Ok(())
    } else {
        Err(format!("{what}: {found} instead of {expected}"))
    }
}

fn ensure(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.to_owned()) }
}

fn regions(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "short_regions", |summary, facts| {
        let accounted = summary.budget.accounted;
        ensure((accounted - 1.0).abs() < 1e-3, "not all time is accounted for")?;
        let times = facts["times"].unsigned_abs();
        let counted: Vec<u64> = summary.regions.iter().map(|region| region.calls).collect();
        ensure(counted == [times; 2], &format!("each call is counted: {counted:?}"))?;
        if setting.demand == Demand::Counts {
            return Ok(());
        }
        ensure(summary.quality.counted > times, "most are only counted")?;
        // Both have the same number of instances and differ in their load balance.
        let mut found: Vec<&Region> = summary.regions.iter().collect();
        found.sort_by(|a, b| b.load_balance.partial_cmp(&a.load_balance).expect("numbers"));
        let [both, alone] = found[..] else { return Err("not two regions".to_owned()) };
        let took = took(summary, "regions");
        near("wall of both", both.wall_ns, facts["both"], 0.1, took)?;
        near("wall of one alone", alone.wall_ns, facts["alone"], 0.1, took)?;
        ensure(both.load_balance.is_some_and(|balance| balance > 0.85), "both have the same")?;
        // The other one has what recording and dividing the loop take: less than half as much.
        let balance = alone.load_balance.unwrap_or_default();
        ensure((0.45..0.75).contains(&balance), "one has all")?;
        // It waits for about as long as the one works longer, more or less by who begins first.
        let longer = alone.useful_ns as f64 * (1.0 / balance - 1.0);
        let waits = 2.0 * alone.gain.imbalance_ns as f64 / longer;
        ensure((0.5..2.0).contains(&waits), "a thread waits")?;
        let useful = summary.budget.class_ns(Class::Useful);
        near("useful time", useful, (both.useful_ns + alone.useful_ns).cast_signed(), 0.1, 0)
    })
}

fn pauses(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "short_pauses", |summary, facts| {
        let accounted = summary.budget.accounted;
        ensure((accounted - 1.0).abs() < 1e-3, "not all time is accounted for")?;
        // Until folding begins, regions inside others are recorded, too.
        let outermost = summary.regions.iter().filter(|region| region.nested == 0);
        let mut found: Vec<&Region> = outermost.collect();
        found.sort_by_key(|region| region.calls);
        let [outer, across, work] = found[..] else { return Err("not three regions".to_owned()) };
        for (region, name) in [(outer, "outer"), (across, "across"), (work, "work")] {
            let times = facts[&format!("{name}_times")].unsigned_abs();
            ensure(region.calls == times, &format!("{} of {times} of {name}", region.calls))?;
        }
        if setting.demand == Demand::Counts {
            return Ok(());
        }
        ensure(summary.quality.counted > 20_000, "most are only counted")?;
        for (region, name) in [(outer, "outer"), (across, "across"), (work, "work")] {
            near(name, region.wall_ns, facts[name], 0.1, took(summary, "regions"))?;
        }
        ensure(work.load_balance.is_some_and(|balance| balance > 0.85), "both threads have work")?;
        let header = &summary.header;
        near("the pauses", header.wall_ns - header.recorded_ns, facts["paused"], 0.1, 0)?;
        let paused = summary.budget.class_ns(Class::Paused);
        near("on both threads", paused, 2 * facts["paused"], 0.1, 0)
    })
}

/// More places than one chunk of sums has entries for.
fn places(setting: &Setting) -> Result<(), Failed> {
    attempts_within(setting, "many_places", "64M", |summary, facts| {
        let fact = |name: &str| facts[name].unsigned_abs();
        let calls: Vec<u64> = summary.regions.iter().map(|region| region.calls).collect();
        let all =
            calls.len() as u64 == fact("places") && calls.iter().all(|it| *it == fact("steps"));
        ensure(all, &format!("each region is counted: {calls:?}"))?;
        let known = summary.regions.iter().all(|region| region.site.is_some());
        ensure(known, "each region has a place")?;
        let loops = summary.loops.len() as u64;
        ensure(loops == fact("places"), &format!("{loops} loops"))?;
        let accounted = summary.budget.accounted;
        ensure((accounted - 1.0).abs() < 1e-3, &format!("accounted {accounted}"))?;
        serial_code(summary, fact("regions"))?;
        let places = Symbols::new().places(&summary.sites);
        let advice = try_first(summary, Names { places: &places });
        // On a busy machine the first one is to leave the program a processor.
        let is_advised = !advice.advices.is_empty() || advice.processors.is_some();
        ensure(is_advised, "regions that take longer to start than to run, and no advice")
    })
}

/// One thread runs alone before each of the regions, and after the last one, for as long as its
/// serial work, its waits and its lack of a processor take; it waits for nothing between regions.
fn serial_code(summary: &Summary, regions: u64) -> Result<(), String> {
    let sum = |of: fn(&SerialStretch) -> u64| summary.serial.iter().map(of).sum::<u64>();
    let count = sum(|one| one.count);
    ensure(count == regions + 1, &format!("{count} stretches around {regions} regions"))?;
    let class = |class| summary.budget.class_ns(class);
    let least = class(Class::Serial) + class(Class::SerialWait);
    let most = least + class(Class::Scheduler);
    let total = sum(|one| one.total_ns);
    // Each is rounded.
    let allowed = least.saturating_sub(count)..=most + count;
    ensure(allowed.contains(&total), &format!("{total} ns of stretches, {least} to {most}"))?;
    let between = summary.serial.iter().filter(|one| one.after.is_some() && one.before.is_some());
    let waited: u64 = between.map(|one| one.waited_ns).sum();
    // A busy machine interrupts a thread between its readings of two clocks.
    ensure(waited < 10_000, &format!("{waited} ns of waits between regions"))
}

/// Four threads take half of the smallest file when they begin.
fn smallest(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "smaller_team", |summary, _| {
        let disagreements = &summary.quality.disagreements;
        ensure(disagreements.is_empty(), "counts that must agree do")
    })
}

fn waits(setting: &Setting) -> Result<(), Failed> {
    attempts_within(setting, "paused_wait", "8M", |summary, facts| {
        let times = facts["times"].unsigned_abs();
        let calls: u64 = summary.regions.iter().map(|region| region.calls).sum();
        ensure(summary.quality.stopped.is_none(), "there is room for all")?;
        ensure(calls == times + 1, &format!("{calls} of {times} and one"))?;
        ensure(summary.quality.folded > times / 2, "most are summed up")
    })
}

fn tasks(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "short_tasks", |summary, facts| {
        let accounted = summary.budget.accounted;
        ensure((accounted - 1.0).abs() < 1e-3, "not all time is accounted for")?;
        let [one] = summary.tasks.as_slice() else { return Err("not one construct".to_owned()) };
        ensure(one.count == facts["tasks"].unsigned_abs(), "each task is counted")?;
        let binned: u64 = one.times.iter().map(|(_, count)| count).sum();
        ensure(binned == one.count, "each in a bin")?;
        if setting.demand == Demand::Counts {
            return Ok(());
        }
        ensure(summary.quality.counted_tasks > one.count / 2, "most are only counted")?;
        // Each task reads the program's clock twice.
        let beside = took(summary, "tasks") + 2 * facts["clock"].unsigned_abs() * one.count;
        near("the tasks' time", one.time_ns, facts["work"], 0.15, beside)?;
        let useful = summary.budget.class_ns(Class::Useful);
        let region = summary.regions.iter().map(|region| region.wall_ns).sum::<u64>();
        ensure(useful > one.time_ns * 9 / 10, "tasks are useful")?;
        ensure(useful < region * 2, "and no more than the threads")
    })
}

/// The thread that does not create tasks is taken to have executed tasks as long as the first ones.
fn shrinking(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "shrinking_tasks", |summary, facts| {
        let [one] = summary.tasks.as_slice() else { return Err("not one construct".to_owned()) };
        ensure(one.count == facts["tasks"].unsigned_abs(), "each task is counted")?;
        ensure(summary.quality.counted_tasks > 0, "some are only counted")?;
        let accounted = summary.budget.accounted;
        ensure((accounted - 1.0).abs() < 1e-3, &format!("accounted {accounted}"))?;
        let threads = |region: &Region| region.wall_ns * u64::from(region.team.1);
        let useful = summary.regions.iter().all(|region| region.useful_ns <= threads(region));
        ensure(useful, "a region's threads do no more than they have time for")
    })
}

/// Acquisitions without a wait; oxomp's runtime does not report most of them.
fn uncontended(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "uncontended_locks", |summary, facts| {
        let fact = |name: &str| facts[name].unsigned_abs();
        let all: u64 = summary.mutexes.iter().map(|one| one.acquisitions).sum();
        ensure(all == fact("acquired"), &format!("{all} are counted"))?;
        let disagreements = &summary.quality.disagreements;
        ensure(disagreements.is_empty(), "counts that must agree do")?;
        let costs = &summary.quality.recording;
        let unreported = costs.iter().find(|cost| cost.class == "locks without events");
        let unreported = unreported.map_or(0, |cost| cost.events);
        // How many depends on how quickly the machine takes them.
        ensure(
            (unreported > 0) == setting.is_oxomp(),
            &format!("{unreported} of {all} are not reported"),
        )?;
        let accounted = summary.budget.accounted;
        ensure((accounted - 1.0).abs() < 1e-3, &format!("accounted {accounted}"))
    })
}

/// If a thread acquires a mutex each 500 ns, the collector times every second acquisition: that
/// takes 100 ns, and may take a tenth of the time.
const HALF_ARE_COUNTED_NS: i64 = 500;

/// Acquisitions of three places, told apart by what they are and by their numbers.
fn locks(setting: &Setting) -> Result<(), Failed> {
    attempts(setting, "quick_locks", |summary, facts| {
        let fact = |name: &str| facts[name].unsigned_abs();
        let accounted = summary.budget.accounted;
        ensure((accounted - 1.0).abs() < 1e-3, &format!("accounted {accounted}"))?;
        let all: u64 = summary.mutexes.iter().map(|one| one.acquisitions).sum();
        ensure(all == fact("own") + fact("shared") + 2 * fact("slow"), "each one is counted")?;
        let counted = summary.quality.counted_acquisitions;
        // How many depends on how quickly the machine takes them.
        let must_count = facts["own_each"] < HALF_ARE_COUNTED_NS;
        ensure(!must_count || counted > 0, &format!("{counted} of {all} are only counted"))?;
        let costs = &summary.quality.recording;
        let locks = costs.iter().find(|cost| cost.class == "locks").ok_or("locks cost nothing")?;
        // Each is asked for, acquired and released, or counted by oxomp's runtime, which reports
        // releases for which another thread waits.
        let unreported = costs.iter().find(|cost| cost.class == "locks without events");
        let unreported = unreported.map_or(0, |cost| cost.events);
        let events = format!("{} events, {unreported} of {all} locks without", locks.events);
        let reported = 3 * (all - unreported);
        ensure((reported..=reported + unreported).contains(&locks.events), &events)?;
        let is_slow = |one: &&Mutex| one.acquisitions == fact("slow");
        let slow: Vec<&Mutex> = summary.mutexes.iter().filter(is_slow).collect();
        ensure(slow.len() == 2, "the slow lock is asked for at two places")?;
        if setting.demand == Demand::Counts {
            return Ok(());
        }
        // Of those that follow each other so closely, at least half are only counted.
        let counts = !must_count || counted > fact("own") / 3;
        ensure(counts, &format!("{counted} of {all} are only counted"))?;
        let cost = locks.cost_ns / locks.events;
        ensure((1..100_000).contains(&cost), &format!("{cost} ns an event"))?;
        let waiting = slow.iter().max_by_key(|one| one.wait_ns).ok_or("no wait")?;
        // Few long waits among many quick acquisitions, by which each of them is timed.
        near("the slow lock's wait", waiting.wait_ns, facts["slow_wait"], 0.15, 0)?;
        let holder = waiting.holders.first().ok_or("nobody is blamed")?;
        let other = slow.iter().find(|one| one.site != waiting.site).ok_or("one place")?;
        ensure(holder.site == other.site, "the one that holds it is blamed")?;
        let blamed = waiting.holders.iter().map(|one| one.blame_ns).sum::<u64>();
        ensure(holder.blame_ns > blamed / 100 * 95, "and no other one")?;
        let critical = |one: &&Mutex| one.kind == MutexKind::Critical;
        let shared: Vec<&Mutex> = summary.mutexes.iter().filter(critical).collect();
        let own: Vec<&Mutex> =
            summary.mutexes.iter().filter(|one| !critical(one) && !is_slow(one)).collect();
        let within = |what: &str, found: u64, error: u64, expected: i64, number: u64| {
            // Of each one the profile has two readings of the program's clock and what recording
            // took, or lacks them; a time that stands for others has the cost of its acquisition
            // and release for each of them. A time that no sample met is in no error.
            let recorded = took(summary, "locks").max(2 * cost * number);
            let clocks = 2 * fact("clock") * number;
            let slack = 4 * error + clocks + recorded + expected.unsigned_abs() / 10;
            let differs = found.abs_diff(expected.unsigned_abs());
            ensure(differs <= slack, &format!("{what}: {found} ± {error}, by its clock {expected}"))
        };
        let sum = |of: &[&Mutex], part: fn(&Mutex) -> u64| of.iter().map(|one| part(one)).sum();
        let hold = sum(&own, |one| one.hold_ns);
        let error = sum(&own, |one| one.hold_error_ns);
        within("own holds", hold, error, facts["own_hold"], fact("own"))?;
        for (what, found, error) in [
            ("wait", sum(&shared, |one| one.wait_ns), sum(&shared, |one| one.wait_error_ns)),
            ("hold", sum(&shared, |one| one.hold_ns), sum(&shared, |one| one.hold_error_ns)),
        ] {
            within(what, found, error, facts[&format!("shared_{what}")], fact("shared"))?;
        }
        Ok(())
    })
}
