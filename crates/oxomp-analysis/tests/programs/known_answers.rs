//! The numbers of a profile against the program's own.

use std::collections::BTreeMap;

use libtest_mimic::Failed;
use oxomp_analysis::summary::{Class, Summary};

use crate::Check;
use crate::run::{Run, Setting};

pub(crate) const CHECKS: &[Check] = &[
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

/// Other processes may take the processor between the program's time stamp and the runtime's
/// event: such a run says nothing, and another one is tried.
const ATTEMPTS: u32 = 60;

/// Runs `program` until `check` agrees, or often enough to believe that it never will.
fn attempts(
    setting: &Setting,
    program: &str,
    mode: Mode,
    check: fn(&Summary, &Facts) -> Result<(), String>,
) -> Result<(), Failed> {
    let compiled = setting.compile(program)?;
    let mut last = String::new();
    for attempt in 1..=ATTEMPTS {
        let mut command = setting.real_time_command(&compiled);
        if mode == Mode::Folded {
            command.env("OXOMP_MAX_SIZE", "1M");
        }
        let run = setting.finish(&mut command)?;
        if !run.status.success() {
            return Err(format!("{program} ended with {}: {}", run.status, run.stderr).into());
        }
        let summary = run.summary()?;
        sound(summary, setting)?;
        if (summary.quality.folded > 0) != (mode == Mode::Folded) {
            return Err(format!("{} folded, {mode:?}", summary.quality.folded).into());
        }
        match check(summary, &Facts::of(&run)?) {
            Ok(()) => return Ok(()),
            Err(error) => {
                eprintln!("{program}, attempt {attempt} of {ATTEMPTS}, disturbed? {error}");
                last = error;
            }
        }
    }
    Err(last.into())
}

/// What holds in every run, disturbed or not.
fn sound(summary: &Summary, setting: &Setting) -> Result<(), String> {
    let runtime = summary.header.runtime_path.as_deref().map(std::fs::canonicalize);
    let expected = setting.library.canonicalize().map_err(|error| error.to_string())?;
    if !matches!(runtime, Some(Ok(ref path)) if *path == expected) {
        return Err(format!("profiled {runtime:?}, not {}", expected.display()));
    }
    // Sums that were formed in ticks may differ by a rounding each.
    let slack = if summary.quality.folded == 0 { 0 } else { 100 };
    for thread in &summary.threads {
        let sum: u64 = thread.by_class.iter().sum();
        if sum.abs_diff(thread.end_ns - thread.begin_ns) > slack {
            return Err(format!(
                "the classes of thread {} do not sum up: {sum} {thread:?}",
                thread.number
            ));
        }
    }
    if (summary.budget.accounted - 1.0).abs() > 1e-4 {
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
struct Facts(BTreeMap<String, i64>);

impl Facts {
    fn of(run: &Run) -> Result<Self, String> {
        run.facts().map(Self)
    }

    fn get(&self, name: &str) -> Result<i64, String> {
        self.0.get(name).copied().ok_or_else(|| format!("the program does not tell {name}"))
    }

    /// `reported` is the program's fact within 2 % + 1 µs.
    fn agree(&self, name: &str, reported: u64) -> Result<(), String> {
        let truth = self.get(name)?;
        let reported = i64::try_from(reported).map_err(|error| error.to_string())?;
        if (reported - truth).abs() > truth / 50 + 1000 {
            return Err(format!("{name}: {reported} ns reported, {truth} ns by the program"));
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
    attempts(setting, "imbalance", mode, |summary, facts| {
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
        if (reported - balance).abs() > 0.02 * balance {
            return Err(format!("load balance {reported}, by the program {balance}"));
        }
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
    attempts(setting, "critical", mode, |summary, facts| {
        let waiting = summary.mutexes.first().ok_or("no mutex")?;
        let holder = waiting.holders.first().ok_or("nobody blamed")?;
        if holder.site == waiting.site {
            return Err("the waiting site is blamed itself".to_owned());
        }
        let holding = summary
            .mutexes
            .iter()
            .find(|mutex| mutex.site == holder.site)
            .ok_or("the holder's site is unknown")?;
        facts.equal("calls", waiting.acquisitions)?;
        facts.equal("calls", waiting.contended)?;
        facts.equal("calls", holding.acquisitions)?;
        facts.agree("critical_wait", waiting.wait_ns)?;
        facts.agree("critical_wait", summary.budget.class_ns(Class::Mutex))?;
        facts.agree("critical_blame", holder.blame_ns)?;
        facts.agree("critical_hold", holding.hold_ns)?;
        facts.agree("short_hold", waiting.hold_ns)
    })
}

fn barriers(setting: &Setting, mode: Mode) -> Result<(), Failed> {
    attempts(setting, "barriers", mode, |summary, facts| {
        let [barrier] = summary.barriers.as_slice() else {
            return Err(format!("{} barriers instead of one", summary.barriers.len()));
        };
        facts.equal("passes", barrier.passes)?;
        facts.agree("barrier_imbalance", barrier.imbalance_ns)
    })
}

fn chain(setting: &Setting, mode: Mode) -> Result<(), Failed> {
    attempts(setting, "tasks_chain", mode, |summary, facts| {
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
    attempts(setting, "tasks_tree", mode, |summary, facts| {
        facts.equal("tasks", summary.tasks.iter().map(|one| one.count).sum())?;
        facts.agree("work", summary.tasks.iter().map(|one| one.time_ns).sum())?;
        let [chain] = summary.chains.as_slice() else {
            return Err(format!("{} chains instead of one", summary.chains.len()));
        };
        facts.agree("span", chain.span_ns)
    })
}
