//! Cancellation (GOMP): the constructs, and the ends of regions that may be cancelled. Each call
//! returns whether the calling thread has to branch to the end of the region.

use core::ffi::c_int;

use oxomp_core::cancel::{self, Construct};
use oxomp_core::ompt::event::SyncRegion;
use oxomp_core::{CallSite, Thread};

use super::Truth;

/// The construct of gcc's number.
fn construct(which: c_int) -> Option<Construct> {
    Some(match which {
        1 => Construct::Parallel,
        2 => Construct::Loop,
        4 => Construct::Sections,
        8 => Construct::Taskgroup,
        _ => return None,
    })
}

entry! {
    /// `bool GOMP_cancel(int which, bool do_cancel)`: without `do_cancel`, the if clause, it is a
    /// cancellation point.
    pub fn GOMP_cancel(which: c_int, do_cancel: Truth) -> bool {
        let site = CallSite::here();
        if do_cancel.get() {
            let cancel = |construct| cancel::cancel(Thread::current(), construct, site);
            construct(which).is_some_and(cancel)
        } else {
            cancel::cancellation_point(|| construct(which), site)
        }
    }

    /// `bool GOMP_cancellation_point(int which)`
    pub fn GOMP_cancellation_point(which: c_int) -> bool {
        cancel::cancellation_point(|| construct(which), CallSite::here())
    }

    /// `bool GOMP_barrier_cancel(void)`
    pub fn GOMP_barrier_cancel() -> bool {
        let site = CallSite::here();
        cancel::barrier(Thread::current(), SyncRegion::BarrierExplicit, site)
    }

    /// `bool GOMP_loop_end_cancel(void)`, and `GOMP_sections_end_cancel`
    pub fn GOMP_loop_end_cancel | GOMP_sections_end_cancel() -> bool {
        let site = CallSite::here();
        let thread = Thread::current();
        thread.end_loop(site);
        cancel::barrier(thread, SyncRegion::BarrierImplicitWorkshare, site)
    }
}
