//! What the threads of a region have lost.

use crate::context::RegionFrame;
use crate::team::{Arrived, Ending, Region};
use crate::wait_class::{BARRIER, IMBALANCE, MUTEX, STARVED};

/// What the threads of a region have lost, all together, in ticks.
pub(super) struct Lost {
    /// The team's size.
    pub(super) size: u64,
    pub(super) late: u64,
    pub(super) cost: u64,
    pub(super) starved: u64,
    pub(super) locks: u64,
    pub(super) fork_join: u64,
}

impl Lost {
    pub(super) fn of(frame: &RegionFrame, arrived: &Arrived, ending: &Ending) -> Self {
        let &Arrived { members, sum: arrivals, useful, tasks, inner, .. } = arrived;
        let Region { id, begin, .. } = frame.region;
        let Ending { last, release, end, tasking, .. } = *ending;
        let size = u64::from(frame.size).max(members).max(1);
        let late = (members * (last - begin)).saturating_sub(arrivals);
        let cost = members * (release - last);
        let (late_tasking, cost_tasking) = match tasking {
            Some(tasking) => {
                frame.team.stays_while((id, frame.size), (begin, last, release), tasking)
            }
            None => (0, 0),
        };
        let mut parts = [
            late_tasking + cost_tasking,
            late.saturating_sub(late_tasking),
            cost.saturating_sub(cost_tasking),
        ];
        // The tasks that the members executed themselves, as in the stay of each member.
        let mut own = tasks;
        for part in &mut parts {
            let taken = own.min(*part);
            own -= taken;
            *part -= taken;
        }
        let [starved, late, cost] = parts;
        let late = late + inner[IMBALANCE];
        // A wait for a thread that has itself waited for a lock counts as a wait for the lock.
        let both = inner[MUTEX] + late;
        let sooner = frame.lock_gain + arrived.last.saturating_sub(arrived.without_locks);
        let locks = if inner[MUTEX] > 0 { (sooner * size).min(both) } else { 0 };
        // What the members did from their begins to their arrivals.
        let waits: u64 = inner.iter().sum();
        let begins = arrivals.saturating_sub((useful + waits).saturating_sub(tasks));
        Self {
            size,
            late: both - locks,
            cost: cost + inner[BARRIER],
            starved: starved + inner[STARVED],
            locks,
            fork_join: begins + members * (end - release),
        }
    }
}

/// A sum divided by the size of a team.
#[inline]
pub(super) fn share(sum: u64, size: u64) -> u64 {
    match size.is_power_of_two() {
        true => sum >> size.trailing_zeros(),
        false => sum / size,
    }
}
