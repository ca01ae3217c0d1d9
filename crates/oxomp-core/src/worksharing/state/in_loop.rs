//! The worksharing loop that an implicit task executes.

use core::cell::{Cell, UnsafeCell};
use core::mem::offset_of;

use oxomp_base::inside::inside;
use oxomp_ompd_layout::{Field, Kind, Object, Readable, Record};
use oxomp_protocol::loops::OrderedState;
use oxomp_protocol::{Alone, Inside};

use super::LoopSlot;
use super::in_doacross::DoacrossState;
use super::schedule::WorksharingLoop;
use super::scratch::Scratch;

/// The progress of a task in its loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::worksharing) enum Phase {
    /// There is no loop, or the task has left it.
    Over,
    /// The loop is combined with its region, and its begin has not been emitted yet.
    Unreported,
    /// There may be chunks.
    Running,
    /// The thread has executed the chunk with the last iteration, and gets no other: compiled code
    /// takes the lastprivate values from the thread's last chunk. With stealing, chunks for other
    /// threads may be left.
    HadLast,
}

/// The loop that an implicit task executes. Only the task's thread accesses it.
///
/// Invariant: `current` is replaced in `set_current` alone, and no reference to it is held across a
/// call of that.
#[derive(Debug)]
pub struct LoopState {
    pub(in crate::worksharing) current: UnsafeCell<WorksharingLoop>,
    /// The number of chunks of a dynamic loop, of which all but the last have one size.
    pub(in crate::worksharing) chunks: Cell<u64>,
    /// The thread number and the size of the team when the loop began. They divide the loop even
    /// after the team has lost its workers in the child of a fork(2).
    pub(in crate::worksharing) thread_num: Cell<u32>,
    pub(in crate::worksharing) team_size: Cell<u32>,
    /// The number of loops with a slot that the task has encountered: the number of the next one.
    pub(crate) count: Cell<u32>,
    /// The loop's slot, which the team shares; `None` for a loop without shared state.
    pub(in crate::worksharing) slot: Cell<Option<&'static LoopSlot>>,
    /// The number of the next chunk of a static schedule, from 0.
    pub(in crate::worksharing) chunks_taken: Cell<u64>,
    pub(in crate::worksharing) phase: Cell<Phase>,
    /// The task is in a reported `scope` region that its next barrier ends.
    pub(in crate::worksharing) scope_is_open: Cell<bool>,
    /// Memory of a loop that has no slot, because its region was cancelled before the thread came.
    pub(in crate::worksharing) lone: Scratch,
    pub(in crate::worksharing) ordered: OrderedState,
    pub(in crate::worksharing) doacross: DoacrossState,
}

impl Readable for LoopState {
    const KIND: Kind = Kind::Structure;
}

/// The fields that a debugger reads.
pub(crate) const FIELDS: &[Record] = &[
    Record::whole(Object::Loop, size_of::<LoopState>()),
    ordered(Field::LoopOrderedStart, &OrderedState::START),
    ordered(Field::LoopOrderedIterations, &OrderedState::ITERATIONS),
    Record::of(Field::LoopAwaited, offset_of!(LoopState, doacross.awaited), |state: &LoopState| {
        &state.doacross.awaited
    }),
];

const fn ordered<F: Readable>(field: Field, place: &Inside<OrderedState, F>) -> Record {
    let offset = offset_of!(LoopState, ordered);
    inside(field, offset, |state: &LoopState| &state.ordered, place)
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
            scope_is_open: Cell::new(false),
            lone: Scratch::none(),
            ordered: OrderedState::new(),
            doacross: DoacrossState::new(),
        }
    }

    /// The loop as the construct described it.
    #[inline(always)]
    pub(in crate::worksharing) fn current(&self) -> &WorksharingLoop {
        // SAFETY: the type is not `Sync`, so the task's thread is here, and by the invariant it
        // does not replace the loop while the reference lives.
        unsafe { &*self.current.get() }
    }

    #[inline(always)]
    pub(in crate::worksharing) fn set_current(&self, description: WorksharingLoop) {
        // SAFETY: the type is not `Sync`, so the task's thread is here, and by the invariant no
        // reference to the loop lives.
        unsafe { *self.current.get() = description }
    }

    /// The slots that the task is in, if other threads may be in them too: number and team size of
    /// its loop, and of its doacross loop nest.
    pub(crate) fn in_flight(&self) -> [Option<(u32, u32)>; 2] {
        let current = self.slot().map(|_| (self.count.get().wrapping_sub(1), self.team_size.get()));
        [current, self.doacross.in_flight()]
    }

    /// In the child of a fork(2): the task's thread is gone, so the task is in no loop.
    pub(crate) fn abandon(&self, alone: &Alone) {
        self.drop_loop();
        self.doacross.abandon(alone);
    }

    /// The task is in no loop any more. Its slot does not count it out.
    pub(crate) fn drop_loop(&self) {
        self.slot.set(None);
        self.phase.set(Phase::Over);
        self.scope_is_open.set(false);
        self.lone.clean();
        self.doacross.leave();
    }

    /// Leaves the `scope` region that a barrier ends. Returns whether the task was in one.
    pub(crate) fn leave_open_scope(&self) -> bool {
        self.scope_is_open.replace(false)
    }

    /// Whether the task is in a loop whose threads share memory of the size that it requested.
    pub(crate) fn has_memory(&self) -> bool {
        self.phase.get() != Phase::Over && self.current().scratch != 0
    }

    /// Whether the task is in a loop with an ordered clause.
    pub(crate) fn is_ordered(&self) -> bool {
        self.phase.get() != Phase::Over && self.current().is_ordered
    }

    /// The loop's slot; `None` in a team of one, and for a static schedule that needs no shared
    /// state.
    #[inline(always)]
    pub(in crate::worksharing) fn slot(&self) -> Option<&'static LoopSlot> {
        self.slot.get()
    }
}
