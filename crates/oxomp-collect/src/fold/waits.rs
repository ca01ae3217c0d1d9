//! Barriers, taskwait, tasks and worksharing inside regions.

use oxomp_trace::fold::{FoldKind, barrier, thread};
use oxomp_trace::{EventKind, Record};

use super::{Done, is_on};
use crate::context::{BARRIER, IMBALANCE, RegionFrame, TASKWAIT, Wait};
use crate::log::{Log, record};
use crate::store::{Exhausted, Store};

/// OMPT's numbers of a task's status.
const TASK_COMPLETE: u8 = 1;
const TASK_SWITCH: u8 = 7;
/// The most time of which the tasks in a recorded wait are recorded as one, in ticks: about 3 ms.
const ABSORB_TICKS: u64 = 1 << 23;

impl Log {
    /// A barrier inside a region begins. Returns false if the event is to be recorded.
    pub(crate) fn begin_barrier(&mut self, store: &Store, now: u64) -> Done {
        self.end_user_code(store, now);
        let Some(&mut RegionFrame {
            team: Some(team), folded, ref mut barriers, arrival: 0, ..
        }) = self.context.regions.top()
        else {
            self.begin_recorded_wait(now);
            return Ok(false);
        };
        // Counted in every mode, since all members have to mean the same barrier by a number.
        let ordinal = *barriers;
        *barriers = ordinal.wrapping_add(1);
        if !is_on() || !(folded || team.folds_barrier(ordinal)) {
            self.begin_recorded_wait(now);
            return Ok(false);
        }
        team.arrive(ordinal, now);
        self.context.waits.push(Wait::Barrier { begin: now, tasks: 0, ordinal });
        Ok(true)
    }

    /// A barrier inside a region ends. Returns false if the event is to be recorded.
    pub(crate) fn end_barrier(&mut self, store: &Store, now: u64, kind: u8, code: u64) -> Done {
        self.begin_user_code(now);
        if self.context.waits.pop_missed() {
            return Ok(true);
        }
        let Some(&mut Wait::Barrier { begin, tasks, ordinal }) = self.context.waits.top() else {
            return self.end_recorded_wait(store, now);
        };
        self.context.waits.pop();
        let Some(&mut RegionFrame { team: Some(team), region, .. }) = self.context.regions.top()
        else {
            return Ok(true);
        };
        let region_code = region.code;
        let last = team.last_arrival(ordinal).clamp(begin, now);
        let late = (last - begin).saturating_sub(tasks);
        let cost = (now - begin).saturating_sub(tasks).saturating_sub(late);
        let code = if code == 0 { region_code } else { code };
        let values = &mut self.sum(store, FoldKind::Barrier, kind, [code, region_code])?.values;
        values[barrier::PASSES] += 1;
        values[barrier::IMBALANCE] += late;
        values[barrier::COST] += cost;
        match self.context.regions.top() {
            // Both at once: the usual way.
            Some(frame) if frame.arrival == 0 && frame.folded => {
                frame.inner[IMBALANCE] += late;
                frame.inner[BARRIER] += cost;
                let short = frame.short;
                let values = self.time_in(store, short)?;
                values[thread::IMBALANCE] += late;
                values[thread::BARRIER] += cost;
            }
            Some(frame) if frame.arrival == 0 && now < self.context.tell_at => {
                frame.inner[IMBALANCE] += late;
                frame.inner[BARRIER] += cost;
            }
            _ => {
                self.add_wait(store, now, IMBALANCE, late)?;
                self.add_wait(store, now, BARRIER, cost)?;
            }
        }
        Ok(true)
    }

    /// The wait of a taskwait or taskgroup begins. Returns false if the event is to be recorded.
    pub(crate) fn begin_taskwait(&mut self, store: &Store, now: u64) -> Done {
        self.end_user_code(store, now);
        if is_on() {
            self.context.waits.push(Wait::Taskwait { begin: now, tasks: 0 });
        } else {
            self.begin_recorded_wait(now);
        }
        Ok(is_on())
    }

    /// The wait of a taskwait or taskgroup ends. Returns false if the event is to be recorded.
    pub(crate) fn end_taskwait(&mut self, store: &Store, now: u64) -> Done {
        self.begin_user_code(now);
        if self.context.waits.pop_missed() {
            return Ok(true);
        }
        let Some(&mut Wait::Taskwait { begin, tasks }) = self.context.waits.top() else {
            return self.end_recorded_wait(store, now);
        };
        self.context.waits.pop();
        self.add_wait(store, now, TASKWAIT, (now - begin).saturating_sub(tasks))?;
        Ok(true)
    }

    /// A wait begins, which is to be recorded.
    fn begin_recorded_wait(&mut self, now: u64) {
        self.context.recorded_waits += 1;
        self.context.absorbed.told = now;
    }

    /// A wait ends whose begin was recorded.
    fn end_recorded_wait(&mut self, store: &Store, now: u64) -> Done {
        self.tell_tasks(store, now)?;
        self.context.recorded_waits = self.context.recorded_waits.saturating_sub(1);
        Ok(false)
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
        let (tail, recorded) = match self.context.regions.top() {
            Some(frame) => (frame.arrival != 0, frame.arrival != 0 && !frame.folded),
            None => (false, false),
        };
        // Inside a nested region the tasks around it are not known apart from its own.
        let nested = self.context.regions.depth() > 1;
        if !is_on() || nested && (recorded || self.context.recorded_waits > 0) {
            if !ends {
                self.context.recorded_tasks += 1;
            } else if !explicit {
                self.context.recorded_tasks = self.context.recorded_tasks.saturating_sub(1);
            }
            return self.push(store, switch);
        }
        if !ends {
            self.context.waits.push(Wait::Task { begin: now });
            return Ok(());
        }
        if self.context.waits.pop_missed() {
            return Ok(());
        }
        if let Some(&mut Wait::Task { begin }) = self.context.waits.top() {
            self.context.waits.pop();
            self.end_task(store, begin, now, tail)?;
        } else if self.context.recorded_tasks > 0 {
            // Its begin was recorded.
            self.context.recorded_tasks -= 1;
            self.push(store, Record { aux: 0, ..switch })?;
        } else {
            return Ok(());
        }
        // Another explicit task follows directly, unless it is the one below.
        let tasks = |wait: &Wait| matches!(wait, Wait::Task { .. });
        if explicit && self.context.recorded_tasks == 0 && !self.context.waits.iter().any(tasks) {
            self.context.waits.push(Wait::Task { begin: now });
        }
        Ok(())
    }

    /// A task ran from `begin` to `now`, inside a wait or in the `tail` of a region.
    fn end_task(
        &mut self,
        store: &Store,
        begin: u64,
        now: u64,
        tail: bool,
    ) -> Result<(), Exhausted> {
        let ticks = now - begin;
        if self.add_to_wait(ticks) {
            return Ok(());
        }
        match self.context.regions.top() {
            Some(frame) if tail && frame.folded => self.add_to_tail(store, ticks),
            _ if tail || self.context.recorded_waits > 0 => {
                let absorbed = &mut self.context.absorbed;
                if absorbed.ticks == 0 {
                    absorbed.since = begin;
                }
                absorbed.ticks += ticks;
                absorbed.until = now;
                match now - absorbed.since > ABSORB_TICKS {
                    true => self.tell_tasks(store, now),
                    false => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// A task that is only counted has run, for about so many ticks, inside a wait or in the tail
    /// of a region.
    pub(crate) fn add_counted_task(&mut self, store: &Store, ticks: u64) -> Result<(), Exhausted> {
        if self.add_to_wait(ticks) {
            return Ok(());
        }
        let context = &mut self.context;
        match context.regions.top() {
            Some(frame) if frame.arrival != 0 && frame.folded => {
                return self.add_to_tail(store, ticks);
            }
            Some(frame) if frame.arrival != 0 => context.absorbed.counted += ticks,
            _ if context.recorded_waits > 0 => context.absorbed.counted += ticks,
            _ => {}
        }
        Ok(())
    }

    /// Adds a task's time to the folded wait in which it ran. Returns false if it ran in none; a
    /// task inside another one is part of that one's time.
    fn add_to_wait(&mut self, ticks: u64) -> bool {
        let wait = self.context.waits.top();
        let is_in_one = wait.is_some();
        if let Some(Wait::Barrier { tasks, .. } | Wait::Taskwait { tasks, .. }) = wait {
            *tasks += ticks;
        }
        is_in_one
    }

    /// Adds the time of a task that ran after the thread's arrival at the end of a folded region.
    fn add_to_tail(&mut self, store: &Store, ticks: u64) -> Result<(), Exhausted> {
        let Some(frame) = self.context.regions.top() else { return Ok(()) };
        frame.tail_tasks += ticks;
        let useful = ticks.saturating_sub(std::mem::take(&mut frame.tail_waits));
        if let Some(team) = frame.team {
            team.add_tail_task(ticks, useful);
        }
        let short = frame.short;
        if let Some(last) = &mut self.context.last {
            last.tail_tasks += ticks;
        }
        self.time_in(store, short)?[thread::USEFUL] += useful;
        Ok(())
    }

    /// Records the tasks that were executed in a recorded wait, as one task: their time together,
    /// up to the end of the latest. The part that has passed of a task that still runs is its part.
    pub(super) fn tell_tasks(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        let arrived =
            self.context.regions.top().is_some_and(|frame| frame.arrival != 0 && !frame.folded);
        let recorded = self.context.recorded_waits > 0 || arrived;
        let absorbed = &mut self.context.absorbed;
        if recorded && let Some(Wait::Task { begin }) = self.context.waits.bottom() {
            absorbed.ticks += now.saturating_sub(*begin);
            absorbed.until = now;
            *begin = now;
        }
        let counted = std::mem::take(&mut absorbed.counted);
        if counted == 0 && absorbed.ticks == 0 {
            return Ok(());
        }
        if counted > 0 {
            absorbed.until = now;
        }
        let until = absorbed.until;
        // Not before the wait or the tasks told last: the time of counted ones is an estimate.
        let room = until.saturating_sub(absorbed.told);
        let ticks = (std::mem::take(&mut absorbed.ticks) + counted).min(room);
        absorbed.told = until;
        let begin =
            Record { sub: TASK_SWITCH, aux: 1, ..record(EventKind::TaskSwitch, until - ticks) };
        let end = Record { sub: TASK_COMPLETE, ..record(EventKind::TaskSwitch, until) };
        self.push(store, begin)?;
        self.push(store, end)
    }

    /// A worksharing construct begins. Returns false if the event is to be recorded.
    pub(crate) fn begin_work(&mut self, iterations: u64) -> bool {
        self.context.iterations = iterations;
        is_on() && self.context.regions.top().is_some_and(|frame| frame.team.is_some())
    }

    /// A worksharing construct ends. Returns false if the event is to be recorded.
    pub(crate) fn end_work(&mut self, store: &Store, kind: u8, code: u64) -> Done {
        const SINGLE_EXECUTOR: u8 = 3;
        const SINGLE_OTHER: u8 = 4;
        let Some(&mut RegionFrame { team: Some(_), region, primary, .. }) =
            self.context.regions.top()
        else {
            return Ok(false);
        };
        if !is_on() {
            return Ok(false);
        }
        if kind == SINGLE_OTHER {
            return Ok(true);
        }
        let (iterations, chunks) = (self.context.iterations, self.chunks.handed);
        let values = &mut self.sum(store, FoldKind::Work, kind, [region.code, code])?.values;
        values[0] += 1;
        values[1] += if primary || kind == SINGLE_EXECUTOR { iterations } else { 0 };
        values[2] += chunks;
        values[3] += u64::from(chunks > 0);
        Ok(true)
    }
}
