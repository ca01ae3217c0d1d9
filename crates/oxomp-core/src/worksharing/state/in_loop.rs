//! The worksharing loop that an implicit task executes.

use core::cell::{Cell, UnsafeCell};

use oxomp_protocol::loops::OrderedState;

use super::LoopSlot;
use super::schedule::WorksharingLoop;

/// How far a task has got with its loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::worksharing) enum Phase {
    /// There is no loop, or it is left.
    Over,
    /// It came with its region, and tools have not been told yet.
    Unreported,
    /// There may be chunks.
    Running,
    /// The thread has had the chunk with the last iteration, and gets no other: compiled code takes
    /// the lastprivate values from the thread's last chunk. With stealing there may be others left.
    HadLast,
}

/// The loop that an implicit task executes. The task's alone.
///
/// Invariant: `current` is replaced in `set_current` alone, and no reference to it is held across a
/// call of that.
#[derive(Debug)]
pub struct LoopState {
    pub(in crate::worksharing) current: UnsafeCell<WorksharingLoop>,
    /// Chunks of the loop, where all but the last have one size and are handed out.
    pub(in crate::worksharing) chunks: Cell<u64>,
    /// Number of the task's thread and size of the team when the loop began. What is divided stays
    /// as it is if the team loses its workers in the child of a fork(2).
    pub(in crate::worksharing) thread_num: Cell<u32>,
    pub(in crate::worksharing) team_size: Cell<u32>,
    /// Loops of the ring met so far: the number of the next.
    pub(crate) count: Cell<u32>,
    /// The shared part, while the loop has one.
    pub(in crate::worksharing) slot: Cell<Option<&'static LoopSlot>>,
    /// Static schedules: the next chunk, counted from 0.
    pub(in crate::worksharing) chunks_taken: Cell<u64>,
    pub(in crate::worksharing) phase: Cell<Phase>,
    pub(in crate::worksharing) ordered: OrderedState,
}

impl LoopState {
    pub(crate) fn new() -> Self {
        LoopState {
            current: UnsafeCell::new(WorksharingLoop::NONE),
            chunks: Cell::new(0),
            thread_num: Cell::new(0),
            team_size: Cell::new(1),
            count: Cell::new(0),
            slot: Cell::new(None),
            chunks_taken: Cell::new(0),
            phase: Cell::new(Phase::Over),
            ordered: OrderedState::new(),
        }
    }

    /// The loop as it was begun.
    #[inline(always)]
    pub(in crate::worksharing) fn current(&self) -> &WorksharingLoop {
        // SAFETY: the type is not `Sync`, so the task's thread is here, and by the invariant it does
        // not replace the loop while the reference lives.
        unsafe { &*self.current.get() }
    }

    #[inline(always)]
    pub(in crate::worksharing) fn set_current(&self, description: WorksharingLoop) {
        // SAFETY: as above; by the invariant there is no reference.
        unsafe { *self.current.get() = description }
    }

    /// Number and team size of the loop that the task is in, if others may be in it too.
    pub(crate) fn in_flight(&self) -> Option<(u32, u32)> {
        self.slot().map(|_| (self.count.get().wrapping_sub(1), self.team_size.get()))
    }

    /// In the child of a fork(2): the task's thread is gone, and whatever loop it was in.
    pub(crate) fn abandon(&self) {
        self.slot.set(None);
        self.phase.set(Phase::Over);
    }

    /// Whether the task is in a loop with an ordered clause.
    pub(crate) fn is_ordered(&self) -> bool {
        self.phase.get() != Phase::Over && self.current().is_ordered
    }

    /// What the team shares of the loop; none in a team of one and where all is arithmetic.
    #[inline(always)]
    pub(in crate::worksharing) fn slot(&self) -> Option<&'static LoopSlot> {
        self.slot.get()
    }
}
