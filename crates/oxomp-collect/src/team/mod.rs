//! The data that the threads of a team share: arrivals, and the sums of a region.
//!
//! The primary thread's log owns the team; the region's data word points to it. The runtime's fork
//! orders the primary thread's writes before the others' reads, and its barriers order the others'
//! additions before the primary thread's reads, so that all accesses can be relaxed. A team is
//! reused for the next region: late workers find the end of an earlier region in `closings`, by its
//! number, and the arrivals of an earlier region have another number than those of the present one.
//! All zeros are a valid team.

mod arrivals;
mod chain;
mod closings;
mod counted;
mod phases;
mod region;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

use oxomp_arch::prefetch;

use arrivals::{Cell, Sums};
use closings::{Before, Closings};
use counted::Counts;
use phases::{Arrivals, Tasks};

pub(crate) use arrivals::{Arrival, Arrived};
pub(crate) use chain::is_worth_telling;
pub(crate) use closings::Ending;
pub(crate) use counted::Counted;
pub(crate) use region::{Around, Region};

/// Members that have a cell of their own.
const CELLS: usize = 32;

/// The shared state of one team. A thread waits for each cache line that another one has written,
/// and on some processors the writer waits for the line, too, after another thread has read it. So
/// the primary thread writes the first line and does not read it, and every member reads it once,
/// when it begins; then all of them use the copies in their frames.
#[derive(Debug)]
#[repr(C, align(128))]
pub(crate) struct Team {
    /// Number of the region.
    pub(crate) id: AtomicU64,
    code: AtomicU64,
    /// The code address of the region that is only counted, if it is one.
    counted_code: AtomicU64,
    /// Tick of parallel_begin.
    begin: AtomicU64,
    /// Whether the region might have been only counted.
    short: AtomicBool,
    /// The primary thread records its events.
    recorded: AtomicBool,
    /// The number of threads of the whole run that one thread stands for when it executes this
    /// region: the product of the sizes of the teams around.
    outer_threads: AtomicU64,
    /// The begin of the outermost region around; the region's own begin if it is the outermost.
    outermost: AtomicU64,
    /// Ticks that earlier regions of this primary thread took.
    pub(crate) busy: AtomicU64,
    before: Before,
    /// The regions that were only counted before this one.
    counted: Counts,
    own: Own,
    series: Series,
    closings: Closings,
    arrivals: Arrivals,
    tasks: Tasks,
    sums: Sums,
    cells: [Cell; CELLS],
}

/// The line of the primary thread, which members touch seldom, if at all.
#[derive(Debug)]
#[repr(align(128))]
struct Own {
    totals: Totals,
    shared: Shared,
}

/// The sums over its regions that the primary thread keeps for itself; members read copies in the
/// first line.
#[derive(Debug)]
struct Totals {
    /// The value of [`Team::busy`].
    busy: AtomicU64,
    /// The regions of this primary thread that were only counted, and their ticks.
    counted: Counts,
}

/// What members write where they execute tasks or fold barriers, and samples. It begins anew with
/// each timed or recorded region.
#[derive(Debug)]
struct Shared {
    /// Samples of other threads ask for the call path that led to the region.
    asked: AtomicBool,
    /// A member has begun a region inside. False between regions: one that is only counted would
    /// have what was noted of the region before it.
    nests: AtomicBool,
    /// The longest chain of work that a task or an implicit task of the region has ended.
    span: AtomicU64,
    /// The longest chain when a task last waited for all.
    waited: AtomicU64,
}

/// A series of regions that are only counted. The line is written when a series begins and when it
/// ends, so that in between the members find it in their own caches.
#[derive(Debug)]
#[repr(align(128))]
struct Series {
    /// What the series' regions have in common; 0: there is no series.
    key: AtomicU64,
}

impl Team {
    /// A region begins: whether it is `short`, and whether the primary thread records its events.
    #[inline]
    pub(crate) fn open(
        &self,
        region: Region,
        (short, recorded): (bool, bool),
        around: Option<Around>,
    ) {
        let Region { id, code, begin } = region;
        let alone = Around { threads: 1, outermost: begin };
        let Around { threads, outermost } = around.unwrap_or(alone);
        self.outermost.store(outermost, Relaxed);
        self.id.store(id, Relaxed);
        self.code.store(code, Relaxed);
        self.begin.store(begin, Relaxed);
        self.short.store(short, Relaxed);
        self.recorded.store(recorded, Relaxed);
        self.outer_threads.store(threads, Relaxed);
        self.end_series();
        let Own { totals, shared } = &self.own;
        self.busy.store(totals.busy.load(Relaxed), Relaxed);
        self.counted.set(totals.counted.get());
        shared.asked.store(false, Relaxed);
        shared.span.store(0, Relaxed);
        shared.waited.store(0, Relaxed);
        if self.sums.used.load(Relaxed) {
            self.sums.reset();
        }
    }

    /// The present region.
    #[inline]
    pub(crate) fn region(&self) -> Region {
        Region {
            id: self.id.load(Relaxed),
            code: self.code.load(Relaxed),
            begin: self.begin.load(Relaxed),
        }
    }

    /// Whether the present region might have been only counted.
    #[inline]
    pub(crate) fn is_short(&self) -> bool {
        self.short.load(Relaxed)
    }

    /// Whether the primary thread records the events of the present region.
    #[inline]
    pub(crate) fn is_recorded(&self) -> bool {
        self.recorded.load(Relaxed)
    }

    /// The number of threads of the whole run that one thread stands for when it executes the
    /// present region.
    #[inline]
    pub(crate) fn outer_threads(&self) -> u64 {
        self.outer_threads.load(Relaxed)
    }

    /// The begin of the outermost region around the present one, or its own.
    #[inline]
    pub(crate) fn outermost(&self) -> u64 {
        self.outermost.load(Relaxed)
    }

    /// A member begins a region inside.
    #[cold]
    pub(crate) fn nest(&self) {
        self.own.shared.nests.store(true, Relaxed);
    }

    /// Whether a member has begun a region inside the one that ends. No later region has it.
    #[inline]
    pub(crate) fn has_nested(&self) -> bool {
        let nests = &self.own.shared.nests;
        let has_nested = nests.load(Relaxed);
        if has_nested {
            nests.store(false, Relaxed);
        }
        has_nested
    }

    /// Fetches the first cache line, which a member will read.
    #[inline]
    pub(crate) fn prefetch(&self) {
        prefetch(self);
    }

    /// Fetches the cache lines of the arrivals of `size` threads, which the primary thread will
    /// read.
    #[inline]
    pub(crate) fn prefetch_arrivals(&self, size: u32) {
        for cell in self.cells.iter().take(size as usize).skip(1) {
            prefetch(cell);
        }
    }

    /// A sample on another thread asks for the call path that led to the region.
    pub(crate) fn ask(&self) {
        self.own.shared.asked.store(true, Relaxed);
    }

    /// Whether a sample has asked for the call path.
    #[inline]
    pub(crate) fn is_asked(&self) -> bool {
        self.own.shared.asked.load(Relaxed)
    }

    /// The longest chain of work that a task or an implicit task of the region has ended.
    #[inline]
    pub(crate) fn span(&self) -> u64 {
        self.own.shared.span.load(Relaxed)
    }

    /// The ticks that earlier regions took, for the primary thread to read.
    #[inline]
    pub(crate) fn busy(&self) -> u64 {
        self.own.totals.busy.load(Relaxed)
    }

    /// A task has ended a chain of work.
    #[inline]
    pub(crate) fn end_chain(&self, path: u64) {
        let shared = &self.own.shared;
        if is_worth_telling(path, shared.span.load(Relaxed), shared.waited.load(Relaxed)) {
            shared.span.fetch_max(path, Relaxed);
        }
    }

    /// An implicit task has ended a chain of work.
    #[inline]
    pub(crate) fn lengthen(&self, path: u64) {
        self.own.shared.span.fetch_max(path, Relaxed);
    }

    /// A task has waited for all others: returns the longest chain.
    #[inline]
    pub(crate) fn has_waited(&self) -> u64 {
        let span = self.own.shared.span.load(Relaxed);
        if self.own.shared.waited.load(Relaxed) < span {
            self.own.shared.waited.store(span, Relaxed);
        }
        span
    }

    /// The region `id` of `size` threads ended.
    pub(crate) fn close(&self, id: u64, size: u32, ending: Ending) {
        // Nobody else was in a team of one.
        if size != 1 {
            self.closings.add(id, size, &ending);
        }
        self.own.totals.busy.store(ending.busy, Relaxed);
        self.busy.store(ending.busy, Relaxed);
        self.before.set(id, &ending);
    }

    /// The end of the region `id`, for a thread that is in the team's present region and has not
    /// arrived at its end.
    #[inline]
    pub(crate) fn ending_before(&self, id: u64) -> Option<Ending> {
        // The fork of the present region ordered the writes of these words before the reads here,
        // and the words change next when the present region has ended.
        match self.before.is(id) {
            true => Some(self.before.get(self.busy.load(Relaxed))),
            false => self.ending_of(id),
        }
    }

    /// The end of the region `id`; `None` if it has not ended, or is no longer remembered.
    #[cold]
    pub(crate) fn ending_of(&self, id: u64) -> Option<Ending> {
        self.closings.find(id)
    }

    /// The member `index` arrives at the end of the region `id`.
    #[inline]
    pub(crate) fn arrive_at_end(&self, id: u64, index: u32, arrival: &Arrival) {
        match self.cells.get(index as usize) {
            Some(cell) => cell.write(id, arrival),
            None => self.sums.add(arrival),
        }
    }

    /// The arrivals at the end of the region `id` of `size` threads so far.
    pub(crate) fn arrived(&self, id: u64, size: u32) -> Arrived {
        let used = self.sums.used.load(Relaxed);
        let mut arrived = if used { self.sums.read() } else { Arrived::default() };
        // 0: the primary thread's own begin is unknown.
        let cells = if size == 0 { CELLS } else { size as usize };
        for cell in self.cells.iter().take(cells) {
            if let Some(arrival) = cell.read(id) {
                arrived.add(&arrival);
            }
        }
        arrived
    }

    /// How long the `size` members of the region `id` stayed in its last barrier while tasks were
    /// under way, `tasking`: until the last arrival, at `last`, and from then on to the release.
    #[cold]
    pub(crate) fn stays_while(
        &self,
        (id, size): (u64, u32),
        (begin, last, release): (u64, u64, u64),
        (from, until): (u64, u64),
    ) -> (u64, u64) {
        let common = |begin: u64, end: u64| end.min(until).saturating_sub(begin.max(from));
        let cells = if size == 0 { CELLS } else { size as usize };
        let arrivals = self.cells.iter().take(cells).filter_map(|cell| cell.read(id));
        let mut late: u64 = arrivals.map(|arrival| common(begin + arrival.real, last)).sum();
        let mut members = u64::from(size.max(1));
        if self.sums.used.load(Relaxed) {
            // Only the mean arrival of the members without a cell is known.
            let others = self.sums.read();
            if let Some(mean) = others.sum.checked_div(others.members) {
                late += others.members * common(begin + mean, last);
            }
            members = members.max(others.members);
        }
        (late, members * common(last, release))
    }

    /// A member of the region has executed a task after its arrival; `uncomputed` is the part of
    /// all its user code up to now in which it has not computed.
    pub(crate) fn add_tail_task(&self, index: u32, ticks: u64, useful: u64, uncomputed: u64) {
        let sums = self.sums.to_use();
        sums.tasks.fetch_add(ticks, Relaxed);
        sums.useful.fetch_add(useful, Relaxed);
        if let Some(cell) = self.cells.get(index as usize) {
            cell.add_tail_task(useful, uncomputed);
        }
    }

    /// A task that a member of the region executes after its arrival has waited for `ticks`.
    pub(crate) fn add_tail_wait(&self, position: usize, ticks: u64) {
        self.sums.to_use().inner[position].fetch_add(ticks, Relaxed);
    }

    /// The calling thread is about to arrive at the barrier that ends a phase.
    #[inline]
    pub(crate) fn prefetch_to_arrive(&self) {
        self.arrivals.prefetch_to_add();
    }

    /// The calling thread is about to leave the barrier that ends a phase.
    #[inline]
    pub(crate) fn prefetch_to_leave(&self) {
        self.arrivals.prefetch();
    }

    /// The calling thread arrives at the barrier that ends the phase. In the phase it has waited
    /// for locks for `locks` ticks.
    pub(crate) fn arrive(&self, phase: u32, tick: u64, locks: u64) {
        self.arrivals.add(phase, tick, locks);
    }

    /// The last arrival at a barrier that the calling thread has just left.
    pub(crate) fn last_arrival(&self, phase: u32) -> u64 {
        self.arrivals.last(phase)
    }

    /// By how much sooner all threads would have arrived at that barrier without waits for locks.
    pub(crate) fn lock_gain(&self, phase: u32) -> u64 {
        self.arrivals.lock_gain(phase)
    }

    /// A task begins in the phase, which began at `since` or before.
    #[inline]
    pub(crate) fn begin_task(&self, phase: u32, since: u64, now: u64) {
        self.tasks.begin(phase, since, now);
    }

    /// A task ends in the phase.
    #[inline]
    pub(crate) fn end_task(&self, phase: u32, now: u64) {
        self.tasks.end(phase, now);
    }

    /// The time in which tasks of the phase were under way.
    #[inline]
    pub(crate) fn tasking(&self, phase: u32, since: u64) -> Option<(u64, u64)> {
        self.tasks.span(phase, since)
    }
}

#[cfg(test)]
mod tests {
    use super::arrivals::Arrival;
    use super::closings::Ending;
    use super::region::Region;
    use super::{CELLS, Team};

    fn team() -> &'static Team {
        // SAFETY: all zeros are a valid team.
        Box::leak(Box::new(unsafe { std::mem::zeroed::<Team>() }))
    }

    /// The region `id` begins at 0.
    fn open(team: &Team, id: u64) {
        team.open(Region { id, ..Region::default() }, (false, false), None);
    }

    #[test]
    fn a_region_that_is_only_counted_has_not_what_began_in_the_one_before() {
        let team = team();
        open(team, 4);
        team.nest();
        assert!(team.has_nested(), "the end of the region");
        team.open_counted(5, 3, 7);
        assert!(!team.has_nested(), "the end of the next one");
    }

    #[test]
    fn arrivals_with_and_without_cells_add_up() {
        let team = team();
        let size = CELLS as u32 + 8;
        for id in [1, 2] {
            team.open(Region { id, code: 0, begin: 1000 }, (false, false), None);
            for index in 0..size {
                let real = 100 + u64::from(index);
                let (inner, locks) = ([1, 2, 3, 4, 5], u64::from(index));
                let arrival = Arrival { real, useful: real, inner, locks, ..Arrival::default() };
                team.arrive_at_end(id, index, &arrival);
            }
            team.add_tail_task(CELLS as u32 - 1, 50, 40, 0);
            let arrived = team.arrived(id, size);
            let (count, reals) = (u64::from(size), (0..u64::from(size)).map(|n| 100 + n));
            assert_eq!(arrived.members, count);
            assert_eq!(arrived.sum, reals.clone().sum());
            assert_eq!(arrived.useful, arrived.sum + 40);
            assert_eq!((arrived.last, arrived.max_computed), (99 + count, 99 + CELLS as u64 + 40));
            assert_eq!(arrived.inner, [1, 2, 3, 4, 5].map(|wait: u64| wait * count));
            assert_eq!(arrived.without_locks, 100, "each was later by its waits");
            assert_eq!((arrived.tasks, arrived.taken), (50, 0));
        }
    }

    #[test]
    fn the_busiest_member_is_the_one_that_computed_most() {
        let team = team();
        open(team, 1);
        let sleeper = Arrival { real: 100, useful: 100, uncomputed: 90, ..Arrival::default() };
        team.arrive_at_end(1, 0, &sleeper);
        team.arrive_at_end(1, 1, &Arrival { uncomputed: 0, useful: 50, ..sleeper });
        // Without a cell.
        team.arrive_at_end(1, CELLS as u32, &Arrival { useful: 40, uncomputed: 10, ..sleeper });
        let arrived = team.arrived(1, 3);
        assert_eq!((arrived.useful, arrived.uncomputed, arrived.max_computed), (190, 100, 50));
        team.add_tail_task(0, 70, 70, 95);
        let arrived = team.arrived(1, 3);
        assert_eq!((arrived.uncomputed, arrived.max_computed), (105, 75));
    }

    #[test]
    fn members_that_have_not_arrived_are_not_counted() {
        let team = team();
        let arrival = Arrival { real: 10, ..Arrival::default() };
        open(team, 1);
        team.arrive_at_end(1, 0, &arrival);
        team.arrive_at_end(1, 1, &arrival);
        open(team, 2);
        team.arrive_at_end(2, 1, &Arrival { taken: 4, ..arrival });
        let arrived = team.arrived(2, 2);
        assert_eq!((arrived.members, arrived.sum), (1, 10));
        assert_eq!(arrived.waits_for_scheduler(2), 0);
    }

    #[test]
    fn the_scheduler_delays_all_who_wait_for_its_victim() {
        for index in [1, CELLS as u32] {
            let team = team();
            open(team, 1);
            let arrival = Arrival { real: 10, ..Arrival::default() };
            team.arrive_at_end(1, 0, &arrival);
            team.arrive_at_end(1, 2, &arrival);
            team.arrive_at_end(1, index, &Arrival { real: 100, taken: 80, ..arrival });
            let arrived = team.arrived(1, CELLS as u32 + 1);
            // Two threads wait 90 each, and would have waited 10 each.
            assert_eq!(arrived.waits_for_scheduler(3), 160);
        }
    }

    /// How long two threads waited for the scheduler. Each pair is the tick of an arrival, and how
    /// many ticks before it the scheduler took.
    fn of_two(first: (u64, u64), last: (u64, u64)) -> i64 {
        let team = team();
        open(team, 1);
        for (index, (real, taken)) in (0..).zip([first, last]) {
            team.arrive_at_end(1, index, &Arrival { real, taken, ..Arrival::default() });
        }
        team.arrived(1, 2).waits_for_scheduler(2)
    }

    #[test]
    fn waits_at_the_end_are_judged_without_the_scheduler() {
        assert_eq!(of_two((100, 0), (300, 0)), 0);
        assert_eq!(of_two((100, 0), (300, 200)), 200, "the scheduler caused all of the wait");
        assert_eq!(of_two((100, 0), (300, 50)), 50);
        assert_eq!(of_two((300, 200), (310, 0)), -200, "the scheduler hid that one has less work");
        assert_eq!(of_two((310, 0), (320, 200)), -180, "the last one has less work");
    }

    #[test]
    fn a_phase_would_have_been_shorter_without_locks() {
        let team = team();
        for (phase, begin) in (0..9).zip((100_000..).step_by(100_000)) {
            assert_eq!(team.tasking(phase, begin), None);
            team.arrive(phase, begin + 500, 200);
            team.arrive(phase, begin + 400, 0);
            assert_eq!((team.last_arrival(phase), team.lock_gain(phase)), (begin + 500, 100));
            team.begin_task(phase, begin, begin + 10);
            team.begin_task(phase, begin, begin + 20);
            team.end_task(phase, begin + 20_000);
            assert_eq!(team.tasking(phase, begin), Some((begin + 10, begin + 20_000)));
            // The slot's next phase begins after that.
            team.end_task(phase, begin + 3);
        }
    }

    #[test]
    fn the_region_before_is_found_by_its_number() {
        let team = team();
        let ending = Ending { last: 70, release: 80, end: 100, busy: 30, tasking: Some((5, 75)) };
        team.close(5, 2, ending);
        team.close(
            6,
            2,
            Ending { last: 1, end: 1 << 40, release: 1 << 39, busy: 60, tasking: None },
        );
        let found = team.ending_before(5).map(|found| (found.last, found.release, found.end));
        assert_eq!(found, Some((70, 80, 100)));
        let found = team.ending_before(6).map(|found| (found.last, found.release, found.busy));
        assert_eq!(found, Some((1, 1 << 39, 60)), "too long to be packed");
        let tasking = [5, 6].map(|id| team.ending_before(id).and_then(|found| found.tasking));
        assert_eq!(tasking, [Some((5, 75)), None]);
        team.close(7, 2, Ending { busy: 90, ..ending });
        let found = team.ending_before(7).map(|found| (found.last, found.release, found.end));
        assert_eq!(found, Some((70, 80, 100)));
        assert!(team.ending_before(4).is_none());
    }
}
