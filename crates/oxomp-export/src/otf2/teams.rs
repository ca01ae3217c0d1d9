//! The teams of threads: communicators, one for each set of threads that was a team.

use std::collections::HashMap;

use oxomp_analysis::Analysis;

use super::definitions::{Definitions, UNDEFINED, kind};
use super::record::Record;
use super::role::Paradigm;
use crate::timeline::threads_of_members;

/// Types of groups: all locations of a paradigm, and a part of them.
const ALL_LOCATIONS: u8 = 4;
const SOME_LOCATIONS: u8 = 5;
/// The type that groups had in the first version; readers of today ignore it.
const FORMER_TYPE: u8 = 0;
const NO_FLAGS: u32 = 0;

/// The teams that threads were in.
#[derive(Debug)]
pub(super) struct Teams<'a> {
    analysis: &'a Analysis,
    /// The thread of each implicit task.
    threads: HashMap<u32, usize>,
    numbers: HashMap<Vec<u64>, u32>,
    /// By number, the threads of each team, the primary thread first.
    members: Vec<Vec<u64>>,
    /// The last region whose team was asked for: there are many tasks in one.
    last: Option<(u32, Option<u32>)>,
}

impl<'a> Teams<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Self {
        let threads = threads_of_members(&analysis.model);
        Self { analysis, threads, numbers: HashMap::new(), members: Vec::new(), last: None }
    }

    /// The number of the team of a region; `None` if it is not known which threads were in it.
    pub(super) fn number(&mut self, region: u32) -> Option<u32> {
        let known = self.last.filter(|last| last.0 == region);
        let number = known.map_or_else(|| self.find(region), |(_, number)| number);
        self.last = Some((region, number));
        number
    }

    /// The position in a team of a thread, by its location; `None` if it is no member.
    pub(super) fn position(&self, team: u32, location: u64) -> Option<u32> {
        let (primary, others) = self.members.get(team as usize)?.split_first()?;
        if *primary == location {
            return Some(0);
        }
        u32::try_from(others.binary_search(&location).ok()? + 1).ok()
    }

    fn find(&mut self, region: u32) -> Option<u32> {
        let facts = &self.analysis.model.regions[region as usize];
        let primary = facts.primary?;
        let others = facts.members.iter().copied().filter(|member| *member != primary);
        let mut members = Vec::with_capacity(facts.members.len());
        for member in std::iter::once(primary).chain(others) {
            members.push(*self.threads.get(&member)? as u64);
        }
        members[1..].sort_unstable();
        let next = u32::try_from(self.members.len()).unwrap_or(UNDEFINED);
        let number = *self.numbers.entry(members).or_insert_with_key(|members| {
            self.members.push(members.clone());
            next
        });
        Some(number)
    }

    /// Defines the teams; the `locations` of all threads are defined.
    pub(super) fn define(&self, locations: u64, definitions: &mut Definitions) {
        let all: Vec<u64> = (0..locations).collect();
        let mut group = 0;
        self.group(group, "OpenMP threads", ALL_LOCATIONS, &all, definitions);
        for (number, members) in (0_u32..).zip(&self.members) {
            group += 1;
            let name = format!("team of {}", members.len());
            self.group(group, &name, SOME_LOCATIONS, members, definitions);
            let name = definitions.text(&name);
            let mut team = Record::new(kind::COMMUNICATOR);
            definitions.add(
                team.number(number).number(name).number(group).number(UNDEFINED).number(NO_FLAGS),
            );
        }
    }

    fn group(
        &self,
        number: u32,
        name: &str,
        group_type: u8,
        members: &[u64],
        definitions: &mut Definitions,
    ) {
        let mut group = Record::new(kind::GROUP);
        group.number(number).number(definitions.text(name)).byte(FORMER_TYPE);
        group.number(u32::try_from(members.len()).unwrap_or(UNDEFINED));
        for member in members {
            group.long(*member);
        }
        group.byte(group_type).byte(Paradigm::OpenMp as u8).number(NO_FLAGS);
        definitions.add(&group);
    }
}
