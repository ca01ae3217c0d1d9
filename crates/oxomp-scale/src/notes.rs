//! What makes the numbers doubtful, or less than they seem.

use oxomp_analysis::report::units::{percent, plural};
use oxomp_analysis::summary::{Class, MUCH_RECORDING};

use crate::numbers::{ns, ratio};
use crate::point::Point;
use crate::scale::Scale;
use crate::verdict::named;

/// A shorter run is mostly the start of a process, ns.
const SHORT_NS: f64 = 50e6;
/// The spread of a number of threads that is worth a sentence.
const WIDE: f64 = 0.1;
/// The part of the wall time without a processor from which other programs had a say.
const BUSY: f64 = 0.1;
/// Regions that are named one by one.
const NAMED: usize = 5;

pub(crate) fn warnings(scale: &Scale) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(scale.points.iter().flat_map(incomplete));
    notes.extend(short(scale));
    notes.extend(wide(scale));
    notes.extend(beyond(scale));
    notes.extend(busy(scale));
    notes.extend(recording(scale));
    notes.extend(variables(scale));
    notes.extend(teams(scale));
    notes.extend(more_work(scale));
    notes.extend(serial_grows(scale));
    let own = scale.points.iter().map(|point| point.run().initial_threads).max().unwrap_or(1);
    if own > 1 && !scale.regions.is_empty() {
        notes.push(format!(
            "{} of the program's own use OpenMP: serial is the first one's time outside of \
             regions; regions of several at the same time count in proportion",
            plural(own.into(), "thread")
        ));
    }
    notes
}

fn incomplete(point: &Point) -> Vec<String> {
    let mut notes = Vec::new();
    for (number, run) in
        point.runs.iter().enumerate().filter(|(_, run)| !run.facts.incomplete.is_empty())
    {
        notes.push(format!(
            "{}, run {}: {}; its numbers are too small",
            plural(point.threads.into(), "thread"),
            number + 1,
            run.facts.incomplete.join(", ")
        ));
    }
    if point.runs.iter().any(|run| run.facts.paused) {
        notes.push(format!(
            "{}: the program paused the recording; all times are without the pauses",
            plural(point.threads.into(), "thread")
        ));
    }
    notes
}

fn short(scale: &Scale) -> Option<String> {
    let base = scale.base();
    (base.wall_ns < SHORT_NS).then(|| {
        format!(
            "a run takes {} with {}: too short, since much of it is the start of the process; \
             give the program more work",
            ns(base.wall_ns),
            plural(base.threads.into(), "thread")
        )
    })
}

fn wide(scale: &Scale) -> Option<String> {
    let wide = scale.points.iter().filter(|point| point.spread() > WIDE).map(|point| {
        let (least, most) = (point.least_wall_ns, point.most_wall_ns);
        format!("{} {} to {}", plural(point.threads.into(), "thread"), ns(least), ns(most))
    });
    let wide: Vec<String> = wide.collect();
    (!wide.is_empty()).then(|| {
        format!(
            "runs of one number differ ({}): other programs, or the program itself, make them; a \
             quiet machine or a greater `--repeat` helps",
            wide.join("; ")
        )
    })
}

fn beyond(scale: &Scale) -> Option<String> {
    let beyond: Vec<String> = scale
        .points
        .iter()
        .filter(|point| point.is_beyond)
        .map(|point| point.threads.to_string())
        .collect();
    (!beyond.is_empty()).then(|| {
        format!(
            "{} threads are more than the {} for the program: they take turns, and the ideal is \
             that of the processors",
            beyond.join(", "),
            plural(scale.processors.into(), "processor")
        )
    })
}

/// With enough processors for all threads, a lack of them is the work of others.
fn busy(scale: &Scale) -> Option<String> {
    let without = |point: &Point| {
        let regions = point.run().regions.values();
        let lost: f64 = regions.map(|region| region.losses[Class::Scheduler as usize]).sum();
        ratio(lost, point.run().wall_ns)
    };
    let busy: Vec<String> = scale
        .points
        .iter()
        .filter(|point| !point.is_beyond && without(point) > BUSY)
        .map(|point| {
            format!("{} {}", plural(point.threads.into(), "thread"), percent(without(point)))
        })
        .collect();
    (!busy.is_empty()).then(|| {
        format!(
            "threads were without a processor, though there are enough ({} of the time): other \
             programs ran beside this one",
            busy.join("; ")
        )
    })
}

/// What recording took beside the threads' work: nothing tells in which region, or in which class
/// of time it is.
fn recording(scale: &Scale) -> Option<String> {
    let part = |point: &Point| {
        let run = point.run();
        run.recording_ns.map(|taken| ratio(taken, run.worked_ns))
    };
    let much: Vec<String> = scale
        .points
        .iter()
        .filter_map(|point| {
            let part = part(point).filter(|part| *part > MUCH_RECORDING)?;
            Some(format!("{} {}", plural(point.threads.into(), "thread"), percent(part)))
        })
        .collect();
    (!much.is_empty()).then(|| {
        format!(
            "recording took as much as a part of the threads' work ({}): so much of work inflation, \
             and of what regions lose, may be the recording's",
            much.join("; ")
        )
    })
}

/// OpenMP's variables by which teams have fewer threads than asked for.
fn variables(scale: &Scale) -> Vec<String> {
    let most = scale.points.last().map_or(0, |point| point.threads);
    let value = |name: &str| {
        let found = scale.facts().environment.iter().find(|(present, _)| present == name);
        found.map(|(_, value)| value.trim().to_owned())
    };
    let mut notes = Vec::new();
    if let Some(limit) = value("OMP_THREAD_LIMIT")
        && limit.parse::<u32>().is_ok_and(|limit| limit < most)
    {
        notes.push(format!("OMP_THREAD_LIMIT={limit}: teams have no more threads than that"));
    }
    if let Some(dynamic) = value("OMP_DYNAMIC")
        && ["true", "1", "yes", "on"].contains(&dynamic.to_lowercase().as_str())
    {
        notes.push(format!(
            "OMP_DYNAMIC={dynamic}: the runtime may give teams fewer threads than asked for"
        ));
    }
    notes
}

/// Regions whose teams are not those that were asked for.
fn teams(scale: &Scale) -> Vec<String> {
    let own: Vec<_> = scale
        .regions
        .iter()
        .filter_map(|region| Some((region, region.own_team(&scale.points)?)))
        .collect();
    if own.len() == scale.regions.len() && own.len() > 1 {
        // The verdict says it.
        return Vec::new();
    }
    let mut notes: Vec<String> = own
        .iter()
        .take(NAMED)
        .map(|(region, team)| {
            format!(
                "{} has teams of {} whatever the number (num_threads, omp_set_num_threads, if)",
                named(&region.construct),
                plural((*team).into(), "thread")
            )
        })
        .collect();
    if own.len() > NAMED {
        let more = plural((own.len() - NAMED) as u64, "more region");
        notes.push(format!("{more} with teams of a size of their own"));
    }
    notes
}

fn more_work(scale: &Scale) -> Vec<String> {
    let grown = scale.regions.iter().filter_map(|region| {
        let (few, many) = region.more_work(scale.judged)?;
        Some(format!(
            "{} has {few} iterations with {}, {many} with {}: more threads get more work, and \
             times cannot be compared",
            named(&region.construct),
            plural(scale.base().threads.into(), "thread"),
            scale.at().threads
        ))
    });
    grown.take(NAMED).collect()
}

fn serial_grows(scale: &Scale) -> Option<String> {
    let (base, at) = (scale.base(), scale.at());
    let (before, after) = (base.run().serial_ns, at.run().serial_ns);
    let is_large = after - before >= 0.02 * at.wall_ns;
    (scale.judged > 0 && is_large && at.exceeds(base, 1.25, |run| run.serial_ns)).then(|| {
        format!(
            "code outside of regions takes {} with {}, {} with {}: it should not depend on them",
            ns(before),
            plural(base.threads.into(), "thread"),
            ns(after),
            at.threads
        )
    })
}
