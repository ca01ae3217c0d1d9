//! The atomic construct, for updates for which the compiler has no instruction (OpenMP 5.2
//! §15.8.4).

use super::{RawLock, acquire, release};
use crate::arch::CallSite;
use crate::ompt::event::MutexKind;

/// One lock for all atomic constructs of the process: any two of them may access the same variable.
static ATOMIC: RawLock = RawLock::new();

/// Begins an update that excludes all others.
#[inline(always)]
pub fn enter(site: CallSite) {
    acquire(&ATOMIC, MutexKind::Atomic, 0, site);
}

/// Ends the update.
#[inline(always)]
pub fn leave(site: CallSite) {
    release(&ATOMIC, MutexKind::Atomic, site);
}
