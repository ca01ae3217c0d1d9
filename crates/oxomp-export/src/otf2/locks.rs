//! When threads acquired and released locks.

use std::collections::HashMap;

use oxomp_analysis::model::Model;

use crate::timeline::{Kind, Lanes};

/// A thread acquires or releases a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LockEvent {
    pub(super) time: u64,
    /// False: it releases the lock.
    pub(super) acquires: bool,
    pub(super) lock: u32,
    /// How often the lock had been acquired, this time included.
    pub(super) order: u32,
}

/// The numbers of locks, and the order in which each was acquired.
#[derive(Debug)]
pub(super) struct Locks {
    /// By position in the model's holds, the lock and the order.
    holds: Vec<(u32, u32)>,
}

impl Locks {
    pub(super) fn of(model: &Model) -> Self {
        let mut order: Vec<usize> = (0..model.holds.len()).collect();
        order.sort_by_cached_key(|hold| (model.holds[*hold].begin, model.holds[*hold].end));
        let mut locks: HashMap<u64, (u32, u32)> = HashMap::new();
        let mut holds = vec![(0, 0); model.holds.len()];
        for hold in order {
            let next = u32::try_from(locks.len()).unwrap_or(u32::MAX);
            let (lock, acquired) = locks.entry(model.holds[hold].wait_id).or_insert((next, 0));
            *acquired += 1;
            holds[hold] = (*lock, *acquired);
        }
        Self { holds }
    }

    /// What a thread did with locks, in the order of time, without holds shorter than `width`.
    pub(super) fn events(&self, lanes: &Lanes, width: u64) -> Vec<LockEvent> {
        let mut events = Vec::new();
        for slice in lanes.iter().flatten().filter(|slice| slice.end - slice.begin >= width) {
            let Kind::Hold(hold) = slice.kind else { continue };
            let (lock, order) = self.holds[hold as usize];
            for (time, acquires) in [(slice.begin, true), (slice.end, false)] {
                events.push(LockEvent { time, acquires, lock, order });
            }
        }
        events.sort_unstable();
        events
    }
}

#[cfg(test)]
mod tests {
    use super::{LockEvent, Locks};
    use crate::timeline::{Kind, Slice};
    use oxomp_analysis::model::{Hold, Model};

    #[test]
    fn a_lock_is_released_before_it_is_acquired_again() {
        let hold = |wait_id, begin, end| Hold { kind: 1, wait_id, code: 0, begin, end };
        let model = Model {
            holds: vec![hold(70, 30, 40), hold(70, 20, 30), hold(71, 5, 50)],
            ..Model::default()
        };
        let slice = |hold: u32| {
            let Hold { begin, end, .. } = model.holds[hold as usize];
            Slice { begin, end, depth: 0, kind: Kind::Hold(hold) }
        };
        let locks = Locks::of(&model);
        let event = |time, acquires, lock, order| LockEvent { time, acquires, lock, order };
        let events = locks.events(&vec![vec![slice(2)], vec![slice(1), slice(0)]], 0);
        let expected = [
            event(5, true, 0, 1),
            event(20, true, 1, 1),
            event(30, false, 1, 1),
            event(30, true, 1, 2),
            event(40, false, 1, 2),
            event(50, false, 0, 1),
        ];
        assert_eq!(events, expected);
        assert_eq!(locks.events(&vec![vec![slice(2)], vec![slice(1)]], 20).len(), 2);
    }
}
