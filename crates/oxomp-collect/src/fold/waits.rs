//! Barriers, taskwait, tasks and worksharing inside regions.

use oxomp_trace::fold::{FoldKind, barrier, counts, left_out, thread};
use oxomp_trace::{EventKind, Record};

use super::split::stay;
use crate::context::{RegionFrame, Wait, Work};
use crate::log::{Log, record};
use crate::store::{Exhausted, Store};
use crate::wait_class::{BARRIER, IMBALANCE, STARVED, TASKWAIT};

/// OMPT's kind of the barrier at the end of a worksharing construct.
const BARRIER_WORKSHARE: u8 = 8;
/// A barrier outside every region, or in a task after the thread's arrival at the region's end.
const NO_PHASE: u32 = u32::MAX;

impl Log {
    /// A barrier inside a region begins.
    pub(crate) fn begin_barrier(&mut self, store: &Store, now: u64) {
        if let Some(frame) = self.context.regions.top() {
            frame.team.prefetch_to_arrive();
        }
        self.end_user_code(store, now);
        let now = self.without_pauses(now);
        let mut phase = NO_PHASE;
        if let Some(frame) = self.context.regions.top()
            && frame.arrival == 0
        {
            phase = frame.barriers;
            frame.barriers = phase.wrapping_add(1);
            frame.in_barrier = true;
            let locks = std::mem::take(&mut frame.locks).min(now.saturating_sub(frame.phase));
            frame.team.arrive(phase, now, locks);
        }
        self.begin_wait(store, Wait::Barrier { begin: now, tasks: 0, phase });
    }

    /// A barrier inside a region ends.
    pub(crate) fn end_barrier(
        &mut self,
        store: &Store,
        now: u64,
        kind: u8,
        code: u64,
    ) -> Result<(), Exhausted> {
        if let Some(frame) = self.context.regions.top() {
            frame.team.prefetch_to_leave();
        }
        self.end_task_under_way(store, now)?;
        self.begin_user_code(now);
        if self.context.waits.pop_missed() {
            return Ok(());
        }
        let Some(&mut Wait::Barrier { begin, tasks, phase }) = self.context.waits.top() else {
            return Ok(());
        };
        self.context.waits.pop();
        let last_work = self.context.last_work;
        let end = self.without_pauses(now);
        let Some(frame) = self.context.regions.top().filter(|_| phase != NO_PHASE) else {
            return Ok(());
        };
        let region = frame.region.code;
        let last = frame.team.last_arrival(phase);
        let tasking = frame.team.tasking(phase, frame.phase);
        frame.in_barrier = false;
        frame.phase = last.max(frame.phase);
        if frame.primary {
            frame.lock_gain += frame.team.lock_gain(phase);
        }
        let [late, cost, starved] = stay((begin, last, end), tasking, tasks);
        self.count(store, counts::BARRIERS);
        let code = if code == 0 { region } else { code };
        let entry = self.sum(store, FoldKind::Barrier, kind, [code, region])?;
        if kind == BARRIER_WORKSHARE {
            entry.key[2] = last_work.into();
        }
        entry.values[barrier::PASSES] += 1;
        entry.values[barrier::IMBALANCE] += late;
        entry.values[barrier::COST] += cost;
        entry.values[barrier::STARVED] += starved;
        self.add_wait(store, IMBALANCE, late)?;
        self.add_wait(store, BARRIER, cost)?;
        if starved > 0 {
            self.add_wait(store, STARVED, starved)?;
        }
        self.settle_time(store, now)
    }

    /// The wait of a taskwait or taskgroup begins.
    pub(crate) fn begin_taskwait(&mut self, store: &Store, now: u64) {
        self.end_user_code(store, now);
        let begin = self.without_pauses(now);
        self.begin_wait(store, Wait::Taskwait { begin, tasks: 0 });
    }

    /// A wait, or a task inside one, begins.
    #[inline]
    fn begin_wait(&mut self, store: &Store, wait: Wait) {
        if !self.context.waits.push(wait) {
            self.leave_out(store, left_out::WAITS);
        }
    }

    /// The wait of a taskwait or taskgroup ends.
    pub(crate) fn end_taskwait(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        self.begin_user_code(now);
        if self.context.waits.pop_missed() {
            return Ok(());
        }
        let Some(&mut Wait::Taskwait { begin, tasks }) = self.context.waits.top() else {
            return Ok(());
        };
        self.context.waits.pop();
        let end = self.without_pauses(now);
        self.add_wait(store, TASKWAIT, end.saturating_sub(begin).saturating_sub(tasks))?;
        self.settle_time(store, now)
    }

    /// The thread switches tasks: `ends` one, goes to an explicit one if `switch` says so.
    pub(crate) fn switch_task(
        &mut self,
        store: &Store,
        switch: Record,
        ends: bool,
    ) -> Result<(), Exhausted> {
        let (now, explicit) = (switch.tick, switch.aux != 0);
        if ends {
            self.end_user_code(store, now);
        }
        if !ends || explicit {
            self.begin_user_code(now);
        }
        self.record(store, switch)?;
        let now = self.without_pauses(now);
        if !ends {
            self.begin_task(store, now);
            return Ok(());
        }
        if self.context.waits.pop_missed() {
            return Ok(());
        }
        if !self.is_inside_wait() {
            return Ok(());
        }
        let Some(&mut Wait::Task { begin }) = self.context.waits.top() else { return Ok(()) };
        self.context.waits.pop();
        self.end_task(store, begin, now)?;
        // Another explicit task follows directly, unless it is the one below.
        let around = self.waits_around();
        let tasks = |wait: &Wait| matches!(wait, Wait::Task { .. });
        if explicit && !self.context.waits.iter().skip(around).any(tasks) {
            self.begin_task(store, now);
        }
        Ok(())
    }

    /// A task begins or goes on.
    fn begin_task(&mut self, store: &Store, now: u64) {
        self.begin_wait(store, Wait::Task { begin: now });
        if let Some(frame) = self.context.regions.top() {
            frame.team.begin_task(frame.present_phase(), frame.phase, now);
        }
    }

    /// A task ran from `begin` to `now`.
    fn end_task(&mut self, store: &Store, begin: u64, now: u64) -> Result<(), Exhausted> {
        if let Some(frame) = self.context.regions.top() {
            frame.team.end_task(frame.present_phase(), now);
        }
        self.add_counted_task(store, now.saturating_sub(begin))
    }

    /// A task that is only counted has run for `ticks` ticks, inside a wait, or after the thread's
    /// arrival at the region's end, or as part of other code.
    pub(crate) fn add_counted_task(&mut self, store: &Store, ticks: u64) -> Result<(), Exhausted> {
        if self.add_to_wait(ticks) {
            return Ok(());
        }
        match self.context.regions.top() {
            Some(frame) if frame.arrival != 0 => self.add_to_tail(store, ticks),
            _ => Ok(()),
        }
    }

    /// Adds a task's time to the wait in which it ran. Returns false if it ran in none; a task
    /// inside another one is part of that one's time.
    fn add_to_wait(&mut self, ticks: u64) -> bool {
        if !self.is_inside_wait() {
            return false;
        }
        if let Some(Wait::Barrier { tasks, .. } | Wait::Taskwait { tasks, .. }) =
            self.context.waits.top()
        {
            *tasks += ticks;
        }
        true
    }

    /// How many waits and tasks are around the innermost region of the thread.
    fn waits_around(&mut self) -> usize {
        self.context.regions.top().map_or(0, |frame| frame.outside.waits.into())
    }

    /// Whether the thread is in a wait or a task of the innermost region.
    fn is_inside_wait(&mut self) -> bool {
        self.context.waits.depth() > self.waits_around()
    }

    /// Adds the time of a task that ran after the thread's arrival at the end of a region.
    fn add_to_tail(&mut self, store: &Store, ticks: u64) -> Result<(), Exhausted> {
        let Some(frame) = self.context.regions.top() else { return Ok(()) };
        frame.tail_tasks += ticks;
        let useful = ticks.saturating_sub(std::mem::take(&mut frame.tail_waits));
        // For this region, regions inside it count as work.
        frame.team.add_tail_task(frame.index, ticks, useful, frame.uncomputed);
        let own = useful.saturating_sub(std::mem::take(&mut frame.tail_regions));
        let (short, primary) = (frame.short, frame.primary);
        if let Some(last) = self.context.last.as_mut().filter(|_| !primary) {
            last.tail_tasks += ticks;
        }
        self.time_in(store, short)?[thread::USEFUL] += own;
        Ok(())
    }

    /// A worksharing construct begins.
    pub(crate) fn begin_work(
        &mut self,
        store: &Store,
        (kind, code): (u8, u64),
        iterations: u64,
        now: u64,
    ) -> Result<(), Exhausted> {
        if !self.context.works.push(Work { kind, iterations }) {
            self.leave_out(store, left_out::WORKS);
        }
        self.context.last_work = kind;
        let begin = record(EventKind::WorkBegin, now);
        self.record(store, Record { sub: kind, code, value: iterations, ..begin })
    }

    /// A worksharing construct ends.
    pub(crate) fn end_work(
        &mut self,
        store: &Store,
        (kind, code): (u8, u64),
        now: u64,
    ) -> Result<(), Exhausted> {
        const SINGLE_OTHER: u8 = 4;
        const DISTRIBUTE: u8 = 6;
        const TASKLOOP: u8 = 7;
        let handed = self.chunks.handed;
        let value = if handed == 0 { u64::MAX } else { handed };
        self.record(store, Record { sub: kind, code, value, ..record(EventKind::WorkEnd, now) })?;
        let iterations = match self.context.works.pop_missed() {
            true => 0,
            false => {
                let works = &mut self.context.works;
                // Some runtimes tell the schedule of a loop at only one of its begin and its end.
                let work = works.take_with_inner(|work| work.kind == kind).or_else(|| works.pop());
                work.map_or(0, |work| work.iterations)
            }
        };
        let Some(&mut RegionFrame { region, primary, .. }) = self.context.regions.top() else {
            return Ok(());
        };
        // All threads of a team have the iterations of a loop among them, and all teams of a league
        // those of a distribute; the others are executed by one thread.
        let (executes, tells) = match kind {
            SINGLE_OTHER => return Ok(()),
            Work::SINGLE_EXECUTOR | TASKLOOP => (true, true),
            DISTRIBUTE => (self.context.team_num == 0, self.context.team_num == 0),
            _ => (true, primary),
        };
        if executes {
            self.count(store, counts::WORKS);
        }
        let values = &mut self.sum(store, FoldKind::Work, kind, [region.code, code])?.values;
        values[0] += u64::from(executes);
        values[1] += if tells { iterations } else { 0 };
        values[2] += handed;
        values[3] += u64::from(handed > 0);
        Ok(())
    }
}
