//! Atomic updates that take much of a region's time.

use super::units::{percent, share};
use crate::summary::{AtomicUpdate, Region, Summary};
use oxomp_text::Page;

/// Share of a region's samples at an update that is worth a word.
const WORTH_A_WORD: f64 = 0.1;
/// Samples below which shares of a region say nothing.
const ENOUGH: u64 = 20;
/// Lines shown.
const SHOWN: usize = 4;

/// Whether so many `samples` of those of a region are worth a word.
pub(super) fn are_many(samples: u64, of: u64) -> bool {
    of >= ENOUGH && share(samples, of) >= WORTH_A_WORD
}

pub(super) fn part(samples: u64, of: u64) -> String {
    format!("{} of the samples", percent(share(samples, of)))
}

/// The wall time of `region` in which a thread is where so many of its samples are, ns.
pub(super) fn time_of(region: &Region, samples: u64, of: u64) -> u64 {
    let useful = region.useful_ns as f64 / f64::from(region.team.1.max(1));
    (useful * share(samples, of)).min(region.wall_ns as f64) as u64
}

fn is_hot(update: &&AtomicUpdate) -> bool {
    are_many(update.samples, update.of)
}

pub(super) fn write(page: &mut Page, summary: &Summary, names: super::Names<'_>) {
    let hot = summary.atomics.iter().filter(is_hot).take(SHOWN);
    for (number, update) in hot.enumerate() {
        if number == 0 {
            page.heading("Atomic updates, by samples at them or directly behind them");
        }
        let region = names.compact(update.region);
        page.paragraph(
            &format!(
                "  {} of the region at {region}: {}",
                part(update.samples, update.of),
                text(update)
            ),
            4,
        );
    }
}

/// `bins.c:23 (lock xadd) in add`.
fn text(update: &AtomicUpdate) -> String {
    let line = update
        .line
        .as_ref()
        .map(|(file, line)| format!("{}:{line} ", file.rsplit('/').next().unwrap_or(file)));
    let line = line.unwrap_or_else(|| format!("{} ", update.function));
    format!("{line}({})", update.instruction)
}

/// What to do about the updates in `region`, and what that could win at most, ns of wall time.
pub(super) fn against(region: &Region, summary: &Summary) -> Option<(u64, String)> {
    if region.team.1 < 2 {
        return None;
    }
    let of_region = |one: &&AtomicUpdate| one.region == region.site;
    let hot = summary.atomics.iter().filter(of_region).find(is_hot)?;
    let all: u64 = summary.atomics.iter().filter(of_region).map(|one| one.samples).sum();
    let text = format!(
        "{} are at the atomic update at {}: a reduction, a copy for each thread, or less often",
        part(hot.samples, hot.of),
        text(hot)
    );
    Some((time_of(region, all, hot.of), text))
}
