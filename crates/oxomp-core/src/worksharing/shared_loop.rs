//! Worksharing loops whose chunks are handed out at run time (OpenMP 5.2 §11.5).

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

use super::ring::LoopSlot;
use super::steal::MOST_CHUNKS;
use crate::arch::CallSite;
use crate::icv::{self, ScheduleKind};
use crate::ompt::event::{Dispatch, Endpoint, Work, emit};
use crate::team::Team;
use crate::thread::Thread;

/// How chunks are handed out. Chunk sizes are iterations, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// One block a thread, as even as can be.
    Static,
    /// Chunks round robin by thread number.
    StaticChunked(u64),
    /// Chunks in order, to who asks first.
    Dynamic(u64),
    /// The same where a thread's chunks need not come in order (`nonmonotonic`).
    DynamicNonmonotonic(u64),
    /// Shrinking pieces, at least the chunk size.
    Guided(u64),
}

/// A loop as the compiler describes it, in logical iterations 0 to `iterations`.
#[derive(Clone, Copy, Debug)]
pub struct WorksharingLoop {
    /// Number of iterations.
    pub iterations: u64,
    pub schedule: Schedule,
    /// Value of the loop variable in iteration 0, extended to 64 bits.
    pub first: u64,
    /// What it grows by, modulo 2^64.
    pub step: u64,
}

/// A piece of a loop: logical iterations `start..start + iterations`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub start: u64,
    pub iterations: u64,
    /// The loop's last iteration is in it.
    pub is_last: bool,
}

impl From<icv::Schedule> for Schedule {
    /// What a schedule of *run-sched-var* means.
    fn from(schedule: icv::Schedule) -> Self {
        let chunk = u64::from(schedule.chunk);
        match schedule.kind {
            ScheduleKind::Static | ScheduleKind::Auto if chunk == 0 => Schedule::Static,
            ScheduleKind::Static => Schedule::StaticChunked(chunk),
            ScheduleKind::Auto => Schedule::Static,
            ScheduleKind::Dynamic if schedule.is_monotonic() => Schedule::Dynamic(chunk.max(1)),
            ScheduleKind::Dynamic => Schedule::DynamicNonmonotonic(chunk.max(1)),
            ScheduleKind::Guided => Schedule::Guided(chunk.max(1)),
        }
    }
}

impl WorksharingLoop {
    /// Value of the loop variable in logical iteration `iteration`, modulo the width of its type.
    #[inline(always)]
    pub fn value(&self, iteration: u64) -> u64 {
        self.first.wrapping_add(iteration.wrapping_mul(self.step))
    }

    #[inline(always)]
    fn chunk(&self, start: u64, size: u64) -> Chunk {
        let left = self.iterations - start;
        Chunk { start, iterations: size.min(left), is_last: size >= left }
    }
}

/// The loop that an implicit task executes. The task's alone.
#[derive(Debug)]
pub struct LoopState {
    current: Cell<WorksharingLoop>,
    /// Loops of the ring met so far: the number of the next.
    pub(crate) count: Cell<u32>,
    /// The shared part, while the loop has one.
    slot: Cell<*const LoopSlot>,
    /// Static schedules: the next chunk, counted from 0.
    chunks_taken: Cell<u64>,
    /// The call that began the loop is over when it ends, so a tool gets the site of the last call.
    work: Cell<Option<Work>>,
}

impl LoopState {
    pub(crate) fn new() -> Self {
        let none = WorksharingLoop { iterations: 0, schedule: Schedule::Static, first: 0, step: 0 };
        LoopState {
            current: Cell::new(none),
            count: Cell::new(0),
            slot: Cell::new(ptr::null()),
            chunks_taken: Cell::new(0),
            work: Cell::new(None),
        }
    }

    /// The loop as it was begun.
    #[inline(always)]
    pub fn description(&self) -> WorksharingLoop {
        self.current.get()
    }
}

impl Thread {
    /// Begins a worksharing loop in the current implicit task.
    #[inline(always)]
    pub fn begin_loop(&self, description: WorksharingLoop, site: CallSite) {
        let task = self.task();
        let state = &task.worksharing;
        let team = task.team();
        state.current.set(description);
        state.chunks_taken.set(0);
        if team.size() != 1
            && !matches!(description.schedule, Schedule::Static | Schedule::StaticChunked(_))
        {
            let number = state.count.get();
            state.count.set(number.wrapping_add(1));
            state.slot.set(team.loops.enter(number));
        }
        let work = match description.schedule {
            Schedule::Static | Schedule::StaticChunked(_) => Work::LoopStatic,
            Schedule::Dynamic(_) | Schedule::DynamicNonmonotonic(_) => Work::LoopDynamic,
            Schedule::Guided(_) => Work::LoopGuided,
        };
        state.work.set(Some(work));
        emit::work(work, Endpoint::Begin, &task.ompt, description.iterations, site);
    }

    /// The next chunk for this thread. With none left the loop is over for it, and is left.
    #[inline(always)]
    pub fn next_chunk(&self, site: CallSite) -> Option<Chunk> {
        let task = self.task();
        let state = &task.worksharing;
        let team = task.team();
        let chunk = take(state, team, task.thread_num());
        match chunk {
            Some(Chunk { start, iterations, .. }) => {
                emit::dispatch(Dispatch::WorksharingLoopChunk, &task.ompt, start, iterations);
            }
            None => {
                let slot = state.slot.replace(ptr::null());
                // SAFETY: null or a slot of our team's ring, which lives as long as the team.
                if let Some(slot) = unsafe { slot.as_ref() } {
                    slot.leave(state.count.get().wrapping_sub(1), team.size());
                }
                if let Some(work) = state.work.take() {
                    let count = state.current.get().iterations;
                    emit::work(work, Endpoint::End, &task.ompt, count, site);
                }
            }
        }
        chunk
    }
}

#[inline(always)]
fn take(state: &LoopState, team: &Team, me: u32) -> Option<Chunk> {
    let current = state.current.get();
    // SAFETY: null or a slot of our team's ring, which lives as long as the team.
    let Some(slot) = (unsafe { state.slot.get().as_ref() }) else {
        return take_static(state, &current, team.size(), me);
    };
    match current.schedule {
        Schedule::DynamicNonmonotonic(size) => {
            let chunks = current.iterations.div_ceil(size);
            if chunks > MOST_CHUNKS {
                return take_in_order(slot, &current, chunks, size);
            }
            let own = slot.range(me);
            let index = own
                .take(chunks, me, team.size())
                .or_else(|| steal_from_any(slot, chunks, me, team.size()))?;
            Some(current.chunk(index * size, size))
        }
        Schedule::Dynamic(size) => {
            take_in_order(slot, &current, current.iterations.div_ceil(size), size)
        }
        Schedule::Guided(size) => take_guided(slot, &current, size, team.size()),
        Schedule::Static | Schedule::StaticChunked(_) => None,
    }
}

#[cold]
fn steal_from_any(slot: &LoopSlot, chunks: u64, me: u32, size: u32) -> Option<u64> {
    (1..size).find_map(|distance| {
        let victim = (me + distance) % size;
        slot.range(victim).steal(slot.range(me), chunks, victim, size)
    })
}

fn take_in_order(
    slot: &LoopSlot,
    current: &WorksharingLoop,
    chunks: u64,
    size: u64,
) -> Option<Chunk> {
    let next = &slot.next.0;
    // Relaxed: chunks publish nothing. The look first keeps the counter from running away.
    if next.load(Relaxed) >= chunks {
        return None;
    }
    let index = next.fetch_add(1, Relaxed);
    (index < chunks).then(|| current.chunk(index * size, size))
}

/// Guided: a piece is the rest divided by twice the team, at least the chunk size (libomp's rule).
fn take_guided(
    slot: &LoopSlot,
    current: &WorksharingLoop,
    least: u64,
    size: u32,
) -> Option<Chunk> {
    let next = &slot.next.0;
    let mut start = next.load(Relaxed);
    loop {
        let rest = current.iterations - start;
        if rest == 0 {
            return None;
        }
        let piece = (rest / (2 * u64::from(size))).max(least).min(rest);
        // Relaxed: as above.
        match next.compare_exchange_weak(start, start + piece, Relaxed, Relaxed) {
            Ok(_) => return Some(current.chunk(start, piece)),
            Err(now) => start = now,
        }
    }
}

/// Without a shared part: the static schedules, and everything in a team of one.
fn take_static(
    state: &LoopState,
    current: &WorksharingLoop,
    size: u32,
    me: u32,
) -> Option<Chunk> {
    let (size, me) = (u64::from(size), u64::from(me));
    let taken = state.chunks_taken.replace(state.chunks_taken.get() + 1);
    match current.schedule {
        Schedule::StaticChunked(length) if size > 1 => {
            let index = taken.checked_mul(size)?.checked_add(me)?;
            let start = index.checked_mul(length)?;
            (start < current.iterations).then(|| current.chunk(start, length))
        }
        _ => {
            let (share, extra) = (current.iterations / size, current.iterations % size);
            let length = share + u64::from(me < extra);
            let start = me * share + me.min(extra);
            (taken == 0 && length > 0).then(|| current.chunk(start, length))
        }
    }
}
