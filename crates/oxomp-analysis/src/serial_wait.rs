//! Time outside of regions in which an initial thread did not compute, for the two cases in which
//! the collector has not measured it: before the recording, and in the code in which a program was
//! killed.
//!
//! A recording has the processor time of a whole thread, and not of that code. Its serial code used
//! at most the thread's processor time less what the samples in regions show. The rest of the
//! serial time was waiting, so the answer is a lower bound, and code that computes is never taken
//! for a wait.
//!
//! A program that was killed has left no processor times. There the samples that its work in
//! regions does not explain bound what its serial code used, since samples come at equal distances
//! of the thread's own processor time. Kernels that it executes for a device look like regions.

use std::collections::BTreeMap;

use oxomp_trace::{EventKind, Info, Profile, ThreadEvents};

use crate::calls::hot_code::parallel;
use crate::calls::{CallTree, Sample};
use crate::model::{Model, Thread};
use crate::resolve::Resolved;
use crate::summary::{Class, Sampled, SerialStretch, SiteId};

/// Waits below this, or below [`WORTH`] of a thread's serial time, are within what the system's
/// accounting of processor time leaves out.
const LEAST_NS: u64 = 5_000_000;
const WORTH: f64 = 0.05;

/// Standard deviations that the number of samples may be off.
const DEVIATIONS: f64 = 3.0;

/// Samples that the kernel may owe a thread: its timer counts from the thread's first event, and
/// looks at the thread at the ticks of its clock.
const LATE_SAMPLES: f64 = 10.0;

/// Moves the time that initial threads waited from their serial work to a class of its own.
/// Returns the sum of all threads, ns.
pub(crate) fn waited(
    profile: &Profile,
    model: &Model,
    calls: &CallTree,
    resolved: &mut Resolved,
) -> u64 {
    let info = &profile.info;
    let is_whole = info.end_tick.is_some();
    let is_sampled = calls.period_ns > 0;
    if info.stopped.is_some() || !(is_whole || is_sampled) {
        return 0;
    }
    let parallel = parallel(calls);
    let mut sum = 0;
    for (thread, classes) in model.threads.iter().zip(&mut resolved.threads) {
        let mut streams = profile.threads.iter();
        let Some(events) = streams.find(|events| events.number == thread.number) else { continue };
        let samples = |counts: &dyn Fn(&Sample) -> bool| {
            let own = calls.samples.iter().filter(|one| one.thread == thread.number);
            own.filter(|one| counts(one)).count() as u64
        };
        let computed = match processor_time(events, thread, info) {
            Some(used) => {
                let in_regions = samples(&|one| parallel[one.node as usize]);
                used.saturating_sub(at_least(in_regions, calls.period_ns))
            }
            None if is_whole => continue,
            None => {
                // A sample that could not be kept may have been this thread's.
                let all = at_most(samples(&|_| true) + calls.lost, calls.period_ns);
                all.saturating_sub(classes[Class::Useful as usize])
            }
        };
        let serial = &mut classes[Class::Serial as usize];
        let waited = serial.saturating_sub(computed);
        if waited < LEAST_NS.max((*serial as f64 * WORTH) as u64) {
            continue;
        }
        *serial -= waited;
        classes[Class::SerialWait as usize] += waited;
        sum += waited;
    }
    sum
}

/// The processor time that a thread has used, ns, where the recording has it.
pub(crate) fn processor_time(events: &ThreadEvents, thread: &Thread, info: &Info) -> Option<u64> {
    let ended = events.records.last().filter(|last| last.event() == Some(EventKind::ThreadEnd));
    match ended {
        Some(end) => Some(end.value),
        None => {
            let living = info.thread_cpu.iter().find(|(id, _)| *id == u64::from(thread.tid));
            living.map(|(_, used)| *used)
        }
    }
}

/// The least processor time that this many samples stand for, ns.
fn at_least(samples: u64, period_ns: u64) -> u64 {
    let samples = samples as f64;
    let sure = (samples - DEVIATIONS * samples.sqrt()).max(0.0);
    (sure * period_ns as f64) as u64
}

/// The most processor time that this many samples stand for, ns.
fn at_most(samples: u64, period_ns: u64) -> u64 {
    let samples = samples as f64;
    let most = samples + DEVIATIONS * samples.sqrt() + LATE_SAMPLES;
    (most * period_ns as f64) as u64
}

/// Gives each of `stretches` the time for which its threads were blocked. The times in `known` were
/// measured behind a region; of `others` only the sum is known. Of both, a stretch gets what the
/// other stretches in question have no room for. Waiting cannot be run in parallel, so its gain
/// falls.
pub(crate) fn share_waits(
    stretches: &mut [SerialStretch],
    sampled: Option<&Sampled>,
    known: &BTreeMap<Option<SiteId>, u64>,
    others: u64,
) {
    for (after, waited) in known {
        let behind = stretches.iter_mut().filter(|stretch| stretch.after == *after);
        share(behind.collect(), sampled, *waited);
    }
    share(stretches.iter_mut().collect(), sampled, others);
    for stretch in stretches {
        let kept = 1.0 - stretch.waited_ns as f64 / stretch.total_ns.max(1) as f64;
        stretch.gain_ns = (stretch.gain_ns as f64 * kept) as u64;
    }
}

/// Adds to each of `stretches` what the others have no room for of `waited`.
fn share(stretches: Vec<&mut SerialStretch>, sampled: Option<&Sampled>, waited: u64) {
    let room: Vec<u64> = stretches.iter().map(|stretch| room(stretch, sampled)).collect();
    let all = room.iter().fold(0, |sum: u64, one| sum.saturating_add(*one));
    for (stretch, room) in stretches.into_iter().zip(room) {
        stretch.waited_ns += waited.saturating_sub(all - room).min(room);
    }
}

/// The most that threads can have waited besides in a stretch, ns: samples are of user code, so
/// they say how long it computed at least.
fn room(stretch: &SerialStretch, sampled: Option<&Sampled>) -> u64 {
    let same = sampled.and_then(|sampled| {
        let mut stretches = sampled.stretches.iter();
        let one =
            stretches.find(|one| (one.after, one.before) == (stretch.after, stretch.before))?;
        Some(at_least(one.samples, sampled.period_ns))
    });
    stretch.total_ns.saturating_sub(same.unwrap_or(0)).saturating_sub(stretch.waited_ns)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use oxomp_trace::{Info, Profile, ThreadEvents};

    use super::{share_waits, waited};
    use crate::calls::{CallNode, CallTree, Sample};
    use crate::model::{Model, Thread};
    use crate::resolve::Resolved;
    use crate::summary::{Class, HotStretch, Sampled, SerialStretch, SiteId};

    const MS: u64 = 1_000_000;

    /// The wait, in ms, of a killed program's initial thread with 4 s of serial time and `samples`
    /// samples in it, one each 10 ms.
    fn waited_when_killed(samples: usize, lost: u64) -> u64 {
        let node = CallNode {
            caller: None,
            function: "main".to_owned(),
            line: None,
            module: None,
            region: false,
            library: false,
            python: false,
            own: 0,
            total: 0,
        };
        let sample = Sample { thread: 0, time_ns: 0, node: 0 };
        let samples = std::iter::repeat_n(sample, samples);
        let calls = CallTree {
            period_ns: 10 * MS,
            nodes: vec![node],
            samples: samples.collect(),
            lost,
            ..CallTree::default()
        };
        let thread = Thread {
            number: 0,
            tid: 7,
            initial: true,
            begin: 0,
            end: 4_000 * MS,
            folded_from: None,
            segments: Vec::new(),
            gaps: Vec::new(),
        };
        let mut classes = [0; Class::COUNT];
        classes[Class::Serial as usize] = 4_000 * MS;
        let mut resolved = Resolved { threads: vec![classes], ..Resolved::default() };
        let profile = Profile {
            info: Info { end_tick: None, ..Info::default() },
            threads: vec![ThreadEvents { number: 0, records: Vec::new(), folded: Vec::new() }],
            open_chunks: 1,
            ..Profile::default()
        };
        let model = Model { threads: vec![thread], ..Model::default() };
        let sum = waited(&profile, &model, &calls, &mut resolved);
        let [serial, wait] =
            [Class::Serial, Class::SerialWait].map(|class| resolved.threads[0][class as usize]);
        assert_eq!((serial + wait, wait), (4_000 * MS, sum));
        sum / MS
    }

    #[test]
    fn a_killed_program_waited_for_what_its_samples_do_not_show() {
        assert_eq!(waited_when_killed(0, 0), 3_900);
        // 100 samples are 130 at most, and 10 that are late.
        assert_eq!(waited_when_killed(100, 0), 2_600);
        assert_eq!(waited_when_killed(400, 0), 0);
        assert_eq!(waited_when_killed(0, 100), 2_600, "the lost ones may have been its own");
    }

    fn stretch(before: u32, total_ms: u64) -> SerialStretch {
        SerialStretch {
            after: None,
            before: Some(SiteId(before)),
            count: 1,
            total_ns: total_ms * MS,
            max_ns: total_ms * MS,
            waited_ns: 0,
            gain_ns: total_ms * MS / 2,
        }
    }

    fn shared(waited_ms: u64, samples: u64) -> [(u64, u64); 2] {
        let mut stretches = [stretch(1, 300), stretch(2, 100)];
        let computing =
            HotStretch { after: None, before: Some(SiteId(2)), samples, ..HotStretch::default() };
        let sampled = Sampled {
            taken: samples,
            incomplete: 0,
            lost: 0,
            period_ns: MS,
            code: Vec::new(),
            stretches: vec![computing],
        };
        share_waits(&mut stretches, Some(&sampled), &BTreeMap::new(), waited_ms * MS);
        stretches.map(|one| (one.waited_ns / MS, one.gain_ns / MS))
    }

    #[test]
    fn what_was_measured_behind_a_region_stays_there() {
        let mut stretches = [stretch(1, 300), stretch(2, 100)];
        stretches[1].after = Some(SiteId(1));
        let known = BTreeMap::from([(Some(SiteId(1)), 80 * MS)]);
        share_waits(&mut stretches, None, &known, 310 * MS);
        assert_eq!(stretches.each_ref().map(|one| one.waited_ns / MS), [290, 90]);
        assert!(stretches.iter().all(|one| one.gain_ns < 6 * MS), "{stretches:?}");
    }

    #[test]
    fn a_stretch_waited_for_what_the_others_have_no_room() {
        assert_eq!(shared(0, 0), [(0, 150), (0, 50)]);
        // The short one may have been all of it.
        assert_eq!(shared(90, 0), [(0, 150), (0, 50)]);
        assert_eq!(shared(240, 0), [(140, 80), (0, 50)]);
        // 100 samples are 70 at least: 30 ms of waiting at most.
        assert_eq!(shared(240, 100), [(210, 45), (0, 50)]);
        assert_eq!(shared(400, 0), [(300, 0), (100, 0)]);
    }
}
