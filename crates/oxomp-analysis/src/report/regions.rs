//! The parallel regions, by what could be won.

use super::certainty::gain_title;
use super::names::Names;
use super::table::{Align, Column, Fit, Table, write_table};
use super::units::{count, plural, share, time};
use crate::summary::{Region, Summary};
use oxomp_text::Page;

/// Regions shown; the others are summed up in a line.
const SHOWN: usize = 10;
/// Regions shown whatever they cost.
const SHOWN_ALWAYS: usize = 3;
/// Share of the recorded time below which a further region is not worth a line.
const WORTH_A_LINE: f64 = 0.001;

/// The column for what could be won.
const GAIN: &str = "gain";

const COLUMNS: [Column; 9] = [
    Column { title: "", align: Align::Right, fit: Fit::Fixed },
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(12) },
    Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
    Column { title: "", align: Align::Left, fit: Fit::Drop(0) },
    Column { title: "calls", align: Align::Right, fit: Fit::Drop(2) },
    Column { title: "wall", align: Align::Right, fit: Fit::Fixed },
    Column { title: "LB", align: Align::Right, fit: Fit::Drop(3) },
    Column { title: GAIN, align: Align::Right, fit: Fit::Fixed },
    Column { title: "mostly", align: Align::Left, fit: Fit::Drop(1) },
];

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    if summary.regions.is_empty() {
        let quality = &summary.quality;
        let whole =
            quality.stopped.is_none() && quality.damaged.is_empty() && quality.lost_events == 0;
        page.heading(match summary.header.window {
            Some(_) => "No parallel region ended in this time.",
            None if whole => "No parallel region was run.",
            None => "No parallel region was recorded.",
        });
        return;
    }
    let wall = summary.header.recorded_ns;
    let shown = summary
        .regions
        .iter()
        .take(SHOWN)
        .enumerate()
        .take_while(|(number, region)| {
            *number < SHOWN_ALWAYS
                || share(region.gain.total_ns().max(region.wall_ns), wall) >= WORTH_A_LINE
        })
        .count();
    let columns = COLUMNS.map(|column| match column.title {
        GAIN => Column { title: gain_title(summary), ..column },
        _ => column,
    });
    let mut table = Table::new(&columns);
    for (number, region) in summary.regions[..shown].iter().enumerate() {
        table.row(cells(number + 1, region, names));
    }
    write_table(page, "Regions, by what could be won", &table);
    let under_way: u64 = summary.regions.iter().map(|region| region.under_way).sum();
    if under_way > 0 {
        page.line(&format!(
            "  {} under way when the recording began: times count from there",
            if under_way == 1 {
                "1 call was".to_owned()
            } else {
                format!("{under_way} calls were")
            },
        ));
    }
    let rest = &summary.regions[shown..];
    if !rest.is_empty() {
        page.line(&format!(
            "  and {}, {} {} together",
            plural(rest.len() as u64, "region"),
            gain_title(summary),
            time(rest.iter().map(|region| region.gain.total_ns()).sum())
        ));
    }
}

fn cells(rank: usize, region: &Region, names: Names<'_>) -> Vec<String> {
    let (function, place) = names.columns(region.site);
    let gain = region.gain.total_ns();
    let mostly =
        region.gain.mostly().map(|(what, ns)| format!("{what} {:.0} %", share(ns, gain) * 100.0));
    vec![
        rank.to_string(),
        function,
        place,
        construct(region),
        count(region.calls),
        time(region.wall_ns),
        region.load_balance.map(|balance| format!("{balance:.2}")).unwrap_or_default(),
        time(gain),
        mostly.unwrap_or_default(),
    ]
}

/// The region in a few words: its loops, and whether it was parallel at all.
fn construct(region: &Region) -> String {
    let mut words = region.peculiarities();
    let kinds = region.worksharing_names();
    match kinds.as_slice() {
        [] => {}
        [only] => words.push((*only).to_owned()),
        [first, others @ ..] => words.push(format!("{first} +{}", others.len())),
    }
    words.join(" ")
}
