//! Atomic updates that take much of a region's time.

use super::certainty::Cause;
use super::names::{Names, line_name};
use super::sampled_share::{MEETING, are_many, error_of, part, time_of};
use crate::summary::{AtomicUpdate, Region, Summary};
use oxomp_text::Page;

/// The most of an atomic update's time that a plain one takes.
const STAYS: f64 = 0.5;
/// Lines shown.
const SHOWN: usize = 4;
/// The title of a list of atomic updates.
pub const TITLE: &str = "Atomic updates, by samples at them or directly behind them";

/// Whether the update is worth a word.
pub(crate) fn is_hot(update: &&AtomicUpdate) -> bool {
    are_many(update.samples, update.of)
}

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let hot = summary.atomics.iter().filter(is_hot).take(SHOWN);
    for (number, update) in hot.enumerate() {
        if number == 0 {
            page.heading(TITLE);
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

/// The place of an atomic update and its instruction, as `bins.c:23 (lock xadd)`.
#[must_use]
pub fn text(update: &AtomicUpdate) -> String {
    let place = update.line.as_ref().map_or_else(|| update.function.clone(), line_name);
    format!("{place} ({})", update.instruction)
}

/// What to do about one update, by its instruction.
fn remedy(update: &AtomicUpdate) -> &'static str {
    const EXCHANGES: [&str; 4] = ["xchg", "lock bts", "lock btr", "lock btc"];
    match EXCHANGES.iter().any(|name| update.instruction == *name) {
        true => {
            "it exchanges a value, as a lock of the program's own does: hold that shorter or take \
             it less often, or use omp_set_lock or critical, whose waits a profile tells"
        }
        false => "a reduction, a copy for each thread, or less often",
    }
}

/// What to do about the updates in `region`, and what that could win: a plain update takes a small
/// part of the time of an atomic one that no other thread meets, and of a contended one nearly
/// nothing.
pub(super) fn against(region: &Region, summary: &Summary) -> Option<(Cause, String)> {
    if region.team.1 < 2 {
        return None;
    }
    let of_region = |one: &&AtomicUpdate| one.region == region.site;
    let hot = summary.atomics.iter().filter(of_region).find(is_hot)?;
    let all: u64 = summary.atomics.iter().filter(of_region).map(|one| one.samples).sum();
    let text = format!(
        "{} are at the atomic update at {}: {}",
        part(hot.samples, hot.of),
        text(hot),
        remedy(hot)
    );
    let time_ns = time_of(region, all, hot.of);
    let stays_ns = (STAYS * time_ns as f64 / 2.0) as u64;
    let cause = Cause::work(time_ns - stays_ns, stays_ns);
    let meeting_ns = (MEETING * time_ns as f64) as u64;
    Some((cause.sampled_with(error_of(time_ns, all)).estimated_with(meeting_ns), text))
}
