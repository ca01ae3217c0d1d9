//! The atomic construct where the compiler has no instruction for it (OpenMP 5.2 §15.8.4).

use super::{RawLock, acquire, release};
use crate::arch::CallSite;
use crate::ompt::event::MutexKind;

/// One lock for all atomics of the process: they may touch the same variable under any name.
static ATOMIC: RawLock = RawLock::new();

/// Begins an update that excludes all others.
#[inline(always)]
pub fn enter(site: CallSite) {
    acquire(&ATOMIC, MutexKind::Atomic, 0, site);
}

/// Ends it.
#[inline(always)]
pub fn leave(site: CallSite) {
    release(&ATOMIC, MutexKind::Atomic, site);
}
