//! The run by slices of time.

use oxomp_text::Page;

use super::table::{Align, Column, Fit, Table, write_table};
use super::units::{percent, time};
use crate::summary::{SliceSums, Summary, most_lost, work_share};

/// Rows shown.
const SHOWN: usize = 12;

const COLUMNS: [Column; 4] = [
    Column { title: "from", align: Align::Right, fit: Fit::Fixed },
    Column { title: "to", align: Align::Right, fit: Fit::Fixed },
    Column { title: "threads work", align: Align::Right, fit: Fit::Fixed },
    Column { title: "mostly lost to", align: Align::Left, fit: Fit::Drop(0) },
];

pub(super) fn write(page: &mut Page, summary: &Summary) {
    let mut table = Table::new(&COLUMNS);
    for row in SliceSums::fewer(&summary.slices, SHOWN) {
        let lost = most_lost(&row.by_class);
        table.row(vec![
            time(row.from_ns),
            time(row.to_ns),
            percent(work_share(&row.by_class)),
            lost.map(|(class, share)| format!("{class} {}", percent(share))).unwrap_or_default(),
        ]);
    }
    if table.is_empty() {
        return;
    }
    write_table(page, "Over time", &table);
    page.line("  one part alone: oxomp report --window FROM,TO");
}
