//! Programs whose advice was wrong once: what no event tells, and what cannot be followed.

use libtest_mimic::Failed;
use oxomp_analysis::report::{Notes, Style, render};
use oxomp_analysis::summary::{Cause, Class, Mutex, Summary};
use oxomp_analysis::symbols::Symbols;
use oxomp_prerequisites::Program;

use crate::Check;
use crate::run::{Run, Setting};
use crate::whole::is_whole;

pub(crate) const CHECKS: &[Check] = &[
    ("barriers_of_copyprivate_are_not_to_have_nowait", copyprivate),
    ("a_barrier_that_an_ended_thread_never_reaches_is_told", ended_thread),
    ("tests_of_a_lock_that_fail_are_no_work", test_lock),
    ("tests_of_a_lock_without_a_processor_are_no_spinning", test_lock_without_processor),
    ("tests_of_a_lock_that_the_thread_has_do_not_fail", test_nest_lock),
    ("a_late_event_of_a_task_is_named", late_event),
    ("tasks_that_are_all_undeferred_are_said_to_be", undeferred),
    ("threads_that_a_team_lacks_idle_beside_it", smaller_team),
];

/// LLVM's runtime does not tell tools that the program exits in a region, does not wait for a futex
/// in a reduction, and does not tell of gcc's target regions.
pub(crate) const ON_OXOMP: &[Check] = &[
    ("a_thread_that_sleeps_when_another_one_exits_did_not_work", exit_beside_sleep),
    ("a_thread_that_waits_when_another_one_exits_did_not_work", exit_beside_wait),
    ("waiting_for_the_turn_to_combine_is_a_reductions", slow_combiner),
    ("what_the_host_executes_is_not_beside_a_device", host_target),
];

fn ensure(holds: bool, summary: &Summary, what: &str) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(format!("{what}:\n{}", text(summary)).into()) }
}

/// What a user reads, on one line.
fn text(summary: &Summary) -> String {
    let places = Symbols::new().places(&summary.sites);
    let text = render(summary, &places, &Notes::default(), Style::plain());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A run with an argument in which events are kept, or not.
fn run(setting: &Setting, program: &str, argument: &str, events: &str) -> Result<Run, Failed> {
    let program = setting.compile(program)?;
    let mut command = setting.command(&program);
    if !argument.is_empty() {
        command.arg(argument);
    }
    let run = setting.finish(command.env("OXOMP_EVENTS", events))?;
    if !run.status.success() {
        return Err(format!("{}: {}", run.status, run.stderr).into());
    }
    let summary = run.summary()?;
    ensure(is_whole(summary), summary, "all time has a class")?;
    Ok(run)
}

fn copyprivate(setting: &Setting) -> Result<(), Failed> {
    let run = run(setting, "copyprivate", "", "some")?;
    let summary = run.summary()?;
    ensure(run.facts()?.get("sum") == Some(&399_980_000), summary, "the sum")?;
    ensure(!text(summary).contains("fewer barriers"), summary, "nothing is to have nowait")
}

/// Runs left.c; returns the length of the wait, ns.
fn left(setting: &Setting, mode: &str, events: &str) -> Result<(Run, u64), Failed> {
    let run = run(setting, "left", mode, events)?;
    let length = run.facts()?.get("length").copied().ok_or("no fact")?.unsigned_abs();
    Ok((run, length))
}

fn exit_beside_sleep(setting: &Setting) -> Result<(), Failed> {
    for events in ["all", "none"] {
        let (run, length) = left(setting, "exit", events)?;
        let summary = run.summary()?;
        let class = |class| summary.budget.class_ns(class);
        // Both threads sleep, one of them for a minute.
        ensure(class(Class::Useful) < length / 2, summary, "they do not work")?;
        ensure(class(Class::Blocked) > length, summary, "they are blocked")?;
    }
    Ok(())
}

fn exit_beside_wait(setting: &Setting) -> Result<(), Failed> {
    for events in ["all", "none"] {
        let (run, length) = left(setting, "wait", events)?;
        let summary = run.summary()?;
        let class = |class| summary.budget.class_ns(class);
        ensure(class(Class::Useful) < length / 2, summary, "neither of them works")?;
        ensure(class(Class::Imbalance) > length / 2, summary, "the one waits for the other")?;
        let outside = class(Class::Serial) + class(Class::SerialIdle);
        ensure(outside < class(Class::Imbalance), summary, "in the region")?;
    }
    Ok(())
}

fn ended_thread(setting: &Setting) -> Result<(), Failed> {
    let (run, length) = left(setting, "end", "all")?;
    let summary = run.summary()?;
    let class = |class| summary.budget.class_ns(class);
    ensure(class(Class::Useful) < length / 2, summary, "neither of them works")?;
    let [one] = &summary.unreached[..] else {
        return ensure(false, summary, "one barrier is never reached");
    };
    ensure((one.waiting, one.ended) == (1, 1), summary, "by one thread")?;
    ensure(one.time_ns > length / 2, summary, "for as long as it takes")?;
    // Where threads lack processors, the other region may take more of the time than the wait does,
    // and have the verdict.
    let words = "1 thread of the team ended in the region";
    ensure(text(summary).contains(words), summary, "the advice says it")
}

fn test_lock(setting: &Setting) -> Result<(), Failed> {
    let run = run(setting, "test_lock", "", "some")?;
    let summary = run.summary()?;
    let failed = run.facts()?.get("failed").copied().unwrap_or_default().unsigned_abs();
    let told: u64 = summary.mutexes.iter().map(|mutex| mutex.failed).sum();
    ensure(told == failed, summary, &format!("{failed} tests failed, not {told}"))?;
    let spin: u64 = summary.mutexes.iter().map(|mutex| mutex.spin_ns).sum();
    let mutex = summary.budget.class_ns(Class::Mutex);
    ensure(failed < 1000 || spin > 0 && mutex >= spin, summary, "spinning is no work")?;
    // Each test is one event, and each of 40 acquisitions and releases.
    let of_locks = summary.quality.recording.iter().filter(|cost| cost.class == "locks");
    let events: u64 = of_locks.map(|cost| cost.events).sum();
    ensure(events == failed + 3 * 40, summary, &format!("{events} events of locks"))
}

/// On one processor, where a thread tests the lock in vain also while the other thread has the
/// processor; with and without recorded events of the region.
fn test_lock_without_processor(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("test_lock")?;
    for events in ["all", "none"] {
        let mut command = setting.confined_command(&program)?;
        let run = setting.finish(command.env("OXOMP_EVENTS", events))?;
        let summary = run.summary()?;
        let all = |part: fn(&Mutex) -> u64| summary.mutexes.iter().map(part).sum::<u64>();
        let (failed, tested) = (all(|one| one.failed), all(|one| one.tested_ns));
        let spin = all(|one| one.spin_ns);
        let scheduler = summary.budget.class_ns(Class::Scheduler);
        let is_part = spin == 0 && failed < 1000 || scheduler == 0 || spin < tested;
        ensure(is_part, summary, &format!("{events}: {spin} of {tested} ns are spinning"))?;
    }
    Ok(())
}

fn test_nest_lock(setting: &Setting) -> Result<(), Failed> {
    for events in ["some", "none"] {
        let run = run(setting, "test_nest_lock", "", events)?;
        let summary = run.summary()?;
        let failed: u64 = summary.mutexes.iter().map(|mutex| mutex.failed).sum();
        ensure(failed == 0, summary, &format!("{failed} of the tests failed"))?;
    }
    Ok(())
}

fn late_event(setting: &Setting) -> Result<(), Failed> {
    // LLVM's runtime does not have the version of gcc's runtime that has events.
    if setting.compiler() == Program::Gcc && !setting.is_oxomp() {
        return Ok(());
    }
    for mode in ["taskwait", "barrier"] {
        let run = run(setting, "late_event", mode, "some")?;
        let summary = run.summary()?;
        let detached: u64 = summary.tasks.iter().map(|one| one.detached).sum();
        ensure(detached == 1, summary, "a task is waited for after its code")?;
        let words = "wait for the events of 1 task";
        ensure(text(summary).matches(words).count() == 2, summary, "verdict and advice say so")?;
    }
    Ok(())
}

fn undeferred(setting: &Setting) -> Result<(), Failed> {
    let advice = "are undeferred, so the thread that creates one executes it at once";
    let once = run(setting, "undeferred", "", "some")?;
    let summary = once.summary()?;
    let of = |summary: &Summary| {
        let tasks = summary.tasks.iter();
        tasks.fold((0, 0), |sum, one| (sum.0 + one.count, sum.1 + one.undeferred))
    };
    ensure(of(summary) == (30, 30), summary, "30 undeferred tasks")?;
    ensure(text(summary).contains(advice), summary, "it is told")?;
    let deferred = run(setting, "undeferred", "deferred", "some")?;
    let summary = deferred.summary()?;
    ensure(of(summary) == (30, 0), summary, "30 deferred tasks")?;
    ensure(!text(summary).contains(advice), summary, "it is not told")
}

fn smaller_team(setting: &Setting) -> Result<(), Failed> {
    for events in ["all", "none"] {
        let run = run(setting, "smaller_team", "", events)?;
        let summary = run.summary()?;
        let class = |class| summary.budget.class_ns(class);
        // No event tells of the workers without work.
        if setting.is_oxomp() || events == "all" {
            let is_beside = class(Class::SpareIdle) > class(Class::SerialIdle);
            ensure(is_beside, summary, &format!("{events}: regions run while two threads idle"))?;
        }
    }
    Ok(())
}

fn slow_combiner(setting: &Setting) -> Result<(), Failed> {
    let run = run(setting, "slow_combiner", "", "some")?;
    let summary = run.summary()?;
    ensure(run.facts()?.get("sum") == Some(&16), summary, "the sum")?;
    // gcc's code takes the runtime's lock for atomics, and events tell of that.
    if setting.compiler() == Program::Clang {
        let turns = summary.blocked.iter().find(|one| one.cause == Cause::Reduction);
        ensure(turns.is_some_and(|one| one.time_ns > 0), summary, "threads wait for turns")?;
        let words = "combine their parts of the reduction";
        ensure(text(summary).contains(words), summary, "the advice says so")?;
    }
    Ok(())
}

fn host_target(setting: &Setting) -> Result<(), Failed> {
    let run = run(setting, "host_target", "", "all")?;
    let summary = run.summary()?;
    ensure(run.facts()?.get("rounds") == Some(&10), summary, "the rounds")?;
    let offload = &summary.offload;
    ensure(offload.overlap.is_none(), summary, "there is no device")?;
    let on_host = offload.constructs.iter().all(|one| one.device.is_none());
    ensure(on_host, summary, "the host executes them")
}
