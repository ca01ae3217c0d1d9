//! Barriers, taskwait, tasks and worksharing inside regions.

use oxomp_trace::fold::{FoldKind, barrier, thread};

use super::{Done, RELAXED, is_on};
use crate::context::{BARRIER, IMBALANCE, RegionFrame, TASKWAIT, Wait};
use crate::log::Log;
use crate::store::{Exhausted, Store};

impl Log {
    /// A barrier inside a region begins. Returns false if the event is to be recorded.
    pub(crate) fn begin_barrier(&mut self, now: u64) -> bool {
        let Some(&mut RegionFrame { team: Some(team), ref mut barriers, arrival: 0, .. }) =
            self.context.regions.top()
        else {
            self.context.recorded_waits += 1;
            return false;
        };
        // Counted in every mode, since all members have to mean the same barrier by a number.
        let ordinal = *barriers;
        *barriers = ordinal.wrapping_add(1);
        if !is_on() || !team.folds_barrier(ordinal) {
            self.context.recorded_waits += 1;
            return false;
        }
        team.arrive(ordinal, now);
        self.context.waits.push(Wait::Barrier { begin: now, tasks: 0, ordinal });
        true
    }

    /// A barrier inside a region ends. Returns false if the event is to be recorded.
    pub(crate) fn end_barrier(&mut self, store: &Store, now: u64, kind: u8, code: u64) -> Done {
        if self.context.waits.pop_missed() {
            return Ok(true);
        }
        let Some(&mut Wait::Barrier { begin, tasks, ordinal }) = self.context.waits.top() else {
            self.context.recorded_waits = self.context.recorded_waits.saturating_sub(1);
            return Ok(false);
        };
        self.context.waits.pop();
        let Some(&mut RegionFrame { team: Some(team), .. }) = self.context.regions.top() else {
            return Ok(true);
        };
        let region_code = team.code.load(RELAXED);
        let last = team.last_arrival(ordinal).clamp(begin, now);
        let late = (last - begin).saturating_sub(tasks);
        let cost = (now - begin).saturating_sub(tasks).saturating_sub(late);
        let code = if code == 0 { region_code } else { code };
        let values = &mut self.sum(store, FoldKind::Barrier, kind, [code, region_code])?.values;
        values[barrier::PASSES] += 1;
        values[barrier::IMBALANCE] += late;
        values[barrier::COST] += cost;
        self.add_wait(store, now, IMBALANCE, late)?;
        self.add_wait(store, now, BARRIER, cost)?;
        Ok(true)
    }

    /// The wait of a taskwait or taskgroup begins. Returns false if the event is to be recorded.
    pub(crate) fn begin_taskwait(&mut self, now: u64) -> bool {
        if is_on() {
            self.context.waits.push(Wait::Taskwait { begin: now, tasks: 0 });
        } else {
            self.context.recorded_waits += 1;
        }
        is_on()
    }

    /// The wait of a taskwait or taskgroup ends. Returns false if the event is to be recorded.
    pub(crate) fn end_taskwait(&mut self, store: &Store, now: u64) -> Done {
        if self.context.waits.pop_missed() {
            return Ok(true);
        }
        let Some(&mut Wait::Taskwait { begin, tasks }) = self.context.waits.top() else {
            self.context.recorded_waits = self.context.recorded_waits.saturating_sub(1);
            return Ok(false);
        };
        self.context.waits.pop();
        self.add_wait(store, now, TASKWAIT, (now - begin).saturating_sub(tasks))?;
        Ok(true)
    }

    /// The thread switches tasks: `ends` one, goes to an `explicit` one. Returns false if the event
    /// is to be recorded.
    pub(crate) fn switch_task(
        &mut self,
        store: &Store,
        now: u64,
        ends: bool,
        explicit: bool,
    ) -> Done {
        let tail = match self.context.regions.top() {
            Some(frame) if frame.arrival != 0 && !frame.folded => return Ok(false),
            Some(frame) => frame.arrival != 0,
            None => false,
        };
        if !is_on() || self.context.recorded_waits > 0 {
            return Ok(false);
        }
        if !ends {
            self.context.waits.push(Wait::Task { begin: now });
            return Ok(true);
        }
        if self.context.waits.pop_missed() {
            return Ok(true);
        }
        let Some(&mut Wait::Task { begin }) = self.context.waits.top() else { return Ok(true) };
        self.context.waits.pop();
        let below = self.context.waits.iter().any(|wait| matches!(wait, Wait::Task { .. }));
        let done = self.end_task(store, now - begin, tail);
        // Another explicit task follows directly, unless it is the one below.
        if explicit && !below {
            self.context.waits.push(Wait::Task { begin: now });
        }
        done.map(|()| true)
    }

    /// A task ran for `ticks` inside a wait, or in the `tail` of a folded region.
    fn end_task(&mut self, store: &Store, ticks: u64, tail: bool) -> Result<(), Exhausted> {
        match self.context.waits.top() {
            Some(Wait::Barrier { tasks, .. } | Wait::Taskwait { tasks, .. }) => *tasks += ticks,
            Some(Wait::Task { .. }) => {}
            None if tail => {
                if let Some(frame) = self.context.regions.top() {
                    frame.tail_tasks += ticks;
                    if let Some(team) = frame.team {
                        team.sums.tasks.fetch_add(ticks, RELAXED);
                        team.sums.useful.fetch_add(ticks, RELAXED);
                    }
                }
                if let Some(last) = &mut self.context.last {
                    last.tail_tasks += ticks;
                }
                self.sum(store, FoldKind::Thread, 0, [0, 0])?.values[thread::USEFUL] += ticks;
            }
            None => {}
        }
        Ok(())
    }

    /// A worksharing construct begins. Returns false if the event is to be recorded.
    pub(crate) fn begin_work(&mut self, iterations: u64) -> bool {
        self.chunks = 0;
        self.context.iterations = iterations;
        is_on() && self.context.regions.top().is_some_and(|frame| frame.team.is_some())
    }

    /// A worksharing construct ends. Returns false if the event is to be recorded.
    pub(crate) fn end_work(&mut self, store: &Store, kind: u8, code: u64) -> Done {
        const SINGLE_EXECUTOR: u8 = 3;
        const SINGLE_OTHER: u8 = 4;
        let Some(&mut RegionFrame { team: Some(team), primary, .. }) = self.context.regions.top()
        else {
            return Ok(false);
        };
        if !is_on() {
            return Ok(false);
        }
        if kind == SINGLE_OTHER {
            return Ok(true);
        }
        let (iterations, chunks) = (self.context.iterations, self.chunks);
        let values =
            &mut self.sum(store, FoldKind::Work, kind, [team.code.load(RELAXED), code])?.values;
        values[0] += 1;
        values[1] += if primary || kind == SINGLE_EXECUTOR { iterations } else { 0 };
        values[2] += chunks;
        values[3] += u64::from(chunks > 0);
        Ok(true)
    }
}
