//! Worksharing loops whose threads take chunks at run time (OpenMP 5.2 §11.5).

use core::ffi::c_void;
use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_arch::CallSite;
use oxomp_protocol::loops::MOST_CHUNKS;

use super::state::LoopSlot;
use super::state::in_loop::{LoopState, Phase};
use super::state::schedule::{Chunk, ChunkValues, Schedule, WorksharingLoop};
use super::trapezoid::Trapezoid;
use super::waiting::Waiting;
use crate::block::{ImplicitTask, Thread};
use crate::ompt::event::{Dispatch, Endpoint, emit};

impl Thread {
    /// Begins a worksharing loop in the current implicit task.
    #[inline(always)]
    pub fn begin_loop(&self, description: WorksharingLoop, site: CallSite) {
        self.begin_loop_quietly(description);
        self.report_begin(site);
    }

    /// Emits the begin of the loop.
    #[inline(always)]
    fn report_begin(&self, site: CallSite) {
        let task = self.implicit_task();
        let state = &task.worksharing;
        state.phase.set(Phase::Running);
        let current = state.current();
        emit::work(current.work(), Endpoint::Begin, &task.ompt, current.iterations, site);
    }

    /// Begins a loop that is combined with its region, without its event. The begin is emitted when
    /// the thread asks for its first chunk, since gcc's code may compute its share itself and never
    /// ask.
    #[inline(always)]
    pub(crate) fn begin_loop_quietly(&self, mut description: WorksharingLoop) {
        let task = self.implicit_task();
        let state = &task.worksharing;
        let team = task.team();
        if description.is_ordered || state.doacross.is_active() {
            // A thread that waits for its turn, or for an iteration, must not get an earlier chunk
            // afterwards.
            description.schedule = description.schedule.monotonic();
        }
        let size = team.size();
        state.thread_num.set(task.thread_num());
        state.team_size.set(size);
        let is_alone = size == 1;
        if is_alone {
            description.schedule = description.alone();
        }
        if let Schedule::Dynamic(length) | Schedule::DynamicNonmonotonic(length) =
            description.schedule
        {
            let iterations = description.iterations;
            let chunks = if length == 1 { iterations } else { iterations.div_ceil(length) };
            if chunks > MOST_CHUNKS {
                description.schedule = description.schedule.monotonic();
            }
            state.chunks.set(chunks);
        }
        state.set_current(description);
        state.chunks_taken.set(0);
        state.phase.set(Phase::Unreported);
        let is_divided = !description.schedule.is_arithmetic() || description.is_ordered;
        let is_shared = (is_divided && !is_alone) || description.scratch != 0;
        if is_shared {
            let number = state.count.get();
            state.count.set(number.wrapping_add(1));
            let waiting = Waiting::new(self, team);
            let is_cancelled = move || waiting.is_cancelled();
            state.slot.set(team.loops.enter(number, team.patience(), is_cancelled));
            if state.slot().is_none() {
                // No chunk is handed out.
                state.set_current(WorksharingLoop { iterations: 0, ..description });
            }
        }
        state.ordered.begin_loop();
    }

    /// Sets the number of sections of the current construct. All threads of the team call this,
    /// with the same `count`, before they ask for their first section.
    pub fn set_section_count(&self, count: u64) {
        let state = &self.implicit_task().worksharing;
        state.set_current(WorksharingLoop { iterations: count, ..*state.current() });
        state.chunks.set(count);
    }

    /// The memory that the team shares during the current loop, of the size that the loop
    /// requested; null if it requested none.
    pub fn loop_scratch(&self) -> *mut c_void {
        let state = &self.implicit_task().worksharing;
        match (state.slot(), state.current().scratch) {
            (_, 0) => ptr::null_mut(),
            // The region is cancelled, and the loop has no chunk.
            (None, bytes) => state.lone.share(bytes),
            (Some(slot), bytes) => slot.extra().scratch.share(bytes),
        }
    }

    /// The next chunk for this thread. If none is left, the thread leaves the loop.
    #[inline(always)]
    pub fn next_chunk(&self, site: CallSite) -> Option<Chunk> {
        self.next_chunk_of(self.implicit_task(), site)
    }

    /// The next chunk for this thread, as values of the loop variable. If none is left, the thread
    /// leaves the loop.
    #[inline(always)]
    pub fn next_values(&self, site: CallSite) -> Option<ChunkValues> {
        let task = self.implicit_task();
        let chunk = self.next_chunk_of(task, site)?;
        Some(task.worksharing.current().values(chunk))
    }

    #[inline(always)]
    fn next_chunk_of(&self, task: &ImplicitTask, site: CallSite) -> Option<Chunk> {
        let state = &task.worksharing;
        let may_have_chunks = state.phase.get() == Phase::Running || self.resume_loop();
        let current = state.current();
        if current.is_ordered {
            self.end_ordered_chunk();
        }
        let chunk = if may_have_chunks { take(state) } else { None };
        let Some(chunk) = chunk else {
            if current.scratch == 0 {
                self.end_loop(site);
            }
            return None;
        };
        if chunk.is_last {
            state.phase.set(Phase::HadLast);
        }
        if current.is_ordered {
            state.ordered.begin_chunk(chunk.start, chunk.iterations);
        }
        if current.is_sections {
            let code = site.return_address() as u64;
            emit::dispatch(Dispatch::Section, &task.ompt, code, 1, site);
        } else {
            let Chunk { start, iterations, .. } = chunk;
            emit::dispatch(Dispatch::WorksharingLoopChunk, &task.ompt, start, iterations, site);
        }
        Some(chunk)
    }

    /// Emits the begin of a loop that was combined with its region, at the first chunk. Returns
    /// false for a loop that has no chunk left.
    #[cold]
    fn resume_loop(&self) -> bool {
        let task = self.implicit_task();
        let is_new = task.worksharing.phase.get() == Phase::Unreported;
        if is_new {
            self.report_begin(task.team().borrowed_site().site());
        }
        is_new
    }

    /// Leaves the current loop, unless the thread has left it: at the end of the chunks, if the
    /// team shares no memory.
    #[inline(always)]
    pub fn end_loop(&self, site: CallSite) {
        if self.implicit_task().worksharing.phase.get() != Phase::Over {
            self.leave_loop(site);
        }
    }

    /// Leaves the current loop, which is cancelled, before its chunks are exhausted. A loop whose
    /// memory the thread may still use is left at its end.
    pub(crate) fn leave_cancelled_loop(&self, site: CallSite) {
        if self.implicit_task().worksharing.current().scratch == 0 {
            self.end_loop(site);
        }
    }

    fn leave_loop(&self, site: CallSite) {
        let task = self.implicit_task();
        let state = &task.worksharing;
        if let Some(slot) = state.slot() {
            // SAFETY: the thread has entered the loop when it began, and all threads of the team
            // encounter it. From now on the state has no slot, and no chunk refers to it.
            unsafe { slot.leave(state.count.get().wrapping_sub(1), state.team_size.get()) };
            state.slot.set(None);
        }
        if state.doacross.is_active() {
            self.end_doacross();
        }
        if state.phase.replace(Phase::Over) != Phase::Unreported {
            let current = state.current();
            emit::work(current.work(), Endpoint::End, &task.ompt, current.iterations, site);
        }
    }
}

#[inline(always)]
fn take(state: &LoopState) -> Option<Chunk> {
    let (current, size, me) = (state.current(), state.team_size.get(), state.thread_num.get());
    if let (Schedule::DynamicNonmonotonic(length), Some(slot)) = (current.schedule, state.slot()) {
        // The ranges hold all chunks but the last. A thread takes the last chunk only if it finds
        // no other, since it gets none afterwards (`Phase::HadLast`).
        let divided = state.chunks.get().checked_sub(1)?;
        let index = slot
            .range(me)
            .take(divided, me, size)
            .or_else(|| steal_from_any(slot, divided, me, size))
            .or_else(|| take_last(slot, divided))?;
        return Some(current.chunk(index * length, length));
    }
    take_otherwise(state, size, me)
}

fn take_otherwise(state: &LoopState, size: u32, me: u32) -> Option<Chunk> {
    let current = state.current();
    let slot = match state.slot() {
        Some(slot) if size > 1 => slot,
        _ => return take_static(state, current, size, me),
    };
    match current.schedule {
        Schedule::Dynamic(length) => take_in_order(slot, current, state.chunks.get(), length),
        Schedule::Guided(least) => take_guided(slot, current, size, |piece| piece.max(least)),
        Schedule::GuidedAligned(unit) => {
            let aligned = |piece: u64| piece.max(1).div_ceil(unit).saturating_mul(unit);
            take_guided(slot, current, size, aligned)
        }
        Schedule::Trapezoidal(least) => take_piece(slot, current, size, least),
        // The slot holds the turn, or memory, but no chunks.
        Schedule::Static | Schedule::StaticAligned(_) | Schedule::StaticChunked(_) => {
            take_static(state, current, size, me)
        }
        Schedule::DynamicNonmonotonic(_) => unreachable!("taken by stealing where there is a slot"),
    }
}

/// The loop's last chunk, for the first thread that asks for it.
#[cold]
fn take_last(slot: &LoopSlot, last: u64) -> Option<u64> {
    // Relaxed: the exchange selects one thread, and publishes nothing.
    slot.next().compare_exchange(0, 1, Relaxed, Relaxed).is_ok().then_some(last)
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
    let next = slot.next();
    // Relaxed: chunks publish nothing. The load before the add keeps the counter from growing
    // without bound.
    if next.load(Relaxed) >= chunks {
        return None;
    }
    let index = next.fetch_add(1, Relaxed);
    (index < chunks).then(|| current.chunk(index * size, size))
}

/// Guided: a chunk is the rest divided by twice the team's size (libomp's rule), enlarged to the
/// schedule's minimum.
fn take_guided(
    slot: &LoopSlot,
    current: &WorksharingLoop,
    size: u32,
    enlarge: impl Fn(u64) -> u64,
) -> Option<Chunk> {
    let next = slot.next();
    let mut start = next.load(Relaxed);
    loop {
        let rest = current.iterations - start;
        if rest == 0 {
            return None;
        }
        let piece = enlarge(rest / (2 * u64::from(size))).min(rest);
        // Relaxed: chunks publish nothing.
        match next.compare_exchange_weak(start, start + piece, Relaxed, Relaxed) {
            Ok(_) => return Some(current.chunk(start, piece)),
            Err(now) => start = now,
        }
    }
}

/// The next chunk of a trapezoidal schedule; the counter counts chunks.
#[cold]
fn take_piece(slot: &LoopSlot, current: &WorksharingLoop, size: u32, least: u64) -> Option<Chunk> {
    let pieces = Trapezoid::new(current.iterations, size, least);
    let next = slot.next();
    // Relaxed: chunks publish nothing. The load before the add keeps the counter from growing
    // without bound.
    if next.load(Relaxed) >= pieces.count() {
        return None;
    }
    let index = next.fetch_add(1, Relaxed);
    let (start, end) = (pieces.start(index), pieces.start(index.saturating_add(1)));
    (start < end).then(|| current.chunk(start, end - start))
}

/// The next chunk of a static schedule, which needs no shared state, and of any schedule in a team
/// of one.
fn take_static(state: &LoopState, current: &WorksharingLoop, size: u32, me: u32) -> Option<Chunk> {
    let (size, me) = (u64::from(size), u64::from(me));
    let taken = state.chunks_taken.replace(state.chunks_taken.get() + 1);
    let (start, length) = match current.schedule {
        Schedule::StaticChunked(length) if current.is_sections || size > 1 => {
            let index = taken.checked_mul(size)?.checked_add(me)?;
            (index.checked_mul(length)?, length)
        }
        _ if taken > 0 => return None,
        Schedule::StaticAligned(unit) => {
            let share = current.iterations.div_ceil(size).div_ceil(unit).saturating_mul(unit);
            (share.checked_mul(me)?, share)
        }
        _ => {
            let (share, extra) = (current.iterations / size, current.iterations % size);
            (me * share + me.min(extra), share + u64::from(me < extra))
        }
    };
    (start < current.iterations && length > 0).then(|| current.chunk(start, length))
}
