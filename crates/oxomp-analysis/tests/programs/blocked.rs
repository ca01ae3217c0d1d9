//! Time in which threads neither compute nor lack a processor: how much, where, and for what.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::thread;
use std::time::Duration;

use libtest_mimic::Failed;
use oxomp_analysis::summary::{Blocked, Cause, Class, Region, Summary};

use crate::Check;
use crate::run::{Run, Setting};
use crate::whole::is_whole;

pub(crate) const CHECKS: &[Check] = &[
    ("threads_that_sleep_in_a_region_are_blocked_there", sleep),
    ("the_path_of_unoptimised_code_that_blocks_begins_in_main", unoptimised),
    ("threads_that_sleep_in_short_regions_are_blocked_there", short),
    ("threads_that_wait_for_a_mutex_of_their_own_are_blocked", mutex),
    ("a_thread_that_waits_for_input_is_blocked", read),
    ("a_wait_for_a_condition_variable_is_named", condition),
    ("a_wait_for_a_semaphore_is_named", semaphore),
    ("a_wait_for_a_futex_of_the_programs_own_is_named", futex),
    ("a_wait_for_the_end_of_a_thread_is_named", join),
    ("a_killed_program_has_waited_for_a_thread_in_serial_code", killed_in_join),
    ("a_thread_that_sleeps_in_serial_code_does_no_serial_work", serial),
    ("threads_that_compute_are_not_blocked", computing),
    ("a_wait_for_another_iteration_is_the_runtimes", iterations),
    ("waits_at_two_sinks_of_a_nested_loop_are_two", two_sinks),
    ("a_killed_program_has_waited_for_iterations", killed_in_iterations),
];

fn ensure(holds: bool, run: &Run, what: &str) -> Result<(), String> {
    let facts = (&run.stdout, run.summaries.first().map(|one| (&one.budget, &one.blocked)));
    if holds { Ok(()) } else { Err(format!("{what}: {facts:#?}")) }
}

/// Checks what holds in every mode; returns the time for which the threads asked to sleep, and the
/// time of the calls that block, ns.
fn run(setting: &Setting, mode: &str) -> Result<(Run, u64, u64), String> {
    run_with(setting, mode, "-O2")
}

/// As [`run`], built with a further option.
fn run_with(setting: &Setting, mode: &str, option: &str) -> Result<(Run, u64, u64), String> {
    let program = setting.compile_as("blocked", &format!("blocked{option}"), &[option])?;
    let run = setting.finish(setting.command(&program).arg(mode))?;
    let facts = run.facts()?;
    let fact = |name: &str| facts.get(name).copied().unwrap_or_default().unsigned_abs();
    let (asked, waits) = (fact("asked"), fact("waits"));
    ensure(run.status.success(), &run, "it ends well")?;
    ensure(fact("interrupted") == 0, &run, "no sleep is interrupted")?;
    ensure(is_whole(run.summary()?), &run, "all time has a class")?;
    Ok((run, asked, waits))
}

/// The rows of a cause, the longest first.
fn of_cause(summary: &Summary, cause: Cause) -> Vec<&Blocked> {
    summary.blocked.iter().filter(|one| one.cause == cause).collect()
}

/// Most of `class` is the time that the program was blocked for, which is `asked` at least, and
/// together with the time without a processor after it at most `waits`; and its longest row is a
/// call of `function` by the function `caller`.
fn blocked(
    run: &Run,
    class: Class,
    (asked, waits): (u64, u64),
    (cause, function, caller): (Cause, &str, &str),
) -> Result<(), String> {
    let summary = run.summary()?;
    let found = summary.budget.class_ns(class);
    ensure(found as f64 >= 0.9 * asked as f64, run, &format!("{found} of {asked} ns"))?;
    // The system's account of waits for a processor tells the two apart, and not to the tick.
    let lacked = 0.1 * summary.budget.class_ns(Class::Scheduler) as f64;
    let most = 1.05 * waits as f64 + 5e6 + lacked;
    ensure(found as f64 <= most, run, &format!("{found} of {waits} ns"))?;
    let rows = of_cause(summary, cause);
    let first = rows.first().ok_or_else(|| format!("no {cause:?}: {:#?}", summary.blocked))?;
    ensure(first.function.contains(function), run, function)?;
    ensure(first.path.iter().any(|one| one == caller), run, caller)?;
    let in_rows: u64 = rows.iter().map(|one| one.time_ns).sum();
    ensure(in_rows as f64 >= 0.6 * found as f64, run, "most of it has this cause")
}

fn sleep(setting: &Setting) -> Result<(), Failed> {
    let (run, asked, waits) = run(setting, "sleep")?;
    blocked(&run, Class::Blocked, (asked, waits), (Cause::Sleep, "nanosleep", "nap"))?;
    let summary = run.summary()?;
    let rows = of_cause(summary, Cause::Sleep);
    ensure(rows[0].path.iter().any(|one| one == "main"), &run, "the path from main")?;
    ensure(rows[0].region == summary.regions[0].site, &run, "the region")?;
    let useful = summary.budget.class_ns(Class::Useful);
    Ok(ensure(useful * 5 < asked, &run, "sleeping is no useful work")?)
}

/// The system does not tell the frame pointer of a thread that is blocked, which such code needs.
fn unoptimised(setting: &Setting) -> Result<(), Failed> {
    let (run, asked, waits) = run_with(setting, "sleep", "-O0")?;
    blocked(&run, Class::Blocked, (asked, waits), (Cause::Sleep, "nanosleep", "nap"))?;
    let row = of_cause(run.summary()?, Cause::Sleep)[0];
    Ok(ensure(row.path.first().is_some_and(|one| one == "main"), &run, "the path from main")?)
}

fn short(setting: &Setting) -> Result<(), Failed> {
    let (run, asked, waits) = run(setting, "short")?;
    let found = run.summary()?.budget.class_ns(Class::Blocked);
    // Only some of the first are looked at, and the pause before a stretch may hide a part of it.
    ensure(found as f64 >= 0.6 * asked as f64, &run, &format!("{found} of {asked} ns"))?;
    Ok(ensure(found as f64 <= 1.05 * waits as f64, &run, &format!("{found} of {waits} ns"))?)
}

fn mutex(setting: &Setting) -> Result<(), Failed> {
    let (run, _, waits) = run(setting, "mutex")?;
    // The call's time has that without a processor.
    let least = waits.saturating_sub(run.summary()?.budget.class_ns(Class::Scheduler));
    let what = (Cause::Mutex, "pthread_mutex_lock", "insert");
    Ok(blocked(&run, Class::Blocked, (least / 2, waits), what)?)
}

fn read(setting: &Setting) -> Result<(), Failed> {
    fed(setting, "read", (Cause::Read, "read", "take"))
}

/// A thread in a region waits in each step until another one has slept.
fn fed(setting: &Setting, mode: &str, what: (Cause, &str, &str)) -> Result<(), Failed> {
    let (run, asked, waits) = run(setting, mode)?;
    // What it waits for comes while it has no processor.
    let least = asked.min(waits).saturating_sub(run.summary()?.budget.class_ns(Class::Scheduler));
    blocked(&run, Class::Blocked, (least, waits), what)?;
    // The caller's own waits have one cause, however many rows there are.
    let by_caller = |one: &&Blocked| one.path.last().is_some_and(|last| last == what.2);
    let rows = run.summary()?.blocked.iter().filter(by_caller);
    let others: BTreeSet<Cause> = rows.map(|one| one.cause).filter(|it| *it != what.0).collect();
    let beside = [Cause::Mutex, Cause::Page, Cause::AddressSpace];
    let is_alone = others.iter().all(|cause| beside.contains(cause));
    Ok(ensure(is_alone, &run, &format!("nothing else is waited for: {others:?}"))?)
}

fn condition(setting: &Setting) -> Result<(), Failed> {
    fed(setting, "condition", (Cause::Condition, "pthread_cond_wait", "await_condition"))
}

fn semaphore(setting: &Setting) -> Result<(), Failed> {
    fed(setting, "semaphore", (Cause::Semaphore, "sem_wait", "await_semaphore"))
}

fn futex(setting: &Setting) -> Result<(), Failed> {
    fed(setting, "futex", (Cause::Futex, "syscall", "await_futex"))
}

fn join(setting: &Setting) -> Result<(), Failed> {
    fed(setting, "join", (Cause::Join, "join", "await_thread"))
}

/// The program is killed after seconds in pthread_join, and leaves no processor times: its samples
/// tell that it did not compute.
fn killed_in_join(setting: &Setting) -> Result<(), Failed> {
    const WAIT: Duration = Duration::from_secs(2);
    let program = setting.compile("blocked")?;
    let mut child = setting.command(&program).arg("endless").env("OXOMP_HZ", "1000").spawn()?;
    let stdout = child.stdout.take().ok_or("no stdout")?;
    BufReader::new(stdout).read_line(&mut String::new())?;
    thread::sleep(WAIT);
    child.kill()?;
    child.wait()?;
    let [summary] = <[Summary; 1]>::try_from(setting.summaries()?)
        .map_err(|found| format!("{} profiles", found.len()))?;
    let (waits, serial) =
        (summary.budget.class_ns(Class::SerialWait), summary.budget.class_ns(Class::Serial));
    let facts = || format!("{:#?}", (&summary.header, &summary.budget, &summary.blocked));
    // Some samples may be late, and their number is one by chance.
    let least = WAIT.as_nanos() as u64 / 2;
    if !summary.header.truncated || waits < least || waits > summary.header.wall_ns {
        return Err(format!("waits {waits} ns, not {least} at least: {}", facts()).into());
    }
    if serial > waits {
        return Err(format!("{serial} ns of serial work: {}", facts()).into());
    }
    Ok(())
}

fn serial(setting: &Setting) -> Result<(), Failed> {
    let (run, asked, waits) = run(setting, "serial")?;
    let summary = run.summary()?;
    // The thread also waits for its files to be loaded, and for the collector.
    let before_regions = summary.serial.iter().filter(|one| one.after.is_none());
    let limits = (asked, waits + before_regions.map(|one| one.total_ns).sum::<u64>());
    blocked(&run, Class::SerialWait, limits, (Cause::Sleep, "nanosleep", "nap"))?;
    let between = summary.serial.iter().find(|one| one.after.is_some() && one.before.is_some());
    let between = between.ok_or("nothing between the regions")?;
    let waited = between.waited_ns as f64;
    ensure(waited > 0.8 * asked as f64, &run, "most of it is between them")?;
    ensure(waited <= 1.05 * waits as f64 + 5e6, &run, "and no more than the program waits")?;
    Ok(ensure(between.gain_ns * 2 < asked, &run, "waiting cannot be run in parallel")?)
}

fn computing(setting: &Setting) -> Result<(), Failed> {
    let (run, _, _) = run(setting, "compute")?;
    let budget = &run.summary()?.budget;
    let (found, useful) = (budget.class_ns(Class::Blocked), budget.class_ns(Class::Useful));
    Ok(ensure(found * 50 <= useful, &run, "computing is no waiting")?)
}

/// Checks waits for other iterations: all time has a class, and the rows sum to the class. Returns
/// the rows.
fn iteration_rows(summary: &Summary) -> Result<Vec<&Blocked>, String> {
    let rows = of_cause(summary, Cause::Doacross);
    let facts = || format!("{:#?}", (&summary.budget, &summary.blocked));
    let hold = |holds: bool, what: &str| {
        if holds { Ok(()) } else { Err(format!("{what}: {}", facts())) }
    };
    hold(is_whole(summary), "all time has a class")?;
    hold(rows.iter().all(|row| row.samples > 0), "they were seen")?;
    let in_rows: u64 = rows.iter().map(|row| row.time_ns).sum();
    // Parts of several threads are rounded, for each row.
    let rest = in_rows.abs_diff(summary.budget.class_ns(Class::Mutex));
    hold(rest <= (summary.threads.len() * rows.len()) as u64, "their class has their time")?;
    Ok(rows)
}

/// On a busy machine no sample may hit a thread that waits: LLVM's runtimes give the processor away
/// in each turn, and only user code is sampled.
fn is_unseen(setting: &Setting, rows: &[&Blocked]) -> bool {
    rows.is_empty() && !setting.is_oxomp()
}

/// The region of the row.
fn region_of<'a>(summary: &'a Summary, row: &Blocked) -> Option<&'a Region> {
    summary.regions.iter().find(|region| region.site == row.region && region.site.is_some())
}

/// The row names the sink as the user wrote it, and its region loses the time.
fn iterations(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("iterations")?;
    let run = setting.finish(setting.command(&program).env("OXOMP_HZ", "1000"))?;
    let summary = run.summary()?;
    let rows = iteration_rows(summary)?;
    if is_unseen(setting, &rows) {
        return Ok(());
    }
    let [row] = rows[..] else { return Err(format!("not one: {:#?}", summary.blocked).into()) };
    ensure(row.function == "ordered depend(sink : row - 1)", &run, "the sink")?;
    ensure(row.line.as_ref().is_some_and(|(_, line)| (17..=18).contains(line)), &run, "its line")?;
    let region = region_of(summary, row).ok_or("no region")?;
    Ok(ensure(region.gain.mutex_ns > 0, &run, "the region loses it")?)
}

fn two_sinks(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("iterations")?;
    let run = setting.finish(setting.command(&program).arg("two").env("OXOMP_HZ", "1000"))?;
    let summary = run.summary()?;
    let rows = iteration_rows(summary)?;
    if is_unseen(setting, &rows) {
        return Ok(());
    }
    let mut lines = BTreeSet::new();
    for row in &rows {
        ensure(row.function == "ordered depend(sink : row - 1)", &run, "the sink")?;
        let region = region_of(summary, row).ok_or("no region")?;
        ensure(region.gain.mutex_ns > 0, &run, "the inner region loses it")?;
        // The line of the directive, or of the code behind it.
        let sink = match row.line {
            Some((_, 29 | 30)) => 29,
            Some((_, 33 | 34)) => 33,
            _ => 0,
        };
        lines.insert(sink);
    }
    // On a busy machine all samples may be at one of them.
    let is_right = lines.len() == rows.len() && !lines.contains(&0);
    Ok(ensure(is_right, &run, &format!("their lines: {lines:?}"))?)
}

/// The loop is in the middle of a region, and the recording lacks the region's end.
fn killed_in_iterations(setting: &Setting) -> Result<(), Failed> {
    const MOST_MS: u64 = 20_000;
    let program = setting.compile("iterations")?;
    let mut milliseconds = 500;
    loop {
        let mut command = setting.command(&program);
        let mut child = command.arg("endless").env("OXOMP_HZ", "1000").spawn()?;
        let stdout = child.stdout.take().ok_or("no stdout")?;
        BufReader::new(stdout).read_line(&mut String::new())?;
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill()?;
        child.wait()?;
        let [summary] = <[Summary; 1]>::try_from(setting.summaries()?)
            .map_err(|found| format!("{} profiles", found.len()))?;
        let rows = iteration_rows(&summary)?;
        // On a busy machine the threads get to few samples.
        if rows.is_empty() && milliseconds < MOST_MS {
            milliseconds *= 4;
            continue;
        }
        if is_unseen(setting, &rows) {
            return Ok(());
        }
        let is_right =
            summary.header.truncated && rows.len() == 1 && region_of(&summary, rows[0]).is_some();
        return if is_right { Ok(()) } else { Err(format!("{:#?}", summary.blocked).into()) };
    }
}
