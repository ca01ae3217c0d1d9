//! The masked construct and the master construct, which is masked with filter 0 (OpenMP 5.2 §10.5).

use oxomp_arch::CallSite;

use crate::block::Thread;
use crate::ompt::event::{Audience, Endpoint, for_events};

/// Whether the calling thread executes the masked region: the thread number `filter` of the team
/// does. It calls `end_masked` after the region.
#[inline(always)]
pub fn masked(thread: &Thread, filter: i32, site: CallSite) -> bool {
    for_events!(|audience| masked_for(audience, thread, filter, site))
}

#[inline(always)]
fn masked_for(audience: impl Audience, thread: &Thread, filter: i32, site: CallSite) -> bool {
    let task = thread.implicit_task();
    let executes = task.thread_num() as i32 == filter;
    if executes {
        audience.masked(Endpoint::Begin, &task.ompt, site);
    }
    executes
}

/// Ends the masked region, on the thread that has executed it.
#[inline(always)]
pub fn end_masked(thread: &Thread, site: CallSite) {
    for_events!(|audience| end_masked_for(audience, thread, site));
}

#[inline(always)]
fn end_masked_for(audience: impl Audience, thread: &Thread, site: CallSite) {
    audience.masked(Endpoint::End, &thread.implicit_task().ompt, site);
}
