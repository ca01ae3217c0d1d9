//! Time that the system's scheduler took from user code: a class of its own.

use std::collections::BTreeMap;

use oxomp_trace::fold::scheduler;
use oxomp_trace::{FoldKind, Profile};

use crate::constructs::Constructs;
use crate::folded::raise;
use crate::model::Model;
use crate::resolve::Resolved;
use crate::summary::Class;

/// The time taken in one region, all threads together, ns.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Taken {
    /// From user code.
    pub(crate) useful: u64,
    /// Waits of other threads for one from which it was taken.
    pub(crate) waits: u64,
    /// Waits that a thread would have had without it for others.
    pub(crate) hidden: u64,
}

/// Moves the time that the scheduler took from the threads' classes to its own; returns it by the
/// code address of the region, 0 outside every region.
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
        let own = |entry: &&_| is_scheduler(entry);
        for entry in events.folded.iter().filter(own) {
            let region = constructs.name(entry.key[0]);
            let from = if region == 0 { Class::Serial } else { Class::Useful };
            let mut threads = model.threads.iter().zip(&mut resolved.threads).rev();
            let Some((_, classes)) = threads.find(|(facts, _)| facts.number == events.number)
            else {
                continue;
            };
            let time = clock.span(entry.values[scheduler::TAKEN]).min(classes[from as usize]);
            classes[from as usize] -= time;
            raise(&mut classes[Class::Scheduler as usize], time);
            let sums = by_region.entry(region).or_default();
            raise(&mut sums.useful, time);
            raise(&mut sums.waits, clock.span(entry.values[scheduler::WAITS]));
            raise(&mut sums.hidden, clock.span(entry.values[scheduler::HIDDEN_WAITS]));
            raise(&mut waits, clock.span(entry.values[scheduler::WAITS]));
        }
    }
    move_waits(resolved, waits);
    by_region
}

fn is_scheduler(entry: &oxomp_trace::FoldEntry) -> bool {
    entry.fold_kind() == Some(FoldKind::Scheduler)
}

/// Moves so much of the threads' imbalance to the scheduler, of each in proportion to its own: the
/// recording does not tell which thread waited how long for the one that came late.
fn move_waits(resolved: &mut Resolved, waits: u64) {
    let position = Class::Imbalance as usize;
    let total: u64 = resolved.threads.iter().map(|classes| classes[position]).sum();
    if total == 0 {
        return;
    }
    let part = (waits as f64 / total as f64).min(1.0);
    for classes in &mut resolved.threads {
        let time = ((classes[position] as f64 * part) as u64).min(classes[position]);
        classes[position] -= time;
        raise(&mut classes[Class::Scheduler as usize], time);
    }
}
