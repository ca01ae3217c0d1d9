//! The state of cancellation that a team's region and its members embed.

use core::cell::Cell;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_protocol::Alone;
use oxomp_protocol::barrier::{Barrier, Cancellation, Departure, Ended};
use oxomp_sys::ompt::ompt_cancel_flag_t;

/// A construct that can be cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construct {
    /// A parallel region.
    Parallel,
    /// A worksharing loop.
    Loop,
    /// A sections region.
    Sections,
    /// A taskgroup region.
    Taskgroup,
}

impl Construct {
    /// The construct's bit in `ompt_cancel_flag_t`.
    pub(crate) const fn flag(self) -> u32 {
        match self {
            Construct::Parallel => ompt_cancel_flag_t::PARALLEL.0,
            Construct::Loop => ompt_cancel_flag_t::LOOP.0,
            Construct::Sections => ompt_cancel_flag_t::SECTIONS.0,
            Construct::Taskgroup => ompt_cancel_flag_t::TASKGROUP.0,
        }
    }
}

/// The constructs of a team's present region that have been cancelled. Any thread of the team may
/// access it at any time.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct CancelledConstructs {
    /// Whether the parallel region is cancelled.
    region: Cancellation,
    /// The constructs that are cancelled: bits of `Construct::flag`. Threads look here for the
    /// worksharing construct that the team executes, and debuggers for all. The last thread to
    /// arrive at a barrier clears the bits of worksharing constructs, the primary thread that of
    /// the region, after it.
    pub(crate) constructs: AtomicU32,
}

impl CancelledConstructs {
    pub(crate) fn none() -> Self {
        CancelledConstructs { region: Cancellation::none(), constructs: AtomicU32::new(0) }
    }

    /// Whether a construct of the region, or the region itself, is cancelled.
    #[inline(always)]
    pub(crate) fn has_any(&self) -> bool {
        self.constructs.load(Relaxed) != 0
    }

    /// Whether the parallel region is cancelled.
    #[inline(always)]
    pub(crate) fn region(&self) -> &Cancellation {
        &self.region
    }

    /// Cancels the parallel region, on thread `me` of the team that meets at `barrier`. Returns
    /// whether this call did it.
    pub(super) fn cancel_region(&self, barrier: &Barrier, me: usize) -> bool {
        self.add(Construct::Parallel);
        barrier.cancel(me, &self.region)
    }

    /// Cancels the worksharing construct that the team executes. Returns whether this call did it.
    pub(super) fn cancel_worksharing(&self, construct: Construct) -> bool {
        self.add(construct)
    }

    fn add(&self, construct: Construct) -> bool {
        // Relaxed: threads look for the bit at cancellation points; it publishes nothing.
        self.constructs.fetch_or(construct.flag(), Relaxed) & construct.flag() == 0
    }

    /// Whether the worksharing construct that the team executes is cancelled.
    #[inline(always)]
    pub(super) fn has_worksharing(&self, construct: Construct) -> bool {
        self.constructs.load(Relaxed) & construct.flag() != 0
    }

    /// All threads have arrived at a barrier: the cancelled worksharing construct is over.
    #[inline(always)]
    pub(crate) fn end_worksharing(&self) {
        if self.has_any() {
            self.constructs.fetch_and(Construct::Parallel.flag(), Relaxed);
        }
    }

    /// The region is over.
    pub(crate) fn clear(&self) {
        self.region.clear();
        self.constructs.store(0, Relaxed);
    }
}

/// A member's part in the end of a region that may be cancelled.
#[derive(Debug)]
pub(crate) struct CancelState {
    /// The region that the member's thread has ended last, where regions may be cancelled.
    pub(crate) ended: Ended,
    /// The arrival at a barrier that the thread has left.
    pub(crate) departure: Departure,
    /// The thread has cancelled the region, or has been told that it is cancelled.
    pub(crate) has_noticed: Cell<bool>,
}

impl CancelState {
    pub(crate) fn new() -> Self {
        CancelState {
            // Regions are counted from 1.
            ended: Ended::never(0),
            departure: Departure::none(),
            has_noticed: Cell::new(false),
        }
    }

    /// In the child of a fork(2): there is no other thread to meet at a barrier.
    pub(crate) fn outlive_others(&self, alone: &Alone) {
        self.departure.forget(alone);
    }

    /// In the child of a fork(2), for a member whose thread is gone.
    pub(crate) fn abandon(&self, alone: &Alone) {
        self.outlive_others(alone);
        self.has_noticed.set(false);
    }
}
