//! Recordings with sums of the whole run, whether its events were recorded or not. Every number
//! that is a sum comes from these sums; events only add what had not ended when the process ended.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_trace::Profile;

use crate::gains::{Gains, gains};
use crate::model::{Model, Region, Thread};
use crate::resolve::{RegionTimes, Resolved, resolve_pieces};
use crate::summary::Class;

/// A worker that has been idle at the end for one such part of the run is worth a look.
const LONG_IDLE_PART: u64 = 100;

/// The threads of `model` without what their events tell, and waits for mutexes and holds that had
/// not ended.
pub(crate) fn without_events(model: &Model) -> Model {
    let thread = |thread: &Thread| Thread {
        folded_from: Some(thread.begin),
        segments: Vec::new(),
        gaps: Vec::new(),
        ..*thread
    };
    let waits = model.mutex_waits.iter().filter(|wait| !wait.acquired);
    let waits = waits.map(|wait| crate::model::MutexWait { member: None, ..wait.clone() });
    let holds = model.holds.iter().filter(|hold| hold.end >= model.end);
    Model {
        end: model.end,
        threads: model.threads.iter().map(thread).collect(),
        mutex_waits: waits.collect(),
        holds: holds.cloned().collect(),
        pauses: model.pauses.clone(),
        tallies: model.tallies.clone(),
        ..Model::default()
    }
}

/// As [`without_events`]: no class has time yet.
pub(crate) fn without_times(resolved: &Resolved) -> Resolved {
    Resolved {
        threads: vec![[0; Class::COUNT]; resolved.threads.len()],
        overdue: resolved.overdue,
        ..Resolved::default()
    }
}

/// What had not ended, as far as events tell.
#[derive(Default)]
pub(crate) struct Unfinished {
    /// Regions: code address, whether inside another one, times, and gains.
    pub(crate) regions: Vec<(u64, bool, RegionTimes, Gains)>,
    /// By position of the thread: its time by class from the given moment on, or `None` if its
    /// events were not recorded to the end.
    pub(crate) threads: Vec<Option<[u64; Class::COUNT]>>,
}

/// What had not ended in `model`, of each thread from the time in `since` on; `inside`: the code
/// addresses of the regions in which threads were at the end, by their sums.
pub(crate) fn unfinished(
    profile: &Profile,
    model: &Model,
    resolved: &Resolved,
    since: &[u64],
    inside: &BTreeSet<u64>,
) -> Unfinished {
    let went_away = profile.info.end_tick.is_none();
    // A region whose recorded events end before the region does may be in the sums. Of such regions
    // at one place, only the last may still have been running.
    let are_complete = model.threads.iter().all(|thread| thread.folded_from.is_none());
    let mut last = BTreeMap::<u64, u64>::new();
    for region in model.regions.iter().filter(|region| region.cut.is_some()) {
        let last = last.entry(region.code).or_default();
        *last = region.begin.unwrap_or(0).max(*last);
    }
    let open = |region: &Region| {
        let begun = region.end.is_none() && region.begin.is_some() && !region.is_over;
        let is_last = region.cut.is_none() || last.get(&region.code).copied() == region.begin;
        begun && (are_complete || is_last && inside.contains(&region.code))
    };
    // A worker without work since its last region: events tell whether others ran meanwhile.
    let idles = |(thread, since): (&Thread, &u64)| {
        thread.folded_from.is_none()
            && !thread.initial
            && thread.end.saturating_sub(*since) > model.end / LONG_IDLE_PART
    };
    let has_idle = model.threads.iter().zip(since).any(idles);
    if !went_away && !has_idle && !model.regions.iter().any(open) {
        return Unfinished { threads: vec![None; model.threads.len()], regions: Vec::new() };
    }
    let instances = model.regions.iter().zip(&resolved.regions).zip(gains(model, resolved));
    let regions = instances
        .filter(|((region, _), _)| open(region))
        .map(|((region, times), gains)| {
            (region.code, region.nested, RegionTimes { end: model.end, ..times.clone() }, gains)
        })
        .collect();
    let mut threads: Vec<Option<[u64; Class::COUNT]>> = model
        .threads
        .iter()
        .map(|thread| thread.folded_from.is_none().then_some([0; Class::COUNT]))
        .collect();
    let _ = resolve_pieces(model, &mut |number, piece| {
        let from = since.get(number).copied().unwrap_or(0).max(piece.begin);
        if let Some(Some(classes)) = threads.get_mut(number) {
            classes[piece.class as usize] += piece.end.saturating_sub(from);
        }
    });
    Unfinished { regions, threads }
}
