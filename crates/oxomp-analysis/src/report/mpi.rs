//! Calls of MPI.

use oxomp_text::Page;

use super::names::Names;
use super::table::{Align, Column, Fit, Table, write_table};
use super::units::{bytes, count, percent, share, time};
use crate::summary::{MpiCalls, Summary};

/// Rows shown.
const SHOWN: usize = 8;
/// Share of the recorded time below which a row is not worth a line.
const WORTH_A_LINE: f64 = 0.001;

const COLUMNS: [Column; 7] = [
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(20) },
    Column { title: "in region", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "calls", align: Align::Right, fit: Fit::Fixed },
    Column { title: "time", align: Align::Right, fit: Fit::Fixed },
    Column { title: "of wall", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "longest", align: Align::Right, fit: Fit::Drop(2) },
    Column { title: "bytes", align: Align::Right, fit: Fit::Drop(0) },
];

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let wall = summary.header.recorded_ns;
    let worth = |row: &&MpiCalls| share(row.time_ns, wall) >= WORTH_A_LINE;
    let mut table = Table::new(&COLUMNS);
    for row in summary.mpi.iter().filter(worth).take(SHOWN) {
        table.row(vec![
            row.function.clone(),
            row.region.map(|site| names.compact(Some(site))).unwrap_or_default(),
            count(row.calls),
            time(row.time_ns),
            percent(share(row.time_ns, wall)),
            time(row.longest_ns),
            if row.bytes == 0 { String::new() } else { bytes(row.bytes) },
        ]);
    }
    if !table.is_empty() {
        write_table(page, "MPI's calls, all threads together, by time", &table);
    }
}
