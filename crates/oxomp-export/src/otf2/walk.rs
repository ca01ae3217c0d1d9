//! From the slices of a location to its events.

use std::io;

use oxomp_analysis::Analysis;

use super::definitions::Definitions;
use super::events::Events;
use super::locks::LockEvent;
use super::regions::Regions;
use super::stays::stays;
use super::teams::Teams;
use crate::timeline::{Kind, Slice};

/// What the events of all locations refer to.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    pub(super) analysis: &'a Analysis,
    pub(super) definitions: Definitions,
    pub(super) regions: Regions<'a>,
    pub(super) teams: Teams<'a>,
}

/// A slice that has begun.
#[derive(Debug, Clone, Copy)]
struct Open {
    end: u64,
    depth: u32,
    /// The number of its region.
    region: u32,
    /// The team of the thread in it.
    team: Option<u32>,
    /// The thread forked the others.
    forked: bool,
    /// A stay in a barrier, whose slices have the same depth.
    is_stay: bool,
}

impl Open {
    fn new(end: u64, depth: u32, region: u32) -> Self {
        Self { end, depth, region, team: None, forked: false, is_stay: false }
    }

    /// Whether it ends before `next` begins.
    fn is_over(&self, next: &Slice) -> bool {
        let holds_next = self.is_stay && self.depth == next.depth && next.begin < self.end;
        self.depth >= next.depth && !holds_next
    }
}

impl<'a> Walk<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Self {
        Self {
            analysis,
            definitions: Definitions::default(),
            regions: Regions::new(analysis),
            teams: Teams::new(analysis),
        }
    }

    /// Writes the events of a location: its slices, and its locks in the order of time.
    pub(super) fn location(
        &mut self,
        slices: &[Slice],
        locks: &[LockEvent],
        events: &mut Events<'_>,
    ) -> io::Result<()> {
        let mut locks = locks.iter().copied().peekable();
        let mut until = |time: u64, events: &mut Events<'_>| {
            while let Some(lock) = locks.next_if(|lock| lock.time < time) {
                events.lock(lock)?;
            }
            Ok::<(), io::Error>(())
        };
        let stays = stays(slices, self.analysis);
        let mut open: Vec<Open> = Vec::new();
        for (position, slice) in slices.iter().enumerate() {
            while let Some(last) = open.pop_if(|last| last.is_over(slice)) {
                until(last.end, events)?;
                leave(last, events)?;
            }
            // A lock that is acquired when its wait ends is not in the wait's region.
            until(slice.begin.saturating_add(1), events)?;
            // A slice ends with the one around it at the latest.
            let mut around = open.last().map_or(u64::MAX, |around| around.end);
            if let Some(stay) = stays.get(&position) {
                let region = self.regions.of_stay(*stay, &mut self.definitions);
                around = around.min(stay.end);
                events.enter(slice.begin, region)?;
                open.push(Open { is_stay: true, ..Open::new(around, slice.depth, region) });
            }
            open.push(self.enter(slice, around, events)?);
        }
        while let Some(last) = open.pop() {
            until(last.end, events)?;
            leave(last, events)?;
        }
        until(u64::MAX, events)
    }

    fn enter(&mut self, slice: &Slice, around: u64, events: &mut Events<'_>) -> io::Result<Open> {
        let Slice { begin, end, depth, .. } = *slice;
        let number = self.regions.of_slice(slice, &mut self.definitions);
        let mut open = Open::new(end.min(around), depth, number);
        if let Kind::Region { region, member: Some(member) } = slice.kind {
            let facts = &self.analysis.model.regions[region as usize];
            open.forked = facts.primary == Some(member);
            open.team = self.teams.number(region);
            if open.forked {
                events.fork(begin, facts.size)?;
            }
            if let Some(team) = open.team {
                events.team_begin(begin, team)?;
            }
        }
        events.enter(begin, number)?;
        Ok(open)
    }
}

fn leave(slice: Open, events: &mut Events<'_>) -> io::Result<()> {
    events.leave(slice.end, slice.region)?;
    if let Some(team) = slice.team {
        events.team_end(slice.end, team)?;
    }
    if slice.forked {
        events.join(slice.end)?;
    }
    Ok(())
}
