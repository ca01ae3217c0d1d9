//! The identities of messages and collective operations, and which of them are recorded.
//!
//! Messages from one process to another with one tag on one communicator arrive in the order in
//! which they were sent, and collective operations on a communicator have one order: so the n-th
//! one is the same in all its processes, which count without a word to each other.
//!
//! Of each kind the first [`ALL`] are recorded, half of the next as many, a quarter of the next
//! twice as many, and so on, and fewer where a process has many kinds. The identity says which: an
//! operation that is recorded at a level has so many bits that are 0, so processes at different
//! levels agree on those of the higher one.

use std::collections::HashMap;

use crate::mix::{Mixed, mix};

/// Of how many messages or operations of a kind all are recorded.
const ALL: u32 = 1024;
/// With each further so many events of the process, it records half as many.
const EVENTS: u64 = 32_768;
/// The most kinds that are told apart.
const KINDS: usize = 1 << 17;
/// In place of a number: the order is not known any more.
const LOST: u32 = u32::MAX;

/// A message or a collective operation that is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instance {
    /// The identity.
    pub(crate) id: u64,
    /// It stands for 2 to the power of this.
    pub(crate) thinning: u8,
}

/// Which end of a channel is counted: a process may send to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Sends = 1,
    Receives = 2,
    /// All processes of a collective operation.
    Collective = 3,
}

/// How many there were of each kind.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    counts: HashMap<u64, u32, Mixed>,
    recorded: u64,
    /// Operations for whose kind there was no room.
    pub(crate) left_out: u64,
}

impl Instances {
    /// The next one of a kind at this end; `None` if it is not recorded.
    pub(crate) fn next(&mut self, kind: u64, end: End) -> Option<Instance> {
        let key = mix(kind, end as u64);
        let number = if let Some(count) = self.counts.get_mut(&key) {
            if *count == LOST {
                self.left_out += 1;
                return None;
            }
            *count += 1;
            *count - 1
        } else if self.counts.len() < KINDS {
            self.counts.insert(key, 1);
            0
        } else {
            self.left_out += 1;
            return None;
        };
        let level = level(number).max((self.recorded / EVENTS).min(31) as u8);
        let id = mix(kind, number.into());
        let is_recorded = id & ((1 << level) - 1) == 0;
        self.recorded += u64::from(is_recorded);
        is_recorded.then_some(Instance { id, thinning: level })
    }

    /// The next one of a kind, which is only looked at.
    pub(crate) fn peek(&self, kind: u64, end: End) -> Option<Instance> {
        let number = self.counts.get(&mix(kind, end as u64)).copied().unwrap_or(0);
        let id = mix(kind, number.into());
        let level = level(number);
        (number != LOST && id & ((1 << level) - 1) == 0).then_some(Instance { id, thinning: level })
    }

    /// From now on the numbers of this kind are not those of the other end.
    pub(crate) fn lose(&mut self, kind: u64, end: End) {
        self.counts.insert(mix(kind, end as u64), LOST);
    }
}

/// Half as many are recorded with each level.
fn level(number: u32) -> u8 {
    if number < ALL { 0 } else { (number / ALL).ilog2() as u8 + 1 }
}

#[cfg(test)]
mod tests {
    use super::{ALL, End, Instances, level};

    #[test]
    fn both_ends_agree_on_what_is_recorded() {
        let (mut sends, mut receives) = (Instances::default(), Instances::default());
        let mut recorded = 0;
        for _ in 0..20 * ALL {
            let sent = sends.next(5, End::Sends);
            assert_eq!(receives.peek(5, End::Receives), sent);
            assert_eq!(receives.next(5, End::Receives), sent);
            recorded += u32::from(sent.is_some());
        }
        // 1024 + 512 for each doubling, and the begin of a fifth one.
        assert!((3_000..3_500).contains(&recorded), "{recorded}");
        assert_eq!(sends.next(6, End::Sends).map(|it| it.thinning), Some(0), "another kind");
    }

    #[test]
    fn what_is_recorded_stands_for_the_others() {
        let mut all = Instances::default();
        let weight = |it: super::Instance| f64::from(1_u32 << it.thinning);
        let sum: f64 = (0..50_000).filter_map(|_| all.next(9, End::Collective)).map(weight).sum();
        assert!((sum / 50_000.0 - 1.0).abs() < 0.1, "{sum}");
    }

    #[test]
    fn a_process_of_many_kinds_records_few_of_each() {
        let mut all = Instances::default();
        let kinds = (0..100_000).filter(|&kind| all.next(kind, End::Sends).is_some()).count();
        assert!((50_000..80_000).contains(&kinds), "{kinds}");
    }

    #[test]
    fn a_lost_order_stays_lost() {
        let mut all = Instances::default();
        all.lose(3, End::Receives);
        assert_eq!((all.next(3, End::Receives), all.peek(3, End::Receives)), (None, None));
        assert!(all.next(3, End::Sends).is_some());
        assert_eq!(all.left_out, 1);
    }

    #[test]
    fn levels_double() {
        let numbers = [0, ALL - 1, ALL, 2 * ALL - 1, 2 * ALL, 4 * ALL];
        assert_eq!(numbers.map(level), [0, 0, 1, 1, 2, 3]);
    }
}
