//! Regions, and a thread's part in them.

mod lost;
mod tail;
mod under_way;

use std::sync::atomic::Ordering;

use oxomp_trace::fold::{Extremes, FoldKind, counts, instances, region, starved, thread};
use oxomp_trace::{EventKind, Record};

use super::counted::Turn;
use super::phases::SerialTime;
use super::word::Word;
use crate::context::{Last, RegionFrame};
use crate::log::{Log, record};
use crate::mode::MODE;
use crate::runtime_code;
use crate::slow_regions;
use crate::store::{Exhausted, Store};
use crate::team::{Arrival, Ending, Region, Team};
use crate::wait_class::TASKWAIT;
use lost::{Lost, share};
use tail::{add_tail, split_tail, take_back};

pub(crate) use under_way::{DoingUnderWay, UnderWay};

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
        let level = self.context.regions.iter().filter(|frame| frame.primary).count();
        let team = self.teams.get(level).filter(|_| self.context.regions.has_room());
        let counts = self.only_counts();
        let (Some(team), false) = (team, counts || self.context.hidden_tasks > 0) else {
            if counts {
                self.nest_in_counted(store)?;
            }
            self.context.hidden_regions += 1;
            self.time(store, now)?[thread::HIDDEN] += 1;
            return Ok(Word::Hidden);
        };
        self.end_user_code(store, now);
        self.end_unreported(store)?;
        // Still set if the runtime has not reported the end of a counted region.
        self.context.counted = None;
        let paused = MODE.paused_until(now);
        let mut turn = Turn::Always;
        let mut code = event.code;
        let outer = self.context.regions.top().copied();
        if let Some(outer) = &outer {
            outer.team.nest();
            code = runtime_code::of_inner_region(code, outer.region.code);
        } else {
            self.see_pauses(paused);
            self.see_phases(team);
            self.end_serial(store, now, event.code)?;
            let in_window = self.begins_in_window(store, now)?;
            if !in_window && event.sub == 0 && word != 0 {
                turn = self.turn_of(store, now, event.code)?;
            }
        }
        self.count(store, counts::REGIONS_BEGUN);
        if turn == Turn::Counted {
            let series = (word as u64).rotate_left(16) ^ u64::from(event.aux);
            return Ok(self.begin_counted(team, series, event.code, now, paused));
        }
        let id = self.next_region();
        let region = Region { id, code, begin: now };
        let recorded = self.records_events();
        team.open(region, (turn == Turn::Timed, recorded), outer.as_ref().map(RegionFrame::around));
        self.record(store, Record { value: id, ..event })?;
        let frame = RegionFrame::new(team, 0, paused, self.outside());
        self.context.regions.push(RegionFrame { primary: true, ..frame });
        Ok(Word::Team(team))
    }

    /// A region begins inside one that is only counted: its instances are timed from now on.
    #[cold]
    fn nest_in_counted(&mut self, store: &Store) -> Result<(), Exhausted> {
        match (self.context.counted, self.context.member_of) {
            (Some(counted), _) => {
                let entry = self.sum(store, FoldKind::Instances, 0, [counted.code, 0])?;
                entry.values[instances::NESTS] = 1;
            }
            (None, Some(team)) => team.nest(),
            (None, None) => {}
        }
        Ok(())
    }

    /// The thread is outside every region, and all pauses so far have taken `paused` ticks. If the
    /// thread knew of fewer, waits and holds may have ended unseen in a pause.
    #[inline]
    fn see_pauses(&mut self, paused: u64) {
        if self.context.paused != paused {
            self.context.paused = paused;
            self.forget_waits();
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

    /// Serial time ends with a region at `before`, or, if that is 0, with the thread.
    fn end_serial(&mut self, store: &Store, now: u64, before: u64) -> Result<(), Exhausted> {
        let stretch = now.saturating_sub(self.context.since);
        let waits = std::mem::take(&mut self.context.loose);
        let paused = MODE.paused_until(now);
        let pauses = paused.saturating_sub(self.context.since_paused);
        let offloaded = self.offload.take_outside(self.context.since, now);
        let between = [self.context.after, before];
        if self.context.initial && stretch > 0 {
            let since = self.context.since;
            let time = SerialTime { between, stretch, waits, pauses, offloaded, ends: true };
            self.add_serial(store, (since, now), time)?;
        }
        (self.context.since, self.context.since_paused) = (now, paused);
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
        let team = match word {
            Word::Team(team) => team,
            Word::Hidden => {
                self.context.hidden_tasks += 1;
                return Ok(());
            }
            // Its members begin by `begin_series`.
            Word::Counted(_) => return Ok(()),
        };
        self.context.member_of = None;
        self.context.last_work = 0;
        self.end_unreported(store)?;
        if self.context.regions.is_empty() {
            self.see_pauses(MODE.paused_until(now));
        }
        let region = team.region();
        let index = u32::try_from(event.code).unwrap_or(u32::MAX);
        self.begin_part(store, team, region, now)?;
        // The thread's sums have room by now, as they have for its arrival.
        self.count(store, counts::MEMBERS_BEGUN);
        let begin = Record { value: region.id, ..event };
        match self.context.regions.is_empty() {
            true => self.record_part(store, team, begin)?,
            false => self.record(store, begin)?,
        }
        self.push_member(team, now, (index, event.aux));
        let is_outermost = self.context.regions.depth() == 1;
        if is_outermost {
            self.tell_region(store, region.code, true)?;
        }
        self.begin_user_code(now);
        Ok(())
    }

    /// A worker begins the first region of a series of `team`: its data word has this address.
    #[cold]
    pub(crate) fn begin_series_part(
        &mut self,
        store: &Store,
        team: &'static Team,
        word: usize,
        now: u64,
    ) -> Result<(), Exhausted> {
        if self.phase.is_over() {
            self.settle_member_counts(store, now)?;
            self.end_gap(store, None, now, now)?;
        }
        self.begin_series(store, team, word, now)
    }

    /// Notes, beside the thread's time, the outermost region that the thread is in, or was in last:
    /// for readers of a recording whose process was killed.
    #[inline]
    fn tell_region(&mut self, store: &Store, code: u64, inside: bool) -> Result<(), Exhausted> {
        let key = [self.life, 0];
        let entry = self.sum(store, FoldKind::Thread, 0, key)?;
        entry.key[2] = code << 1 | u64::from(inside);
        Ok(())
    }

    /// The time until the thread's own begin in a region of `team`.
    #[inline]
    fn begin_part(
        &mut self,
        store: &Store,
        team: &'static Team,
        region: Region,
        now: u64,
    ) -> Result<(), Exhausted> {
        let short = team.is_short();
        if self.context.regions.is_empty() {
            self.settle_before_timed(store, team, now)?;
            self.end_gap(store, Some((team, short)), region.begin, now)
        } else {
            // The primary thread: since parallel_begin.
            self.time(store, now)?;
            self.time_in(store, short)?[thread::FORK_JOIN] += now.saturating_sub(region.begin);
            Ok(())
        }
    }

    /// Notes the begin of an implicit task in the region's frame, which the primary thread has
    /// pushed when the region began; a worker pushes it.
    #[inline]
    fn push_member(&mut self, team: &'static Team, begin: u64, (index, size): (u32, u32)) {
        if let Some(frame) = self.context.regions.top()
            && frame.primary
            && frame.begin == 0
            && std::ptr::eq(frame.team, team)
        {
            (frame.begin, frame.mark) = (begin, begin);
            (frame.index, frame.size) = (index, size);
            return;
        }
        let outside = self.outside();
        let frame = RegionFrame::new(team, begin, MODE.paused_until(begin), outside);
        self.context.regions.push(RegionFrame { index, size, ..frame });
    }

    /// A worker's time since its last region ends with the begin of another one, a short one or
    /// not, or (`None`) with the thread, or with a region that is only counted, in another phase.
    /// `begin`: parallel_begin of the region; `now`: its own begin.
    fn end_gap(
        &mut self,
        store: &Store,
        next: Option<(&'static Team, bool)>,
        begin: u64,
        now: u64,
    ) -> Result<(), Exhausted> {
        let waits = std::mem::take(&mut self.context.loose);
        let last = self.context.last.take();
        let from = std::mem::replace(&mut self.context.since, now);
        // The time in regions that were only counted.
        let counted = std::mem::take(&mut self.context.member_counts.ticks);
        let known = waits + counted;
        let begin = begin.clamp(from, now);
        self.end_idle(
            store,
            next.map(|(team, _)| team),
            (last, from, begin, now),
            (known, counted),
        )?;
        if let Some((_, short)) = next {
            self.time_in(store, short)?[thread::FORK_JOIN] += now - begin;
        }
        Ok(())
    }

    /// A worker's time since `from` ends with `begin`, of which `known` is in other sums, `counted`
    /// of it in regions that were only counted: what it did after its arrival in its last region,
    /// and its idle time.
    fn end_idle(
        &mut self,
        store: &Store,
        next: Option<&'static Team>,
        (last, from, begin, now): (Option<Last>, u64, u64, u64),
        (known, counted): (u64, u64),
    ) -> Result<(), Exhausted> {
        // The time while the region around the next one ran.
        let around = next.map_or(begin, |team| team.outermost().clamp(from, begin));
        let Some(last) = last else {
            let idle = (begin - from).saturating_sub(known);
            let spare = (begin - around).min(idle);
            return self.add_idle(store, (from, begin, now), (spare, idle - spare));
        };
        let gap = begin.saturating_sub(last.arrival);
        let ending = match next {
            Some(team) if std::ptr::eq(team, last.team) => team.ending_before(last.id),
            _ => last.team.ending_of(last.id),
        };
        let Some(ending) = ending else {
            // The worker stayed out of more regions than ends are kept of: its last one's is gone.
            let (tasks, room) = (last.tail_tasks, gap.saturating_sub(known));
            take_back(self.time_in(store, last.short)?, tasks.saturating_sub(room));
            self.time(store, now)?[thread::HIDDEN] += 1;
            let spare = room.saturating_sub(tasks);
            return self.add_idle(store, (last.arrival, begin, now), (spare, 0));
        };
        // A worker may be in another team's region before the primary thread of its last region
        // gets a processor to end that region.
        let ending = ending.until(begin);
        let end = ending.end.max(last.arrival);
        let tail = split_tail(&ending, last.arrival, last.tail_tasks);
        let time = self.time_in(store, last.short)?;
        add_tail(time, tail);
        // Regions of the same primary thread that ran without this worker.
        let others = match next {
            Some(team) if !std::ptr::eq(team, last.team) => 0,
            _ => last
                .team
                .busy
                .load(Ordering::Relaxed)
                .saturating_sub(ending.busy)
                .saturating_sub(counted),
        };
        let idle = (begin - end).saturating_sub(known);
        let spare = others.max(begin - around.max(end)).min(idle);
        self.add_idle(store, (end, begin, now), (spare, idle - spare))
    }

    /// The thread arrives at the end of its region.
    pub(crate) fn arrive(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        if self.context.hidden_tasks > 0 {
            return Ok(());
        }
        let Some(frame) = self.context.regions.top() else { return Ok(()) };
        if frame.arrival != 0 {
            return Ok(());
        }
        self.end_unreported(store)?;
        self.end_tests(store, now);
        let Some(frame) = self.context.regions.top() else { return Ok(()) };
        let has_begun = frame.begin != 0;
        let mut taken = 0;
        if has_begun {
            self.arrive_task(store, now);
            taken = self.end_user_code(store, now);
            self.settle_all_time(store, now)?;
        }
        let Some(frame) = self.context.regions.top() else { return Ok(()) };
        let now = frame.without_pauses(now);
        frame.arrival = now;
        if !has_begun {
            return Ok(());
        }
        let RegionFrame { team, region: Region { id, code, begin }, .. } = *frame;
        let (inner, locks) = (frame.inner, frame.locks.min(now.saturating_sub(frame.phase)));
        let uncomputed = frame.uncomputed;
        let useful = now.saturating_sub(frame.begin).saturating_sub(inner.iter().sum());
        let real = now.saturating_sub(begin);
        team.arrive_at_end(
            id,
            frame.index,
            &Arrival { real, taken, useful, tail_useful: 0, uncomputed, inner, locks },
        );
        let (primary, short) = (frame.primary, frame.short);
        self.count(store, counts::MEMBERS_ARRIVED);
        if self.context.regions.depth() == 1 {
            // Some runtimes report no end of a construct that was cancelled.
            self.context.works.clear();
            self.tell_region(store, code, false)?;
        }
        if !primary {
            self.context.last = Some(Last { team, id, arrival: now, tail_tasks: 0, short });
            self.context.since = now;
        }
        Ok(())
    }

    /// The runtime reports the end of the region's last barrier to this thread.
    pub(crate) fn leave(&mut self, now: u64) {
        if self.context.hidden_tasks > 0 {
            return;
        }
        let Some(frame) = self.context.regions.top() else { return };
        if frame.release == 0 {
            frame.release = frame.without_pauses(now);
        }
        if frame.primary {
            frame.team.prefetch_arrivals(frame.size);
        }
    }

    /// The implicit task ends, after its thread has arrived at the end of the region and left it,
    /// or in a region that is only counted: the time of this event has no meaning. Returns false if
    /// neither is so, or if the event is to be recorded.
    #[inline]
    pub(crate) fn end_left_member(&mut self) -> bool {
        let is_hidden = self.context.hidden_tasks > 0;
        let records_none = !self.records_events();
        if !is_hidden && self.context.member_of.take().is_some() {
            return true;
        }
        match self.context.regions.top() {
            // Some acquisitions are not in the sums yet.
            _ if self.unreported.is_used() => false,
            Some(frame) if records_none && frame.arrival != 0 && frame.release != 0 => {
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

    /// The implicit task ends.
    pub(crate) fn end_member(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        if self.context.hidden_tasks > 0 {
            self.context.hidden_tasks -= 1;
            return Ok(());
        }
        self.end_unreported(store)?;
        self.arrive(store, now)?;
        self.leave(now);
        if let Some(&mut RegionFrame { primary: false, node, .. }) = self.context.regions.top() {
            self.context.regions.discard();
            self.leave_task(node);
        }
        self.record(store, record(EventKind::ImplicitEnd, now))
    }

    /// The region ends on the thread that began it, by an event at `code`.
    pub(crate) fn end_region(
        &mut self,
        store: &Store,
        now: u64,
        code: u64,
    ) -> Result<(), Exhausted> {
        if self.context.hidden_regions > 0 {
            self.context.hidden_regions -= 1;
            return Ok(());
        }
        self.end_unreported(store)?;
        self.begin_user_code(now);
        if let Some(counted) = self.context.counted {
            return self.end_counted(store, counted, now);
        }
        let end = record(EventKind::ParallelEnd, now);
        let Some(frame) = self.context.regions.take(|frame| frame.primary) else {
            return self.record(store, Record { code, ..end });
        };
        self.leave_task(frame.node);
        self.record(store, Record { value: frame.region.id, code, ..end })?;
        self.close_region(store, &frame, now)
    }

    /// Adds up a region that ends at `now`.
    fn close_region(
        &mut self,
        store: &Store,
        frame: &RegionFrame,
        now: u64,
    ) -> Result<(), Exhausted> {
        let RegionFrame { team, region: Region { id, code, begin }, .. } = *frame;
        let end = frame.without_pauses(now).max(begin);
        let arrived = team.arrived(id, frame.size);
        self.delay_by_scheduler(store, code, arrived.waits_for_scheduler(frame.size.into()));
        let wall = end - begin;
        slow_regions::see(code, wall, end);
        self.end_span(store, code, team.span(), wall);
        self.count(store, counts::REGIONS_ENDED);
        if frame.size > 0 {
            self.count_more(store, counts::SIZES, frame.size.into());
            self.count_more(store, counts::ARRIVED, arrived.members);
        }
        let (is_outermost, nests) = (self.context.regions.is_empty(), team.has_nested());
        if is_outermost {
            self.end_instance(store, code, wall, nests);
        }
        let last = (begin + arrived.last).min(end);
        let release = if frame.release == 0 { end } else { frame.release.clamp(last, end) };
        let tasking = team.tasking(frame.barriers, frame.phase);
        let ending = Ending { last, release, end, busy: team.busy() + wall, tasking };
        team.close(id, frame.size, ending);
        let own = split_tail(&ending, frame.arrival.clamp(begin, end), frame.tail_tasks);
        self.time(store, now)?;
        add_tail(self.time_in(store, frame.short)?, own);
        let lost = Lost::of(frame, &arrived, &ending);
        // A region inside another one is executed for one thread of each team around.
        let threads = lost.size * frame.outer_threads;
        let sub = u8::from(!is_outermost);
        let values = &mut self.sum(store, FoldKind::Region, sub, [code, 0])?.values;
        values[region::CALLS] += 1;
        values[region::WALL] += wall;
        Extremes::of(lost.size as u32).add_to(&mut values[region::TEAM]);
        values[region::SERIALIZED] += u64::from(lost.size == 1);
        // The useful time of tasks that were only counted is an estimate.
        let useful = arrived.useful.min(wall.saturating_mul(lost.size));
        values[region::USEFUL] += useful;
        // Members without a cell have told only the sum of the tasks that they executed since their
        // arrival.
        let mean = share(useful.saturating_sub(arrived.uncomputed), lost.size);
        values[region::MEAN_COMPUTED] += mean;
        values[region::MAX_COMPUTED] += arrived.max_computed.min(wall).max(mean);
        values[region::IMBALANCE] += share(lost.late, threads);
        values[region::BARRIER] += share(lost.cost, threads);
        values[region::MUTEX] += share(lost.locks, threads);
        values[region::TASKWAIT] += share(arrived.inner[TASKWAIT], threads);
        values[region::FORK_JOIN] += share(lost.fork_join, threads);
        if lost.starved > 0 {
            let values = &mut self.sum(store, FoldKind::Starved, sub, [code, 0])?.values;
            values[starved::GAIN] += share(lost.starved, threads);
        }
        match self.context.regions.top() {
            // In a task after the thread's arrival.
            Some(outer) => {
                outer.uncomputed += frame.uncomputed;
                if outer.arrival != 0 {
                    outer.tail_regions += wall;
                } else {
                    outer.waited += wall;
                }
            }
            None => {
                self.context.since = end;
                self.context.since_paused = frame.paused;
                self.context.after = code;
                self.context.loose = 0;
                self.tell_region(store, code, false)?;
            }
        }
        Ok(())
    }

    /// The thread has begun at `now`; what it does is seen from `seen` on.
    pub(crate) fn start(&mut self, (now, seen): (u64, u64), initial: bool) {
        self.begin_phase();
        self.context.initial = initial;
        self.context.since = now;
        self.context.since_paused = MODE.paused_until(now);
        if initial {
            self.begin_user_code(seen);
        }
    }

    /// The thread ends: adds up the time since its last event.
    pub(crate) fn end_time(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        self.end_unreported(store)?;
        self.end_tests(store, now);
        self.give_up_request();
        self.teams.iter().for_each(Team::end_series);
        // A worker that waits at the end of its last region: some runtimes never report that end.
        if self.context.regions.top().is_some_and(|frame| !frame.primary && frame.arrival != 0) {
            self.context.regions.discard();
        }
        if !self.context.regions.is_empty() {
            return self.settle_time(store, now);
        }
        if self.context.initial {
            self.end_serial(store, now, 0)
        } else {
            self.settle_member_counts(store, now)?;
            self.end_gap(store, None, now, now)
        }
    }
}
