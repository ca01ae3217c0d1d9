//! Cache lines that threads share: time that counts as work.

use super::certainty::Cause;
use super::names::Names;
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
    let place = |place: &SharedPlace| match &place.line {
        Some((file, line)) => {
            format!("{}:{line} in {}", file.rsplit('/').next().unwrap_or(file), place.function)
        }
        None => place.function.clone(),
    };
    places.iter().map(place).collect::<Vec<_>>().join(" and ")
}

/// The change that keeps threads of `region` from sharing lines, and what it could win.
pub(super) fn against(region: &Region, summary: &Summary) -> Option<(Cause, String)> {
    if region.team.1 < 2 {
        return None;
    }
    let of_region = |one: &&SharedLines| one.region == region.site;
    let first = summary.shared_lines.iter().find(of_region)?;
    let all: u64 = summary.shared_lines.iter().filter(of_region).map(|one| one.samples).sum();
    let all = all.min(first.of);
    let taken: u64 = summary.shared_lines.iter().filter(of_region).map(|one| one.taken).sum();
    let time_ns = time_of(region, all, first.of);
    // Nothing tells how much of that time the threads wait for lines; and it is known from samples.
    let error_ns = time_ns / 2 + error_of(time_ns, taken);
    let cause = Cause::work(time_ns / 2, error_ns);
    let remedy = match first.sharing {
        LineSharing::Neighbours(_) => REMEDY,
        LineSharing::Variable => {
            "a private variable for each thread that is added up at the end (reduction), or write \
             it less often"
        }
    };
    let text = format!(
        "{} are at {}, where {}: {remedy}",
        part(first.samples, first.of),
        places(&first.places),
        meeting(first)
    );
    Some((cause, text))
}
