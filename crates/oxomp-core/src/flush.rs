//! The flush construct (OpenMP 5.2 §15.8.5).

use core::sync::atomic::{Ordering, fence};

use oxomp_arch::CallSite;

use crate::block::Thread;
use crate::ompt::event::{Audience, for_events};

/// Executes a strong flush, which orders all accesses before it before all accesses after it. A
/// thread that the runtime does not know yet stays unknown.
#[inline(always)]
pub fn flush(site: CallSite) {
    for_events!(|audience| flush_for(audience, site));
}

#[inline(always)]
fn flush_for(audience: impl Audience, site: CallSite) {
    fence(Ordering::SeqCst);
    if audience.is_listening()
        && let Some(thread) = Thread::known()
    {
        let _frame = audience.enter(&thread.task().ompt, site);
        audience.flush(&thread.ompt, site);
    }
}
