//! The teams of threads: communicators, one for each set of threads that was a team.

use std::collections::HashMap;

use oxomp_analysis::Analysis;

use super::definitions::{Definitions, UNDEFINED};
use super::groups::Groups;
use super::role::Paradigm;
use crate::timeline::threads_of_members;

/// The teams of all processes. A thread is its position among the threads of all processes.
#[derive(Debug, Default)]
pub(super) struct TeamNumbers {
    /// The number of the first team's communicator.
    first: u32,
    numbers: HashMap<Vec<u64>, u32>,
    /// In the order of their numbers, the threads of each team, the primary thread first.
    members: Vec<Vec<u64>>,
}

impl TeamNumbers {
    pub(super) fn new(first: u32) -> Self {
        Self { first, ..Self::default() }
    }

    /// The number of the team of these threads, of which all but the first one are in order.
    fn number(&mut self, members: Vec<u64>) -> u32 {
        let next = u32::try_from(self.members.len()).unwrap_or(UNDEFINED - self.first) + self.first;
        *self.numbers.entry(members).or_insert_with_key(|members| {
            self.members.push(members.clone());
            next
        })
    }

    /// The position of a thread in a team; `None` if it is no member.
    pub(super) fn position(&self, team: u32, thread: u64) -> Option<u32> {
        let (primary, others) = self.members.get((team - self.first) as usize)?.split_first()?;
        if *primary == thread {
            return Some(0);
        }
        u32::try_from(others.binary_search(&thread).ok()? + 1).ok()
    }

    /// Defines the teams; the `locations` of all threads are defined.
    pub(super) fn define(
        &self,
        locations: &[u64],
        groups: &mut Groups,
        definitions: &mut Definitions,
    ) {
        groups.all(Paradigm::OpenMp, "OpenMP threads", locations, definitions);
        for (number, members) in (self.first..).zip(&self.members) {
            let name = format!("team of {}", members.len());
            groups.communicator((Paradigm::OpenMp, number), &name, members, definitions);
        }
    }
}

/// The teams of a process.
#[derive(Debug)]
pub(super) struct Teams<'a> {
    analysis: &'a Analysis,
    /// The position of the process's first thread among those of all processes.
    first: u64,
    /// The thread of each implicit task, as a position in the model's threads.
    threads: HashMap<u32, usize>,
    /// The last region whose team was asked for: there are many tasks in one.
    last: Option<(u32, Option<u32>)>,
}

impl<'a> Teams<'a> {
    pub(super) fn new(analysis: &'a Analysis, first: u64) -> Self {
        Self { analysis, first, threads: threads_of_members(&analysis.model), last: None }
    }

    /// The number of the team of a region; `None` if it is not known which threads were in it.
    pub(super) fn number(&mut self, region: u32, all: &mut TeamNumbers) -> Option<u32> {
        let known = self.last.filter(|last| last.0 == region);
        let number = known.map_or_else(|| self.find(region, all), |(_, number)| number);
        self.last = Some((region, number));
        number
    }

    /// The position in a team of a thread of the process; `None` if it is no member.
    pub(super) fn position(&self, team: u32, thread: usize, all: &TeamNumbers) -> Option<u32> {
        all.position(team, self.first + thread as u64)
    }

    fn find(&self, region: u32, all: &mut TeamNumbers) -> Option<u32> {
        let facts = &self.analysis.model.regions[region as usize];
        let primary = facts.primary?;
        let others = facts.members.iter().copied().filter(|member| *member != primary);
        let mut members = Vec::with_capacity(facts.members.len());
        for member in std::iter::once(primary).chain(others) {
            members.push(self.first + *self.threads.get(&member)? as u64);
        }
        members[1..].sort_unstable();
        Some(all.number(members))
    }
}
