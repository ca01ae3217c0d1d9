//! A team gets the threads of its next region, and gives them away.

use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed};

use oxomp_protocol::barrier::Barrier;
use oxomp_protocol::yield_now;

use super::Team;
use crate::icv::Icvs;
use crate::implicit_task::ImplicitTask;
use crate::os;
use crate::places::Arrangement;
use crate::pool::{self, Refusal, WorkerBody};
use crate::settings;
use crate::thread::Thread;

/// What a team was refused.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shortage {
    /// The size that it should have had.
    wanted: u32,
    refusal: Refusal,
}

impl Team {
    /// Makes the team ready for a region of `size` threads with the variables `icvs`: the size
    /// that it got, which is smaller where threads cannot be had. New threads run `body`. Called
    /// by the primary thread.
    #[inline(always)]
    pub(crate) fn prepare(&'static self, size: u32, icvs: &Icvs, body: WorkerBody) -> u32 {
        // SAFETY: no region of the team runs (Invariant 2).
        unsafe {
            if *self.icvs.get() != *icvs {
                *self.icvs.get() = *icvs;
            }
        }
        if self.crowded_below.load(Relaxed) {
            self.crowded_below.store(false, Relaxed);
        }
        self.region_number.store(self.region_number().wrapping_add(1), Relaxed);
        if self.size.get() == size { size } else { self.resize(size, body) }
    }

    #[cold]
    fn resize(&'static self, wanted: u32, body: WorkerBody) -> u32 {
        // SAFETY: no region of the team runs (Invariant 2).
        let places = unsafe { &mut *self.places.get() };
        if let Some(shortage) = self.shortage.get()
            && shortage.wanted == wanted
            && self.size.get() != 0
            && !shortage.refusal.may_be_over()
        {
            return self.size.get();
        }
        self.shortage.set(None);
        while self.hired.get() < wanted {
            let index = self.hired.get();
            if places.len() as u32 == index {
                self.members.set(ptr::null());
                places.push(ImplicitTask::create(self, index));
                self.members.set(places.as_ptr());
            }
            let place = places[index as usize];
            match pool::hire(body, place) {
                Ok(worker) => place.thread.set(Some(worker)),
                Err(refusal) => {
                    self.shortage.set(Some(Shortage { wanted, refusal }));
                    break;
                }
            }
            self.hired.set(index + 1);
        }
        let size = wanted.min(self.hired.get());
        if size > 1 {
            for place in &places[..size as usize] {
                place.equip();
            }
        }
        // A place that sat out counts no construct: it goes on from where the primary thread is.
        let primary = places[0];
        for place in &places[1..size as usize] {
            place.singles.follow(&primary.singles);
            place.worksharing.count.set(primary.worksharing.count.get());
            place.reduction.follow(&primary.reduction);
        }
        for bench in places.iter().filter_map(|place| place.workbench_if_any()) {
            bench.balance();
        }
        self.loops.make_room(size as usize);
        self.use_barrier_for(size);
        let outer = self.parent.map(ImplicitTask::team);
        let outer_active = outer.map_or(0, Team::active_level);
        self.active_level.set(outer_active + u32::from(size > 1));
        let concurrency = outer.map_or(1, |team| team.concurrency.get()).saturating_mul(size);
        self.concurrency.set(concurrency);
        self.patience.set(settings::get().patience(concurrency));
        self.arrangement.set(Arrangement::NONE);
        self.size.set(size);
        for place in places {
            if let Some(child) = place.child_if_any() {
                child.outdate();
            }
        }
        size
    }

    /// Why the team is smaller than it should be, if threads were refused.
    pub(crate) fn refusal(&self) -> Option<Refusal> {
        self.shortage.get().map(|shortage| shortage.refusal)
    }

    /// The team is to be formed anew for its next region: the one above has another size, so that
    /// levels and concurrency change, or its workers have gone. No region of this team runs.
    fn outdate(&self) {
        self.size.set(0);
    }

    /// Gives the idle workers of this team, and of the teams that its tasks formed, to `take`.
    /// Only while no region of any of them runs.
    pub(crate) fn disband(&self, take: &mut dyn FnMut(&'static Thread)) {
        // SAFETY: no region of the team runs (Invariant 2).
        let places = unsafe { &*self.places.get() };
        for place in places {
            if let Some(child) = place.child_if_any() {
                child.disband(take);
            }
            if place.thread_num() != 0
                && let Some(worker) = place.thread.take()
            {
                wait_for_report(worker);
                take(worker);
            }
        }
        self.hired.set(1);
        self.outdate();
    }

    /// The next region's threads meet in the barrier of their number.
    pub(super) fn use_barrier_for(&self, size: u32) {
        // SAFETY: no region of the team runs, or the others have gone with the fork.
        let barriers = unsafe { &mut *self.barriers.get() };
        let known = barriers.iter().position(|barrier| barrier.size() == size as usize);
        let index = known.unwrap_or_else(|| {
            barriers.push(Box::new(Barrier::new(size as usize)));
            barriers.len() - 1
        });
        self.barrier.set(ptr::from_ref(&*barriers[index]));
    }
}

/// Waits until `worker` has reported the ends of the region that it was in: its task's record is
/// about to be another worker's. Not for ever, since a tool's callback may not return.
fn wait_for_report(worker: &Thread) {
    const LONGEST_NS: u64 = 500_000_000;
    let deadline = os::monotonic_ns() + LONGEST_NS;
    // Acquire: pairs with the Release at the end of the report.
    while worker.ompt.is_reporting.load(Acquire) && os::monotonic_ns() < deadline {
        yield_now();
    }
}
