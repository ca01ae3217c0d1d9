//! Code that one thread ran alone, in the order of what running it in parallel could win.

use super::calls;
use super::certainty::gain_title;
use super::names::Names;
use super::table::{Align, Column, Fit, Table, write_table};
use super::units::{count, share, time};
use crate::summary::{SerialStretch, Summary};
use oxomp_text::Page;

/// Stretches shown.
const SHOWN: usize = 5;
/// Share of the recorded time below which a stretch is not worth a line.
const WORTH_A_LINE: f64 = 0.01;

/// The column for what could be won.
const GAIN: &str = "gain";

const COLUMNS: [Column; 7] = [
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(20) },
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(14) },
    Column { title: "count", align: Align::Right, fit: Fit::Drop(0) },
    Column { title: "total", align: Align::Right, fit: Fit::Fixed },
    Column { title: "longest", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "waiting ≥", align: Align::Right, fit: Fit::Drop(2) },
    Column { title: GAIN, align: Align::Right, fit: Fit::Fixed },
];

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let columns = COLUMNS.map(|column| match column.title {
        GAIN => Column { title: gain_title(summary), ..column },
        _ => column,
    });
    let mut table = Table::new(&columns);
    let mut hot = Vec::new();
    let wall = summary.header.recorded_ns;
    let worth = |stretch: &&SerialStretch| share(stretch.total_ns, wall) >= WORTH_A_LINE;
    for stretch in summary.serial.iter().filter(worth).take(SHOWN) {
        let (from, to) = ends(stretch, names);
        table.row(vec![
            format!("from {from}"),
            format!("to {to}"),
            count(stretch.count),
            time(stretch.total_ns),
            time(stretch.max_ns),
            waited(stretch),
            time(stretch.gain_ns),
        ]);
        hot.extend(
            calls::of_stretch(summary, stretch).map(|hot| format!("from {from} to {to}: {hot}")),
        );
    }
    if !table.is_empty() {
        write_table(page, "Serial code: one thread works", &table);
    }
    for line in hot {
        page.paragraph(&format!("  samples {line}"), 6);
    }
}

/// How long threads waited in a stretch; nothing if they did not.
fn waited(stretch: &SerialStretch) -> String {
    if stretch.waited_ns == 0 { String::new() } else { time(stretch.waited_ns) }
}

/// The regions around a stretch, in words.
pub(super) fn ends(stretch: &SerialStretch, names: Names<'_>) -> (String, String) {
    let from =
        stretch.after.map_or_else(|| "the start".to_owned(), |site| names.compact(Some(site)));
    let to = stretch.before.map_or_else(|| "the end".to_owned(), |site| names.compact(Some(site)));
    (from, to)
}
