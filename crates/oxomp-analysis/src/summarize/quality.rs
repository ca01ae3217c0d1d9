//! How far the numbers can be trusted.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use oxomp_trace::info::{EventClass, EventCost, PythonFrames};
use oxomp_trace::{DamageKind, EventKind, FoldKind, Profile, fold, info};

use crate::folded::Folded;
use crate::model::Model;
use crate::resolve::Resolved;
use crate::serial_wait::processor_time;
use crate::summary::{Quality, RecordingCost};
use crate::sums::raise;

pub(super) fn quality(
    profile: &Profile,
    model: &Model,
    resolved: &Resolved,
    folded: &Folded,
) -> Quality {
    let mut repaired: Vec<(&'static str, u64)> =
        model.tallies.repaired.iter().map(|(&what, &count)| (what, count)).collect();
    if resolved.overdue > 0 {
        repaired.push(("barrier ends reported after the region", resolved.overdue));
    }
    let mut anomalies: Vec<(&'static str, u64)> =
        model.tallies.anomalies.iter().map(|(&what, &count)| (what, count)).collect();
    if folded.hidden > 0 {
        anomalies.push(("nested regions and long absences left out of folded sums", folded.hidden));
    }
    let events = profile.threads.iter().map(|thread| thread.records.len() as u64).sum();
    let unsampled = profile
        .info
        .sampling
        .as_ref()
        .filter(|(period, why)| *period == 0 && why != info::NOT_WANTED);
    Quality {
        unsampled: unsampled.map(|(_, why)| why.clone()),
        unread_python: profile.info.python.and_then(unread_python),
        events,
        folded: folded.constructs.saturating_sub(recorded(profile, model)),
        folded_tasks: folded_tasks(profile),
        counted: sum_of(profile, FoldKind::Instances, fold::instances::COUNTED),
        counted_tasks: sum_of(profile, FoldKind::Tasks, fold::tasks::UNTIMED),
        counted_acquisitions: counted_acquisitions(profile),
        guessed: sum_of(profile, FoldKind::Scheduler, fold::scheduler::GUESSED),
        recording: recording(profile),
        unseen_cpu_ns: unseen_cpu(profile, model),
        lost_events: model.tallies.lost.saturating_add(profile.info.lost_events),
        open_chunks: profile.open_chunks,
        lost_chunks: lost_chunks(profile),
        damaged: profile.damage.iter().map(ToString::to_string).collect(),
        repaired,
        anomalies,
        disagreements: profile.disagreements.clone(),
        left_out: left_out(profile),
        stopped: profile.info.stopped.as_ref().map(|(_, why)| why.clone()),
    }
}

/// The regions, barriers and acquisitions that sums have and whose events were recorded besides.
/// Why the functions of this interpreter are not known, in words.
fn unread_python(python: info::Python) -> Option<String> {
    let (minor, patch) = (python.version >> 16 & 0xff, python.version >> 8 & 0xff);
    let name = match python.version {
        0 => "Python before 3.9".to_owned(),
        _ => format!("Python {}.{minor}", python.version >> 24),
    };
    match python.frames {
        PythonFrames::Read => None,
        PythonFrames::UnknownVersion => {
            Some(format!("{name}: its frames are not known to this oxomp"))
        }
        PythonFrames::FreeThreaded => {
            Some(format!("free-threaded {name}: its frames are not known to this oxomp"))
        }
        PythonFrames::Unexpected => Some(format!(
            "{name}.{patch}: its frames are not where this oxomp expects them in this version"
        )),
    }
}

fn recorded(profile: &Profile, model: &Model) -> u64 {
    if !profile.info.whole_sums {
        return 0;
    }
    let regions = model.regions.iter().filter(|region| region.is_whole()).count();
    let acquisitions = model.mutex_waits.iter().filter(|wait| wait.acquired).count();
    (regions + acquisitions + model.barrier_waits.len()) as u64
}

/// The number of chunks that have lost something. A gap is not counted: the damaged chunk that
/// causes the gap is counted.
fn lost_chunks(profile: &Profile) -> u64 {
    let lost = profile
        .damage
        .iter()
        .filter(|damage| !matches!(damage.what, DamageKind::Gap { .. } | DamageKind::Twice));
    lost.map(|damage| damage.chunk).collect::<BTreeSet<u64>>().len() as u64
}

/// CPU time of threads that OpenMP does not know, ns; `None` if the CPU time of a known one is not.
fn unseen_cpu(profile: &Profile, model: &Model) -> Option<u64> {
    let info = &profile.info;
    let total = info.cpu_ns.filter(|_| info.end_tick.is_some() && info.stopped.is_none())?;
    let mut known = 0_u64;
    for events in &profile.threads {
        let thread = model.threads.iter().find(|thread| thread.number == events.number)?;
        raise(&mut known, processor_time(events, thread, info)?);
    }
    Some(total.saturating_sub(known))
}

/// What the runtime takes to call the collector for an event, ns: it cannot be measured in a run.
/// Three callbacks without a body made an uncontended critical 30 to 50 ns longer.
const CALL_NS: u64 = 12;
/// What oxomp's runtime takes to count an acquisition of a mutex and its release instead of
/// reporting them, ns: 6 to 14 were measured, by what the mutex guards (the programs of the rows
/// `critical_alone`, `lock` and `lock_often` of `cargo xtask overhead`, built by gcc).
const UNREPORTED_NS: u64 = 8;
/// What the kernel takes to deliver a sample's signal and to return from it, ns.
const SIGNAL_NS: u64 = 1000;

/// What recording took the program's threads, the most costly class first.
fn recording(profile: &Profile) -> Vec<RecordingCost> {
    let clock = profile.clock();
    let cost = |cost: &EventCost| {
        let (class, call_ns) = match cost.class {
            EventClass::Regions => ("regions", CALL_NS),
            EventClass::Loops => ("loops", CALL_NS),
            EventClass::Locks => ("locks", CALL_NS),
            EventClass::Tasks => ("tasks", CALL_NS),
            EventClass::Devices => ("devices", CALL_NS),
            EventClass::Samples => ("samples", SIGNAL_NS),
            EventClass::Unreported => ("locks without events", UNREPORTED_NS),
        };
        let calls = cost.events.saturating_mul(call_ns);
        let cost_ns = clock.span(cost.all_ticks() as u64).saturating_add(calls);
        RecordingCost { class, events: cost.events, cost_ns }
    };
    let mut costs: Vec<RecordingCost> = profile.info.costs.iter().map(cost).collect();
    costs.sort_by_cached_key(|cost| Reverse(cost.cost_ns));
    costs
}

/// Acquisitions of mutexes that were only counted.
fn counted_acquisitions(profile: &Profile) -> u64 {
    let entries = profile.threads.iter().flat_map(|thread| &thread.folded);
    let entries = entries.filter(|entry| entry.fold_kind() == Some(FoldKind::Mutex));
    entries.fold(0, |sum: u64, entry| sum.saturating_add(entry.key[2]))
}

/// The sum of one value over all entries of a kind.
fn sum_of(profile: &Profile, kind: FoldKind, position: usize) -> u64 {
    let entries = profile.threads.iter().flat_map(|thread| &thread.folded);
    let entries = entries.filter(|entry| entry.fold_kind() == Some(kind));
    entries.fold(0, |sum: u64, entry| sum.saturating_add(entry.values[position]))
}

/// What the collector had no room for, in words.
fn left_out(profile: &Profile) -> Vec<(&'static str, u64)> {
    let what = [
        (
            fold::left_out::HOLDS,
            "holds of mutexes whose length is unknown (beside sixteen others, or told too late)",
        ),
        (fold::left_out::UNFOLLOWED, "acquisitions of mutexes whose holders were not followed"),
        (fold::left_out::WAITS, "waits too deep inside others, which count as user code"),
        (fold::left_out::TASKS, "tasks beside 65,536 unfinished ones of their thread"),
        (fold::left_out::DEPENDENCES, "dependences that are in no longest chain of tasks"),
        (
            fold::left_out::WORKS,
            "worksharing constructs too deep inside others, without iterations",
        ),
        (fold::left_out::CURVES, "executions of loops without costs of their iterations"),
    ];
    let counted = what.map(|(position, words)| {
        let is_known = profile.info.whole_sums;
        (words, if is_known { sum_of(profile, FoldKind::LeftOut, position) } else { 0 })
    });
    counted.into_iter().filter(|(_, number)| *number > 0).collect()
}

/// Explicit tasks without events of their own: all tasks, which the program counts in every mode,
/// but those whose begins were recorded.
fn folded_tasks(profile: &Profile) -> u64 {
    let all = sum_of(profile, FoldKind::Tasks, fold::tasks::COUNT);
    let records = profile.threads.iter().flat_map(|thread| &thread.records);
    let switch = EventKind::TaskSwitch as u8;
    let begins = records.filter(|record| record.kind == switch && record.aux != 0).count();
    all.saturating_sub(begins as u64)
}
