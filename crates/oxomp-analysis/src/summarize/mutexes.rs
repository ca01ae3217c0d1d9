//! Locks, criticals, ordered and atomic, by the place that waits.

use std::collections::BTreeMap;

use super::sites::Sites;
use crate::blame::Blame;
use crate::summary::{Holder, Mutex, MutexKind};

pub(super) fn mutexes(
    blame: Blame,
    gains: &BTreeMap<(MutexKind, u64), f64>,
    sites: &mut Sites<'_>,
) -> Vec<Mutex> {
    let mut mutexes: Vec<Mutex> = blame
        .into_iter()
        .map(|((kind, code), sums)| {
            let mut holders: Vec<Holder> = sums
                .holders
                .into_iter()
                .map(|(code, blame_ns)| Holder { site: sites.id(code), blame_ns })
                .collect();
            holders.sort_by_key(|holder| std::cmp::Reverse(holder.blame_ns));
            Mutex {
                kind,
                site: sites.id(code),
                locks: sums.mutexes,
                acquisitions: sums.acquisitions,
                contended: sums.contended,
                wait_ns: sums.wait,
                max_wait_ns: sums.max_wait,
                hold_ns: sums.hold,
                max_hold_ns: sums.max_hold,
                holders,
                handoff_ns: sums.handoff,
                unattributed_ns: sums.unattributed,
                counted: sums.counted,
                wait_error_ns: sums.variances[0].sqrt() as u64,
                hold_error_ns: sums.variances[1].sqrt() as u64,
                gain_ns: gains.get(&(kind, code)).map_or(0, |gain| *gain as u64),
            }
        })
        .collect();
    mutexes.sort_by_key(|mutex| std::cmp::Reverse(mutex.wait_ns));
    mutexes
}
