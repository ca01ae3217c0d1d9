//! A thread goes from the sums of one phase of the program to those of another.
//!
//! It does so where it is outside of regions: the time since its last region is that of the phases
//! since then, as long as each of them was.

use oxomp_trace::FoldKind;
use oxomp_trace::fold::{counts, serial, thread};

use crate::clock;
use crate::log::Log;
use crate::phases::Seen;
use crate::store::{Exhausted, Store};
use crate::team::Team;

/// Serial time of an initial thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct SerialTime {
    /// The code addresses of the regions before and after it.
    pub(super) between: [u64; 2],
    /// In ticks: all of it, the waits in it, the pauses, and what constructs for devices took.
    pub(super) stretch: u64,
    pub(super) waits: u64,
    pub(super) pauses: u64,
    pub(super) offloaded: u64,
    /// Whether it ends here, or goes on in another phase.
    pub(super) ends: bool,
}

impl SerialTime {
    /// Takes the part away that took so many ticks.
    fn split(&mut self, ticks: u64) -> Self {
        let whole = self.stretch;
        let part = |all: &mut u64| {
            let part = part_of(*all, ticks, whole);
            *all -= part;
            part
        };
        Self {
            between: self.between,
            stretch: part(&mut self.stretch),
            waits: part(&mut self.waits),
            pauses: part(&mut self.pauses),
            offloaded: part(&mut self.offloaded),
            ends: false,
        }
    }
}

/// The part of `all` that belongs to `ticks` of `whole`.
fn part_of(all: u64, ticks: u64, whole: u64) -> u64 {
    if whole == 0 {
        return 0;
    }
    (u128::from(all) * u128::from(ticks.min(whole)) / u128::from(whole)) as u64
}

impl Log {
    /// The program begins a phase, or ends one, as `change` does, on this thread.
    pub(crate) fn change_phase(&mut self, store: &Store, change: impl FnOnce() -> bool) -> bool {
        let is_serial = self.context.initial && self.context.regions.is_empty();
        let is_serial = is_serial && !self.only_counts();
        if is_serial {
            // Of the time in which the thread did not compute, each phase has its own.
            let now = clock::now();
            if self.enter_phase(store, Seen::all().number()).is_ok() {
                self.end_user_code(store, now);
                self.begin_user_code(now);
            }
        }
        let has_changed = change();
        if is_serial {
            // Without room for the new sums, the next region ends the recording.
            let _ = self.enter_phase(store, Seen::all().number());
        }
        has_changed
    }

    /// A thread that begins is in the phase of the process.
    pub(super) fn begin_phase(&mut self) {
        self.phase = Seen::all();
        self.sums.enter_phase(self.phase.number());
    }

    /// Whether the program has gone on to another phase. If so, the next region begins no series of
    /// regions that are only counted, or another one.
    #[inline]
    pub(super) fn see_phases(&self, team: &Team) {
        if self.phase.is_over() {
            team.end_series();
        }
    }

    /// Adds up serial time, which began at `from`, by its phases. The thread is in the last of them
    /// then.
    #[inline]
    pub(super) fn add_serial(
        &mut self,
        store: &Store,
        (from, now): (u64, u64),
        time: SerialTime,
    ) -> Result<(), Exhausted> {
        match self.phase.is_over() {
            true => self.add_serial_apart(store, (from, now), time),
            false => self.add_serial_here(store, now, time),
        }
    }

    #[cold]
    fn add_serial_apart(
        &mut self,
        store: &Store,
        (from, now): (u64, u64),
        mut time: SerialTime,
    ) -> Result<(), Exhausted> {
        let mut from = from;
        self.enter_phase(store, self.phase.number())?;
        while let Some(end) = self.phase.next(now) {
            let part = time.split(end.saturating_sub(from));
            from = from.max(end);
            if part.stretch > 0 {
                self.add_serial_here(store, now, part)?;
            }
            self.enter_phase(store, self.phase.number())?;
        }
        self.add_serial_here(store, now, time)
    }

    #[inline]
    fn add_serial_here(
        &mut self,
        store: &Store,
        now: u64,
        time: SerialTime,
    ) -> Result<(), Exhausted> {
        // Readers take the pauses out of the thread's time.
        self.time(store, now)?[thread::SERIAL] += time.stretch.saturating_sub(time.waits);
        let length = time.stretch.saturating_sub(time.pauses);
        let values = &mut self.sum(store, FoldKind::Serial, 0, time.between)?.values;
        values[serial::COUNT] += u64::from(time.ends);
        values[serial::TIME] += length;
        values[serial::LONGEST] = values[serial::LONGEST].max(length);
        values[serial::OFFLOADED] += time.offloaded;
        Ok(())
    }

    /// Adds up a worker's idle time between `from` and `to`, by its phases: ticks in which a region
    /// ran without it, and others. The worker is in the last phase then.
    #[inline]
    pub(super) fn add_idle(
        &mut self,
        store: &Store,
        (from, to, now): (u64, u64, u64),
        (spare, serial): (u64, u64),
    ) -> Result<(), Exhausted> {
        match self.phase.is_over() {
            true => self.add_idle_apart(store, (from, to, now), (spare, serial)),
            false => self.add_idle_here(store, now, (spare, serial)),
        }
    }

    #[cold]
    fn add_idle_apart(
        &mut self,
        store: &Store,
        (from, to, now): (u64, u64, u64),
        (mut spare, mut serial): (u64, u64),
    ) -> Result<(), Exhausted> {
        let mut from = from;
        self.enter_phase(store, self.phase.number())?;
        while let Some(end) = self.phase.next(to) {
            let ticks = end.saturating_sub(from);
            let whole = to.saturating_sub(from);
            let part = (part_of(spare, ticks, whole), part_of(serial, ticks, whole));
            (spare, serial) = (spare - part.0, serial - part.1);
            from = from.max(end);
            if part != (0, 0) {
                self.add_idle_here(store, now, part)?;
            }
            self.enter_phase(store, self.phase.number())?;
        }
        self.add_idle_here(store, now, (spare, serial))
    }

    #[inline]
    fn add_idle_here(
        &mut self,
        store: &Store,
        now: u64,
        (spare, serial): (u64, u64),
    ) -> Result<(), Exhausted> {
        let time = self.time(store, now)?;
        time[thread::SPARE_IDLE] += spare;
        time[thread::SERIAL_IDLE] += serial;
        Ok(())
    }

    /// From now on the thread adds to the sums of this phase.
    #[cold]
    fn enter_phase(&mut self, store: &Store, number: u16) -> Result<(), Exhausted> {
        if self.sums.phase() == number {
            return Ok(());
        }
        self.carry_times(store, |log| log.sums.enter_phase(number))?;
        // Makes the entry, which a thread expects to have once it has counted.
        self.count_more(store, counts::REGIONS_BEGUN, 0);
        Ok(())
    }
}
