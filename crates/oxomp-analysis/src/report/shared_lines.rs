//! Cache lines that threads share: time that counts as work.

use super::certainty::Cause;
use super::names::{Names, line_in_function};
use super::sampled_share::{error_of, part, time_of};
use super::units::plural;
use crate::summary::{LineSharing, MemoryObject, Region, SharedLines, SharedPlace, Summary};
use oxomp_text::Page;

/// Objects shown.
const SHOWN: usize = 4;
/// The title of a list of shared cache lines.
pub const TITLE: &str = "Cache lines that threads share, by samples at what uses them";
const REMEDY: &str = "give what each thread writes a cache line of its own (alignas(64), or \
                      padding), or a private variable that is added up at the end (reduction)";

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    for (number, one) in summary.shared_lines.iter().take(SHOWN).enumerate() {
        if number == 0 {
            page.heading(TITLE);
        }
        let region = names.compact(one.region);
        let text = format!(
            "  {} of the region at {region}: {}, where {}",
            part(one.samples, one.of),
            places(&one.places),
            meeting(one)
        );
        page.paragraph(&text, 4);
    }
}

/// How threads meet in shared cache lines, as `2 threads use different data, 8 bytes apart in one
/// cache line (counts), and at least one of them writes`.
#[must_use]
pub fn meeting(one: &SharedLines) -> String {
    let threads = plural(one.threads.into(), "thread");
    let object = object(&one.object);
    let used = match (one.sharing, one.lines) {
        (LineSharing::Neighbours(distance), lines) => {
            let distance = plural(distance.into(), "byte");
            let line = match lines {
                0 | 1 => "one cache line".to_owned(),
                lines => format!("a cache line, as in {lines} lines"),
            };
            format!("different data, {distance} apart in {line} {object}")
        }
        (LineSharing::Variable, 0 | 1) => format!("one variable {object}"),
        (LineSharing::Variable, lines) => format!("the same variables in {lines} lines {object}"),
    };
    format!("{threads} use {used}, and at least one of them writes")
}

fn object(object: &MemoryObject) -> String {
    match object {
        MemoryObject::Variable(name) => format!("({name})"),
        MemoryObject::Stack(thread) => format!("(on the stack of thread {thread})"),
        MemoryObject::Unknown => "(not in a named variable)".to_owned(),
    }
}

/// The places that use shared cache lines, as `sum.c:23 in add and sum.c:31 in total`.
#[must_use]
pub fn places(places: &[SharedPlace]) -> String {
    let place = |place: &SharedPlace| line_in_function(place.line.as_ref(), &place.function);
    places.iter().map(place).collect::<Vec<_>>().join(" and ")
}

/// The changes that keep threads of `region` from sharing lines, one for each object, and what each
/// could win.
pub(super) fn against(region: &Region, summary: &Summary) -> Vec<(Cause, String)> {
    if region.team.1 < 2 {
        return Vec::new();
    }
    let of_region = summary.shared_lines.iter().filter(|one| one.region == region.site);
    of_region.map(|one| (cause(one, region), change(one))).collect()
}

fn cause(one: &SharedLines, region: &Region) -> Cause {
    let time_ns = time_of(region, one.samples, one.of);
    // Nothing tells how much of that time the threads wait for lines; and it is known from samples.
    let error_ns = time_ns / 2 + error_of(time_ns, one.taken);
    Cause::work(time_ns / 2, error_ns)
}

fn change(one: &SharedLines) -> String {
    let remedy = match one.sharing {
        LineSharing::Neighbours(_) => REMEDY,
        LineSharing::Variable => {
            "a private variable for each thread that is added up at the end (reduction), or write \
             it less often"
        }
    };
    format!(
        "{} are at {}, where {}: {remedy}",
        part(one.samples, one.of),
        places(&one.places),
        meeting(one)
    )
}
