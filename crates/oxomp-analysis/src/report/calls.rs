//! The code that the samples were in.

use super::names::line_name;
use super::table::{Align, Column, Fit, Table, write_table};
use super::units::{count, percent, share};
use crate::summary::{HotCode, HotStretch, Sampled, SerialStretch, Summary};
use oxomp_text::Page;

/// Functions shown.
const SHOWN: usize = 8;
/// Share of the samples below which a function is not worth a line.
const WORTH_A_LINE: f64 = 0.01;
/// Samples below which shares of a stretch say nothing.
const ENOUGH: u64 = 10;
/// Share of a stretch's samples below which a function is not named.
const WORTH_A_NAME: f64 = 0.1;

const COLUMNS: [Column; 6] = [
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(16) },
    Column { title: "", align: Align::Left, fit: Fit::CutEnd(14) },
    Column { title: "samples", align: Align::Right, fit: Fit::Drop(0) },
    Column { title: "share", align: Align::Right, fit: Fit::Fixed },
    Column { title: "serial", align: Align::Right, fit: Fit::Fixed },
    Column { title: "parallel", align: Align::Right, fit: Fit::Fixed },
];

pub(super) fn write(page: &mut Page, summary: &Summary) {
    let Some(sampled) = &summary.sampled else { return };
    let mut table = Table::new(&COLUMNS);
    let part = |samples: u64| match samples {
        0 => String::new(),
        _ => percent(share(samples, sampled.taken)),
    };
    let worth = |code: &&HotCode| share(code.samples, sampled.taken) >= WORTH_A_LINE;
    for code in sampled.code.iter().filter(worth).take(SHOWN) {
        table.row(vec![
            name(code),
            code.line.as_ref().map_or_else(|| code.module.clone().unwrap_or_default(), line_name),
            count(code.samples),
            part(code.samples),
            part(code.serial),
            part(code.samples - code.serial),
        ]);
    }
    if !table.is_empty() {
        write_table(page, "Hot code, by samples of processor time", &table);
    }
}

/// How many call paths were sampled, and how many of them reach the start of their thread.
pub(super) fn header(sampled: &Sampled) -> String {
    let complete = sampled.taken.saturating_sub(sampled.incomplete);
    let part = percent(share(complete, sampled.taken));
    format!("{} call paths, {part} complete", count(sampled.taken))
}

/// The hot code of a serial stretch, as `render() draw.c:120 71 %, …`; `None` if it is not known.
#[must_use]
pub fn of_stretch(summary: &Summary, stretch: &SerialStretch) -> Option<String> {
    let sampled = summary.sampled.as_ref()?;
    let matches = |hot: &&HotStretch| (hot.after, hot.before) == (stretch.after, stretch.before);
    let hot = sampled.stretches.iter().find(matches).filter(|hot| hot.samples >= ENOUGH)?;
    let named = hot.code.iter().filter(|code| share(code.samples, hot.samples) >= WORTH_A_NAME);
    let names: Vec<String> = named
        .map(|code| {
            let place = code.line.as_ref().map(|line| format!(" {}", line_name(line)));
            let place = place.unwrap_or_default();
            format!("{}{place} ({})", name(code), percent(share(code.samples, hot.samples)))
        })
        .collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// The function with the hot code, and the library's function that it called, as in
/// `sort: std::sort`.
#[must_use]
pub fn name(code: &HotCode) -> String {
    match &code.library {
        Some(library) => format!("{}: {library}", code.function),
        None => code.function.clone(),
    }
}
