//! Where user code blocked: it neither computed nor lacked a processor; and where it waited for
//! other iterations of a doacross loop nest.

use super::distances::{awaited, counted};
use super::names::{Names, line_name};
use super::table::{Align, Column, Fit, Table, write_table};
use super::units::{percent, share, time};
use crate::summary::{Blocked, Cause, Region, Summary};
use oxomp_text::Page;

/// Rows shown.
const SHOWN: usize = 6;
/// Share of the threads' time below which a path is not worth a line.
const WORTH_A_LINE: f64 = 0.005;
/// Functions of a path that are shown, the innermost ones.
const FUNCTIONS: usize = 4;

const COLUMNS: [Column; 5] = [
    Column { title: "waits in", align: Align::Left, fit: Fit::CutEnd(16) },
    Column { title: "for", align: Align::Left, fit: Fit::CutEnd(25) },
    Column { title: "called by", align: Align::Left, fit: Fit::CutStart(18) },
    Column { title: "region", align: Align::Left, fit: Fit::CutStart(12) },
    Column { title: "time", align: Align::Right, fit: Fit::Fixed },
];

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let mut table = Table::new(&COLUMNS);
    let total = match summary.budget.recorded_ns() {
        // The program has not used OpenMP.
        0 => summary.header.wall_ns,
        recorded => recorded,
    };
    let worth = |one: &&Blocked| share(one.time_ns, total) >= WORTH_A_LINE;
    for one in summary.blocked.iter().filter(worth).take(SHOWN) {
        let region = one.region.map_or_else(|| "serial".to_owned(), |_| names.compact(one.region));
        table.row(vec![
            one.function.clone(),
            counted(&one.distances).unwrap_or_else(|| one.cause.name().to_owned()),
            caller(one),
            region,
            time(one.time_ns),
        ]);
    }
    if table.is_empty() {
        return;
    }
    let has = |cause| summary.blocked.iter().any(|one| worth(&one) && one.cause == cause);
    let title = match (has(Cause::Doacross), has(Cause::Reduction)) {
        (false, false) => "Blocked: threads that neither computed nor lacked a processor",
        (true, false) => "Blocked, or waiting for other iterations (ordered with sink)",
        (false, true) => "Blocked, or waiting for the turn to combine a reduction",
        (true, true) => "Blocked, or waiting for other iterations and for turns in reductions",
    };
    write_table(page, title, &table);
}

/// The last functions of the path, and the line of the call.
fn caller(one: &Blocked) -> String {
    let from = one.path.len().saturating_sub(FUNCTIONS);
    let mut path = one.path[from..].to_vec();
    path.dedup();
    let mut text = path.join(" > ");
    if let Some(line) = one.line.as_ref().map(line_name) {
        text.push_str(&format!(" {line}"));
    }
    text
}

/// What to do about the time that threads of `region` are blocked, with the causes of most of it.
pub(super) fn against(region: &Region, summary: &Summary) -> Option<String> {
    let in_region = |one: &&Blocked| one.region == region.site && !one.cause.is_runtimes();
    let all: u64 = summary.blocked.iter().filter(in_region).map(|one| one.time_ns).sum();
    let most = summary.blocked.iter().find(in_region)?;
    let place = most
        .line
        .as_ref()
        .map(|line| format!(" called at {}", line_name(line)))
        .unwrap_or_default();
    let part = percent(share(most.time_ns, all));
    let remedy = remedy(most.cause);
    Some(match most.cause {
        Cause::Unknown => format!("its threads do not compute but wait in the system: {remedy}"),
        cause => format!(
            "its threads wait in {}{place} ({}, {part} of the time blocked): {remedy}",
            most.function,
            cause.name(),
        ),
    })
}

/// What the threads of `region` wait for other iterations of a doacross loop nest: the time of each
/// on average, its standard error, ns, and where they wait most.
pub(super) fn for_iterations(region: &Region, summary: &Summary) -> Option<(u64, u64, String)> {
    for_others(Cause::Doacross, region, summary)
}

/// What the threads of `region` wait for their turns in reductions: the time of each on average,
/// ns, and where they wait most.
pub(super) fn for_turns(region: &Region, summary: &Summary) -> Option<(u64, String)> {
    let (lost_ns, _, place) = for_others(Cause::Reduction, region, summary)?;
    Some((lost_ns, place))
}

fn for_others(cause: Cause, region: &Region, summary: &Summary) -> Option<(u64, u64, String)> {
    let waits = || {
        let of_region = summary.blocked.iter().filter(|one| one.region == region.site);
        of_region.filter(|one| one.cause == cause)
    };
    let most = waits().next()?;
    let team = u64::from(region.team.1.max(1));
    let mean = |time: fn(&Blocked) -> u64| waits().map(time).fold(0, u64::saturating_add) / team;
    let (lost_ns, error_ns) = (mean(|one| one.time_ns), mean(|one| one.error_ns));
    // A few samples say nothing, and a short wait does not explain a long one at the region's end.
    if lost_ns <= error_ns || lost_ns < region.gain.imbalance_ns / 10 {
        return None;
    }
    let place =
        most.line.as_ref().map_or_else(String::new, |line| format!(" at {}", line_name(line)));
    let which = awaited(&most.distances).map(|text| format!(", for {text}")).unwrap_or_default();
    let text = format!("{}{place}{which}", most.function);
    Some((lost_ns, error_ns, text))
}

fn remedy(cause: Cause) -> &'static str {
    match cause {
        Cause::Mutex | Cause::ReadWriteLock => {
            "hold the lock shorter, take it less often, or give each thread its own copy of what \
             it guards"
        }
        Cause::Condition | Cause::Semaphore | Cause::Barrier | Cause::Join | Cause::Futex => {
            "threads of the team wait for each other, or for others: let tasks with dependences \
             order the work"
        }
        Cause::Sleep => "do not sleep where work is left: wait for the event itself",
        Cause::Read | Cause::Write | Cause::Disk | Cause::Connection | Cause::Poll => {
            "let a task read or write ahead while the others compute, in larger parts"
        }
        Cause::FileLock | Cause::File | Cause::Child | Cause::Signal | Cause::Device => {
            "move it out of the region, or let other tasks run meanwhile"
        }
        Cause::Page | Cause::AddressSpace => {
            "touch, map and free memory before the region, in larger parts"
        }
        Cause::Doacross | Cause::Reduction | Cause::Call(_) | Cause::Unknown => {
            "move the waits out of the region"
        }
    }
}
