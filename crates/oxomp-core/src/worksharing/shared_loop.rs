//! Worksharing loops whose chunks are handed out at run time (OpenMP 5.2 §11.5).

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

use super::ordered::OrderedState;
use super::ring::LoopSlot;
use super::schedule::{Chunk, Schedule, WorksharingLoop};
use super::steal::MOST_CHUNKS;
use crate::arch::CallSite;
use crate::ompt::event::{Dispatch, Endpoint, emit};
use crate::team::Team;
use crate::thread::Thread;

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
    /// Whether tools have been told that the loop has begun, and not that it has ended.
    is_reported: Cell<bool>,
    /// The thread has had the chunk with the last iteration, and gets no other: compiled code takes
    /// the lastprivate values from the thread's last chunk. With stealing there may be others left.
    had_last: Cell<bool>,
    pub(super) ordered: OrderedState,
}

impl LoopState {
    pub(crate) fn new() -> Self {
        LoopState {
            current: Cell::new(WorksharingLoop::NONE),
            count: Cell::new(0),
            slot: Cell::new(ptr::null()),
            chunks_taken: Cell::new(0),
            is_reported: Cell::new(false),
            had_last: Cell::new(false),
            ordered: OrderedState::new(),
        }
    }

    /// The loop as it was begun.
    #[inline(always)]
    pub fn description(&self) -> WorksharingLoop {
        self.current.get()
    }

    /// What the team shares of the loop; none in a team of one and where all is arithmetic.
    #[inline(always)]
    pub(super) fn slot(&self) -> Option<&LoopSlot> {
        // SAFETY: null or a slot of our team's ring, which lives as long as the team.
        unsafe { self.slot.get().as_ref() }
    }
}

impl Thread {
    /// Begins a worksharing loop in the current implicit task.
    #[inline(always)]
    pub fn begin_loop(&self, description: WorksharingLoop, site: CallSite) {
        self.begin_loop_quietly(description);
        self.report_begin(site);
    }

    /// Tells tools that the loop begins, unless they know.
    #[inline(always)]
    fn report_begin(&self, site: CallSite) {
        let task = self.task();
        let state = &task.worksharing;
        if !state.is_reported.replace(true) {
            let description = state.current.get();
            let count = description.iterations;
            emit::work(description.work(), Endpoint::Begin, &task.ompt, count, site);
        }
    }

    /// As `begin_loop`, for a loop that came with its region: tools hear of it when the first chunk is
    /// asked for, since gcc's code may compute its share itself and never ask.
    #[inline(always)]
    pub(crate) fn begin_loop_quietly(&self, mut description: WorksharingLoop) {
        if let (true, Schedule::DynamicNonmonotonic(size)) =
            (description.is_ordered, description.schedule)
        {
            // A thread that waits for its turn must not have an earlier chunk still to come.
            description.schedule = Schedule::Dynamic(size);
        }
        let task = self.task();
        let state = &task.worksharing;
        let team = task.team();
        state.current.set(description);
        state.chunks_taken.set(0);
        state.is_reported.set(false);
        state.had_last.set(false);
        let is_arithmetic =
            matches!(description.schedule, Schedule::Static | Schedule::StaticChunked(_));
        if team.size() != 1 && (!is_arithmetic || description.is_ordered) {
            let number = state.count.get();
            state.count.set(number.wrapping_add(1));
            state.slot.set(team.loops.enter(number));
        }
        state.ordered.begin_loop();
    }

    /// The next chunk for this thread. With none left the loop is over for it, and is left.
    #[inline(always)]
    pub fn next_chunk(&self, site: CallSite) -> Option<Chunk> {
        let task = self.task();
        let state = &task.worksharing;
        let team = task.team();
        let description = state.current.get();
        if !state.is_reported.get() && !state.had_last.get() {
            self.report_begin(team.borrowed_site().site());
        }
        if description.is_ordered {
            self.end_ordered_chunk();
        }
        let chunk = if state.had_last.get() { None } else { take(state, team, task.thread_num()) };
        match chunk {
            Some(chunk) => {
                state.had_last.set(chunk.is_last);
                if description.is_ordered {
                    state.ordered.begin_chunk(chunk);
                }
                if description.is_sections {
                    let code = site.return_address() as u64;
                    emit::dispatch(Dispatch::Section, &task.ompt, code, 1);
                } else {
                    let Chunk { start, iterations, .. } = chunk;
                    emit::dispatch(Dispatch::WorksharingLoopChunk, &task.ompt, start, iterations);
                }
            }
            None => {
                if let Some(slot) = state.slot() {
                    slot.leave(state.count.get().wrapping_sub(1), team.size());
                    state.slot.set(ptr::null());
                }
                if state.is_reported.replace(false) {
                    let count = description.iterations;
                    emit::work(description.work(), Endpoint::End, &task.ompt, count, site);
                }
            }
        }
        chunk
    }
}

#[inline(always)]
fn take(state: &LoopState, team: &Team, me: u32) -> Option<Chunk> {
    let current = state.current.get();
    let Some(slot) = state.slot() else {
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
        // An ordered loop shares whose turn it is, not its chunks.
        Schedule::Static | Schedule::StaticChunked(_) => {
            take_static(state, &current, team.size(), me)
        }
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
fn take_guided(slot: &LoopSlot, current: &WorksharingLoop, least: u64, size: u32) -> Option<Chunk> {
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
fn take_static(state: &LoopState, current: &WorksharingLoop, size: u32, me: u32) -> Option<Chunk> {
    let (size, me) = (u64::from(size), u64::from(me));
    let taken = state.chunks_taken.replace(state.chunks_taken.get() + 1);
    match current.schedule {
        // Each section is dispatched, whoever executes it.
        _ if current.is_sections => (taken < current.iterations).then(|| current.chunk(taken, 1)),
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
