//! The atomic construct, for updates for which the compiler has no instruction (OpenMP 5.2
//! §15.8.4).

use oxomp_arch::CallSite;

use super::{RawLock, acquire, release};
use crate::block::Alone;
use crate::ompt::event::{MutexKind, for_events};

/// One lock for all atomic constructs of the process: any two of them may access the same variable.
static ATOMIC: RawLock = RawLock::new();

/// Begins an update that excludes all others.
#[inline(always)]
pub fn enter(site: CallSite) {
    for_events!(|audience| acquire(audience, &ATOMIC, MutexKind::Atomic, 0, site));
}

/// In the child of a fork(2): an update that a thread which is gone had begun is lost.
pub(super) fn forget(alone: &Alone) {
    ATOMIC.forget(alone);
}

/// Ends the update.
#[inline(always)]
pub fn leave(site: CallSite) {
    release(&ATOMIC, MutexKind::Atomic, site);
}
