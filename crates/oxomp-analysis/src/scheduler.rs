//! Time in which user code did not compute, since the system's scheduler took its processor or
//! since it was blocked: classes of their own.

use std::collections::BTreeMap;

use oxomp_trace::fold::scheduler;
use oxomp_trace::{FoldKind, Profile};

use crate::constructs::Constructs;
use crate::folded::raise;
use crate::model::Model;
use crate::resolve::Resolved;
use crate::summary::Class;

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

/// Moves the time that the scheduler took, and that in which threads were blocked, from the
/// threads' classes to their own; returns it by the code address of the region, 0 outside every
/// region.
pub(crate) fn taken(
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
    resolved: &mut Resolved,
) -> BTreeMap<u64, Taken> {
    let clock = profile.clock();
    let mut by_region = BTreeMap::<u64, Taken>::new();
    let mut waits = 0;
    for events in &profile.threads {
        for entry in events.folded.iter().filter(is_scheduler) {
            let region = constructs.name(entry.key[0]);
            let (from, blocked) = match region {
                0 => (Class::Serial, Class::SerialWait),
                _ => (Class::Useful, Class::Blocked),
            };
            let mut threads = model.threads.iter().zip(&mut resolved.threads).rev();
            let Some((_, classes)) = threads.find(|(facts, _)| facts.number == events.number)
            else {
                continue;
            };
            let sums = by_region.entry(region).or_default();
            for (ticks, class, sum) in [
                (entry.values[scheduler::TAKEN], Class::Scheduler, &mut sums.useful),
                (entry.values[scheduler::BLOCKED], blocked, &mut sums.blocked),
            ] {
                let time = clock.span(ticks).min(classes[from as usize]);
                classes[from as usize] -= time;
                raise(&mut classes[class as usize], time);
                raise(sum, time);
            }
            raise(&mut sums.waits, clock.span(entry.values[scheduler::WAITS]));
            raise(&mut sums.hidden, clock.span(entry.values[scheduler::HIDDEN_WAITS]));
            raise(&mut waits, clock.span(entry.values[scheduler::WAITS]));
        }
    }
    // The recording does not tell which thread waited how long for the one that came late.
    resolved.move_part(Class::Imbalance, Class::Scheduler, waits);
    by_region
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
