//! The number of the tool's session: a session lasts from an initialization to the end of the tool,
//! and a process may have several.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::{AcqRel, Relaxed};

/// The number of the session, from 1; 0 before the first.
///
/// A thread that hears an event loads it after it has found the tool active: the Acquire there
/// pairs with the Release of the phase in `initialize`, which comes after the increment. So the
/// thread reads the number of the session in which it reports, or of a later one.
static SESSION: AtomicU32 = AtomicU32::new(0);

/// Begins a session, and returns its number.
pub(super) fn begin() -> u32 {
    SESSION.fetch_add(1, AcqRel) + 1
}

/// The number of the session.
pub(super) fn current() -> u32 {
    SESSION.load(Relaxed)
}
