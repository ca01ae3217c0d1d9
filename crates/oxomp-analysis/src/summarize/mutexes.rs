//! Locks, criticals, ordered and atomic, by the place that waits.

use std::collections::BTreeMap;

use super::lock_tests::{LockTests, Tests};
use super::sites::Sites;
use crate::blame::Blame;
use crate::summary::{Holder, Mutex, MutexKind};

pub(super) fn mutexes(
    mut blame: Blame,
    gains: &BTreeMap<(MutexKind, u64), f64>,
    tests: &LockTests,
    team: impl Fn(u64) -> u64,
    sites: &mut Sites<'_>,
) -> Vec<Mutex> {
    // A lock that was tested, and never acquired.
    for site in tests.sites.keys() {
        blame.entry(*site).or_default();
    }
    let spin_gains = tests.gains(team);
    let mut mutexes: Vec<Mutex> = blame
        .into_iter()
        .map(|((kind, code), sums)| {
            let mut holders: Vec<Holder> = sums
                .holders
                .into_iter()
                .map(|(code, blame_ns)| Holder { site: sites.id(code), blame_ns })
                .collect();
            holders.sort_by_cached_key(|holder| std::cmp::Reverse(holder.blame_ns));
            let Tests { failed, time, spin } =
                tests.sites.get(&(kind, code)).copied().unwrap_or_default();
            let spun = spin_gains.get(&(kind, code)).copied().unwrap_or(0);
            let gain = gains.get(&(kind, code)).map_or(0, |gain| *gain as u64);
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
                failed,
                tested_ns: time,
                spin_ns: spin,
                gain_ns: gain.saturating_add(spun),
            }
        })
        .collect();
    mutexes.sort_by_cached_key(|mutex| std::cmp::Reverse(mutex.lost_ns()));
    mutexes
}
