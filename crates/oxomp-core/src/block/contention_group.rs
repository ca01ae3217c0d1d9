//! A contention group: the threads under one initial task, and the limit on how many of them may be
//! busy.
//!
//! If the initial task is one of a league, the group also has the number of the task's team. The
//! teams of all regions under the task share the group, so that every thread reads the number here,
//! however deep its region is nested; and a target region's initial task, which is in no league,
//! has a group of its own.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use oxomp_base::word::Word;
use oxomp_ompd_layout::{Record, fields};
use oxomp_protocol::Alone;

/// A contention group (OpenMP 5.2 §1.2.3): its busy threads are at most thread-limit-var.
///
/// Only the thread of the group's initial task writes the words, and only while no other thread of
/// the group is in a region.
#[derive(Debug)]
pub(crate) struct ContentionGroup {
    limit: Word<u32>,
    busy: AtomicU32,
    /// The number of the initial task's team in its league.
    team_num: Word<u32>,
    /// The number of teams of the league; 0 outside of leagues.
    num_teams: Word<u32>,
}

/// The fields that a debugger reads.
pub(crate) const FIELDS: &[Record] = fields!(ContentionGroup {
    limit => ContentionGroupLimit,
    team_num => ContentionGroupTeamNum,
    num_teams => ContentionGroupNumTeams,
});

impl ContentionGroup {
    /// A group of at most `limit` busy threads, of which the initial thread is one, in no league.
    pub(crate) fn new(limit: u32) -> Self {
        ContentionGroup {
            limit: Word::<u32>::new(limit),
            busy: AtomicU32::new(1),
            team_num: Word::<u32>::new(0),
            num_teams: Word::<u32>::new(0),
        }
    }

    /// Makes the group that of team `team_num` of a league of `num_teams`, with at most `limit`
    /// busy threads.
    pub(super) fn serve(&self, team_num: u32, num_teams: u32, limit: u32) {
        self.team_num.set(team_num);
        self.num_teams.set(num_teams);
        self.limit.set(limit);
    }

    /// The number of the group's team in its league; 0 outside of leagues.
    pub(crate) fn team_num(&self) -> u32 {
        self.team_num.get()
    }

    /// The number of teams of the group's league; 1 outside of leagues.
    pub(crate) fn num_teams(&self) -> u32 {
        self.num_teams.get().max(1)
    }

    /// Whether the group's initial task is one of a league.
    #[inline(always)]
    pub(crate) fn is_of_league(&self) -> bool {
        self.num_teams.get() != 0
    }

    /// Whether the group has a limit, so that busy threads have to be counted.
    #[inline(always)]
    pub(crate) fn is_limited(&self) -> bool {
        self.limit.get() < i32::MAX as u32
    }

    /// Sets the limit. Only while the initial thread is the one busy thread of the group.
    pub(crate) fn set_limit(&self, limit: u32) {
        self.limit.set(limit);
    }

    /// Makes up to `wanted` more threads busy, and returns how many.
    pub(crate) fn take(&self, wanted: u32) -> u32 {
        let mut busy = self.busy.load(Relaxed);
        loop {
            let granted = wanted.min(self.limit.get().saturating_sub(busy));
            // Relaxed: the count publishes nothing.
            match self.busy.compare_exchange_weak(busy, busy + granted, Relaxed, Relaxed) {
                Ok(_) => return granted,
                Err(now) => busy = now,
            }
        }
    }

    /// In the child of a fork(2): the surviving thread is the only busy one.
    pub(crate) fn forget_workers(&self, _: &Alone) {
        self.busy.store(1, Relaxed);
    }

    /// `count` threads are idle again.
    pub(crate) fn give_back(&self, count: u32) {
        self.busy.fetch_sub(count, Relaxed);
    }
}
