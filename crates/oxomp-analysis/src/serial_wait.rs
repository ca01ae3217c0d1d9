//! Time outside of regions in which an initial thread did not compute: it waited for input, for a
//! child or for another thread, or for a processor where the collector has not looked at that.
//!
//! A recording has the processor time of a whole thread, and not of its serial code. What its
//! serial code used is bounded from above: it is what the thread used, less what the samples in
//! regions show to have been used there. The rest of the serial time was waiting, so the answer is
//! a lower bound, and code that computes is never taken for a wait.

use oxomp_trace::{EventKind, Info, Profile, ThreadEvents};

use crate::calls::CallTree;
use crate::calls::hot_code::parallel;
use crate::model::{Model, Thread};
use crate::resolve::Resolved;
use crate::summary::{Class, Sampled, SerialStretch};

/// Waits below this, or below [`WORTH`] of a thread's serial time, are within what the system's
/// accounting of processor time leaves out.
const LEAST_NS: u64 = 5_000_000;
const WORTH: f64 = 0.05;

/// Standard deviations that the number of samples may be off.
const DEVIATIONS: f64 = 3.0;

/// Moves the time that initial threads waited from their serial work to a class of its own.
/// Returns the sum of all threads, ns.
pub(crate) fn waited(
    profile: &Profile,
    model: &Model,
    calls: &CallTree,
    resolved: &mut Resolved,
) -> u64 {
    let info = &profile.info;
    if info.end_tick.is_none() || info.stopped.is_some() {
        return 0;
    }
    let parallel = parallel(calls);
    let mut sum = 0;
    for (thread, classes) in model.threads.iter().zip(&mut resolved.threads) {
        let mut streams = profile.threads.iter();
        let Some(events) = streams.find(|events| events.number == thread.number) else { continue };
        let Some(used) = processor_time(events, thread, info) else { continue };
        let in_regions = calls
            .samples
            .iter()
            .filter(|one| one.thread == thread.number && parallel[one.node as usize]);
        let computed = used.saturating_sub(at_least(in_regions.count() as u64, calls.period_ns));
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

/// The processor time that so many samples stand for at least, ns.
fn at_least(samples: u64, period_ns: u64) -> u64 {
    let samples = samples as f64;
    let sure = (samples - DEVIATIONS * samples.sqrt()).max(0.0);
    (sure * period_ns as f64) as u64
}

/// Gives each of `stretches` the part of the time waited in all of them that the others have no
/// room for. Waiting cannot be run in parallel, so its gain falls.
pub(crate) fn share_waits(
    stretches: &mut [SerialStretch],
    sampled: Option<&Sampled>,
    waited_ns: u64,
) {
    let room: Vec<u64> = stretches.iter().map(|stretch| room(stretch, sampled)).collect();
    let all = room.iter().fold(0, |sum: u64, one| sum.saturating_add(*one));
    for (stretch, room) in stretches.iter_mut().zip(room) {
        let waited = waited_ns.saturating_sub(all - room).min(room);
        let kept = 1.0 - waited as f64 / stretch.total_ns.max(1) as f64;
        stretch.waited_ns = waited;
        stretch.gain_ns = (stretch.gain_ns as f64 * kept) as u64;
    }
}

/// The most that threads can have waited in a stretch, ns: samples are of user code, so they say
/// how long it computed at least.
fn room(stretch: &SerialStretch, sampled: Option<&Sampled>) -> u64 {
    let same = sampled.and_then(|sampled| {
        let mut stretches = sampled.stretches.iter();
        let one =
            stretches.find(|one| (one.after, one.before) == (stretch.after, stretch.before))?;
        Some(at_least(one.samples, sampled.period_ns))
    });
    stretch.total_ns.saturating_sub(same.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::share_waits;
    use crate::summary::{HotStretch, Sampled, SerialStretch, SiteId};

    const MS: u64 = 1_000_000;

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
            HotStretch { after: None, before: Some(SiteId(2)), samples, code: Vec::new() };
        let sampled = Sampled {
            taken: samples,
            incomplete: 0,
            lost: 0,
            period_ns: MS,
            code: Vec::new(),
            stretches: vec![computing],
        };
        share_waits(&mut stretches, Some(&sampled), waited_ms * MS);
        stretches.map(|one| (one.waited_ns / MS, one.gain_ns / MS))
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
