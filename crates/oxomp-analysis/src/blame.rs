//! Directed blame: charges each wait for a mutex to the holds that caused it.
//!
//! The holds of one mutex are disjoint, so each moment of a wait belongs to at most one hold.
//! Conservation: the blame of all holders, the hand-off and the unattributed part sum to the wait.

use std::collections::{BTreeMap, HashMap};

use crate::model::{Hold, Model};
use crate::summary::MutexKind;

/// The sums of one waiting site, ns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SiteBlame {
    /// Distinct mutexes asked for or held.
    pub mutexes: u64,
    /// Acquisitions at this site.
    pub acquisitions: u64,
    /// Acquisitions whose wait overlapped a hold.
    pub contended: u64,
    /// Sum of the times from request to acquisition.
    pub wait: u64,
    /// The longest of these waits.
    pub max_wait: u64,
    /// Sum of the times that mutexes acquired at this site were held.
    pub hold: u64,
    /// The longest of these holds.
    pub max_hold: u64,
    /// Parts of the wait in which other threads held the mutex, by the site at which they had
    /// acquired it.
    pub holders: BTreeMap<u64, u64>,
    /// Part of the wait in which no thread held the mutex.
    pub handoff: u64,
    /// Part of the wait whose holder was no longer known.
    pub unattributed: u64,
    /// Acquisitions that were only counted: the times of the others stand for them, too.
    pub counted: u64,
    /// The variances of the wait and of the hold because of that, ns².
    pub variances: [f64; 2],
}

/// The sums of every site, by kind of mutex and code address of the acquisition.
pub type Blame = BTreeMap<(MutexKind, u64), SiteBlame>;

/// The kind of mutual exclusion that the user wrote, from OMPT's number.
#[must_use]
pub fn mutex_kind(number: u8) -> MutexKind {
    match number {
        1 | 2 => MutexKind::Lock,
        3 | 4 => MutexKind::NestLock,
        5 => MutexKind::Critical,
        6 => MutexKind::Atomic,
        7 => MutexKind::Ordered,
        other => MutexKind::Other(other),
    }
}

/// The blame of every wait in `model`.
#[must_use]
pub fn blame(model: &Model) -> Blame {
    let mut blame = Blame::new();
    let mut holds = HashMap::<u64, Vec<&Hold>>::new();
    let mut mutexes = BTreeMap::<(MutexKind, u64, u64), ()>::new();
    for hold in &model.holds {
        holds.entry(hold.wait_id).or_default().push(hold);
    }
    let mut disjoint = HashMap::<u64, Vec<(u64, u64, u64)>>::with_capacity(holds.len());
    for (wait_id, mut holds) in holds {
        holds.sort_by_key(|hold| (hold.begin, hold.end));
        let mut intervals: Vec<(u64, u64, u64)> = Vec::with_capacity(holds.len());
        for (index, hold) in holds.iter().enumerate() {
            // A release is reported after it has happened: the next owner may have the mutex by
            // then.
            let next = holds.get(index + 1).map_or(u64::MAX, |next| next.begin);
            let end = hold.end.min(next);
            let site = blame.entry((mutex_kind(hold.kind), hold.code)).or_default();
            site.hold += end - hold.begin;
            site.max_hold = site.max_hold.max(end - hold.begin);
            intervals.push((hold.begin, end, hold.code));
        }
        disjoint.insert(wait_id, intervals);
    }
    for wait in &model.mutex_waits {
        let kind = mutex_kind(wait.kind);
        mutexes.insert((kind, wait.code, wait.wait_id), ());
        let site = blame.entry((kind, wait.code)).or_default();
        let length = wait.end - wait.begin;
        site.acquisitions += u64::from(wait.acquired);
        site.wait += length;
        site.max_wait = site.max_wait.max(length);
        let mut blamed = 0;
        if let Some(holds) = disjoint.get(&wait.wait_id) {
            let first = holds.partition_point(|hold| hold.1 <= wait.begin);
            for &(begin, end, code) in holds[first..].iter().take_while(|h| h.0 < wait.end) {
                let part = end.min(wait.end) - begin.max(wait.begin);
                if part > 0 {
                    *site.holders.entry(code).or_default() += part;
                    blamed += part;
                }
            }
        }
        site.contended += u64::from(blamed > 0);
        site.handoff += length - blamed;
    }
    for (kind, code, _) in mutexes.into_keys() {
        blame.entry((kind, code)).or_default().mutexes += 1;
    }
    blame
}
