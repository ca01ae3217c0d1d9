//! From the slices of a location to its events.

use std::io;

use oxomp_analysis::Analysis;

use super::events::Events;
use super::moments::Moments;
use super::regions::Regions;
use super::shared::Shared;
use super::stays::stays;
use super::tasks::TaskName;
use super::teams::Teams;
use crate::timeline::{Kind, Slice};

/// A process whose locations are written.
#[derive(Debug)]
pub(super) struct Walk<'a, 's> {
    pub(super) analysis: &'a Analysis,
    pub(super) shared: &'s mut Shared,
    regions: Regions<'a>,
    teams: Teams<'a>,
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
    /// The implicit task of a region, or an explicit one.
    task: Option<Task>,
}

/// A task in which a thread is.
#[derive(Debug, Clone, Copy)]
struct Task {
    /// `None` if it is not known which threads were in its team.
    name: Option<TaskName>,
    is_explicit: bool,
    /// Its code is over at the end of the slice.
    completes: bool,
}

impl Open {
    fn new(end: u64, depth: u32, region: u32) -> Self {
        Self { end, depth, region, team: None, forked: false, is_stay: false, task: None }
    }

    /// Whether it ends before `next` begins.
    fn is_over(&self, next: &Slice) -> bool {
        let holds_next = self.is_stay && self.depth == next.depth && next.begin < self.end;
        self.depth >= next.depth && !holds_next
    }
}

impl<'a, 's> Walk<'a, 's> {
    /// `first_thread` is the position of the process's first thread among those of all processes.
    pub(super) fn new(analysis: &'a Analysis, first_thread: u64, shared: &'s mut Shared) -> Self {
        let (regions, teams) = (Regions::new(analysis), Teams::new(analysis, first_thread));
        Self { analysis, shared, regions, teams }
    }

    /// Writes the events of a location: its slices, those of the thread at that position in the
    /// model's, or of none, and what happens beside them.
    pub(super) fn location(
        &mut self,
        thread: Option<usize>,
        slices: &[Slice],
        mut moments: Moments<'_>,
        events: &mut Events<'_>,
    ) -> io::Result<()> {
        let stays = stays(slices, self.analysis);
        let mut open: Vec<Open> = Vec::new();
        for (position, slice) in slices.iter().enumerate() {
            while let Some(last) = open.pop_if(|last| last.is_over(slice)) {
                moments.until(last.end, false, self.shared, events)?;
                leave(last, &open, events)?;
            }
            // A lock that is acquired when its wait ends is not in the wait's region.
            moments.until(slice.begin, true, self.shared, events)?;
            // A slice ends with the one around it at the latest.
            let mut around = open.last().map_or(u64::MAX, |around| around.end);
            if let Some(stay) = stays.get(&position) {
                let region = self.regions.of_stay(*stay, self.shared);
                around = around.min(stay.end);
                events.enter(slice.begin, region)?;
                open.push(Open { is_stay: true, ..Open::new(around, slice.depth, region) });
            }
            open.push(self.enter(thread, slice, around, events)?);
        }
        while let Some(last) = open.pop() {
            moments.until(last.end, false, self.shared, events)?;
            leave(last, &open, events)?;
        }
        moments.until(u64::MAX, true, self.shared, events)
    }

    fn enter(
        &mut self,
        thread: Option<usize>,
        slice: &Slice,
        around: u64,
        events: &mut Events<'_>,
    ) -> io::Result<Open> {
        let Slice { begin, end, depth, .. } = *slice;
        let number = self.regions.of_slice(slice, self.shared);
        let mut open = Open::new(end.min(around), depth, number);
        match slice.kind {
            Kind::Region { region, member: Some(member) } => {
                let facts = &self.analysis.model.regions[region as usize];
                open.forked = facts.primary == Some(member);
                open.team = self.teams.number(region, &mut self.shared.teams);
                if open.forked {
                    events.fork(begin, facts.size)?;
                }
                if let Some(team) = open.team {
                    events.team_begin(begin, team)?;
                }
                let name = open.team.and_then(|team| self.implicit_task(team, thread?));
                open.task = Some(Task { name, is_explicit: false, completes: false });
            }
            Kind::Task(task) => {
                let facts = self.analysis.model.tasks[task as usize];
                let completes = facts.is_over && facts.end == open.end;
                let name = thread.and_then(|thread| self.task_name(facts.member, thread));
                open.task = Some(Task { name, is_explicit: true, completes });
                if let Some(name) = name {
                    // What is before the window is not shown.
                    if facts.begin == begin {
                        events.create_task(begin, name)?;
                    }
                    events.switch_task(begin, name)?;
                }
            }
            _ => {}
        }
        events.enter(begin, number)?;
        Ok(open)
    }

    /// The implicit task of a thread of a team.
    fn implicit_task(&self, team: u32, thread: usize) -> Option<TaskName> {
        let position = self.teams.position(team, thread, &self.shared.teams)?;
        Some(TaskName::implicit(team, position))
    }

    /// A name for a task that a thread executes as that member of a region.
    fn task_name(&mut self, member: u32, thread: usize) -> Option<TaskName> {
        let region = self.analysis.model.members[member as usize].region;
        let team = self.teams.number(region, &mut self.shared.teams)?;
        let position = self.teams.position(team, thread, &self.shared.teams)?;
        Some(self.shared.tasks.next(team, position))
    }
}

/// Ends a slice; those `around` it go on.
fn leave(slice: Open, around: &[Open], events: &mut Events<'_>) -> io::Result<()> {
    events.leave(slice.end, slice.region)?;
    if let Some(Task { name: Some(name), is_explicit: true, completes }) = slice.task {
        if completes {
            events.complete_task(slice.end, name)?;
        }
        let next = around.iter().rev().find_map(|open| open.task);
        if let Some(next) = next.and_then(|task| task.name) {
            events.switch_task(slice.end, next)?;
        }
    }
    if let Some(team) = slice.team {
        events.team_end(slice.end, team)?;
    }
    if slice.forked {
        events.join(slice.end)?;
    }
    Ok(())
}
