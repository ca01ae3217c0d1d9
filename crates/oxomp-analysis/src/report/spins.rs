//! Loops that wait for another thread to change a variable: time that counts as work.

use super::certainty::Cause;
use super::names::{Names, line_in_function};
use super::sampled_share::{are_many, error_of, part, time_of};
use crate::summary::{Region, SpinLoop, Summary};
use oxomp_text::Page;

/// Lines shown.
const SHOWN: usize = 4;
/// The title of a list of such loops.
pub const TITLE: &str = "Loops that wait for a variable to change, by samples in them";

/// Whether the loop is worth a word.
pub(crate) fn is_hot(spin: &&SpinLoop) -> bool {
    are_many(spin.samples, spin.of)
}

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    let hot = summary.spins.iter().filter(is_hot).take(SHOWN);
    for (number, spin) in hot.enumerate() {
        if number == 0 {
            page.heading(TITLE);
        }
        let region = names.compact(spin.region);
        let part = part(spin.samples, spin.of);
        page.paragraph(&format!("  {part} of the region at {region}: {}", place(spin)), 4);
    }
}

/// The place of a loop that waits for a variable, as `flag.c:23 in wait_for`.
#[must_use]
pub fn place(spin: &SpinLoop) -> String {
    line_in_function(spin.line.as_ref(), &spin.function)
}

/// What to do about the loops in `region`, and what that could win.
pub(super) fn against(region: &Region, summary: &Summary) -> Option<(Cause, String)> {
    if region.team.1 < 2 {
        return None;
    }
    let of_region = |one: &&SpinLoop| one.region == region.site;
    let hot = summary.spins.iter().filter(of_region).find(is_hot)?;
    let all: u64 = summary.spins.iter().filter(of_region).map(|one| one.samples).sum();
    let text = format!(
        "{} are in a loop at {} that waits for another thread to change a variable (this counts as \
         work): give the waiting threads other work, or say what they wait for (task depend, \
         ordered, a barrier)",
        part(hot.samples, hot.of),
        place(hot)
    );
    let time_ns = time_of(region, all, hot.of);
    let cause = Cause::waiting(time_ns, region).sampled_with(error_of(time_ns, all));
    Some((cause, text))
}
