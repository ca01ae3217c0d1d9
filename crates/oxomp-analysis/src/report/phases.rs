//! The phases of the program.

use oxomp_text::Page;

use super::scope::OUTSIDE_PHASES;
use super::table::{Align, Column, Fit, Table, write_table};
use super::units::{count, percent, share, time};
use crate::summary::{Summary, most_lost, work_share};

/// Rows shown.
const SHOWN: usize = 20;

const COLUMNS: [Column; 7] = [
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(20) },
    Column { title: "times", align: Align::Right, fit: Fit::Fixed },
    Column { title: "time", align: Align::Right, fit: Fit::Fixed },
    Column { title: "of wall", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "longest", align: Align::Right, fit: Fit::Drop(2) },
    Column { title: "threads work", align: Align::Right, fit: Fit::Fixed },
    Column { title: "mostly lost to", align: Align::Left, fit: Fit::Drop(0) },
];

pub(super) fn write(page: &mut Page, summary: &Summary) {
    let wall = summary.header.wall_ns;
    let mut table = Table::new(&COLUMNS);
    for row in summary.phases.iter().take(SHOWN) {
        let outside = row.path.is_empty();
        table.row(vec![
            if outside { OUTSIDE_PHASES.to_owned() } else { indented(&row.path) },
            if outside { String::new() } else { count(row.count) },
            time(row.wall_ns),
            percent(share(row.wall_ns, wall)),
            row.longest_ns.map(time).unwrap_or_default(),
            percent(work_share(&row.by_class)),
            most_lost(&row.by_class)
                .map(|(class, share)| format!("{class} {}", percent(share)))
                .unwrap_or_default(),
        ]);
    }
    if table.is_empty() {
        return;
    }
    write_table(page, "Phases, each with those inside it", &table);
    if summary.phases.len() > SHOWN {
        let rest = count((summary.phases.len() - SHOWN) as u64);
        page.line(&format!("  and {rest} more"));
    }
    page.line("  one alone: oxomp report --phase NAME");
}

/// The last name of a path, further right the more are around it.
fn indented(path: &str) -> String {
    let depth = path.matches('/').count();
    let name = path.rsplit('/').next().unwrap_or(path);
    format!("{}{name}", "  ".repeat(depth))
}
