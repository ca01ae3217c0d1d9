//! Waits for other ranks in MPI's calls.

use oxomp_text::Page;

use super::names::process_name;
use super::regions::{columns, left, right};
use crate::ranks::{Job, MpiWait, MpiWaits};
use crate::report::table::{Fit, Table, write_table};
use crate::report::units::{count, percent, plural, share, time};

/// Rows of the table.
const SHOWN: usize = 8;
/// Part of the processes' time below which a row is not worth a line.
const WORTH_A_ROW: f64 = 0.001;

pub(super) fn write(page: &mut Page, job: &Job) {
    let Some(waits) = &job.waits else { return };
    let all = job.processes.iter().fold(0_u64, |sum, one| sum.saturating_add(one.recorded_ns));
    let is_worth = |row: &&MpiWait| share(row.wait_ns, all) >= WORTH_A_ROW;
    let worth: Vec<_> = waits.rows.iter().filter(is_worth).take(SHOWN).collect();
    if !worth.is_empty() {
        let mut table = Table::new(&[
            left("", Fit::CutEnd(20)),
            left("in region", Fit::CutStart(14)),
            left("for", Fit::Fixed),
            right("calls", Fit::Drop(1)),
            right("wait of all", Fit::Fixed),
            right("longest", Fit::Drop(2)),
            left("most in", Fit::Drop(0)),
            left("late", Fit::Fixed),
        ]);
        for row in worth {
            table.row(cells(row, job));
        }
        write_table(page, "Waits for other ranks in MPI's calls, by time", &table);
    }
    for note in job_waits_notes(waits) {
        page.paragraph(&format!("  {note}"), 4);
    }
}

fn cells(row: &MpiWait, job: &Job) -> Vec<String> {
    let name = |at: usize| job.processes.get(at).map(process_name).unwrap_or_default();
    let region = row.region.as_ref().map(|place| columns(Some(place)).1);
    vec![
        row.function.clone(),
        region.unwrap_or_default(),
        row.cause.name().to_owned(),
        count(row.calls),
        time(row.wait_ns),
        time(row.longest_ns),
        name(row.waiting),
        format!("{} {}", name(row.late), percent(share(row.late_ns, row.wait_ns))),
    ]
}

/// How far the waits are known, in sentences.
#[must_use]
pub fn job_waits_notes(waits: &MpiWaits) -> Vec<String> {
    let mut notes = Vec::new();
    if waits.estimated {
        notes.push(
            "Waits are estimates: of many calls of one kind some were recorded, and stand for the \
             others."
                .to_owned(),
        );
    }
    if waits.left_out > 0 {
        let what = plural(waits.left_out, "operation");
        notes.push(format!("Nothing is known of the waits in {what} of MPI: there was no room."));
    }
    if waits.unmatched > 0 {
        let what = plural(waits.unmatched, "operation");
        let all = waits.matched.saturating_add(waits.unmatched);
        notes.push(format!(
            "Nothing is known of the waits in {what} of MPI, of {}: a rank's part is not recorded.",
            count(all)
        ));
    }
    match waits.clock_error_ns {
        _ if waits.machines < 2 => {}
        Some(error) => notes.push(format!(
            "The clocks of {} were put together by messages: waits may be wrong by {}.",
            plural(waits.machines, "machine"),
            time(error)
        )),
        None => notes.push(format!(
            "The clocks of {} were put together by the time of day, with an unknown error.",
            plural(waits.machines, "machine")
        )),
    }
    notes
}
