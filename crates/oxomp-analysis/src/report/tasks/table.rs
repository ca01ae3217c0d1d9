//! Tasks by construct as a table, and how many of a region run at a time.

use super::chains::parallelism;
use super::site::site;
use crate::report::names::Names;
use crate::report::table::{Align, Column, Fit, Table, write_table};
use crate::report::units::{count, percent, share, time};
use crate::summary::{Summary, TaskConstruct};
use oxomp_text::Page;

/// Rows of the table.
const SHOWN: usize = 5;
const COLUMNS: [Column; 10] = [
    Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "count", align: Align::Right, fit: Fit::Fixed },
    Column { title: "mean", align: Align::Right, fit: Fit::Fixed },
    Column { title: "median", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "longest", align: Align::Right, fit: Fit::Drop(3) },
    Column { title: "between two", align: Align::Right, fit: Fit::Drop(2) },
    Column { title: "creation ≤", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "waited for", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "stolen", align: Align::Right, fit: Fit::Drop(0) },
    Column { title: "depth", align: Align::Right, fit: Fit::Drop(0) },
];

pub(in crate::report) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let mut table = Table::new(&COLUMNS);
    for one in summary.tasks.iter().take(SHOWN) {
        table.row(vec![
            names.compact(site(one, summary)),
            count(one.count),
            time(one.mean_ns()),
            one.median_ns().map_or_else(String::new, |bound| task_bound(one, bound)),
            time(one.longest_ns),
            one.between_ns.map_or_else(String::new, time),
            one.creating_ns.map_or_else(String::new, time),
            if one.waits_ns == 0 { String::new() } else { time(one.waits_ns) },
            percent(share(one.stolen, one.count)),
            one.depth.to_string(),
        ]);
    }
    if table.is_empty() {
        return;
    }
    write_table(page, "Tasks (all threads)", &table);
    for chain in summary.chains.iter().filter(|chain| chain.span_ns > 0).take(SHOWN) {
        page.paragraph(
            &format!(
                "  {}  work {}, longest chain {}: room for {:.1} threads",
                names.compact(chain.region),
                time(chain.work_ns),
                time(chain.span_ns),
                parallelism(chain)
            ),
            4,
        );
    }
    write_courses(page, summary, names);
}

/// The upper bound of a bin of the tasks' times in words: no task is longer than the longest.
#[must_use]
pub fn task_bound(one: &TaskConstruct, bound_ns: u64) -> String {
    if bound_ns > one.longest_ns {
        format!("≤ {}", time(one.longest_ns))
    } else {
        format!("< {}", time(bound_ns))
    }
}

/// How many tasks of each region ran at a time, in the course of its tasks.
fn write_courses(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let mut written = 0;
    for region in &summary.regions {
        let Some(tasking) = region.tasking.filter(|tasking| tasking.tasks > 1) else { continue };
        let tenths = tasking.parallelism.map(|tasks| format!("{tasks:.1}")).join(" ");
        page.paragraph(
            &format!("  {}  tasks at a time, by tenths: {tenths}", names.compact(region.site)),
            4,
        );
        written += 1;
        if written == SHOWN {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::task_bound;
    use crate::summary::TaskConstruct;

    #[test]
    fn no_bound_is_above_the_longest_task() {
        let one = one();
        assert_eq!(task_bound(&one, 4_000_000), "< 4.00 ms");
        assert_eq!(task_bound(&one, 16_000_000), "≤ 5.00 ms");
        assert_eq!(task_bound(&one, u64::MAX), "≤ 5.00 ms");
    }

    fn one() -> TaskConstruct {
        TaskConstruct {
            count: 3,
            time_ns: 9_000_000,
            longest_ns: 5_000_000,
            depth: 1,
            times: vec![(4_000_000, 2), (u64::MAX, 1)],
            ..TaskConstruct::default()
        }
    }
}
