//! Waits in the runtime whose lengths only samples tell: for other iterations of a doacross loop
//! nest, and for turns in reductions. No event tells of them, so they are in the time of user code.
//! Samples of the processor's time find a thread that computes while it waits, as it may for
//! iterations; looks at blocked threads find the others. What both find goes to the class of waits
//! for locks.

use std::collections::{BTreeMap, BTreeSet};

use crate::calls::{CallTree, IterationCall, Waiter};
use crate::constructs::Constructs;
use crate::model::Model;
use crate::resolve::Resolved;
use crate::scheduler::Taken;
use crate::summary::{Cause, Class};
use crate::sums::raise;

/// The waits at one sink, or in one reduction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SampledWait {
    pub(super) cause: Cause,
    /// The code address of the region; 0: it is not known.
    pub(super) region: u64,
    pub(super) path: Vec<String>,
    pub(super) line: Option<(String, u32)>,
    pub(super) samples: u64,
    /// The time of all threads, and the standard error of the part that samples tell, ns.
    pub(super) time: u64,
    pub(super) error: u64,
}

/// Moves the time of such waits to [`Class::Mutex`]: from the threads' useful time, and from the
/// time in which they were blocked, also in `taken`. The recording does not tell which thread was
/// blocked where, so each thread gets a part of the blocked time in proportion to the time for
/// which it was blocked anywhere. Returns the time by sink. `regions`: the code addresses of all
/// regions.
pub(super) fn sampled_waits(
    calls: &CallTree,
    model: &Model,
    constructs: &Constructs,
    regions: &BTreeSet<u64>,
    taken: &mut BTreeMap<u64, Taken>,
    resolved: &mut Resolved,
) -> Vec<SampledWait> {
    let mut waits: Vec<SampledWait> = Vec::new();
    let each = each_sample(calls, model, resolved);
    for call in &calls.iterations {
        let region = call.body.and_then(|body| constructs.region_in(body, regions)).unwrap_or(0);
        let (time, error) = move_computing(call, &each, model, resolved);
        let (path, line, samples) = (call.path.clone(), call.line.clone(), call.samples);
        let cause = Cause::Doacross;
        add(&mut waits, SampledWait { cause, region, path, line, samples, time, error });
    }
    let mut blocked = 0;
    for (&region, taken) in
        taken.iter_mut().filter(|(region, taken)| **region != 0 && taken.blocked > 0)
    {
        let looks = calls.blocked.iter().filter(|one| constructs.name(one.region) == region);
        let all: u64 = looks.clone().map(|one| one.samples).sum();
        let measured = taken.blocked;
        for call in looks.filter(|one| one.cause.is_runtimes()) {
            let part = call.samples as f64 / all as f64;
            let time = ((measured as f64 * part) as u64).min(taken.blocked);
            taken.blocked -= time;
            raise(&mut blocked, time);
            let (path, line, samples) = (call.path.clone(), call.line.clone(), call.samples);
            let cause = call.cause;
            add(&mut waits, SampledWait { cause, region, path, line, samples, time, error: 0 });
        }
    }
    resolved.move_part(Class::Blocked, Class::Mutex, blocked);
    waits.retain(|one| one.time > 0);
    waits
}

/// Adds a wait to the wait at the same sink: copies of a construct, and both ways to wait, make one
/// row.
fn add(waits: &mut Vec<SampledWait>, wait: SampledWait) {
    let same = |one: &&mut SampledWait| {
        (one.cause, one.region, &one.path, &one.line)
            == (wait.cause, wait.region, &wait.path, &wait.line)
    };
    match waits.iter_mut().find(same) {
        Some(one) => {
            one.samples += wait.samples;
            raise(&mut one.time, wait.time);
            one.error = (one.error as f64).hypot(wait.error as f64) as u64;
        }
        None => waits.push(wait),
    }
}

/// The most times longer than the processor time between two samples that a wait is for which one
/// sample stands.
const MOST_IN_KERNEL: f64 = 16.0;

/// The most samples that a thread lacks whose processor time is all in user code, compared with
/// that time divided by the time between two samples: one before its first sample, one after its
/// last.
const UNEVEN: f64 = 2.0;
/// The part of the processor time that any thread is in the kernel: page faults, interrupts and
/// the signals of the samples themselves.
const ANYHOW: f64 = 0.02;

/// The time for which a sample in such a wait stands, ns.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Each {
    time: f64,
    /// By how much `time` may be wrong, but for the number of samples.
    unsure: f64,
    /// The processor time between two samples, and the thread's processor time.
    period: f64,
    used: f64,
}

impl Each {
    /// The variance of a part `time` of the thread's processor time that samples found. Moments at
    /// which the thread is in the kernel count, as those at which it has a sample.
    fn variance(self, time: f64) -> f64 {
        let rest = (1.0 - time / self.used.max(1.0)).max(0.0);
        // A sample more or less is chance, also where all samples agree.
        if time > 0.0 { time * rest * self.period + self.period * self.period } else { 0.0 }
    }
}

/// The time for which a sample in such a wait stands, by thread.
fn each_sample(calls: &CallTree, model: &Model, resolved: &Resolved) -> BTreeMap<u32, Each> {
    let mut each = BTreeMap::new();
    for (thread, classes) in model.threads.iter().zip(&resolved.threads) {
        let waiter = calls.waiters.get(&thread.number).filter(|_| calls.lost == 0);
        let used = classes[Class::Useful as usize].saturating_add(classes[Class::Serial as usize]);
        let unseen = waiter.map(|waiter| unseen(waiter, calls.period_ns, used));
        let (unseen, unsure) = unseen.unwrap_or_default();
        let (period, used) = (calls.period_ns as f64, used as f64);
        each.insert(thread.number, Each { time: period + unseen, unsure, period, used });
    }
    each
}

/// The part of a thread's time without samples that belongs to one of its samples in such a wait,
/// and by how much it may be wrong, ns.
///
/// The thread has used `used` ns of processor time. One moment of it in each `period_ns` is a
/// sample, unless the thread is in the kernel. So for the time without samples it was there: it
/// gives its processor away in each turn of its wait, or calls the kernel from the C library. Of
/// time that any thread may be without samples, half is counted, and the other half is the error.
fn unseen(waiter: &Waiter, period_ns: u64, used: u64) -> (f64, f64) {
    let (all, period, used) = (waiter.all as f64, period_ns as f64, used as f64);
    let rest = (used - all * period).max(0.0);
    let half = (UNEVEN * period + ANYHOW * used).min(rest) / 2.0;
    let in_calls = waiter.waiting.saturating_add(waiter.in_library).max(1) as f64;
    let time = ((rest - half) / in_calls).min(MOST_IN_KERNEL * period);
    (time, (half / in_calls).min(time))
}

/// Moves the time of the samples of `call` on each thread; `each` says for how much time a sample
/// of a thread stands. Returns the sum and its error, ns. Samples of unknown threads are divided
/// among the known threads in proportion.
fn move_computing(
    call: &IterationCall,
    each: &BTreeMap<u32, Each>,
    model: &Model,
    resolved: &mut Resolved,
) -> (u64, u64) {
    let known: u64 = call.threads.values().sum();
    let all = call.samples as f64 / known.max(1) as f64;
    let (mut sum, mut variance, mut unsure) = (0, 0.0, 0.0);
    for (thread, classes) in model.threads.iter().zip(&mut resolved.threads) {
        let samples = call.threads.get(&thread.number).copied().unwrap_or(0) as f64;
        let each = each.get(&thread.number).copied().unwrap_or_default();
        let useful = &mut classes[Class::Useful as usize];
        let time = ((samples * all * each.time) as u64).min(*useful);
        *useful -= time;
        raise(&mut classes[Class::Mutex as usize], time);
        raise(&mut sum, time);
        variance += each.variance(time as f64);
        unsure += (samples * all * each.unsure).min(time as f64);
    }
    (sum, variance.sqrt().hypot(unsure) as u64)
}

#[cfg(test)]
mod tests {
    use super::{Each, unseen};
    use crate::calls::Waiter;

    #[test]
    fn time_in_the_kernel_is_that_of_waits_and_of_the_library() {
        const PERIOD: u64 = 10;
        let unseen = |waiter: Waiter, used| unseen(&waiter, PERIOD, used);
        // 900 of 1000 are not seen: four of five that call the kernel wait.
        let yields = Waiter { all: 10, waiting: 4, in_library: 1 };
        assert_eq!(unseen(yields, 1000), (160.0, 4.0), "at most 16 times as long");
        // Of 500, up to 20 are before the first and after the last sample, and 10 anyhow.
        assert_eq!(unseen(yields, 500), (77.0, 3.0));
        assert_eq!(unseen(Waiter { in_library: 36, ..yields }, 500), (385.0 / 40.0, 15.0 / 40.0));
        // A thread whose waits use no kernel, and some whose samples are few by chance.
        assert_eq!(unseen(yields, 100), (0.0, 0.0));
        assert_eq!(unseen(yields, 90), (0.0, 0.0));
        assert_eq!(unseen(yields, 110), (1.0, 1.0));
        assert_eq!(unseen(yields, 150), (50.0 / 5.0 - 2.3, 2.3));
    }

    #[test]
    fn the_error_is_that_of_a_share_of_the_moments() {
        let each = Each { time: 30.0, unsure: 0.0, period: 10.0, used: 1000.0 };
        // 50 of 100 moments: five more or less, and one for the phase.
        assert_eq!(each.variance(500.0), 2500.0 + 100.0);
        assert_eq!((each.variance(1000.0), each.variance(0.0)), (100.0, 0.0));
    }
}
