//! Folding: the sums that stand in for events once a quarter of the file is used, or sooner if
//! events come so fast that recording them would cost too much.
//!
//! The definitions are those of the analysis, in a form that needs no look back: a thread adds up a
//! wait when it ends; the primary thread of a region forms the region's sums when it ends; a worker
//! accounts for the time between two regions when the second one begins.

mod counted;
mod mutexes;
mod regions;
mod waits;

use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use oxomp_trace::fold::{FoldEntry, FoldKind, thread};
use oxomp_trace::{EventKind, Record};

use crate::context::INNER_CLASSES;
use crate::holds::Holds;
use crate::log::{Log, record};
use crate::store::{Exhausted, Store};
use crate::team::Team;
use crate::turns;

pub(crate) use counted::{CountedRegion, MemberCounts};

/// Whether waits and new outermost regions are folded.
static FOLDING: AtomicBool = AtomicBool::new(false);
/// The table of holds, made before the recording starts.
static HOLDS: OnceLock<Holds> = OnceLock::new();

pub(crate) const RELAXED: Ordering = Ordering::Relaxed;

/// Folding begins at the latest when one such part of the file is used.
const FOLDING_PART: u32 = 4;
/// Ticks between two records of a recorded region's folded waits: about a second, which a kill can
/// lose.
const TELL_TICKS: u64 = 1 << 31;

/// Chunks that may be filled at any rate: 4 MiB, a timeline of 130,000 events.
const BURST_CHUNKS: u64 = 64;
/// Chunks a second that may be filled besides: 1 MiB, 33,000 events. A chunk costs the helper about
/// 100 µs (its room, its pages, its checksum), on a processor that the program may want.
const CHUNKS_PER_SECOND: u64 = 16;
/// One such part of a second is the most that handing out one chunk of a loop is taken to cost, 200
/// ns: runtimes need 10 to 60 ns for a chunk that no other thread asks for, and several times as
/// long for one that other processors ask for, too.
const MOST_DISPATCH_PART: u64 = 5_000_000;
static MOST_DISPATCH_TICKS: AtomicU64 = AtomicU64::new(0);
/// When the recording began, and the ticks in which one chunk more may be filled.
static START: AtomicU64 = AtomicU64::new(0);
static TICKS_PER_CHUNK: AtomicU64 = AtomicU64::new(u64::MAX);

/// Allocates the table that folding needs and notes the recording's begin, before [`begin`].
pub(crate) fn prepare(start: u64, ticks_per_second: u64) {
    // Without the table waits at mutexes are blamed on no holder.
    if HOLDS.get().is_none()
        && let Ok(holds) = Holds::new()
    {
        HOLDS.get_or_init(|| holds);
    }
    START.store(start, RELAXED);
    MOST_DISPATCH_TICKS.store(ticks_per_second / MOST_DISPATCH_PART, RELAXED);
    TICKS_PER_CHUNK.store((ticks_per_second / CHUNKS_PER_SECOND).max(1), RELAXED);
    turns::prepare(ticks_per_second);
}

/// The most ticks that handing out one chunk is taken to cost.
pub(crate) fn most_dispatch_ticks() -> u64 {
    MOST_DISPATCH_TICKS.load(RELAXED)
}

/// Begins folding if `taken` chunks of `capacity` are too many at tick `now`.
pub(crate) fn judge(taken: u32, capacity: u32, now: u64) {
    let passed = now.saturating_sub(START.load(RELAXED)) / TICKS_PER_CHUNK.load(RELAXED);
    if u64::from(taken) > BURST_CHUNKS + passed || taken + 1 >= capacity / FOLDING_PART {
        begin();
    }
}

/// Begins folding. Relaxed: a thread that sees it late records a little longer.
fn begin() {
    FOLDING.store(true, RELAXED);
}

/// Ends folding: a new file has room for events.
pub(crate) fn begin_anew() {
    FOLDING.store(false, RELAXED);
}

/// Whether [`begin`] was called.
#[inline]
pub(crate) fn is_on() -> bool {
    FOLDING.load(RELAXED)
}

/// The meaning of a parallel region's data word.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Word {
    /// A region inside a folded one, of which nothing is kept.
    Hidden,
    /// A recorded region nested too deeply for a team: its number.
    Number(u64),
    Team(&'static Team),
    /// A region that is only counted.
    Counted(&'static Team),
}

/// Set in words that are numbers: addresses of programs do not have it.
const NUMBER: u64 = 1 << 63;
/// Set beside a team's address if the region is only counted.
const COUNTED: u64 = 1;

impl Word {
    pub(crate) fn encode(self) -> u64 {
        match self {
            Self::Hidden => 0,
            Self::Number(number) => number | NUMBER,
            Self::Team(team) => address(team),
            Self::Counted(team) => address(team) | COUNTED,
        }
    }

    #[inline]
    pub(crate) fn decode(word: u64) -> Self {
        if word & NUMBER != 0 {
            return Self::Number(word & !NUMBER);
        }
        let place = std::ptr::with_exposed_provenance::<Team>((word & !COUNTED) as usize);
        // SAFETY: other words are 0 or addresses of teams, which are never freed.
        let Some(team) = (unsafe { place.as_ref::<'static>() }) else { return Self::Hidden };
        if word & COUNTED == 0 { Self::Team(team) } else { Self::Counted(team) }
    }
}

fn address(team: &'static Team) -> u64 {
    std::ptr::from_ref(team).expose_provenance() as u64
}

/// Begins of which the end follows the same way.
type Done = Result<bool, Exhausted>;

impl Log {
    #[inline(always)]
    fn sum(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Result<&mut FoldEntry, Exhausted> {
        match self.sums.last(kind, sub, key).map(NonNull::from_mut) {
            // SAFETY: borrowed from the sums, which are borrowed for as long as the result.
            Some(mut entry) => Ok(unsafe { entry.as_mut() }),
            None => self.other_sum(store, kind, sub, key),
        }
    }

    #[inline(never)]
    fn other_sum(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Result<&mut FoldEntry, Exhausted> {
        self.sums.entry(store, self.number, kind, sub, key)
    }

    /// Sums that are formed beside the events. `None` if the thread has no table yet and the file
    /// has little room: then the events come first.
    #[inline(always)]
    pub(crate) fn beside(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Option<&mut [u64; 12]> {
        match self.sums.last(kind, sub, key).map(NonNull::from_mut) {
            // SAFETY: as in `sum`.
            Some(mut entry) => Some(unsafe { &mut entry.as_mut().values }),
            None => self.other_beside(store, kind, sub, key),
        }
    }

    #[inline(never)]
    fn other_beside(
        &mut self,
        store: &Store,
        kind: FoldKind,
        sub: u8,
        key: [u64; 2],
    ) -> Option<&mut [u64; 12]> {
        if !self.sums.are_open() && store.taken() >= store.capacity() / 2 {
            return None;
        }
        self.other_sum(store, kind, sub, key).ok().map(|entry| &mut entry.values)
    }

    /// The sums of this thread's time, which are complete up to `until`.
    #[inline(always)]
    fn time(&mut self, store: &Store, until: u64) -> Result<&mut [u64; 12], Exhausted> {
        let entry = self.sum(store, FoldKind::Thread, 0, [0, 0])?;
        entry.values[thread::UNTIL] = until;
        Ok(&mut entry.values)
    }

    /// The sums of this thread's time in folded regions, short ones or others.
    #[inline(always)]
    fn time_in(&mut self, store: &Store, short: bool) -> Result<&mut [u64; 12], Exhausted> {
        let kind = if short { FoldKind::Short } else { FoldKind::Thread };
        self.sum(store, kind, 0, [0, 0]).map(|entry| &mut entry.values)
    }

    /// Adds a folded wait to the region the thread is in.
    #[inline]
    fn add_wait(
        &mut self,
        store: &Store,
        now: u64,
        position: usize,
        ticks: u64,
    ) -> Result<(), Exhausted> {
        let context = &mut self.context;
        let mut short = false;
        let folded = match context.regions.top() {
            Some(frame) if frame.arrival == 0 => {
                frame.inner[position] += ticks;
                short = frame.short;
                frame.folded
            }
            // In a task after the arrival.
            Some(frame) if frame.folded => {
                frame.tail_waits += ticks;
                if let Some(team) = frame.team {
                    team.add_tail_wait(position, ticks);
                }
                short = frame.short;
                true
            }
            Some(frame) => {
                frame.inner[position] += ticks;
                false
            }
            // Part of a region's time that is estimated as a whole.
            None if context.member_of.is_some() => return Ok(()),
            None => {
                context.loose[position] += ticks;
                context.folding
            }
        };
        if folded {
            self.time_in(store, short)?[INNER_CLASSES[position]] += ticks;
        } else if now >= self.context.tell_at {
            self.tell_inner(store, now)?;
        }
        Ok(())
    }

    /// Records the folded waits of a recorded region, or of recorded time outside.
    fn tell_inner(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        self.context.tell_at = now + TELL_TICKS;
        self.tell_tasks(store, now)?;
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
}
