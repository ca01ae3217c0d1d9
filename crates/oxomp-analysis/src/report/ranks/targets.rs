//! The constructs for devices of all processes.

use oxomp_text::Page;

use super::names::process_name;
use super::regions::{columns, left, right};
use crate::ranks::{Job, JobTarget};
use crate::report::table::{Fit, Table, write_table};
use crate::report::units::{bytes, count, plural, time};

/// Rows of the table.
const SHOWN: usize = 8;

pub(super) fn write(page: &mut Page, job: &Job) {
    if job.targets.is_empty() {
        return;
    }
    let mut table = Table::new(&[
        left("", Fit::CutEnd(13)),
        left("", Fit::CutStart(14)),
        right("calls", Fit::Drop(4)),
        right("time of all", Fit::Fixed),
        right("mean", Fit::Drop(2)),
        right("longest", Fit::Fixed),
        left("in", Fit::Fixed),
        right("kernels", Fit::Drop(5)),
        right("to device", Fit::Drop(3)),
        right("from device", Fit::Drop(3)),
    ]);
    for target in job.targets.iter().take(SHOWN) {
        table.row(cells(target, job));
    }
    write_table(page, "Target constructs of all processes, by time", &table);
    if job.targets.len() > SHOWN {
        let rest = plural((job.targets.len() - SHOWN) as u64, "target construct");
        page.line(&format!("  and {rest}"));
    }
    for target in job.targets.iter().filter(|one| one.unfinished > 0) {
        let (_, place) = columns(target.place.as_ref());
        let calls = plural(target.unfinished, "call");
        let what = format!("{} {place}", target.kind.name());
        page.paragraph(&format!("  {what}: {calls} not finished when a recording ended"), 4);
    }
}

fn cells(target: &JobTarget, job: &Job) -> Vec<String> {
    let (_, place) = columns(target.place.as_ref());
    let known = |number: u64| if number > 0 { bytes(number) } else { String::new() };
    vec![
        target.kind.name().to_owned(),
        place,
        count(target.calls),
        time(target.time_ns),
        time(target.time_ns / job.processes.len().max(1) as u64),
        time(target.max_ns),
        job.processes.get(target.slowest).map(process_name).unwrap_or_default(),
        target.kernel_ns.filter(|ns| *ns > 0).map_or_else(String::new, time),
        known(target.to_bytes),
        known(target.from_bytes),
    ]
}
