//! A summary reads sums, and reads events only for what needs their order: a recording without its
//! events has the same summary.

use oxomp_analysis::summarize;
use oxomp_analysis::summary::{Quality, Summary, TaskConstruct};
use oxomp_trace::{EventKind, Profile, Record};

/// Compares the summary of `profile`, which has every event, with the summary of the same recording
/// without its events.
pub(crate) fn same_without_events(profile: &Profile) -> Result<(), String> {
    let told = |profile: &Profile| told(&of_sums(summarize(profile)));
    let (all, bare) = (told(profile), told(&without_events(profile)));
    if all == bare {
        return Ok(());
    }
    Err(format!("a number depends on events: {}", first_difference(&all, &bare)))
}

/// The recording if its threads had recorded no events.
fn without_events(profile: &Profile) -> Profile {
    let mut profile = profile.clone();
    for thread in &mut profile.threads {
        let begin = thread.records.first().filter(|one| one.kind == EventKind::ThreadBegin as u8);
        let begin = begin.map(|one| one.tick);
        thread.records.retain(|one| {
            let kept =
                [EventKind::ThreadBegin, EventKind::ThreadEnd, EventKind::Pause, EventKind::Resume];
            kept.iter().any(|kind| one.kind == *kind as u8)
        });
        if let Some(tick) = begin {
            let fold = Record { tick, kind: EventKind::FoldBegin as u8, ..Record::default() };
            thread.records.insert(1, fold);
        }
    }
    profile
}

/// The summary without what events tell besides: when tasks ran and how threads waited meanwhile,
/// how much the executions of a region differ, the iterations of the time loop, and which barriers
/// were never reached.
fn of_sums(mut summary: Summary) -> Summary {
    summary.quality = Quality::default();
    summary.unreached.clear();
    summary.iterations = None;
    for region in &mut summary.regions {
        (region.tasking, region.spread) = (None, None);
    }
    let bare = |one: &mut TaskConstruct| one.waits_ns = 0;
    summary.tasks.iter_mut().for_each(bare);
    summary
}

/// The summary as text, with the address of each site in place of its number: sites have these in
/// the order in which they are met.
fn told(summary: &Summary) -> String {
    let text = format!("{:#?}", Summary { sites: Vec::new(), ..summary.clone() });
    let mut parts = text.split("SiteId(");
    let mut told = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (number, rest) = part.split_once(')').expect("a number in parentheses");
        let number: usize = number.trim().trim_end_matches(',').parse().expect("a number");
        told.push_str(&format!("site {:#x}{rest}", summary.sites[number].codeptr));
    }
    told
}

/// What differs first, of both.
fn first_difference(all: &str, bare: &str) -> String {
    let at = all.lines().zip(bare.lines()).position(|(one, other)| one != other);
    let at = at.unwrap_or(all.lines().count().min(bare.lines().count()));
    let around = |text: &str| {
        text.lines().skip(at.saturating_sub(12)).take(16).collect::<Vec<_>>().join("\n")
    };
    format!("with them\n{}\n\nwithout them\n{}", around(all), around(bare))
}
