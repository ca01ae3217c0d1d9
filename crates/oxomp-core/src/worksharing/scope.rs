//! The scope construct (OpenMP 5.2 §11.2): every thread executes its block, so there are events
//! only.

use oxomp_arch::CallSite;

use crate::block::Thread;
use crate::ompt::event::{Audience, Endpoint, Work, for_events};

/// Begins the scope region of the calling thread, which calls `end_scope` after the block.
#[inline(always)]
pub fn scope(thread: &Thread, site: CallSite) {
    for_events!(|audience| reach(audience, thread, Endpoint::Begin, site));
}

/// Begins the scope region of the calling thread, whose next barrier ends it: the compiled code
/// makes no other call after the block.
pub fn scope_to_barrier(thread: &Thread, site: CallSite) {
    for_events!(|audience| {
        if audience.is_listening() {
            reach(audience, thread, Endpoint::Begin, site);
            thread.implicit_task().worksharing.scope_is_open.set(true);
        }
    });
}

/// Ends the scope region of the calling thread.
#[inline(always)]
pub fn end_scope(thread: &Thread, site: CallSite) {
    for_events!(|audience| reach(audience, thread, Endpoint::End, site));
}

#[inline(always)]
fn reach(audience: impl Audience, thread: &Thread, endpoint: Endpoint, site: CallSite) {
    audience.work(Work::Scope, endpoint, &thread.implicit_task().ompt, 1, site);
}
