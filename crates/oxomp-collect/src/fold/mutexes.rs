//! Mutexes: waits, holds, and blame.
//!
//! Timing an acquisition takes as long as several uncontended ones. So once events are not
//! recorded, a thread that acquires mutexes in quick succession has some acquisitions timed, in
//! turns ([`crate::turns`]), and only counts the others. What was timed is multiplied by the number
//! of acquisitions for which it stands, so the sums are estimates at every moment; their errors
//! follow from the squares that [`FoldKind::Spread`] has.
//!
//! Which acquisitions are timed does not depend on how long they will take. Each thread has four
//! sequences of turns, by what it knows when it asks. The first question is whether another thread
//! has the mutex: waits that are few and long are all timed then. The second one is whether the
//! thread is in a region that is only counted, whose time has no classes.

use ompt::MutexKind;
use oxomp_trace::fold::{FoldKind, counts, left_out, mutex, spread};
use oxomp_trace::{EventKind, Record};

use super::unreported::tell_release;
use crate::clock;
use crate::context::{Asked, CountedHold, Counting, Held};
use crate::holds::{self, Ticket};
use crate::log::{Log, record};
use crate::mode::MODE;
use crate::store::{Exhausted, Store};
use crate::turns::{ACQUISITIONS, CONTENDED};
use crate::unreported::{Request, Turn};
use crate::wait_class::MUTEX;

impl Log {
    /// The thread asks for a mutex. Returns whether the request needs nothing more: the thread only
    /// counts the acquisition, or knows it already.
    #[inline]
    pub(crate) fn counts_request(&mut self, id: u64, code: u64, kind: MutexKind) -> bool {
        self.context.counting.id = 0;
        if !matches!(kind, MutexKind::TestLock | MutexKind::TestNestLock) {
            self.context.tested.interrupt();
        }
        if self.records_events() || !self.sums.are_open() {
            return false;
        }
        let Some(holds) = holds::table() else { return false };
        let Some(slot) = holds.find(id) else { return false };
        if self.context.asked.is_some() {
            self.give_up_request();
        }
        if self.owns_nest_lock(id, kind) {
            return true;
        }
        let only_counts = self.only_counts();
        let mut is_held = holds.is_held(slot);
        let mut turn = Turn::Any;
        if Request::suits(kind) && !is_held && !only_counts {
            let (region, owner) = (self.region_of_wait(), holds.owner(slot));
            let kind = kind.raw().0 as u8;
            turn = self.unreported.turn(Request { id, code, kind, region, owner });
            is_held = turn == Turn::Held;
        }
        let kind = kind.raw().0 as u8;
        let weight = if let Turn::Timed(weight) = turn {
            weight
        } else {
            let place = usize::from(only_counts) * 2 + usize::from(is_held);
            let team = self.context.regions.top().map_or(1, |frame| frame.size.max(1));
            let (limits, threads) = if is_held { (&CONTENDED, team) } else { (&ACQUISITIONS, 1) };
            let turns = &mut self.context.lock_turns[place];
            if !turns.is_timed_among(limits, threads, clock::now) {
                self.context.counting = Counting { id, code, slot, kind };
                return true;
            }
            turns.weight()
        };
        let seen = Some(holds.see(slot));
        self.context.asked = Some(Asked { id, tick: 0, paused: 0, code, kind, weight, seen });
        false
    }

    /// Whether the thread asks for a nest lock that it owns: it does not wait for it.
    #[inline]
    fn owns_nest_lock(&self, id: u64, kind: MutexKind) -> bool {
        matches!(kind, MutexKind::NestLock | MutexKind::TestNestLock) && self.has(id)
    }

    /// Whether the thread has told that it holds the mutex.
    pub(super) fn has(&self, id: u64) -> bool {
        let context = &self.context;
        context.held.iter().any(|held| held.id == id)
            || context.counted_holds.iter().any(|held| held.id == id)
    }

    /// The thread has acquired a mutex. Returns false if it does more than count that, or if the
    /// sums of the place have to be found first.
    #[inline]
    pub(crate) fn counts_acquisition(&mut self, id: u64) -> bool {
        if self.context.counting.id != id || id == 0 || !self.context.counted_holds.has_room() {
            return false;
        }
        self.unreported.forget(id);
        self.add_counted_acquisition(id)
    }

    /// Adds an acquisition that is only counted: false if the thread's entries have to be found
    /// first.
    #[inline]
    fn add_counted_acquisition(&mut self, id: u64) -> bool {
        let Counting { code, slot, kind, .. } = self.context.counting;
        let key = [code, self.region_of_wait()];
        if self.sums.last(FoldKind::Counts, 0, [0, 0]).is_none() {
            return false;
        }
        let Some(entry) = self.sums.last(FoldKind::Mutex, kind, key) else { return false };
        entry.values[mutex::ACQUISITIONS] += 1;
        entry.key[2] += 1;
        let (word, bit) = mutex::place_of(id);
        entry.values[mutex::DISTINCT + word] |= bit;
        self.count_known(counts::ACQUIRED);
        self.context.counting.id = 0;
        if let Some(holds) = holds::table() {
            let mut ticket = holds.own(slot, code);
            if holds.is_wanted(ticket) {
                ticket = holds.begin(ticket, code, clock::now());
            }
            if !self.context.counted_holds.push(CountedHold { id, ticket }) {
                leave_counted(ticket);
            }
        }
        true
    }

    /// The thread has released a mutex. Returns whether its acquisition was only counted, and no
    /// other acquisition came after it.
    #[inline]
    pub(crate) fn counts_release(&mut self, id: u64) -> bool {
        if self.unreported.is_wanted(id) {
            tell_release(id);
            return true;
        }
        let ticket = match self.context.counted_holds.top() {
            Some(held) if held.id == id => held.ticket,
            _ => return false,
        };
        self.context.counted_holds.discard();
        self.count_known(counts::RELEASED);
        leave_counted(ticket);
        true
    }

    /// The thread asks for a mutex of the implementation `how`.
    pub(crate) fn ask(&mut self, store: &Store, asked: Asked, how: u32) -> Result<(), Exhausted> {
        let Asked { id, tick, code, kind, .. } = asked;
        let ask = record(EventKind::MutexAcquire, tick);
        self.record(store, Record { sub: kind, value: id, code, aux: how, ..ask })?;
        if !self.sums.are_open() {
            self.prepare_to_hold(store, &asked)?;
        }
        if let Some(chosen) = &mut self.context.asked
            && (chosen.id, chosen.tick) == (id, 0)
        {
            if let (Some(holds), Some(seen)) = (holds::table(), chosen.seen) {
                holds.want(seen);
            }
            // The collector's own time is not part of a wait that stands for others.
            chosen.tick = if chosen.weight > 1 { clock::now() } else { tick };
            chosen.paused = MODE.paused_until(chosen.tick);
            self.looked.begin_wait(chosen.tick);
            return Ok(());
        }
        self.give_up_request();
        // A thread does not wait for a lock that it owns.
        if self.context.held.iter().any(|held| held.id == id) {
            return Ok(());
        }
        let mut seen = None;
        if let Some(holds) = holds::table()
            && let Some(slot) = holds.find(id)
        {
            let it = holds.see(slot);
            holds.want(it);
            seen = Some(it);
        }
        let paused = MODE.paused_until(tick);
        self.context.asked = Some(Asked { seen, paused, ..asked });
        self.looked.begin_wait(tick);
        Ok(())
    }

    /// The thread does not wait any more for what it asked for last: the mutex was not free
    /// (omp_test_lock), or the thread has forgotten its waits.
    #[inline]
    pub(super) fn give_up_request(&mut self) {
        if let Some(Asked { tick: 1.., seen: Some(seen), .. }) = self.context.asked.take()
            && let Some(holds) = holds::table()
        {
            holds.stop_wanting(seen);
        }
    }

    /// The thread's first request: the sums and the mutex's slot get their memory now, which would
    /// take some 30 µs of the first hold.
    #[cold]
    fn prepare_to_hold(&mut self, store: &Store, asked: &Asked) -> Result<(), Exhausted> {
        let region = self.region_of_wait();
        self.sum(store, FoldKind::Mutex, asked.kind, [asked.code, region])?;
        if let Some(holds) = holds::table() {
            holds.prepare(asked.id);
        }
        Ok(())
    }

    /// The code address of the region in which the thread waits; 0 outside every region.
    #[inline]
    fn region_of_wait(&mut self) -> u64 {
        let counts = self.only_counts();
        match self.context.regions.top() {
            Some(frame) => frame.region.code,
            None if counts => mutex::COUNTED_REGION,
            None => 0,
        }
    }

    /// The thread has acquired a mutex.
    pub(crate) fn acquire(&mut self, store: &Store, event: Record) -> Result<(), Exhausted> {
        self.record(store, event)?;
        let Record { tick: now, value: id, .. } = event;
        if self.context.counting.id == id && id != 0 {
            // The sums of the place are known from now on.
            let (region, Counting { code, kind, .. }) =
                (self.region_of_wait(), self.context.counting);
            self.count_more(store, counts::ACQUIRED, 0);
            self.sum(store, FoldKind::Mutex, kind, [code, region])?;
            if !self.context.counted_holds.has_room() {
                self.leave_out(store, left_out::HOLDS);
            }
            self.add_counted_acquisition(id);
            return Ok(());
        }
        let asked = match self.context.asked {
            Some(asked) if asked.id == id && asked.tick != 0 => asked,
            _ => {
                self.give_up_request();
                return Ok(());
            }
        };
        self.context.asked = None;
        self.count(store, counts::ACQUIRED);
        self.unreported.forget(id);
        if self.unreported.is_used() {
            self.add_unreported(store)?;
        }
        let Some(holds) = holds::table() else { return Ok(()) };
        let region = self.region_of_wait();
        let (kind, key, weight) = (asked.kind, [asked.code, region], asked.weight);
        // A thread takes long to acquire a free mutex if it loses its processor: this is not a wait
        // that stands for others.
        let is_free = weight > 1 && asked.seen.is_some_and(|seen| holds.was_free(seen));
        let until = if is_free { asked.tick } else { now };
        let pauses = MODE.paused_until(now).saturating_sub(asked.paused);
        let mut wait = now.saturating_sub(asked.tick).saturating_sub(pauses);
        self.looked.end_wait(until, weight);
        let mut blamed = 0;
        let mut failed = None;
        let blame = |code, ticks| {
            blamed += ticks;
            match self.sum(store, FoldKind::Blame, kind, [asked.code, code]) {
                Ok(entry) => entry.values[0] += ticks * weight,
                Err(exhausted) => failed = Some(exhausted),
            }
        };
        let forgotten = match asked.seen {
            Some(seen) => {
                holds.stop_wanting(seen);
                holds.explain(seen, (asked.tick, until), blame)
            }
            None => wait,
        };
        if let Some(exhausted) = failed {
            return Err(exhausted);
        }
        if weight > 1 {
            let without_clock = self.without_clock(wait);
            wait = if is_free { 0 } else { without_clock.max(blamed + forgotten) };
        }
        if asked.seen.is_none() {
            self.leave_out(store, left_out::UNFOLLOWED);
        }
        let values = &mut self.sum(store, FoldKind::Mutex, kind, key)?.values;
        values[mutex::ACQUISITIONS] += 1;
        values[mutex::CONTENDED] += u64::from(blamed > 0) * weight;
        values[mutex::WAIT] += wait * weight;
        values[mutex::MAX_WAIT] = values[mutex::MAX_WAIT].max(wait);
        values[mutex::UNATTRIBUTED] += forgotten * weight;
        values[mutex::HANDOFF] += wait.saturating_sub(blamed + forgotten) * weight;
        let (word, bit) = mutex::place_of(id);
        values[mutex::DISTINCT + word] |= bit;
        if weight > 1 {
            self.add_square(store, kind, key, (spread::WAIT, wait, weight))?;
        }
        let ticks = self.passed_of(now, wait * weight, weight);
        self.add_wait(store, MUTEX, ticks)?;
        self.settle_time(store, now)?;
        let ticket = asked.seen.map(|seen| holds.own(seen.slot, asked.code));
        let ticket = ticket.map(|ticket| holds.begin(ticket, asked.code, now));
        let Asked { code, .. } = asked;
        // The collector's own time is not part of a hold that stands for others.
        let since = if weight > 1 { clock::now() } else { now };
        if !self.context.held.push(Held { id, code, region, kind, weight, since, ticket }) {
            self.leave_out(store, left_out::HOLDS);
        }
        Ok(())
    }

    /// How much of waits that took `ticks` can be part of the time that has passed until `now`. A
    /// wait that stands for others may be multiplied to more than this time; the rest is part of
    /// the time that follows.
    #[inline]
    fn passed_of(&mut self, now: u64, ticks: u64, weight: u64) -> u64 {
        let context = &mut self.context;
        if weight == 1 && context.owed == 0 {
            return ticks;
        }
        let since = match context.regions.top() {
            Some(frame) if frame.arrival != 0 => return ticks,
            Some(frame) => {
                let until = frame.without_pauses(now);
                until.saturating_sub(frame.mark).saturating_sub(frame.waited)
            }
            None => now.saturating_sub(context.since).saturating_sub(context.loose),
        };
        let all = ticks + context.owed;
        let passed = all.min(since);
        context.owed = all - passed;
        passed
    }

    /// A wait that stands for others, without the time of reading the clock, for which the least
    /// wait that the thread has met is taken.
    #[inline]
    fn without_clock(&mut self, wait: u64) -> u64 {
        let least = &mut self.context.least_wait;
        *least = wait.min(*least);
        wait - *least
    }

    /// Adds the square of the error that a time of `ticks` may have, which stands for `weight`
    /// times.
    #[inline]
    fn add_square(
        &mut self,
        store: &Store,
        kind: u8,
        key: [u64; 2],
        (position, ticks, weight): (usize, u64, u64),
    ) -> Result<(), Exhausted> {
        let values = &mut self.sum(store, FoldKind::Spread, kind, key)?.values;
        let square = ticks.saturating_mul(ticks).saturating_mul(weight * (weight - 1));
        values[position] = values[position].saturating_add(square);
        values[spread::TIMED] += u64::from(position == spread::WAIT);
        Ok(())
    }

    /// The thread has released a mutex.
    pub(crate) fn release_mutex(&mut self, store: &Store, event: Record) -> Result<(), Exhausted> {
        self.record(store, event)?;
        let Record { tick: now, value: id, .. } = event;
        let Some(held) = self.context.held.take(|held| held.id == id) else {
            if let Some(held) = self.context.counted_holds.take(|held| held.id == id) {
                self.count(store, counts::RELEASED);
                leave_counted(held.ticket);
            } else if !self.context.held.pop_missed() {
                self.context.counted_holds.pop_missed();
            }
            return Ok(());
        };
        self.count(store, counts::RELEASED);
        let mut end = now;
        if let (Some(holds), Some(ticket)) = (holds::table(), held.ticket) {
            holds.leave(ticket);
            end = holds.released(ticket, now);
        }
        if end == 0 {
            self.leave_out(store, left_out::HOLDS);
        }
        let length = end.saturating_sub(held.since);
        let (kind, key, weight) = (held.kind, [held.code, held.region], held.weight);
        let values = &mut self.sum(store, FoldKind::Mutex, kind, key)?.values;
        values[mutex::HOLD] += length * weight;
        values[mutex::MAX_HOLD] = values[mutex::MAX_HOLD].max(length);
        if weight > 1 {
            self.add_square(store, kind, key, (spread::HOLD, length, weight))?;
        }
        Ok(())
    }

    /// The thread forgets what it waits for and holds.
    #[cold]
    pub(crate) fn forget_waits(&mut self) {
        self.give_up_request();
        self.context.forget_waits();
    }
}

/// A hold whose acquisition was only counted ends. Tells when, if the hold is timed, or a thread
/// whose wait is timed waits for the mutex.
#[inline]
fn leave_counted(ticket: Ticket) {
    let Some(holds) = holds::table() else { return };
    holds.leave(ticket);
    if ticket.is_timed() {
        holds.released(ticket, clock::now());
    } else if holds.is_wanted(ticket) {
        holds.tell_left(ticket.slot(), clock::now());
    }
}
