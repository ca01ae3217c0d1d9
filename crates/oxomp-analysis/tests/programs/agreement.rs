//! The sums of a recording are what its events add up to: no number means something else because
//! events were recorded or not.
//!
//! A program is run once with all its events recorded. Then two things are compared: the sums that
//! its threads formed with the sums that follow from the events alone, and the summary with the
//! summary of the same recording without its events, number by number. All of them are of one run,
//! so they agree on a busy machine, too. A second run without events has the same counts.

use std::process::Command;

use libtest_mimic::Failed;
use oxomp_analysis::summarize;
use oxomp_analysis::summary::{Class, Region, Summary, Worksharing};
use oxomp_prerequisites::Program;
use oxomp_trace::{FoldKind, Profile};

use crate::Check;
use crate::bare::same_without_events;
use crate::planted;
use crate::run::Setting;

pub(crate) const CHECKS: &[Check] = &[("sums_are_what_events_add_up_to", programs)];

/// On one runtime only: sums and events are formed from the same facts on every runtime, as
/// [`programs`] shows; and LLVM's runtime tells addresses of its own for regions in leagues, which
/// only the sums can name. It runs every plant twice, and takes three times as long as the next
/// check.
pub(crate) const ON_OXOMP: &[Check] = &[("sums_of_plants_are_what_events_add_up_to", plants)];

/// Programs that wait in every way.
const PROGRAMS: &[&str] = &[
    "critical",
    "hot_critical",
    "quick_locks",
    "barriers",
    "imbalance",
    "nested",
    "starved_chain",
    "tasks_tree",
];

/// For a region in a task of gcc's code, LLVM's runtimes report another region's address, which
/// only the sums notice.
const IN_TASKS: &str = "regions_in_tasks";

fn programs(setting: &Setting) -> Result<(), Failed> {
    let knows_places = setting.is_oxomp() || setting.compiler() == Program::Clang;
    for name in PROGRAMS.iter().copied().chain(knows_places.then_some(IN_TASKS)) {
        let program = setting.compile(name)?;
        let mut command = setting.command(&program);
        command.env("OXOMP_EVENTS", "all").env("OXOMP_MAX_SIZE", "512M").env("OXOMP_HZ", "0");
        let profile = setting.recording(&mut command)?;
        let counts = agree(&profile, false).map_err(|error| format!("{name}: {error}"))?;
        let without = setting.command(&program);
        has_counts(&counts, without, setting).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// Runs a program without events: its counts have to be these.
fn has_counts(counts: &Counts, mut command: Command, setting: &Setting) -> Result<(), String> {
    command.env("OXOMP_EVENTS", "none").env("OXOMP_HZ", "0");
    let without = setting.recording(&mut command).map_err(|error| format!("{error:?}"))?;
    let events = without.threads.iter().map(|thread| thread.records.len()).max();
    if events > Some(4) {
        return Err(format!("{events:?} events of a thread"));
    }
    let other = counts_of(&summarize(&without));
    (other == *counts)
        .then_some(())
        .ok_or_else(|| format!("without events {other:?}, with them {counts:?}"))
}

fn plants(setting: &Setting) -> Result<(), Failed> {
    for plant in planted::plants() {
        let mut command = plant.build(setting)?;
        command.env("OXOMP_EVENTS", "all").env("OXOMP_MAX_SIZE", "512M").env("OXOMP_HZ", "0");
        let profile = setting.recording(&mut command)?;
        let counts = agree(&profile, false).map_err(|error| format!("{}: {error}", plant.name))?;
        has_counts(&counts, plant.build(setting)?, setting)
            .map_err(|error| format!("{}: {error}", plant.name))?;
    }
    Ok(())
}

/// What a run does, however long it takes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Calls, instances inside others, and sizes of teams of each region.
    regions: Vec<(u64, u64, u64)>,
    /// Executions and iterations of all worksharing constructs of each region.
    works: Vec<(u64, u64)>,
    /// Explicit tasks of each construct: all, and those with dependences and undeferred.
    tasks: Vec<(u64, u64, u64)>,
    /// How often threads passed each barrier.
    barriers: Vec<u64>,
    /// Acquisitions of all mutexes: LLVM's runtime names another place for the first one of a
    /// critical, or does not.
    acquisitions: u64,
}

fn counts_of(summary: &Summary) -> Counts {
    let works = |one: &Region| {
        let sum = |of: fn(&Worksharing) -> u64| one.worksharing.iter().map(of).sum();
        (sum(|work| work.executions), sum(|work| work.iterations))
    };
    let regions = || summary.regions.iter();
    let tasks = summary.tasks.iter().map(|one| (one.count, one.dependent, one.undeferred));
    Counts {
        regions: sorted(regions().map(|one| (one.calls, one.nested, one.team.1.into()))),
        works: sorted(regions().map(works)),
        tasks: sorted(tasks),
        barriers: sorted(summary.barriers.iter().map(|one| one.passes)),
        acquisitions: summary.mutexes.iter().map(|one| one.acquisitions).sum(),
    }
}

fn sorted<T: Ord>(numbers: impl Iterator<Item = T>) -> Vec<T> {
    let mut numbers: Vec<T> = numbers.collect();
    numbers.sort_unstable();
    numbers
}

/// The recording as if its threads had formed no sums.
fn events_alone(profile: &Profile) -> Profile {
    let mut profile = profile.clone();
    profile.info.whole_sums = false;
    let replaced = [
        FoldKind::Thread,
        FoldKind::Region,
        FoldKind::Barrier,
        FoldKind::Mutex,
        FoldKind::Blame,
        FoldKind::Serial,
        FoldKind::Work,
        FoldKind::Short,
        FoldKind::Starved,
        FoldKind::Spread,
    ];
    for thread in &mut profile.threads {
        thread
            .folded
            .retain(|entry| entry.fold_kind().is_none_or(|kind| !replaced.contains(&kind)));
    }
    profile
}

/// Classes whose times are compared, some of them together. A thread that ends does not know
/// whether the region around its last one went on, so its last idle time may be of either class.
/// Between two tasks of a chain no task runs: for a thread whose wait ends with the second task,
/// the events call this time the barrier's cost or imbalance, and the sums call it waiting for
/// tasks.
const COMPARED: &[&[Class]] = &[
    &[Class::Useful],
    &[Class::Serial],
    &[Class::SerialWait],
    &[Class::Imbalance, Class::Barrier, Class::Starved],
    &[Class::Mutex],
    &[Class::Taskwait],
    &[Class::Dispatch],
    &[Class::Scheduler],
    &[Class::ForkJoin],
    &[Class::SerialIdle, Class::SpareIdle],
    &[Class::Paused],
];

/// In a run of a ms or two, the time of a thread that loses its processor is most of a sum, and a
/// task that does so is not like the others of its construct: so times may differ by this many ns,
/// and by the time for which the threads lacked a processor.
const SPARE_NS: u64 = 300_000;

/// Compares the sums of a recording with its events; what the run did. It may have been a short
/// one.
pub(crate) fn agree(profile: &Profile, is_short: bool) -> Result<Counts, String> {
    same_without_events(profile)?;
    let (sums, events) = (summarize(profile), summarize(&events_alone(profile)));
    if sums.quality.folded > 0 || !profile.damage.is_empty() || profile.open_chunks > 0 {
        return Err(format!("not all events were recorded: {:?}", sums.quality));
    }
    // A thread that is held up between the clock's reading and its part in a sum, and the rounding
    // of each event's ticks.
    let lacking = sums.budget.class_ns(Class::Scheduler);
    let spare = if is_short { SPARE_NS + lacking } else { 0 };
    let slack = sums.budget.total_ns / 200 + 4 * sums.quality.events + spare;
    let within = |slack: u64, what: &str, sum: u64, event: u64| {
        if sum.abs_diff(event) <= slack {
            return Ok(());
        }
        Err(format!(
            "{what}: {sum} by sums, {event} by events, slack {slack}; all classes: {:?}, {:?}",
            sums.budget.by_class, events.budget.by_class
        ))
    };
    let near = |what: &str, sum: u64, event: u64| within(slack, what, sum, event);
    let all: u64 = sums.budget.by_class.iter().sum();
    near("all classes, and the time there is", all, sums.budget.total_ns)?;
    for classes in COMPARED {
        let [own, other] = [&sums, &events]
            .map(|summary| classes.iter().map(|class| summary.budget.class_ns(*class)).sum());
        near(classes[0].name(), own, other)?;
    }
    // LLVM's runtimes report no end of a single of gcc's code: only events know that it began.
    let works = Vec::new;
    let by_sums = Counts { works: works(), ..counts_of(&sums) };
    let by_events = Counts { works: works(), ..counts_of(&events) };
    if by_sums != by_events {
        return Err(format!("{by_sums:?} by sums, {by_events:?} by events"));
    }
    let place = |summary: &Summary, region: &Region| {
        region.site.map(|site| summary.sites[site.0 as usize].codeptr)
    };
    // A gain is bounded by the time in which the region ran. Of instances that ran at once, events
    // tell that exactly, and sums less so; without processors, gains reach it.
    let gain_slack = slack + lacking;
    for region in &sums.regions {
        let own = place(&sums, region);
        let other = events.regions.iter().find(|other| place(&events, other) == own);
        let other = other.ok_or("a region that events do not have")?;
        near("wall", region.wall_ns, other.wall_ns)?;
        if region.load_balance > Some(1.0) {
            return Err(format!("load balance {:?} of {own:x?}", region.load_balance));
        }
        near("useful", region.useful_ns, other.useful_ns)?;
        for classes in COMPARED {
            let [sum, event] = [region, other]
                .map(|region| classes.iter().map(|class| region.gain.class_ns(*class)).sum());
            within(gain_slack, classes[0].name(), sum, event)
                .map_err(|error| format!("gain of {own:x?}: {error}"))?;
        }
    }
    for (what, of) in [
        ("waits", (|one| one.wait_ns) as fn(&oxomp_analysis::summary::Mutex) -> u64),
        ("gains", |one| one.gain_ns),
    ] {
        near(what, sums.mutexes.iter().map(of).sum(), events.mutexes.iter().map(of).sum())?;
    }
    // If a thread loses its processor between a release and its callback, while dozens of others
    // hold the mutex, the sums do not know the end of its hold.
    let [held, known] =
        [&sums, &events].map(|summary| summary.mutexes.iter().map(|one| one.hold_ns).sum());
    within(slack + lacking, "holds", held, known)?;
    let passes = |summary: &Summary| summary.barriers.iter().map(|one| one.passes).sum::<u64>();
    if passes(&sums) != passes(&events) {
        return Err(format!("{} passes by sums, {} by events", passes(&sums), passes(&events)));
    }
    let serial = |summary: &Summary| summary.serial.iter().map(|one| one.total_ns).sum();
    near("serial", serial(&sums), serial(&events))?;
    Ok(counts_of(&sums))
}
