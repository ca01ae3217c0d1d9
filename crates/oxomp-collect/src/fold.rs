//! Folding: the sums that stand in for events once a quarter of the file is used.
//!
//! The same definitions as in the analysis, in the form that needs no look back: a wait is added up
//! when it ends, a region's sums are formed by its primary thread when it ends, a worker's time
//! between two regions when the second one begins.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use oxomp_trace::fold::{FoldEntry, FoldKind, barrier, mutex, region, thread};
use oxomp_trace::{EventKind, Record};

use crate::context::{
    Asked, BARRIER, Held, IMBALANCE, INNER_CLASSES, Last, MUTEX, RegionFrame, TASKWAIT, Wait,
};
use crate::holds::Holds;
use crate::log::{Log, record};
use crate::store::{Exhausted, Store};
use crate::team::{Ending, Team};

/// Whether waits and new outermost regions are folded.
static FOLDING: AtomicBool = AtomicBool::new(false);
/// Made before the recording starts.
static HOLDS: OnceLock<Holds> = OnceLock::new();

const RELAXED: Ordering = Ordering::Relaxed;

/// Ticks between two tellings of a recorded region's folded waits: what a kill can cost, about
/// a second.
const TELL_TICKS: u64 = 1 << 31;

/// Makes what [`begin`] needs.
pub(crate) fn prepare() {
    HOLDS.get_or_init(Holds::new);
}

/// From now on sums instead of events. Relaxed: a thread that sees it late records a little longer.
pub(crate) fn begin() {
    FOLDING.store(true, RELAXED);
}

/// Whether [`begin`] was called.
#[inline]
pub(crate) fn is_on() -> bool {
    FOLDING.load(RELAXED)
}

/// What a parallel region's data word says.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Word {
    /// Nothing is kept of this region.
    Hidden,
    /// A recorded region nested too deeply for a team: its number.
    Number(u64),
    Team(&'static Team),
}

/// Set in words that are numbers: addresses of programs do not have it.
const NUMBER: u64 = 1 << 63;

impl Word {
    pub(crate) fn encode(self) -> u64 {
        match self {
            Self::Hidden => 0,
            Self::Number(number) => number | NUMBER,
            Self::Team(team) => std::ptr::from_ref(team).expose_provenance() as u64,
        }
    }

    pub(crate) fn decode(word: u64) -> Self {
        if word & NUMBER != 0 {
            return Self::Number(word & !NUMBER);
        }
        // SAFETY: other words are 0 or addresses of teams, which are never freed.
        let team =
            unsafe { std::ptr::with_exposed_provenance::<Team>(word as usize).as_ref::<'static>() };
        team.map_or(Self::Hidden, Self::Team)
    }
}

/// Begins of which the end follows the same way.
type Done = Result<bool, Exhausted>;

impl Log {
    fn sum(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Result<&mut FoldEntry, Exhausted> {
        self.sums.entry(store, self.number, kind, sub, key)
    }

    /// The values of this thread's time; `until` they are complete.
    fn time(&mut self, store: &Store, until: u64) -> Result<&mut [u64; 12], Exhausted> {
        let entry = self.sum(store, FoldKind::Thread, 0, [0, 0])?;
        entry.values[thread::UNTIL] = until;
        Ok(&mut entry.values)
    }

    /// A region begins on this thread; returns its data word.
    pub(crate) fn begin_region(&mut self, store: &Store, event: Record) -> Result<Word, Exhausted> {
        let now = event.tick;
        if self.context.regions.iter().any(|frame| frame.folded) || self.context.hidden_tasks > 0 {
            self.context.hidden_regions += 1;
            self.time(store, now)?[thread::HIDDEN] += 1;
            return Ok(Word::Hidden);
        }
        let id = self.next_region();
        let outermost = self.context.regions.is_empty() && self.context.recorded_waits == 0;
        let folded = outermost && (self.context.folding || is_on());
        let level = self.context.regions.iter().filter(|frame| frame.primary).count();
        let team = self.teams.get(level);
        if let Some(team) = team {
            team.open(id, event.code, now, folded);
        }
        if folded {
            self.enter(store, now, event.code, now)?;
            self.end_serial(store, now, event.code)?;
        } else {
            self.tell_inner(store, now)?;
            self.push(store, Record { value: id, ..event })?;
        }
        let pushed = self.context.regions.push(RegionFrame {
            team,
            folded,
            primary: true,
            begin: 0,
            arrival: 0,
            release: 0,
            size: 0,
            barriers: 0,
            tail_tasks: 0,
            inner: [0; 4],
        });
        match team {
            Some(team) if pushed => Ok(Word::Team(team)),
            _ => Ok(Word::Number(id)),
        }
    }

    /// This thread folds whole regions from `now` on; `begin` is the region's begin.
    fn enter(&mut self, store: &Store, now: u64, code: u64, begin: u64) -> Result<(), Exhausted> {
        if !self.context.folding {
            self.tell_inner(store, now)?;
            let marker = Record { code, value: begin, ..record(EventKind::FoldBegin, now) };
            self.push(store, marker)?;
            self.context.folding = true;
            self.context.since = now;
            self.context.last = None;
            self.time(store, now)?;
        }
        Ok(())
    }

    /// Serial time ends with a region at `before`; 0: with the thread.
    fn end_serial(&mut self, store: &Store, now: u64, before: u64) -> Result<(), Exhausted> {
        let stretch = now.saturating_sub(self.context.since);
        let waits: u64 = std::mem::take(&mut self.context.loose).iter().sum();
        let after = self.context.after;
        if self.context.initial && stretch > 0 {
            self.time(store, now)?[thread::SERIAL] += stretch.saturating_sub(waits);
            let values = &mut self.sum(store, FoldKind::Serial, 0, [after, before])?.values;
            values[0] += 1;
            values[1] += stretch;
            values[2] = values[2].max(stretch);
        }
        self.context.since = now;
        Ok(())
    }

    /// The implicit task of a region begins.
    pub(crate) fn begin_member(
        &mut self,
        store: &Store,
        word: Word,
        event: Record,
    ) -> Result<(), Exhausted> {
        let now = event.tick;
        let (id, team) = match word {
            Word::Hidden => {
                self.context.hidden_tasks += 1;
                return Ok(());
            }
            Word::Number(number) => (number, None),
            Word::Team(team) => (team.id.load(RELAXED), Some(team)),
        };
        let folded = team.is_some_and(|team| team.folded.load(RELAXED));
        if !folded && self.context.folding {
            // A thread whose time is in sums has no part in what others record.
            self.context.hidden_tasks += 1;
            self.time(store, now)?[thread::HIDDEN] += 1;
            return Ok(());
        }
        if folded && let Some(team) = team {
            let begin = team.begin.load(RELAXED);
            if !self.context.folding {
                self.enter(store, now, team.code.load(RELAXED), begin)?;
            } else if self.context.regions.is_empty() {
                self.end_gap(store, Some(team), begin, now)?;
            } else {
                // The primary thread: since parallel_begin.
                self.time(store, now)?[thread::FORK_JOIN] += now.saturating_sub(begin);
            }
        } else {
            self.push(store, Record { value: id, ..event })?;
        }
        let same = |frame: &RegionFrame| match (frame.team, team) {
            (Some(mine), Some(team)) => std::ptr::eq(mine, team),
            (mine, team) => mine.is_none() && team.is_none(),
        };
        if let Some(frame) = self.context.regions.top()
            && frame.primary
            && frame.begin == 0
            && same(frame)
        {
            frame.begin = now;
            frame.size = event.aux;
            return Ok(());
        }
        self.context.regions.push(RegionFrame {
            team,
            folded,
            primary: false,
            begin: now,
            arrival: 0,
            release: 0,
            size: event.aux,
            barriers: 0,
            tail_tasks: 0,
            inner: [0; 4],
        });
        Ok(())
    }

    /// A worker's time since its last region ends with the begin of another one, or (`None`) with
    /// the thread. `begin`: parallel_begin of the region; `now`: its own begin.
    fn end_gap(
        &mut self,
        store: &Store,
        team: Option<&'static Team>,
        begin: u64,
        now: u64,
    ) -> Result<(), Exhausted> {
        let waits: u64 = std::mem::take(&mut self.context.loose).iter().sum();
        let last = self.context.last.take();
        let from = self.context.since;
        let time = self.time(store, now)?;
        let begin = begin.clamp(from, now);
        time[thread::FORK_JOIN] += now - begin;
        let Some(last) = last else {
            time[thread::SERIAL_IDLE] += (begin - from).saturating_sub(waits);
            self.context.since = now;
            return Ok(());
        };
        let gap = begin.saturating_sub(last.arrival);
        let Some(ending) = last.team.ending_of(last.id) else {
            // It stayed out of so many regions that the end of its last one is forgotten.
            time[thread::SPARE_IDLE] += gap.saturating_sub(waits + last.tail_tasks);
            time[thread::HIDDEN] += 1;
            self.context.since = now;
            return Ok(());
        };
        let end = ending.end.clamp(last.arrival, begin);
        let tail = split_tail(&ending, last.arrival, last.tail_tasks);
        time[thread::IMBALANCE] += tail[0];
        time[thread::BARRIER] += tail[1];
        time[thread::FORK_JOIN] += tail[2];
        // Regions of the same primary thread that ran without this worker.
        let others = match team {
            Some(team) if std::ptr::eq(team, last.team) => {
                team.busy.load(RELAXED).saturating_sub(ending.busy)
            }
            _ => 0,
        };
        let idle = (begin - end).saturating_sub(waits);
        let spare = others.min(idle);
        time[thread::SPARE_IDLE] += spare;
        time[thread::SERIAL_IDLE] += idle - spare;
        self.context.since = now;
        Ok(())
    }

    /// The thread arrives at the end of its region; false: the event is to be recorded.
    pub(crate) fn arrive(&mut self, store: &Store, now: u64) -> Done {
        if self.context.hidden_tasks > 0 {
            return Ok(true);
        }
        let Some(&mut frame) = self.context.regions.top() else { return Ok(false) };
        if frame.arrival == 0 && frame.begin != 0 && !frame.folded {
            self.tell_inner(store, now)?;
        }
        if let Some(frame) = self.context.regions.top()
            && frame.arrival == 0
        {
            frame.arrival = now;
        }
        if !frame.folded || frame.arrival != 0 {
            return Ok(frame.folded);
        }
        let Some(team) = frame.team else { return Ok(true) };
        let waits: u64 = frame.inner.iter().sum();
        let useful = (now - frame.begin).saturating_sub(waits);
        self.time(store, now)?[thread::USEFUL] += useful;
        let begin = team.begin.load(RELAXED);
        let sums = &team.sums;
        sums.last.fetch_max(now, RELAXED);
        sums.members.fetch_add(1, RELAXED);
        sums.arrivals.fetch_add(now - begin, RELAXED);
        sums.begins.fetch_add(frame.begin - begin, RELAXED);
        sums.useful.fetch_add(useful, RELAXED);
        sums.max_useful.fetch_max(useful, RELAXED);
        for (sum, &wait) in sums.inner.iter().zip(&frame.inner) {
            if wait > 0 {
                sum.fetch_add(wait, RELAXED);
            }
        }
        if !frame.primary {
            self.context.last =
                Some(Last { team, id: team.id.load(RELAXED), arrival: now, tail_tasks: 0 });
            self.context.since = now;
        }
        Ok(true)
    }

    /// The end of the region's last barrier, as told to this thread; false: to be recorded.
    pub(crate) fn leave(&mut self, now: u64) -> bool {
        if self.context.hidden_tasks > 0 {
            return true;
        }
        match self.context.regions.top() {
            Some(frame) => {
                if frame.release == 0 {
                    frame.release = now;
                }
                frame.folded
            }
            None => false,
        }
    }

    /// The implicit task ends; false: to be recorded.
    pub(crate) fn end_member(&mut self, store: &Store, now: u64) -> Done {
        if self.context.hidden_tasks > 0 {
            self.context.hidden_tasks -= 1;
            return Ok(true);
        }
        let folded = self.arrive(store, now)?;
        self.leave(now);
        if self.context.regions.top().is_some_and(|frame| !frame.primary) {
            self.context.regions.pop();
        }
        Ok(folded)
    }

    /// The region ends on the thread that began it; `None`: it was folded or hidden, else its
    /// number, 0 if unknown.
    pub(crate) fn end_region(&mut self, store: &Store, now: u64) -> Result<Option<u64>, Exhausted> {
        if self.context.hidden_regions > 0 {
            self.context.hidden_regions -= 1;
            return Ok(None);
        }
        let Some(frame) = self.context.regions.take(|frame| frame.primary) else {
            return Ok(Some(0));
        };
        let Some(team) = frame.team else { return Ok(Some(0)) };
        if !frame.folded {
            if self.context.regions.is_empty() {
                self.context.after = team.code.load(RELAXED);
            }
            return Ok(Some(team.id.load(RELAXED)));
        }
        self.close_region(store, &frame, team, now)?;
        Ok(None)
    }

    fn close_region(
        &mut self,
        store: &Store,
        frame: &RegionFrame,
        team: &'static Team,
        end: u64,
    ) -> Result<(), Exhausted> {
        let (begin, code) = (team.begin.load(RELAXED), team.code.load(RELAXED));
        let sums = &team.sums;
        let get = |sum: &std::sync::atomic::AtomicU64| sum.load(RELAXED);
        let members = get(&sums.members);
        let wall = end - begin;
        let last = get(&sums.last).clamp(begin, end);
        let release = if frame.release == 0 { end } else { frame.release.clamp(last, end) };
        let busy = get(&team.busy) + wall;
        let ending = Ending { last, release, end, busy };
        team.close(ending);
        let own = split_tail(&ending, frame.arrival.clamp(begin, end), frame.tail_tasks);
        let time = self.time(store, end)?;
        time[thread::IMBALANCE] += own[0];
        time[thread::BARRIER] += own[1];
        time[thread::FORK_JOIN] += own[2];
        time[thread::FOLDED] += 1;
        let size = u64::from(frame.size).max(members).max(1);
        let tasks = get(&sums.tasks);
        let late = (members * (last - begin)).saturating_sub(get(&sums.arrivals));
        let cost = members * (release - last);
        let late_tasks = tasks.min(late);
        let inner = |position: usize| get(&sums.inner[position]);
        let values = &mut self.sum(store, FoldKind::Region, 0, [code, 0])?.values;
        values[region::CALLS] += 1;
        values[region::WALL] += wall;
        let (least, most) = (values[region::TEAM] >> 32, values[region::TEAM] & 0xffff_ffff);
        let least = if least == 0 { size } else { least.min(size) };
        values[region::TEAM] = least << 32 | most.max(size);
        values[region::SERIALIZED] += u64::from(size == 1);
        values[region::USEFUL] += get(&sums.useful);
        values[region::MEAN_USEFUL] += get(&sums.useful) / size;
        values[region::MAX_USEFUL] += get(&sums.max_useful);
        values[region::IMBALANCE] += (late - late_tasks + inner(IMBALANCE)) / size;
        values[region::BARRIER] +=
            (cost.saturating_sub(tasks - late_tasks) + inner(BARRIER)) / size;
        values[region::MUTEX] += inner(MUTEX) / size;
        values[region::TASKWAIT] += inner(TASKWAIT) / size;
        values[region::FORK_JOIN] += (get(&sums.begins) + members * (end - release)) / size;
        self.context.since = end;
        self.context.after = code;
        self.context.loose = [0; 4];
        Ok(())
    }

    /// The thread has begun.
    pub(crate) fn start(&mut self, now: u64, initial: bool) {
        self.context.initial = initial;
        self.context.since = now;
    }

    /// The thread ends: what it did last is added up.
    pub(crate) fn end_folding(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        if !self.context.folding {
            return self.tell_inner(store, now);
        }
        if !self.context.regions.is_empty() {
            return Ok(());
        }
        if self.context.initial {
            self.end_serial(store, now, 0)
        } else {
            self.end_gap(store, None, now, now)
        }
    }

    /// Adds a folded wait to the region the thread is in.
    fn add_wait(
        &mut self,
        store: &Store,
        now: u64,
        position: usize,
        ticks: u64,
    ) -> Result<(), Exhausted> {
        let context = &mut self.context;
        let folded = match context.regions.top() {
            Some(frame) if frame.arrival == 0 => {
                frame.inner[position] += ticks;
                frame.folded
            }
            // In a task after the arrival: the wait is part of the tail's tasks already.
            Some(_) => return Ok(()),
            None => {
                context.loose[position] += ticks;
                context.folding
            }
        };
        if folded {
            let entry = self.sum(store, FoldKind::Thread, 0, [0, 0])?;
            entry.values[INNER_CLASSES[position]] += ticks;
        } else if now >= self.context.tell_at {
            self.tell_inner(store, now)?;
        }
        Ok(())
    }

    /// Records the folded waits of a recorded region, or of recorded time outside.
    fn tell_inner(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        self.context.tell_at = now + TELL_TICKS;
        let inner = match self.context.regions.top() {
            Some(frame) if frame.folded => return Ok(()),
            Some(frame) => std::mem::take(&mut frame.inner),
            None if self.context.folding => return Ok(()),
            None => std::mem::take(&mut self.context.loose),
        };
        for (ticks, class) in inner.into_iter().zip(INNER_CLASSES) {
            if ticks > 0 {
                let told =
                    Record { value: ticks, sub: class as u8, ..record(EventKind::Inner, now) };
                self.push(store, told)?;
            }
        }
        Ok(())
    }

    /// A barrier inside a region begins; false: to be recorded.
    pub(crate) fn begin_barrier(&mut self, now: u64) -> bool {
        let Some(&mut RegionFrame { team: Some(team), ref mut barriers, arrival: 0, .. }) =
            self.context.regions.top()
        else {
            self.context.recorded_waits += 1;
            return false;
        };
        // Counted in every mode: all members have to mean the same barrier by the same number.
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

    /// A barrier inside a region ends; false: to be recorded.
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

    /// taskwait or taskgroup begins to wait; false: to be recorded.
    pub(crate) fn begin_taskwait(&mut self, now: u64) -> bool {
        if is_on() {
            self.context.waits.push(Wait::Taskwait { begin: now, tasks: 0 });
        } else {
            self.context.recorded_waits += 1;
        }
        is_on()
    }

    /// … and ends; false: to be recorded.
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

    /// The thread switches tasks: `ends` one, goes to an `explicit` one; false: to be recorded.
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

    /// A worksharing construct begins; false: to be recorded.
    pub(crate) fn begin_work(&mut self, iterations: u64) -> bool {
        self.chunks = 0;
        self.context.iterations = iterations;
        is_on() && self.context.regions.top().is_some_and(|frame| frame.team.is_some())
    }

    /// … and ends; false: to be recorded.
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

    /// A mutex is asked for; false: to be recorded.
    pub(crate) fn ask(&mut self, asked: Asked) -> bool {
        if !is_on() {
            return false;
        }
        // A nest lock of one's own is not waited for.
        if !self.context.held.iter().any(|held| held.asked.id == asked.id) {
            self.context.asked = Some(asked);
        }
        true
    }

    /// A mutex is acquired; false: to be recorded.
    pub(crate) fn acquire(&mut self, store: &Store, now: u64, id: u64) -> Done {
        let Some(asked) = self.context.asked.take().filter(|asked| asked.id == id) else {
            return Ok(false);
        };
        let Some(holds) = HOLDS.get() else { return Ok(false) };
        let wait = now - asked.tick;
        let mut blamed = 0;
        let mut failed = None;
        let (ticket, forgotten) = holds.acquired(id, asked.tick, now, asked.code, |code, ticks| {
            blamed += ticks;
            match self.sum(store, FoldKind::Blame, asked.kind, [asked.code, code]) {
                Ok(entry) => entry.values[0] += ticks,
                Err(exhausted) => failed = Some(exhausted),
            }
        });
        if let Some(exhausted) = failed {
            return Err(exhausted);
        }
        let values = &mut self.sum(store, FoldKind::Mutex, asked.kind, [asked.code, 0])?.values;
        values[mutex::ACQUISITIONS] += 1;
        values[mutex::CONTENDED] += u64::from(blamed > 0);
        values[mutex::WAIT] += wait;
        values[mutex::MAX_WAIT] = values[mutex::MAX_WAIT].max(wait);
        values[mutex::UNATTRIBUTED] += forgotten;
        values[mutex::HANDOFF] += wait - blamed - forgotten;
        self.add_wait(store, now, MUTEX, wait)?;
        self.context.held.push(Held { asked, since: now, ticket });
        Ok(true)
    }

    /// A mutex was released; false: to be recorded.
    pub(crate) fn release_mutex(&mut self, store: &Store, now: u64, id: u64) -> Done {
        let Some(held) = self.context.held.take(|held| held.asked.id == id) else {
            return Ok(false);
        };
        let end = match (HOLDS.get(), held.ticket) {
            (Some(holds), Some(ticket)) => holds.released(ticket, now),
            _ => now,
        };
        let length = end.saturating_sub(held.since);
        let (kind, code) = (held.asked.kind, held.asked.code);
        let values = &mut self.sum(store, FoldKind::Mutex, kind, [code, 0])?.values;
        values[mutex::HOLD] += length;
        values[mutex::MAX_HOLD] = values[mutex::MAX_HOLD].max(length);
        Ok(true)
    }
}

/// From the arrival at a region's end: for late threads, for nobody any more, joining; without
/// the tasks executed meanwhile.
fn split_tail(ending: &Ending, arrival: u64, tasks: u64) -> [u64; 3] {
    let last = ending.last.max(arrival);
    let release = ending.release.max(last);
    let parts = [last - arrival, release - last, ending.end.saturating_sub(release)];
    let mut tasks = tasks;
    parts.map(|part| {
        let taken = tasks.min(part);
        tasks -= taken;
        part - taken
    })
}
