//! Regions and a thread's part in them: frames in every mode, sums when folded.

use oxomp_trace::fold::{Extremes, FoldKind, region, serial, thread};
use oxomp_trace::{EventKind, Record};

use super::counted::Turn;
use super::{Done, RELAXED, Word, is_on};
use crate::context::{BARRIER, IMBALANCE, Last, MUTEX, Region, RegionFrame, TASKWAIT, Wait};
use crate::log::{Log, record};
use crate::mode::MODE;
use crate::store::{Exhausted, Store};
use crate::team::{Arrival, Arrived, Ending, Team};

impl Log {
    /// A region begins on this thread. Returns the region's data word; `word` is the address of
    /// that word, 0 without one.
    pub(crate) fn begin_region(
        &mut self,
        store: &Store,
        event: Record,
        word: usize,
    ) -> Result<Word, Exhausted> {
        let now = event.tick;
        if self.seen.add(event.code) {
            store.look_at_modules();
        }
        let hidden = self.context.hidden_tasks > 0 || self.only_counts();
        if hidden || self.context.regions.iter().any(|frame| frame.folded) {
            self.context.hidden_regions += 1;
            self.time(store, now)?[thread::HIDDEN] += 1;
            return Ok(Word::Hidden);
        }
        self.end_user_code(store, now);
        // A runtime that has reported no end of it.
        self.context.counted = None;
        let paused = MODE.paused_until(now);
        if self.context.regions.is_empty() {
            self.context.see_pauses(paused);
        }
        let outermost = self.context.regions.is_empty() && self.context.recorded_waits == 0;
        let folded = outermost && (self.context.folding || is_on());
        let level = self.context.regions.iter().filter(|frame| frame.primary).count();
        let team = self.teams.get(level);
        let mut turn = Turn::Always;
        if folded {
            self.enter(store, now, event.code, now)?;
            self.end_serial(store, now, event.code)?;
            if event.sub == 0 && word != 0 {
                turn = self.turn_of(store, now, event.code)?;
            }
        }
        if let (Turn::Counted, Some(team)) = (turn, team) {
            let series = (word as u64).rotate_left(16) ^ u64::from(event.aux);
            return Ok(self.begin_counted(team, series, event.code, now, paused));
        }
        let id = self.next_region();
        let region = Region { id, code: event.code, begin: now };
        let short = turn == Turn::Timed;
        if let Some(team) = team {
            team.open(region, folded, short);
        }
        if !folded {
            self.tell_tasks(store, now)?;
            self.tell_inner(store, now)?;
            self.push(store, Record { value: id, ..event })?;
        }
        let pushed = self.context.regions.push(RegionFrame {
            team,
            region: if team.is_some() { region } else { Region::default() },
            folded,
            short,
            primary: true,
            begin: 0,
            paused,
            arrival: 0,
            release: 0,
            index: 0,
            size: 0,
            barriers: 0,
            tail_tasks: 0,
            tail_waits: 0,
            node: None,
            inner: [0; 4],
        });
        match team {
            Some(team) if pushed => Ok(Word::Team(team)),
            _ => Ok(Word::Number(id)),
        }
    }

    /// A region begins on this thread, in a pause.
    #[cold]
    pub(crate) fn hide_region(&mut self) {
        self.context.hidden_regions += 1;
        // The region belongs to no series.
        if self.context.counted.is_none()
            && let Some(team) = self.teams.first()
        {
            team.end_series();
        }
    }

    /// An implicit task begins on this thread, in a pause.
    #[cold]
    pub(crate) fn hide_member(&mut self) {
        self.context.hidden_tasks += 1;
    }

    /// This thread folds whole regions from `now` on; `begin` is the region's begin.
    pub(super) fn enter(
        &mut self,
        store: &Store,
        now: u64,
        code: u64,
        begin: u64,
    ) -> Result<(), Exhausted> {
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

    /// Serial time ends with a region at `before`, or, if that is 0, with the thread.
    fn end_serial(&mut self, store: &Store, now: u64, before: u64) -> Result<(), Exhausted> {
        let stretch = now.saturating_sub(self.context.since);
        let waits: u64 = std::mem::take(&mut self.context.loose).iter().sum();
        let offloaded = self.offload.take_outside(self.context.since, now);
        let after = self.context.after;
        if self.context.initial && stretch > 0 {
            self.time(store, now)?[thread::SERIAL] += stretch.saturating_sub(waits);
            let values = &mut self.sum(store, FoldKind::Serial, 0, [after, before])?.values;
            values[serial::COUNT] += 1;
            values[serial::TIME] += stretch;
            values[serial::LONGEST] = values[serial::LONGEST].max(stretch);
            values[serial::OFFLOADED] += offloaded;
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
        let (id, region, team) = match word {
            Word::Hidden => {
                self.context.hidden_tasks += 1;
                return Ok(());
            }
            Word::Number(number) => (number, Region::default(), None),
            Word::Team(team) => {
                let region = team.region();
                (region.id, region, Some(team))
            }
            // Its members begin by `begin_series`.
            Word::Counted(_) => return Ok(()),
        };
        self.context.member_of = None;
        if self.context.regions.is_empty() {
            self.context.see_pauses(MODE.paused_until(now));
        }
        let short = team.is_some_and(|team| team.short.load(RELAXED));
        let folded = team.is_some_and(|team| team.folded.load(RELAXED));
        if !folded && self.context.folding {
            // A thread that folds has no part in regions that others record.
            self.context.hidden_tasks += 1;
            self.time(store, now)?[thread::HIDDEN] += 1;
            return Ok(());
        }
        match team {
            Some(team) if folded => self.begin_folded(store, team, region, short, now)?,
            _ => self.push(store, Record { value: id, ..event })?,
        }
        let index = u32::try_from(event.code).unwrap_or(u32::MAX);
        self.push_member(team, region, (folded, short), now, (index, event.aux));
        self.begin_user_code(now);
        Ok(())
    }

    /// The thread's part in a folded region of `team` begins.
    #[inline]
    fn begin_folded(
        &mut self,
        store: &Store,
        team: &'static Team,
        region: Region,
        short: bool,
        now: u64,
    ) -> Result<(), Exhausted> {
        let begin = region.begin;
        if !self.context.folding {
            self.enter(store, now, region.code, begin)?;
        } else if self.context.regions.is_empty() {
            self.settle_before_timed(store, team, now)?;
            self.end_gap(store, Some((team, short)), begin, now)?;
        } else {
            // The primary thread: since parallel_begin.
            self.time(store, now)?;
            self.time_in(store, short)?[thread::FORK_JOIN] += now.saturating_sub(begin);
        }
        Ok(())
    }

    /// Notes the begin of an implicit task in the region's frame, which the primary thread has
    /// pushed when the region began; a worker pushes it.
    #[inline]
    fn push_member(
        &mut self,
        team: Option<&'static Team>,
        region: Region,
        (folded, short): (bool, bool),
        begin: u64,
        (index, size): (u32, u32),
    ) {
        let same = |frame: &RegionFrame| match (frame.team, team) {
            (Some(mine), Some(team)) => std::ptr::eq(mine, team),
            (mine, team) => mine.is_none() && team.is_none(),
        };
        if let Some(frame) = self.context.regions.top()
            && frame.primary
            && frame.begin == 0
            && same(frame)
        {
            frame.begin = begin;
            frame.index = index;
            frame.size = size;
            return;
        }
        self.context.regions.push(RegionFrame {
            team,
            region,
            folded,
            short,
            primary: false,
            begin,
            paused: MODE.paused_until(begin),
            arrival: 0,
            release: 0,
            index,
            size,
            barriers: 0,
            tail_tasks: 0,
            tail_waits: 0,
            node: None,
            inner: [0; 4],
        });
    }

    /// A worker's time since its last region ends with the begin of another one, a short one or
    /// not, or (`None`) with the thread. `begin`: parallel_begin of the region; `now`: its own
    /// begin.
    fn end_gap(
        &mut self,
        store: &Store,
        next: Option<(&'static Team, bool)>,
        begin: u64,
        now: u64,
    ) -> Result<(), Exhausted> {
        let waits: u64 = std::mem::take(&mut self.context.loose).iter().sum();
        let last = self.context.last.take();
        let from = std::mem::replace(&mut self.context.since, now);
        // In regions that were only counted.
        let counted = std::mem::take(&mut self.context.member_counts.ticks);
        let known = waits + counted;
        let begin = begin.clamp(from, now);
        if let Some((_, short)) = next {
            self.time_in(store, short)?[thread::FORK_JOIN] += now - begin;
        }
        let Some(last) = last else {
            let idle = (begin - from).saturating_sub(known);
            self.time(store, now)?[thread::SERIAL_IDLE] += idle;
            return Ok(());
        };
        let gap = begin.saturating_sub(last.arrival);
        let ending = match next {
            Some((team, _)) if std::ptr::eq(team, last.team) => team.ending_before(last.id),
            _ => last.team.ending_of(last.id),
        };
        let Some(ending) = ending else {
            // The worker stayed out of so many regions that the end of its last one is forgotten.
            let time = self.time(store, now)?;
            time[thread::SPARE_IDLE] += gap.saturating_sub(known + last.tail_tasks);
            time[thread::HIDDEN] += 1;
            return Ok(());
        };
        let end = ending.end.clamp(last.arrival, begin);
        let tail = split_tail(&ending, last.arrival, last.tail_tasks);
        let time = self.time_in(store, last.short)?;
        time[thread::IMBALANCE] += tail[0];
        time[thread::BARRIER] += tail[1];
        time[thread::FORK_JOIN] += tail[2];
        // Regions of the same primary thread that ran without this worker.
        let others = match next {
            Some((team, _)) if std::ptr::eq(team, last.team) => {
                team.busy.load(RELAXED).saturating_sub(ending.busy).saturating_sub(counted)
            }
            _ => 0,
        };
        let idle = (begin - end).saturating_sub(known);
        let spare = others.min(idle);
        let time = self.time(store, now)?;
        time[thread::SPARE_IDLE] += spare;
        time[thread::SERIAL_IDLE] += idle - spare;
        Ok(())
    }

    /// The thread arrives at the end of its region. Returns false if the event is to be recorded.
    pub(crate) fn arrive(&mut self, store: &Store, now: u64) -> Done {
        if self.context.hidden_tasks > 0 {
            return Ok(true);
        }
        let Some(frame) = self.context.regions.top() else { return Ok(false) };
        let folded = frame.folded;
        if frame.arrival != 0 {
            return Ok(folded);
        }
        let has_begun = frame.begin != 0;
        let mut taken = 0;
        if has_begun {
            self.arrive_task(store, now);
            taken = self.end_user_code(store, now);
            if !folded {
                self.tell_inner(store, now)?;
            }
        }
        let Some(frame) = self.context.regions.top() else { return Ok(folded) };
        let now = if folded { frame.without_pauses(now) } else { now };
        frame.arrival = now;
        if !folded {
            self.context.absorbed.told = now;
        }
        let Some(frame) = self.context.regions.top() else { return Ok(folded) };
        let (true, Some(team)) = (has_begun, frame.team) else { return Ok(folded) };
        let Region { id, begin, .. } = frame.region;
        let real = now.saturating_sub(begin);
        if !folded {
            team.arrive_at_end(id, frame.index, &Arrival { real, taken, ..Arrival::default() });
            return Ok(false);
        }
        let inner = frame.inner;
        let useful = now.saturating_sub(frame.begin).saturating_sub(inner.iter().sum());
        team.arrive_at_end(id, frame.index, &Arrival { real, taken, useful, inner });
        let (primary, short) = (frame.primary, frame.short);
        self.time(store, now)?;
        self.time_in(store, short)?[thread::USEFUL] += useful;
        if !primary {
            self.context.last = Some(Last { team, id, arrival: now, tail_tasks: 0, short });
            self.context.since = now;
        }
        Ok(true)
    }

    /// The runtime reports the end of the region's last barrier to this thread. Returns false if
    /// the event is to be recorded.
    pub(crate) fn leave(&mut self, store: &Store, now: u64) -> Done {
        if self.context.hidden_tasks > 0 {
            return Ok(true);
        }
        let Some(frame) = self.context.regions.top() else { return Ok(false) };
        if frame.release == 0 {
            frame.release = frame.without_pauses(now);
        }
        let folded = frame.folded;
        if let (true, Some(team)) = (frame.primary, frame.team) {
            team.prefetch_arrivals(frame.size);
        }
        if !folded {
            self.tell_tasks(store, now)?;
            self.tell_inner(store, now)?;
        }
        Ok(folded)
    }

    /// The implicit task ends, whose thread has arrived at the end of a folded region and left it,
    /// or which was only counted, so that the end's time has no meaning. Returns false if that is
    /// not so.
    #[inline]
    pub(crate) fn end_left_member(&mut self) -> bool {
        let is_hidden = self.context.hidden_tasks > 0;
        if !is_hidden && self.context.member_of.take().is_some() {
            return true;
        }
        match self.context.regions.top() {
            Some(frame) if frame.folded && frame.arrival != 0 && frame.release != 0 => {
                let (primary, node) = (frame.primary, frame.node);
                if is_hidden {
                    return false;
                }
                if !primary {
                    self.context.regions.discard();
                    self.leave_task(node);
                }
                true
            }
            _ => false,
        }
    }

    /// The implicit task ends. Returns false if the event is to be recorded.
    pub(crate) fn end_member(&mut self, store: &Store, now: u64) -> Done {
        if self.context.hidden_tasks > 0 {
            self.context.hidden_tasks -= 1;
            return Ok(true);
        }
        let folded = self.arrive(store, now)?;
        self.leave(store, now)?;
        if let Some(&mut RegionFrame { primary: false, node, .. }) = self.context.regions.top() {
            self.context.regions.discard();
            self.leave_task(node);
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
        self.begin_user_code(now);
        if let Some(counted) = self.context.counted {
            self.end_counted(store, counted, now)?;
            return Ok(None);
        }
        let Some(frame) = self.context.regions.take(|frame| frame.primary) else {
            return Ok(Some(0));
        };
        self.leave_task(frame.node);
        let Some(team) = frame.team else { return Ok(Some(0)) };
        let Region { id, code, begin } = frame.region;
        let arrived = team.arrived(id, frame.size);
        let now = if frame.folded { frame.without_pauses(now) } else { now };
        self.delay_by_scheduler(store, code, arrived.waits_for_scheduler(frame.size.into()));
        let wall = now.saturating_sub(begin);
        self.end_span(store, code, team.span(), wall);
        if self.context.regions.is_empty() {
            self.end_instance(store, code, frame.folded, wall);
        }
        if !frame.folded {
            if self.context.regions.is_empty() {
                self.context.after = code;
            }
            // The time of a task around the region goes on after it.
            if let Some(Wait::Task { begin }) = self.context.waits.bottom() {
                *begin = now;
            }
            return Ok(Some(id));
        }
        self.close_region(store, &frame, team, &arrived, now)?;
        Ok(None)
    }

    fn close_region(
        &mut self,
        store: &Store,
        frame: &RegionFrame,
        team: &'static Team,
        arrived: &Arrived,
        end: u64,
    ) -> Result<(), Exhausted> {
        let Region { id, code, begin } = frame.region;
        let &Arrived { members, sum: arrivals, last, useful, tasks, inner, .. } = arrived;
        let wall = end - begin;
        let last = (begin + last).min(end);
        let release = if frame.release == 0 { end } else { frame.release.clamp(last, end) };
        let busy = team.busy() + wall;
        let ending = Ending { last, release, end, busy };
        team.close(id, ending);
        let own = split_tail(&ending, frame.arrival.clamp(begin, end), frame.tail_tasks);
        self.time(store, end)?[thread::FOLDED] += 1;
        let time = self.time_in(store, frame.short)?;
        time[thread::IMBALANCE] += own[0];
        time[thread::BARRIER] += own[1];
        time[thread::FORK_JOIN] += own[2];
        let size = u64::from(frame.size).max(members).max(1);
        let late = (members * (last - begin)).saturating_sub(arrivals);
        let cost = members * (release - last);
        let late_tasks = tasks.min(late);
        let values = &mut self.sum(store, FoldKind::Region, 0, [code, 0])?.values;
        values[region::CALLS] += 1;
        values[region::WALL] += wall;
        Extremes::of(size as u32).add_to(&mut values[region::TEAM]);
        values[region::SERIALIZED] += u64::from(size == 1);
        values[region::USEFUL] += useful;
        values[region::MEAN_USEFUL] += share(useful, size);
        values[region::MAX_USEFUL] += arrived.max_useful;
        values[region::IMBALANCE] += share(late - late_tasks + inner[IMBALANCE], size);
        values[region::BARRIER] +=
            share(cost.saturating_sub(tasks - late_tasks) + inner[BARRIER], size);
        values[region::MUTEX] += share(inner[MUTEX], size);
        values[region::TASKWAIT] += share(inner[TASKWAIT], size);
        // What the members did from their begins on, up to their arrivals.
        let waits: u64 = inner.iter().sum();
        let begins = arrivals.saturating_sub((useful + waits).saturating_sub(tasks));
        values[region::FORK_JOIN] += share(begins + members * (end - release), size);
        self.context.since = end;
        self.context.after = code;
        self.context.loose = [0; 4];
        Ok(())
    }

    /// The thread has begun.
    pub(crate) fn start(&mut self, now: u64, initial: bool) {
        self.context.initial = initial;
        self.context.since = now;
        if initial {
            self.begin_user_code(now);
        }
    }

    /// The thread ends: adds up the time since its last event.
    pub(crate) fn end_folding(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        self.teams.iter().for_each(Team::end_series);
        if !self.context.folding {
            return self.tell_inner(store, now);
        }
        if !self.context.regions.is_empty() {
            return Ok(());
        }
        if self.context.initial {
            self.end_serial(store, now, 0)
        } else {
            self.settle_member_counts(store, now)?;
            self.end_gap(store, None, now, now)
        }
    }
}

/// A sum divided by the size of a team.
#[inline]
fn share(sum: u64, size: u64) -> u64 {
    match size.is_power_of_two() {
        true => sum >> size.trailing_zeros(),
        false => sum / size,
    }
}

/// The parts of the time from the arrival at a region's end: until the last arrival, until the
/// release, until the join; without the tasks executed meanwhile.
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
