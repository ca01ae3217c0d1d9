//! Regions that were under way when the collector was attached: a thread's part in them begins with
//! the recording.

use ompt::SyncRegionKind;
use oxomp_trace::fold::counts;
use oxomp_trace::{EventKind, Record};

use crate::context::{RegionFrame, Wait};
use crate::log::{Log, record};
use crate::mode::MODE;
use crate::runtime_code;
use crate::store::{Exhausted, Store};
use crate::team::{Around, Region, Team};
use crate::under_way::RegionsUnderWay;

/// OMPT's status of a task that a thread leaves for another one.
const SWITCH: u8 = 7;

/// A region in which the thread has been since the recording began, or one around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnderWay {
    /// Whether the thread is in it.
    pub(crate) is_in: bool,
    /// The address of the region's data word.
    pub(crate) region: u64,
    /// The code address of the construct; 0 if it is not known.
    pub(crate) code: u64,
    /// The thread's number in the team, and the team's threads.
    pub(crate) index: u32,
    pub(crate) size: u32,
    /// The number of barriers at which the thread has arrived, counted from a number that the
    /// region's threads have in common.
    pub(crate) barriers: u32,
    /// Whether it is inside another region, and the product of the sizes of the teams around.
    pub(crate) is_inner: bool,
    pub(crate) outer_threads: u64,
}

/// What the thread does in the innermost of its regions.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DoingUnderWay {
    /// The wait in which it is, if it is in one.
    pub(crate) wait: Option<SyncRegionKind>,
    /// Whether it executes an explicit task.
    pub(crate) in_task: bool,
}

impl Log {
    /// The thread has been in `regions`, the outermost first, since the recording began at `begin`,
    /// or, if it has a log for longer than now, since now.
    pub(crate) fn enter_under_way(
        &mut self,
        store: &Store,
        teams: &RegionsUnderWay,
        regions: impl Iterator<Item = UnderWay>,
        doing: DoingUnderWay,
        (begin, now): (u64, u64),
    ) -> Result<(), Exhausted> {
        let context = &self.context;
        let is_new = context.since == begin && context.last.is_none() && context.regions.is_empty();
        let begin = if is_new { begin } else { now };
        let DoingUnderWay { mut wait, in_task } = doing;
        let mut regions = regions.peekable();
        let mut outer = None;
        while let Some(mut region) = regions.next() {
            if let Some(outer) = outer {
                region.code = runtime_code::of_inner_region(region.code, outer);
            }
            outer = Some(region.code);
            if !region.is_in {
                continue;
            }
            // The thread has arrived at the barrier in which it waits.
            let waits = regions.peek().is_none() && wait.is_some_and(is_barrier);
            let before = u32::from(waits);
            let Some(team) = self.team_under_way(store, teams, &region, begin)? else {
                wait = None;
                break;
            };
            let barriers = region.barriers.wrapping_sub(before);
            self.enter_part_under_way(store, team, UnderWay { barriers, ..region }, begin)?;
        }
        // Of a task inside a taskwait nobody knows in which task the thread waits.
        match wait.filter(|kind| is_barrier(*kind) || !in_task) {
            Some(kind) => self.wait_under_way(store, kind, in_task, (begin, now)),
            None => {
                self.begin_user_code(now);
                Ok(())
            }
        }
    }

    /// The team of the region, which the first of its threads opens.
    fn team_under_way(
        &mut self,
        store: &Store,
        teams: &RegionsUnderWay,
        region: &UnderWay,
        begin: u64,
    ) -> Result<Option<&'static Team>, Exhausted> {
        if !self.context.regions.has_room() {
            return Ok(None);
        }
        teams.team(region.region, |team| {
            let UnderWay { code, is_inner, .. } = *region;
            let id = self.next_region();
            let around = Around { threads: region.outer_threads.max(1), outermost: begin };
            let around = is_inner.then_some(around);
            team.open(Region { id, code, begin }, (false, true), around);
            if self.seen.add(code) {
                store.look_at_modules();
            }
            let (aux, sub) = (region.size, u8::from(is_inner));
            let told = record(EventKind::ParallelUnderWay, begin);
            self.push(store, Record { value: id, code, aux, sub, ..told })
        })
    }

    /// The thread's part in the region of `team`.
    fn enter_part_under_way(
        &mut self,
        store: &Store,
        team: &'static Team,
        part: UnderWay,
        begin: u64,
    ) -> Result<(), Exhausted> {
        let primary = part.index == 0;
        if let Some(outer) = self.context.regions.top() {
            outer.team.nest();
        }
        if primary {
            self.count(store, counts::REGIONS_BEGUN);
        }
        self.count(store, counts::MEMBERS_BEGUN);
        let region = team.region();
        self.time(store, begin)?;
        let told = Record {
            value: region.id,
            code: part.index.into(),
            aux: part.barriers,
            sub: u8::from(primary),
            ..record(EventKind::ImplicitUnderWay, begin)
        };
        self.push(store, told)?;
        let paused = MODE.paused_until(begin);
        let frame = RegionFrame::new(team, begin, paused, self.outside());
        let (index, size, barriers) = (part.index, part.size, part.barriers);
        let phase = begin;
        let frame = RegionFrame { primary, index, size, barriers, phase, ..frame };
        self.context.regions.push(frame);
        self.context.since = begin;
        self.context.last_work = 0;
        if self.context.regions.depth() == 1 {
            self.tell_region(store, region.code, true)?;
        }
        Ok(())
    }

    /// The thread has been waiting since `begin`, and executes a task meanwhile if it is `in_task`.
    fn wait_under_way(
        &mut self,
        store: &Store,
        kind: SyncRegionKind,
        in_task: bool,
        (begin, now): (u64, u64),
    ) -> Result<(), Exhausted> {
        let sub = kind.raw().0 as u8;
        let mut wait = Wait::Taskwait { begin, tasks: 0 };
        let Some(frame) = self.context.regions.top() else { return Ok(()) };
        if is_barrier(kind) {
            let phase = frame.barriers;
            frame.barriers = phase.wrapping_add(1);
            frame.in_barrier = true;
            frame.team.arrive(phase, begin, 0);
            wait = Wait::Barrier { begin, tasks: 0, phase };
        }
        self.show_region();
        self.context.waits.push(wait);
        self.visible.begin_thread();
        self.visible.show_left(begin);
        self.record(store, Record { sub, ..record(EventKind::WaitBegin, begin) })?;
        if in_task {
            self.context.waits.push(Wait::Task { begin });
            self.context.is_in_task_under_way = true;
            let switch = record(EventKind::TaskSwitch, begin);
            self.record(store, Record { sub: SWITCH, aux: 1, ..switch })?;
            self.begin_user_code(now);
        }
        Ok(())
    }
}

/// Whether the wait is that of a barrier.
fn is_barrier(kind: SyncRegionKind) -> bool {
    !matches!(kind, SyncRegionKind::Taskwait | SyncRegionKind::Taskgroup)
}
