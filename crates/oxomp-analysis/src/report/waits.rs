//! Waits at barriers inside regions, and waits for locks and criticals with their holders.

use super::names::Names;
use super::table::{Align, Column, Fit, Table, write_table};
use super::units::{count, percent, plural, share, time};
use crate::summary::{Mutex, Summary};
use oxomp_text::Page;

/// Rows of each table.
const SHOWN: usize = 5;
/// Share of all threads' time below which a wait is not worth a line.
const WORTH_A_LINE: f64 = 0.001;
/// Holders named for each site.
const HOLDERS: usize = 2;

/// Title of the column for waits while no task is ready.
const STARVED: &str = "few tasks";

const BARRIER_COLUMNS: [Column; 8] = [
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(10) },
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(10) },
    Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "passes", align: Align::Right, fit: Fit::Drop(0) },
    Column { title: "wait", align: Align::Right, fit: Fit::Fixed },
    Column { title: "imbalance", align: Align::Right, fit: Fit::Drop(2) },
    Column { title: STARVED, align: Align::Right, fit: Fit::Drop(2) },
    Column { title: "own cost", align: Align::Right, fit: Fit::Drop(1) },
];

const MUTEX_COLUMNS: [Column; 8] = [
    Column { title: "", align: Align::Left, fit: Fit::Fixed },
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(10) },
    Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "acquired", align: Align::Right, fit: Fit::Drop(2) },
    Column { title: "contended", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "wait", align: Align::Right, fit: Fit::Fixed },
    Column { title: "longest", align: Align::Right, fit: Fit::Drop(0) },
    Column { title: "meanwhile held by", align: Align::Left, fit: Fit::CutEnd(36) },
];

pub(super) fn write_barriers(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let worth = |wait: u64| share(wait, summary.budget.total_ns) >= WORTH_A_LINE;
    // A column for what some barrier has.
    let starving = summary.barriers.iter().any(|barrier| barrier.starved_ns > 0);
    let is_shown = |column: &Column| starving || column.title != STARVED;
    let columns: Vec<Column> = BARRIER_COLUMNS.into_iter().filter(is_shown).collect();
    let mut table = Table::new(&columns);
    for barrier in summary.barriers.iter().filter(|barrier| worth(barrier.wait_ns)).take(SHOWN) {
        // A barrier whose place the runtime does not tell is named by its region.
        let (function, place) = names.columns(barrier.site.or(barrier.region));
        let mut cells = vec![
            barrier.words(),
            function,
            place,
            count(barrier.passes),
            time(barrier.wait_ns),
            time(barrier.imbalance_ns),
        ];
        cells.extend(starving.then(|| time(barrier.starved_ns)));
        cells.push(time(barrier.cost_ns));
        table.row(cells);
    }
    if !table.is_empty() {
        write_table(page, "Barriers inside regions (all threads)", &table);
    }
}

pub(super) fn write_mutexes(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let worth = |mutex: &&Mutex| share(mutex.lost_ns(), summary.budget.total_ns) >= WORTH_A_LINE;
    let mut table = Table::new(&MUTEX_COLUMNS);
    for mutex in summary.mutexes.iter().filter(worth).take(SHOWN) {
        let (function, place) = names.columns(mutex.site);
        table.row(vec![
            mutex.kind.name().to_owned(),
            function,
            place,
            count(mutex.acquisitions),
            percent(share(mutex.contended, mutex.acquisitions)),
            time(mutex.lost_ns()),
            time(mutex.max_wait_ns),
            holders(mutex, names),
        ]);
    }
    if !table.is_empty() {
        write_table(page, "Locks and criticals (all threads)", &table);
    }
    for mutex in summary.mutexes.iter().filter(worth).take(SHOWN) {
        if let Some(text) = tests(mutex) {
            page.paragraph(&format!("  {}  {text}", names.compact(mutex.site)), 4);
        }
    }
    let little: Vec<&Mutex> = summary.mutexes.iter().filter(|mutex| !worth(mutex)).collect();
    if !little.is_empty() {
        let total = |part: fn(&Mutex) -> u64| little.iter().map(|mutex| part(mutex)).sum();
        let line = format!(
            "{} of locks and criticals with little waiting: {}, wait {}",
            plural(little.len() as u64, "site"),
            plural(total(|mutex| mutex.acquisitions), "acquisition"),
            time(total(|mutex| mutex.wait_ns))
        );
        if table.is_empty() {
            page.line("");
            page.paragraph(&line, 2);
        } else {
            page.paragraph(&format!("  {line}"), 4);
        }
    }
}

/// The failed tests of a lock, if there were any.
#[must_use]
pub fn tests(mutex: &Mutex) -> Option<String> {
    let (test, failed) = (mutex.kind.test(), plural(mutex.failed, "time"));
    let apart = time(mutex.tested_ns.checked_div(mutex.failed)?);
    Some(match mutex.spin_ns {
        0 => format!("{test} failed {failed}, {apart} apart: what is between is taken for work"),
        spin => format!("{test} failed {failed}, {apart} apart: threads spun for {}", time(spin)),
    })
}

/// `hist.c:41 (87 %), nobody (13 %)`, the most costly first; `nobody` is the hand-off, in which no
/// thread held the lock.
fn holders(mutex: &Mutex, names: Names<'_>) -> String {
    let mut parts: Vec<(String, u64)> = mutex
        .holders
        .iter()
        .take(HOLDERS)
        .map(|holder| (names.compact(holder.site), holder.blame_ns))
        .collect();
    parts.push(("nobody".to_owned(), mutex.handoff_ns));
    parts.sort_by_cached_key(|part| std::cmp::Reverse(part.1));
    let said: Vec<String> = parts
        .iter()
        .map(|(who, ns)| (who, share(*ns, mutex.wait_ns) * 100.0))
        .filter(|(_, percent)| *percent >= 0.5)
        .map(|(who, percent)| format!("{who} ({percent:.0} %)"))
        .collect();
    said.join(", ")
}
