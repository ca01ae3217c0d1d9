//! What the collector does to the program it is in: nothing.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use libtest_mimic::Failed;
use oxomp_analysis::summary::{Summary, WorkKind};
use oxomp_prerequisites::Program;

use crate::Check;
use crate::run::Setting;
use crate::whole::is_whole;

pub(crate) const CHECKS: &[Check] = &[
    ("a_killed_program_leaves_its_profile", killed),
    ("a_full_file_stops_the_recording_not_the_program", full),
    ("a_limit_of_file_sizes_stops_the_recording_not_the_program", file_size),
    ("a_wrong_size_is_told_with_the_one_in_use", wrong_size),
    ("many_events_take_little_room_and_are_all_counted", many),
    ("tasks_of_one_long_region_never_fill_the_file", long_region),
    ("what_has_no_room_is_told", no_room),
    ("iterations_of_all_teams_and_tasks_count_once", once_each),
    ("a_wait_is_known_after_any_number_of_regions_without_the_thread", absent_workers),
    ("tasks_that_a_cancellation_discards_are_created_and_not_executed", cancelled_tasks),
    ("a_flood_of_events_is_added_up_soon", flood),
    ("an_output_that_cannot_be_made_is_told_and_the_program_runs", no_output),
    ("threads_that_end_leave_their_room_to_others", short_threads),
    ("off_means_off", off),
    ("the_collector_takes_little_memory", memory),
    ("a_forked_child_leaves_the_profile_alone", forked),
    ("children_with_regions_have_profiles_of_their_own", children),
    ("the_program_pauses_and_ends_the_recording", controlled),
];

/// LLVM's runtime gives up the child of a region, does not call a tool in a child before its first
/// region, or has no leagues for gcc's code.
pub(crate) const ON_OXOMP: &[Check] = &[
    ("a_target_region_in_a_league_does_not_end_it", target_in_league),
    ("the_child_of_a_region_has_a_profile_of_what_it_begins", child_of_region),
    ("children_begin_late_pause_and_end", late_children),
];

/// The start of a process is known to the hundredth of a second.
const START_NS: u64 = 10_000_000;

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(otherwise().into()) }
}

/// How many regions were recorded.
fn calls(summary: &Summary) -> u64 {
    summary.regions.iter().map(|region| region.calls).sum()
}

fn sorted_calls(summaries: &[Summary]) -> Vec<u64> {
    let mut found: Vec<u64> = summaries.iter().map(calls).collect();
    found.sort_unstable();
    found
}

/// The summary of a program that is killed `milliseconds` after its first line.
fn killed_after(setting: &Setting, milliseconds: u64) -> Result<Summary, Failed> {
    let program = setting.compile("many")?;
    let mut child = setting.command(&program).arg("0").spawn()?;
    let stdout = child.stdout.take().ok_or("no stdout")?;
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line)?;
    sleep(Duration::from_millis(milliseconds));
    child.kill()?;
    child.wait()?;
    let [summary] = <[Summary; 1]>::try_from(setting.summaries()?)
        .map_err(|found| format!("{} profiles", found.len()))?;
    Ok(summary)
}

fn killed(setting: &Setting) -> Result<(), Failed> {
    const MOST_MS: u64 = 20_000;
    const LEAST_NS: u64 = 100_000_000;
    let mut milliseconds = 300;
    // On a busy machine the program gets to its regions late, and is seen last long before its end.
    let summary = loop {
        let summary = killed_after(setting, milliseconds)?;
        let is_seen = calls(&summary) > 10 && summary.header.wall_ns > LEAST_NS;
        if is_seen || milliseconds > MOST_MS {
            break summary;
        }
        milliseconds *= 4;
    };
    ensure(summary.header.truncated, || "not said to be truncated".to_owned())?;
    ensure(summary.header.cpu_ns.is_none(), || "CPU time of an unknown moment".to_owned())?;
    ensure(summary.quality.damaged.is_empty(), || format!("{:?}", summary.quality))?;
    let region = summary.regions.first().ok_or("no region")?;
    ensure(region.calls > 10, || format!("{} calls", region.calls))?;
    ensure(region.site.is_some(), || "no site".to_owned())?;
    ensure(is_whole(&summary), || format!("{}", summary.budget.accounted))?;
    ensure(summary.header.wall_ns > LEAST_NS, || format!("{}", summary.header.wall_ns))
}

fn full(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("many")?;
    let mut command = setting.command(&program);
    // More threads than there are chunks of 64 KiB.
    let run = setting.finish(command.args(["50", "20"]).env("OXOMP_MAX_SIZE", "1M"))?;
    ensure(run.status.code() == Some(7), || format!("{}: {}", run.status, run.stderr))?;
    ensure(run.stdout == "begun\nsum 1000\n", || run.stdout.clone())?;
    let summary = run.summary()?;
    ensure(summary.quality.stopped.is_some(), || "not said to be stopped".to_owned())?;
    ensure(run.stderr.lines().count() == 1, || run.stderr.clone())?;
    ensure(run.stderr.contains("OXOMP_MAX_SIZE"), || run.stderr.clone())?;
    ensure(is_whole(summary), || format!("{}", summary.budget.accounted))
}

fn file_size(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("many")?;
    let out = setting.out().display().to_string();
    // In units of 512 or 1024 bytes: room for a few chunks, and for no chunk.
    for (limit, says) in [("400", "stopped, the program goes on"), ("20", "nothing is recorded")] {
        let mut command = setting.command(Path::new("/bin/sh"));
        command.args(["-c", &format!("ulimit -f {limit}; exec \"$0\" 50 20")]).arg(&program);
        let run = setting.finish(&mut command)?;
        ensure(run.status.code() == Some(7), || format!("{}: {}", run.status, run.stderr))?;
        ensure(run.stderr.lines().count() == 1, || run.stderr.clone())?;
        for part in [says, "ulimit -f", &out] {
            ensure(run.stderr.contains(part), || format!("{part} in {}", run.stderr))?;
        }
        ensure(!run.stderr.contains("OXOMP_MAX_SIZE"), || run.stderr.clone())?;
        let stopped = run.summaries.iter().all(|summary| summary.quality.stopped.is_some());
        ensure(stopped, || "not said to be stopped".to_owned())?;
    }
    Ok(())
}

fn wrong_size(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("many")?;
    let run = setting.finish(setting.command(&program).arg("5").env("OXOMP_MAX_SIZE", "abc"))?;
    ensure(run.stderr.contains("OXOMP_MAX_SIZE=abc"), || run.stderr.clone())?;
    ensure(run.stderr.contains("using 256M"), || run.stderr.clone())
}

fn many(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("many")?;
    let mut command = setting.command(&program);
    let run = setting.finish(command.arg("20000").env("OXOMP_MAX_SIZE", "1M"))?;
    ensure(run.status.code() == Some(7), || format!("{}: {}", run.status, run.stderr))?;
    ensure(run.stdout == "begun\nsum 40000\n", || run.stdout.clone())?;
    ensure(run.stderr.is_empty(), || run.stderr.clone())?;
    let summary = run.summary()?;
    let [region] = summary.regions.as_slice() else { return Err("not one region".into()) };
    ensure(region.calls == 20000, || format!("{} calls", region.calls))?;
    let [lock] = summary.mutexes.as_slice() else { return Err("not one lock".into()) };
    ensure(lock.acquisitions == 40000, || format!("{} acquisitions", lock.acquisitions))?;
    let blamed: u64 = lock.holders.iter().map(|holder| holder.blame_ns).sum();
    let parts = blamed + lock.handoff_ns + lock.unattributed_ns;
    ensure(parts == lock.wait_ns, || format!("{lock:?}"))?;
    ensure(is_whole(summary), || format!("accounted {}", summary.budget.accounted))?;
    ensure(summary.quality.folded > 50_000, || format!("{:?}", summary.quality))?;
    ensure(summary.quality.anomalies.is_empty(), || format!("{:?}", summary.quality))
}

fn long_region(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("fib")?;
    let mut command = setting.command(&program);
    // 57,000 tasks: 3 MB of events.
    let run = setting.finish(command.arg("22").env("OXOMP_MAX_SIZE", "1M"))?;
    ensure(run.stdout == "fib 17711\n", || format!("{}{}", run.stdout, run.stderr))?;
    ensure(run.stderr.is_empty(), || run.stderr.clone())?;
    let summary = run.summary()?;
    ensure(summary.quality.stopped.is_none(), || format!("{:?}", summary.quality))?;
    ensure(!summary.header.truncated, || "truncated".to_owned())?;
    ensure(summary.quality.anomalies.is_empty(), || format!("{:?}", summary.quality))?;
    // The file has room for 33,000 events; a recorded task has two.
    let summed_up = 24_000..=57_312;
    ensure(summed_up.contains(&summary.quality.folded_tasks), || format!("{:?}", summary.quality))?;
    ensure(is_whole(summary), || format!("accounted {}", summary.budget.accounted))
}

/// Each table of the collector that does not grow has a line that says what it had no room for.
fn no_room(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("no_room")?;
    let run = setting.finish(&mut setting.command(&program))?;
    ensure(run.stderr.is_empty(), || run.stderr.clone())?;
    let summary = run.summary()?;
    let left_out = &summary.quality.left_out;
    let told = |words: &str| left_out.iter().find(|(what, _)| what.contains(words)).map(|it| it.1);
    // Sixteen of twenty locks have room, 65,536 nodes of tasks, and 4096 slots for locks.
    for (words, least, most) in [
        ("holds of mutexes", 4, 4),
        ("holders were not followed", 6_000 - 4_096, 6_020),
        ("waits too deep", 100, 1_000),
        ("beside 65,536", 70_000 - 65_536, 70_000 - 65_536 + 512),
        ("dependences", 50_000, 70_000),
    ] {
        let number = told(words).unwrap_or_default();
        ensure((least..=most).contains(&number), || format!("{words}: {left_out:?}"))?;
    }
    let acquisitions: u64 = summary.mutexes.iter().map(|mutex| mutex.acquisitions).sum();
    ensure(acquisitions == 6_020, || format!("{acquisitions} acquisitions"))
}

fn once_each(setting: &Setting) -> Result<(), Failed> {
    let run = setting.run("once_each")?;
    let (facts, summary) = (run.facts()?, run.summary()?);
    let of = |kind: WorkKind| {
        let works = summary.regions.iter().flat_map(|region| &region.worksharing);
        let works = works.filter(move |work| work.kind == kind);
        works.fold((0, 0), |sum, work| (sum.0 + work.executions, sum.1 + work.iterations))
    };
    let fact = |name: &str| u64::try_from(facts.get(name).copied().unwrap_or(-1)).unwrap_or(0);
    // gcc's code divides the iterations among teams by itself.
    if of(WorkKind::Distribute).0 > 0 || setting.compiler() == Program::Clang {
        let expected = (fact("leagues"), fact("distributed"));
        let found = of(WorkKind::Distribute);
        ensure(found == expected, || format!("distribute: {found:?}, not {expected:?}"))?;
    }
    let tasks = of(WorkKind::Taskloop).1;
    ensure(tasks == fact("in_tasks"), || format!("{tasks} iterations of taskloops"))?;
    // gcc's code does not tell libomp of a `single`.
    let singles = of(WorkKind::Single);
    let told = singles == (fact("singles"), fact("singles"));
    ensure(told || !setting.is_oxomp(), || format!("single: {singles:?}"))
}

fn absent_workers(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("absent_workers")?;
    let mut command = setting.command(&program);
    let run = setting.finish(command.env("OXOMP_EVENTS", "none"))?;
    let (facts, summary) = (run.facts()?, run.summary()?);
    ensure(facts.get("sum") == Some(&600), || format!("{facts:?}"))?;
    let anomalies = &summary.quality.anomalies;
    ensure(anomalies.is_empty(), || format!("{anomalies:?}"))
}

fn target_in_league(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("target_in_league")?;
    let mut command = setting.command(&program);
    let run = setting.finish(command.env("OXOMP_EVENTS", "none"))?;
    let (facts, summary) = (run.facts()?, run.summary()?);
    ensure(facts.get("sum") == Some(&40), || format!("{facts:?}"))?;
    ensure(is_whole(summary), || format!("{:?}", summary.budget))
}

fn cancelled_tasks(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("cancelled_tasks")?;
    for events in ["all", "none"] {
        let mut command = setting.command(&program);
        // Without agreement between the counts of the recording there is no summary.
        let run =
            setting.finish(command.env("OMP_CANCELLATION", "true").env("OXOMP_EVENTS", events))?;
        let (facts, summary) = (run.facts()?, run.summary()?);
        let tasks = summary.tasks.iter().map(|construct| construct.count).sum::<u64>();
        let ran = facts.get("ran").copied().unwrap_or(-1);
        ensure(i64::try_from(tasks) == Ok(ran), || {
            format!("with {events} events {tasks} tasks, not {ran}")
        })?;
        ensure(ran < 50 * 100, || "no task was discarded".to_owned())?;
        let anomalies = &summary.quality.anomalies;
        ensure(anomalies.is_empty(), || format!("with {events} events {anomalies:?}"))?;
    }
    Ok(())
}

fn flood(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("many")?;
    let mut command = setting.command(&program);
    // 16 events a region: 10 MB within a second or two.
    let run = setting.finish(command.arg("20000"))?;
    ensure(run.stdout == "begun\nsum 40000\n", || format!("{}{}", run.stdout, run.stderr))?;
    let summary = run.summary()?;
    let seconds = summary.header.wall_ns / 1_000_000_000 + 1;
    // 4 MiB at any rate, 1 MiB for each second, and the chunks that threads have begun.
    let most = (4 + seconds) * (1 << 20) / 32 + 16_384;
    ensure(summary.quality.events < most, || format!("{:?}", summary.quality))?;
    ensure(calls(summary) == 20_000, || format!("{} calls", calls(summary)))?;
    ensure(summary.quality.anomalies.is_empty(), || format!("{:?}", summary.quality))?;
    ensure(is_whole(summary), || format!("accounted {}", summary.budget.accounted))
}

fn no_output(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("many")?;
    let file = setting.folder.path().join("file");
    fs::write(&file, "")?;
    let mut command = setting.command(&program);
    let run = setting.finish(command.arg("5").env("OXOMP_OUT", file.join("out")))?;
    ensure(run.status.code() == Some(7), || format!("{}: {}", run.status, run.stderr))?;
    ensure(run.stderr.contains("OXOMP_OUT"), || run.stderr.clone())?;
    ensure(run.stderr.lines().count() == 1, || run.stderr.clone())
}

fn short_threads(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("short")?;
    // Rooms that are not used again would take 19 MB.
    let run = setting.finish(setting.command(&program).env("OXOMP_MAX_SIZE", "2M"))?;
    ensure(run.stdout == "done\n" && run.stderr.is_empty(), || run.stderr.clone())?;
    let summary = run.summary()?;
    let calls: u64 = summary.regions.iter().map(|region| region.calls).sum();
    ensure(calls == 300, || format!("{calls} regions"))?;
    ensure(summary.threads.len() >= 300, || format!("{} threads", summary.threads.len()))?;
    ensure(summary.quality.open_chunks == 0, || format!("{:?}", summary.quality))?;
    ensure(summary.quality.anomalies.is_empty(), || format!("{:?}", summary.quality))?;
    ensure(is_whole(summary), || format!("accounted {}", summary.budget.accounted))
}

fn off(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("many")?;
    let run = setting.finish(setting.command(&program).arg("5").env("OXOMP_TOOL", "off"))?;
    ensure(run.status.code() == Some(7), || format!("{}: {}", run.status, run.stderr))?;
    ensure(run.summaries.is_empty(), || "a profile all the same".to_owned())?;
    ensure(run.stderr.is_empty(), || run.stderr.clone())
}

fn memory(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("memory")?;
    let resident = |tool: &str| -> Result<i64, Failed> {
        let run = setting.finish(setting.command(&program).env("OXOMP_TOOL", tool))?;
        Ok(run.facts()?.get("resident").copied().ok_or("no fact")?)
    };
    // A few chunks of 64 KiB for each thread, and code.
    let (with, without) = (resident("profile")?, resident("off")?);
    ensure(with < without + 8_192, || format!("{with} kB, without recording {without} kB"))
}

fn forked(setting: &Setting) -> Result<(), Failed> {
    let run = setting.run("fork")?;
    ensure(run.stdout == "child\n2 2 3\n", || format!("{}{}", run.stdout, run.stderr))?;
    let summary = run.summary()?;
    let calls = calls(summary);
    ensure(calls == 2, || format!("{calls} regions"))?;
    ensure(!summary.header.truncated, || "truncated".to_owned())
}

fn children(setting: &Setting) -> Result<(), Failed> {
    let run = setting.run("children")?;
    ensure(run.stdout == "1 2 5 4 end\n", || format!("{}{}", run.stdout, run.stderr))?;
    let found = sorted_calls(&run.summaries);
    ensure(found == [2, 2, 3, 5, 7], || format!("{found:?}: {}", run.stderr))?;
    for summary in &run.summaries {
        let who = format!("the process with {} regions", calls(summary));
        let accounted = summary.budget.accounted;
        ensure(is_whole(summary), || format!("{who}: {accounted} accounted"))?;
        ensure(summary.quality.damaged.is_empty(), || format!("{who}: {:?}", summary.quality))?;
        // The one that ends by _exit does not say so.
        ensure(summary.header.truncated == (calls(summary) == 3), || format!("{who}: truncated"))?;
        ensure(summary.header.max_team == 2, || format!("{who}: {}", summary.header.max_team))?;
    }
    Ok(())
}

fn late_children(setting: &Setting) -> Result<(), Failed> {
    let run = setting.run("late_child")?;
    let lived = run.stdout.strip_prefix("0 0 0 0 end ").and_then(|it| it.trim().parse().ok());
    let lived: u64 = lived.ok_or_else(|| format!("{}{}", run.stdout, run.stderr))?;
    let found = sorted_calls(&run.summaries);
    ensure(found == [1, 3, 4, 40], || format!("{found:?}: {}", run.stderr))?;
    for summary in &run.summaries {
        ensure(is_whole(summary), || format!("{}", summary.budget.accounted))?;
    }
    // A child's profile begins with its own fork, whatever its parent has.
    let grandchild = run.summaries.iter().find(|summary| calls(summary) == 3).ok_or("none")?;
    let wall = grandchild.header.wall_ns;
    ensure(wall < lived + START_NS, || format!("{wall} ns of a process that lived {lived} ns"))
}

fn child_of_region(setting: &Setting) -> Result<(), Failed> {
    let run = setting.run("child_of_region")?;
    ensure(run.stdout == "4\n", || format!("{}{}", run.stdout, run.stderr))?;
    let found = sorted_calls(&run.summaries);
    ensure(found == [1, 2], || format!("{found:?}: {}", run.stderr))?;
    for summary in &run.summaries {
        ensure(is_whole(summary), || format!("{}", summary.budget.accounted))?;
        ensure(summary.quality.damaged.is_empty(), || format!("{:?}", summary.quality))?;
    }
    Ok(())
}

fn controlled(setting: &Setting) -> Result<(), Failed> {
    let run = setting.run("control")?;
    ensure(run.stdout == "0 1 0 0 0\n", || format!("{}{}", run.stdout, run.stderr))?;
    let summary = run.summary()?;
    let calls = calls(summary);
    ensure(calls == 20, || format!("{calls} regions"))?;
    ensure(is_whole(summary), || format!("{}", summary.budget.accounted))
}
