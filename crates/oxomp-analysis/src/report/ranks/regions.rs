//! The regions and MPI's functions of all processes.

use oxomp_text::Page;

use super::certainty::job_bounds_hold;
use super::names::process_name;
use crate::ranks::{Brief, Job, JobRegion, MpiSums};
use crate::report::table::{Align, Column, Fit, Table, write_table};
use crate::report::units::{bytes, count, percent, plural, time};
use crate::symbols::Place;

/// Rows of a table.
const SHOWN: usize = 8;
/// Part of the processes' time below which a function of MPI is not worth a row.
const WORTH_A_ROW: f64 = 0.001;

pub(super) const fn left(title: &'static str, fit: Fit) -> Column {
    Column { title, align: Align::Left, fit }
}

pub(super) const fn right(title: &'static str, fit: Fit) -> Column {
    Column { title, align: Align::Right, fit }
}

pub(super) fn write(page: &mut Page, job: &Job) {
    if job.regions.is_empty() {
        return;
    }
    let gain = if job_bounds_hold(job) { "gain ≤ of all" } else { "lost by all" };
    let mut table = Table::new(&[
        left("", Fit::CutEnd(12)),
        left("", Fit::CutStart(14)),
        right("calls", Fit::Drop(0)),
        right("wall of all", Fit::Fixed),
        right("mean", Fit::Drop(2)),
        right("longest", Fit::Fixed),
        left("in", Fit::Fixed),
        right(gain, Fit::Drop(1)),
    ]);
    for region in job.regions.iter().take(SHOWN) {
        table.row(cells(region, job));
    }
    write_table(page, "Regions of all processes, by time", &table);
    if job.regions.len() > SHOWN {
        page.line(&format!("  and {}", plural((job.regions.len() - SHOWN) as u64, "region")));
    }
}

fn cells(region: &JobRegion, job: &Job) -> Vec<String> {
    let (function, place) = columns(region.place.as_ref());
    vec![
        function,
        place,
        count(region.calls),
        time(region.wall_ns),
        time(region.wall_ns / job.processes.len().max(1) as u64),
        time(region.max_ns),
        job.processes.get(region.slowest).map(process_name).unwrap_or_default(),
        time(region.gain_ns),
    ]
}

pub(super) fn columns(place: Option<&Place>) -> (String, String) {
    let Some(place) = place else { return (String::new(), "(unknown place)".to_owned()) };
    (place.function_or_nearest().unwrap_or_default(), place.short())
}

/// `relax solver.c:118`, in a sentence.
pub(super) fn phrase(region: &JobRegion) -> String {
    let (function, place) = columns(region.place.as_ref());
    format!("{function} {place}").trim().to_owned()
}

/// The title of the table of MPI's calls: how their part of the wall time is known.
#[must_use]
pub fn mpi_title(job: &Job) -> &'static str {
    let timed = |one: &Brief| one.mpi_is_timed;
    let mut known = job.processes.iter().filter(|one| one.mpi.is_some());
    if known.clone().all(timed) {
        "MPI's calls, of the first threads' wall time"
    } else if known.any(timed) {
        "MPI's calls, of the first threads' wall time; some by samples"
    } else {
        "MPI's calls, by the first thread's samples, of the wall time"
    }
}

pub(super) fn write_mpi(page: &mut Page, job: &Job) {
    let worth: Vec<_> =
        job.mpi.iter().filter(|call| call.share >= WORTH_A_ROW).take(SHOWN).collect();
    if worth.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        left("", Fit::CutEnd(20)),
        right("calls", Fit::Drop(1)),
        right("longest", Fit::Drop(2)),
        right("bytes", Fit::Drop(0)),
        right("mean", Fit::Fixed),
        right("most", Fit::Fixed),
        left("in", Fit::Fixed),
        right("waiting", Fit::Drop(3)),
    ]);
    for call in worth {
        let known = |of: fn(&MpiSums) -> String| call.sums.as_ref().map(of).unwrap_or_default();
        table.row(vec![
            call.name.clone(),
            known(|sums| count(sums.calls)),
            known(|sums| time(sums.longest_ns)),
            known(|sums| if sums.bytes == 0 { String::new() } else { bytes(sums.bytes) }),
            percent(call.share),
            percent(call.largest_share),
            job.processes.get(call.largest_in).map(process_name).unwrap_or_default(),
            call.wait_ns.map(time).unwrap_or_default(),
        ]);
    }
    write_table(page, mpi_title(job), &table);
}
