//! Events of a run that has too many of them: windows in all its parts, of whole regions where
//! there are such, between which only sums are known.

use std::collections::BTreeMap;

use libtest_mimic::Failed;
use oxomp_analysis::Analysis;
use oxomp_analysis::model::{Model, Thread};
use oxomp_analysis::symbols::Symbols;
use oxomp_trace::{EventKind, Profile, Record};

use crate::Check;
use crate::demand::Demand;
use crate::run::Setting;

pub(crate) const MEASURED: &[Check] =
    &[("events_of_a_long_run_are_recorded_in_windows_of_all_its_parts", windows)];

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// The begins of windows, of all threads.
fn begins(profile: &Profile) -> impl Iterator<Item = &Record> {
    let records = profile.threads.iter().flat_map(|thread| &thread.records);
    records.filter(|record| record.event() == Some(EventKind::FoldEnd))
}

fn windows(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("windows")?;
    let attempt = || {
        let mut command = setting.command(&program);
        let profile = setting.recording(command.env("OXOMP_MAX_SIZE", "64M"))?;
        spread_out(&profile, setting.demand)?;
        let analysis = Analysis::new(profile, &mut Symbols::new());
        consistent(&analysis, setting.demand)
    };
    Ok(setting.demand.attempts(attempt)?)
}

/// There are windows with regions, then some inside of one region, and then such with regions
/// again. On a busy machine, where regions and barriers are slow, the whole of such a part may fit
/// into a window of the part before.
fn spread_out(profile: &Profile, demand: Demand) -> Result<(), String> {
    let mut inside: Vec<(u16, bool)> =
        begins(profile).map(|record| (record.window, record.value != 0)).collect();
    inside.sort_unstable();
    inside.dedup_by_key(|(window, _)| *window);
    let mut kinds: Vec<bool> = inside.iter().map(|(_, is_inside)| *is_inside).collect();
    kinds.dedup();
    let mut parts = [false, true, false].iter();
    let in_order = kinds.iter().all(|kind| parts.any(|part| part == kind));
    ensure(in_order, || format!("{inside:?}"))?;
    demand.times(|| ensure(kinds.len() == 3, || format!("{inside:?}")))
}

/// The events of the windows agree with one another and with the sums.
fn consistent(analysis: &Analysis, demand: Demand) -> Result<(), String> {
    let (model, summary) = (&analysis.model, &analysis.summary);
    let accounted = summary.budget.accounted;
    ensure((accounted - 1.0).abs() < 1e-3, || format!("accounted {accounted}"))?;
    ensure(summary.quality.anomalies.is_empty(), || format!("{:?}", summary.quality))?;
    model.threads.iter().try_for_each(|thread| gaps(thread, demand))?;
    parts(model, demand)?;
    let whole = model.regions.iter().filter(|one| one.begin.is_some() && one.end.is_some());
    let (mut all, mut lonely) = (0, 0);
    for region in whole {
        all += 1;
        lonely += u64::from(region.members.len() != 2);
    }
    // At the edges of a window a thread may record a region without the other one.
    ensure(all > 1000 && lonely * 50 < all, || format!("{lonely} of {all} with one thread"))
}

/// The sums between windows are the sums over the time there.
fn gaps(thread: &Thread, demand: Demand) -> Result<(), String> {
    let between: Vec<(u64, u64)> = thread
        .segments
        .windows(2)
        .filter(|it| it[0].end < it[1].begin)
        .map(|it| (it[0].end, it[1].begin))
        .collect();
    let told: Vec<(u64, u64)> = thread.gaps.iter().map(|gap| (gap.begin, gap.end)).collect();
    ensure(between == told, || format!("{between:?}, {told:?}"))?;
    demand.times(|| ensure(between.len() > 2, || format!("{between:?}")))?;
    // The next window is an eighth later, or as late as a busy machine lets the helper open it.
    let half = thread.begin.midpoint(thread.end);
    let ended_early = thread.folded_from.is_some_and(|from| from < half);
    ensure(!ended_early || !between.is_empty(), || {
        format!("no event after {:?}, of {} to {}", thread.folded_from, thread.begin, thread.end)
    })?;
    let length: u64 = told.iter().map(|(begin, end)| end - begin).sum();
    let summed: u64 = thread.gaps.iter().flat_map(|gap| gap.by_class).sum();
    // The last region before a window may be too short to be timed.
    ensure(length.abs_diff(summed) * 100 <= length, || {
        format!("{summed} ns of {length}: {:?}", thread.gaps)
    })
}

/// A region goes on through several windows, and each window has a part of it, in which both
/// threads meet at barriers: neither thread is long in a part before the other one.
fn parts(model: &Model, demand: Demand) -> Result<(), String> {
    let parts: Vec<_> = model.regions.iter().filter(|region| region.begin.is_none()).collect();
    let in_part =
        |member: u32| model.regions[model.members[member as usize].region as usize].begin.is_none();
    let waits = model.barrier_waits.iter().filter(|wait| wait.member.is_some_and(in_part));
    let mut numbers = BTreeMap::<(u32, u32), u32>::new();
    for wait in waits {
        let region = model.members[wait.member.unwrap_or(0) as usize].region;
        *numbers.entry((region, wait.ordinal)).or_default() += 1;
    }
    let together = numbers.values().filter(|&&threads| threads == 2).count();
    // At both edges of a window a thread may record some barriers without the other one.
    ensure(numbers.len() - together <= (numbers.len() / 10).max(4 * parts.len()), || {
        format!("{together} of {} barriers of both threads", numbers.len())
    })?;
    demand.times(|| {
        let both = parts.iter().filter(|part| part.members.len() == 2).count();
        ensure(!parts.is_empty() && both * 2 > parts.len() && together > 100, || {
            format!("{both} of {} parts, {together} barriers of both threads", parts.len())
        })
    })
}
