//! The numbers of a profile against the program's own: counts in the tests, times where
//! `cargo xtask accuracy` demands them. `tests/recorded.rs` checks the arithmetic of the times on
//! recordings that are made by hand.

use std::collections::BTreeMap;

use libtest_mimic::Failed;
use oxomp_analysis::summary::{Class, Summary};

use crate::Check;
use crate::demand::Demand;
use crate::recorded;
use crate::run::Setting;
use crate::whole::is_whole;

pub(crate) const MEASURED: &[Check] = &[
    ("imbalance_and_serial_time_are_the_programs_own", |s| imbalance(s, Mode::Recorded)),
    ("a_criticals_wait_is_blamed_on_its_holder", |s| critical(s, Mode::Recorded)),
    ("waits_at_explicit_barriers_are_the_programs_own", |s| barriers(s, Mode::Recorded)),
    ("the_longest_chain_of_tasks_by_dependences", |s| chain(s, Mode::Recorded)),
    ("the_longest_chain_of_tasks_by_waiting_for_children", |s| tree(s, Mode::Recorded)),
    ("folded::imbalance_and_serial_time_are_the_programs_own", |s| imbalance(s, Mode::Folded)),
    ("folded::a_criticals_wait_is_blamed_on_its_holder", |s| critical(s, Mode::Folded)),
    ("folded::waits_at_explicit_barriers_are_the_programs_own", |s| barriers(s, Mode::Folded)),
];

/// How the numbers come about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// From events alone.
    Recorded,
    /// The file is so small that the collector adds up from the first region's inside on.
    Folded,
}

/// Runs `program` until `check` agrees with its times, which events of `class` delimit.
fn attempts(
    setting: &Setting,
    (program, class): (&str, &str),
    mode: Mode,
    check: fn(&Summary, &Facts<'_>) -> Result<(), String>,
) -> Result<(), Failed> {
    let compiled = setting.compile(program)?;
    let title = if mode == Mode::Folded { format!("{program}, added up") } else { program.into() };
    let attempt = || {
        setting.rows.clear();
        let mut command = setting.real_time_command(&compiled);
        if mode == Mode::Folded {
            command.env("OXOMP_MAX_SIZE", "1M");
        }
        let run = setting.finish(&mut command)?;
        if !run.status.success() {
            return Err(format!("{program} ended with {}: {}", run.status, run.stderr));
        }
        let summary = run.summary()?;
        sound(summary, setting)?;
        if (summary.quality.folded > 0) != (mode == Mode::Folded) {
            return Err(format!("{} folded, {mode:?}", summary.quality.folded));
        }
        let took = recorded::took(summary, class);
        check(summary, &Facts { title: &title, setting, values: run.facts()?, took })
    };
    Ok(setting.demand.attempts(attempt)?)
}

/// What holds in every run, disturbed or not.
fn sound(summary: &Summary, setting: &Setting) -> Result<(), String> {
    let runtime = summary.header.runtime_path.as_deref().map(std::fs::canonicalize);
    let expected = setting.library.canonicalize().map_err(|error| error.to_string())?;
    if !matches!(runtime, Some(Ok(ref path)) if *path == expected) {
        return Err(format!("profiled {runtime:?}, not {}", expected.display()));
    }
    // Sums that were formed in ticks may differ by a rounding each; some processors' clocks have
    // ticks of 40 ns.
    let slack = 1000;
    for thread in &summary.threads {
        let sum: u64 = thread.by_class.iter().sum();
        if sum.abs_diff(thread.end_ns - thread.begin_ns) > slack {
            return Err(format!(
                "the classes of thread {} do not sum up: {sum} {thread:?}",
                thread.number
            ));
        }
    }
    if !is_whole(summary) {
        return Err(format!("accounted {}", summary.budget.accounted));
    }
    for mutex in &summary.mutexes {
        let blamed: u64 = mutex.holders.iter().map(|holder| holder.blame_ns).sum();
        if blamed + mutex.handoff_ns + mutex.unattributed_ns != mutex.wait_ns {
            return Err(format!("blame is not conserved: {mutex:?}"));
        }
    }
    let quality = &summary.quality;
    if summary.header.truncated
        || quality.lost_events != 0
        || !quality.damaged.is_empty()
        || !quality.anomalies.is_empty()
    {
        return Err(format!("an orderly run is said to be flawed: {quality:?}"));
    }
    Ok(())
}

/// What the program says.
struct Facts<'s> {
    /// The program, and how its numbers came about.
    title: &'s str,
    setting: &'s Setting,
    values: BTreeMap<String, i64>,
    /// What recording took for the events that delimit the times, ns.
    took: u64,
}

impl Facts<'_> {
    fn get(&self, name: &str) -> Result<i64, String> {
        self.values.get(name).copied().ok_or_else(|| format!("the program does not tell {name}"))
    }

    /// `reported` is the program's fact within 2 % + 1 µs and what recording took, if times are
    /// demanded.
    fn agree(&self, name: &str, reported: u64) -> Result<(), String> {
        let truth = self.get(name)?;
        let reported = i64::try_from(reported).map_err(|error| error.to_string())?;
        if self.setting.demand == Demand::Counts {
            return Ok(());
        }
        let off = (reported - truth) as f64 / truth as f64 * 100.0;
        self.setting.rows.push(format!(
            "| {} | {} | {name} | {:.3} ms | {:.3} ms | {off:+.2} % |",
            self.title,
            self.setting.title(),
            truth as f64 / 1e6,
            reported as f64 / 1e6,
        ));
        // A recording that overstates its cost does not excuse all differences.
        let took = self.took.min(truth.unsigned_abs() / 10);
        if (reported - truth).unsigned_abs() > truth.unsigned_abs() / 50 + 1000 + took {
            return Err(format!(
                "{name}: {reported} ns reported, {truth} ns by the program, recording took {} ns",
                self.took
            ));
        }
        Ok(())
    }

    fn equal(&self, name: &str, reported: u64) -> Result<(), String> {
        let truth = self.get(name)?;
        if i64::try_from(reported) != Ok(truth) {
            return Err(format!("{name}: {reported} reported, {truth} by the program"));
        }
        Ok(())
    }
}

fn imbalance(setting: &Setting, mode: Mode) -> Result<(), Failed> {
    attempts(setting, ("imbalance", "regions"), mode, |summary, facts| {
        let [region] = summary.regions.as_slice() else {
            return Err(format!("{} regions instead of one", summary.regions.len()));
        };
        facts.equal("calls", region.calls)?;
        facts.equal("threads", u64::from(region.team.1))?;
        facts.agree("region_wall", region.wall_ns)?;
        facts.agree("region_useful", region.useful_ns)?;
        facts.agree("imbalance_wait", summary.budget.class_ns(Class::Imbalance))?;
        facts.agree("imbalance_wait", 2 * region.gain.imbalance_ns)?;
        let balance =
            facts.get("region_useful")? as f64 / 2.0 / facts.get("region_longest")? as f64;
        let reported = region.load_balance.ok_or("no load balance")?;
        facts.setting.demand.times(|| {
            let took = facts.took as f64 / region.useful_ns.max(1) as f64;
            let is_near = (reported - balance).abs() <= 0.02 * balance + took;
            is_near.then_some(()).ok_or_else(|| format!("load balance {reported}, not {balance}"))
        })?;
        let between = |stretch: &&_| {
            let stretch: &oxomp_analysis::summary::SerialStretch = stretch;
            stretch.after.is_some() && stretch.before.is_some()
        };
        let serial = summary.serial.iter().find(between).ok_or("no serial time between regions")?;
        facts.agree("serial_between", serial.total_ns)?;
        facts.agree("serial_between", 2 * serial.gain_ns)
    })
}

fn critical(setting: &Setting, mode: Mode) -> Result<(), Failed> {
    attempts(setting, ("critical", "locks"), mode, |summary, facts| {
        let [one, other] = summary.mutexes.as_slice() else {
            return Err(format!("{} sites of a mutex instead of two", summary.mutexes.len()));
        };
        facts.equal("calls", one.acquisitions)?;
        facts.equal("calls", other.acquisitions)?;
        for (site, opposite) in [(one, other), (other, one)] {
            if site.holders.iter().any(|holder| holder.site != opposite.site) {
                return Err(format!("blamed is not the other site: {site:?}"));
            }
        }
        if facts.setting.demand == Demand::Counts {
            return Ok(());
        }
        // A thread that loses its processor before it asks does not wait.
        let waiting = one;
        let holder = waiting.holders.first().ok_or("nobody blamed")?;
        let holding = summary
            .mutexes
            .iter()
            .find(|mutex| mutex.site == holder.site)
            .ok_or("the holder's site is unknown")?;
        facts.equal("calls", waiting.contended)?;
        facts.agree("critical_wait", waiting.wait_ns)?;
        facts.agree("critical_wait", summary.budget.class_ns(Class::Mutex))?;
        facts.agree("critical_blame", holder.blame_ns)?;
        facts.agree("critical_hold", holding.hold_ns)?;
        facts.agree("short_hold", waiting.hold_ns)
    })
}

fn barriers(setting: &Setting, mode: Mode) -> Result<(), Failed> {
    attempts(setting, ("barriers", "regions"), mode, |summary, facts| {
        let [barrier] = summary.barriers.as_slice() else {
            return Err(format!("{} barriers instead of one", summary.barriers.len()));
        };
        facts.equal("passes", barrier.passes)?;
        facts.agree("barrier_imbalance", barrier.imbalance_ns)
    })
}

fn chain(setting: &Setting, mode: Mode) -> Result<(), Failed> {
    attempts(setting, ("tasks_chain", "tasks"), mode, |summary, facts| {
        let [first, second, third] = summary.chains.as_slice() else {
            return Err(format!("{} chains instead of three", summary.chains.len()));
        };
        facts.agree("chain_span", first.span_ns)?;
        facts.agree("diamond_span", second.span_ns)?;
        facts.agree("fan_span", third.span_ns)?;
        let tasks = |region| summary.tasks.iter().filter(move |one| one.region == region);
        facts.agree("diamond_work", tasks(second.region).map(|one| one.time_ns).sum())?;
        let dependent: u64 = summary.tasks.iter().map(|one| one.dependent).sum();
        if dependent != 39 {
            return Err(format!("{dependent} tasks with dependences instead of 39"));
        }
        Ok(())
    })
}

fn tree(setting: &Setting, mode: Mode) -> Result<(), Failed> {
    attempts(setting, ("tasks_tree", "tasks"), mode, |summary, facts| {
        facts.equal("tasks", summary.tasks.iter().map(|one| one.count).sum())?;
        facts.agree("work", summary.tasks.iter().map(|one| one.time_ns).sum())?;
        let [chain] = summary.chains.as_slice() else {
            return Err(format!("{} chains instead of one", summary.chains.len()));
        };
        facts.agree("span", chain.span_ns)
    })
}
