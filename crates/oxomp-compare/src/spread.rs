//! How far the repeated runs of a program differ.

use oxomp_analysis::report::table::{Align, Column, Fit, Table};
use oxomp_analysis::report::units::{plural, time};
use oxomp_analysis::summary::Class;
use oxomp_text::{Page, Style};

use crate::construct::{Construct, Group};
use crate::noise::median;
use crate::run::Run;

/// The part of the time below which a class or region is not shown.
const LEAST_SHARE: f64 = 0.01;
/// Regions shown.
const SHOWN: usize = 10;

/// The index of the run whose wall time is the median; of an even number, the shorter of the two.
#[must_use]
pub fn median_run(runs: &[Run]) -> Option<usize> {
    let mut order: Vec<usize> = (0..runs.len()).collect();
    order.sort_by(|&one, &other| runs[one].wall_ns.total_cmp(&runs[other].wall_ns));
    order.get(runs.len().saturating_sub(1) / 2).copied()
}

const COLUMNS: [Column; 6] = [
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(12) },
    Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "min", align: Align::Right, fit: Fit::Fixed },
    Column { title: "median", align: Align::Right, fit: Fit::Fixed },
    Column { title: "max", align: Align::Right, fit: Fit::Fixed },
    Column { title: "max/min", align: Align::Right, fit: Fit::Drop(0) },
];

/// Smallest, median and largest wall time, and time of the classes and regions that have some.
#[must_use]
pub fn spread(runs: &[Run], style: Style) -> String {
    let mut page = Page::new(style);
    let mut table = Table::new(&COLUMNS);
    table.row(row("wall time", "", &values(runs, |run| run.wall_ns)));
    for class in Class::ALL {
        let times = values(runs, |run| run.by_class[class as usize]);
        let total = values(runs, |run| run.by_class.iter().sum());
        if median(&times) >= LEAST_SHARE * median(&total) && median(&times) > 0.0 {
            table.row(row(class.name(), "", &times));
        }
    }
    let wall = median(&values(runs, |run| run.wall_ns));
    for (construct, times) in regions(runs) {
        if median(&times) >= LEAST_SHARE * wall {
            let function = construct.function();
            let name = if function.is_empty() { "region" } else { function };
            table.row(row(name, &construct.place(), &times));
        }
    }
    let title = format!("Spread of {}", plural(runs.len() as u64, "run"));
    let (heading, rows) = table.layout(&title, page.width());
    for (number, line) in heading.iter().enumerate() {
        if number == 0 {
            page.heading(line);
        } else {
            page.line(line);
        }
    }
    rows.iter().for_each(|row| page.line(row));
    page.finish()
}

/// The regions with the most wall time and their times in each run.
fn regions(runs: &[Run]) -> Vec<(&Construct, Vec<f64>)> {
    let mut names: Vec<&Construct> = runs.iter().flat_map(|run| run.constructs.keys()).collect();
    names.retain(|construct| construct.kind.group == Group::Region);
    names.sort_unstable();
    names.dedup();
    let time = |run: &Run, of: &Construct| run.constructs.get(of).map_or(0.0, |m| m.time_ns);
    let mut regions: Vec<_> =
        names.into_iter().map(|of| (of, values(runs, |run| time(run, of)))).collect();
    regions.sort_by(|one, other| median(&other.1).total_cmp(&median(&one.1)));
    regions.truncate(SHOWN);
    regions
}

fn values(runs: &[Run], of: impl Fn(&Run) -> f64) -> Vec<f64> {
    runs.iter().map(of).collect()
}

fn row(name: &str, place: &str, values: &[f64]) -> Vec<String> {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min).min(f64::MAX);
    let most = values.iter().copied().fold(0.0, f64::max);
    let shown = |ns: f64| time(ns.round() as u64);
    let ratio = if least > 0.0 { format!("{:.2}", most / least) } else { String::new() };
    vec![name.to_owned(), place.to_owned(), shown(least), shown(median(values)), shown(most), ratio]
}

#[cfg(test)]
mod tests {
    use super::{median_run, spread};
    use crate::run::Run;
    use oxomp_text::Style;

    fn run(wall_ns: f64) -> Run {
        Run { wall_ns, ..Run::default() }
    }

    #[test]
    fn the_median_run_is_one_of_them() {
        assert_eq!(median_run(&[]), None);
        assert_eq!(median_run(&[run(5.0)]), Some(0));
        assert_eq!(median_run(&[run(5.0), run(3.0), run(4.0)]), Some(2));
        assert_eq!(median_run(&[run(5.0), run(3.0), run(4.0), run(1.0)]), Some(1));
    }

    #[test]
    fn least_median_and_most_are_shown() {
        let text = spread(&[run(3e9), run(1e9), run(2e9)], Style::plain());
        assert!(text.contains("Spread of 3 runs"), "{text}");
        let wall = text.lines().find(|line| line.contains("wall time")).unwrap();
        assert_eq!(
            wall.split_whitespace().collect::<Vec<_>>(),
            ["wall", "time", "1.00", "s", "2.00", "s", "3.00", "s", "3.00"]
        );
    }
}
