//! Time in which user code did not compute, since the system's scheduler took its processor or
//! since it was blocked: classes of their own.

use std::collections::BTreeMap;

use oxomp_trace::fold::scheduler;
use oxomp_trace::{FoldKind, Profile};

use crate::constructs::Constructs;
use crate::model::Model;
use crate::resolve::Resolved;
use crate::summary::Class;
use crate::sums::raise;

/// The time that was not computed in one region, all threads together, ns.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Taken {
    /// User code without a processor.
    pub(crate) useful: u64,
    /// User code that was blocked.
    pub(crate) blocked: u64,
    /// Waits of other threads for one from which it was taken.
    pub(crate) waits: u64,
    /// Waits that a thread would have had without it for others.
    pub(crate) hidden: u64,
}

/// Moves the time that the scheduler took, and the time in which threads were blocked, out of the
/// threads' other classes into the classes for them. Returns these times by the code address of the
/// region, 0 outside every region. `open_work`: the time of each thread of the model in user code
/// that had not ended.
pub(crate) fn taken(
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
    resolved: &mut Resolved,
    open_work: &[u64],
) -> BTreeMap<u64, Taken> {
    let clock = profile.clock();
    let mut by_region = BTreeMap::<u64, Taken>::new();
    let mut waits = 0;
    for events in &profile.threads {
        for entry in events.folded.iter().filter(is_scheduler) {
            let region = constructs.name(entry.key[0]);
            let mut threads = model.threads.iter().zip(&mut resolved.threads).rev();
            let Some((_, classes)) = threads.find(|(facts, _)| facts.number == events.number)
            else {
                continue;
            };
            let sums = by_region.entry(region).or_default();
            let times =
                [scheduler::TAKEN, scheduler::BLOCKED].map(|at| clock.span(entry.values[at]));
            move_times(times, region == 0, classes, sums);
            raise(&mut sums.waits, clock.span(entry.values[scheduler::WAITS]));
            raise(&mut sums.hidden, clock.span(entry.values[scheduler::HIDDEN_WAITS]));
            raise(&mut waits, clock.span(entry.values[scheduler::WAITS]));
        }
    }
    for open in &profile.info.unfinished {
        let region = constructs.name(open.code);
        let threads = model.threads.iter().zip(&mut resolved.threads).zip(open_work).rev();
        let mut threads = threads.filter(|((facts, _), _)| u64::from(facts.tid) == open.tid);
        let Some(((_, classes), &work)) = threads.next() else { continue };
        let taken = clock.span(open.taken).min(work);
        let times = [taken, clock.span(open.blocked).min(work - taken)];
        move_times(times, region == 0, classes, by_region.entry(region).or_default());
    }
    // The recording does not tell which thread waited how long for the one that came late.
    resolved.move_part(Class::Imbalance, Class::Scheduler, waits);
    by_region
}

/// Moves the time that the scheduler took from a thread's user code, and the time for which the
/// thread was blocked in it, to the classes for them and to the sums of the place.
fn move_times(
    [taken, blocked]: [u64; 2],
    is_serial: bool,
    classes: &mut [u64; Class::COUNT],
    sums: &mut Taken,
) {
    let (from, waits) = match is_serial {
        true => (Class::Serial, Class::SerialWait),
        false => (Class::Useful, Class::Blocked),
    };
    for (time, class, sum) in
        [(taken, Class::Scheduler, &mut sums.useful), (blocked, waits, &mut sums.blocked)]
    {
        let time = time.min(classes[from as usize]);
        classes[from as usize] -= time;
        raise(&mut classes[class as usize], time);
        raise(sum, time);
    }
}

/// The time that initial threads were blocked outside of regions, ns, by the code address of the
/// region before.
pub(crate) fn serial_waits(
    profile: &Profile,
    constructs: &Constructs,
) -> BTreeMap<Option<u64>, u64> {
    let clock = profile.clock();
    let mut waits = BTreeMap::new();
    let entries = profile.threads.iter().flat_map(|events| &events.folded);
    for entry in entries.filter(is_scheduler).filter(|entry| entry.key[0] == 0) {
        let after = Some(entry.key[1]).filter(|code| *code != 0).map(|code| constructs.name(code));
        raise(waits.entry(after).or_default(), clock.span(entry.values[scheduler::BLOCKED]));
    }
    waits
}

fn is_scheduler(entry: &&oxomp_trace::FoldEntry) -> bool {
    entry.fold_kind() == Some(FoldKind::Scheduler)
}
