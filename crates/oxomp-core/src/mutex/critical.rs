//! The critical construct (OpenMP 5.2 §15.2).

use oxomp_arch::CallSite;

use super::{RawLock, acquire, release};
use crate::ompt::event::{MutexKind, for_events};

/// The mutex of a critical name: the first word of the zero-initialized object that the compiler
/// emits for the name.
#[derive(Debug)]
#[repr(transparent)]
pub struct Critical(RawLock);

/// The mutex of the critical regions without a name, for compilers that emit no object for them.
static UNNAMED: Critical = Critical(RawLock::new());

impl Critical {
    /// The mutex of the unnamed critical regions of the process.
    pub fn unnamed() -> &'static Critical {
        &UNNAMED
    }

    /// The mutex in the object at `name`.
    ///
    /// # Safety
    /// `name` is an object of at least four bytes, zero when the program started and used for
    /// nothing else, that is never freed while a thread may be in the region.
    #[inline(always)]
    pub unsafe fn at<'a>(name: *mut u32) -> &'a Critical {
        // SAFETY: the word is used for this mutex only and not freed while it is in use
        // (`# Safety`); a `Critical` is transparent over the word.
        unsafe { &*name.cast::<Critical>() }
    }

    /// Enters the region; `hint` is the `omp_sync_hint_t` of the construct.
    #[inline(always)]
    pub fn enter(&self, hint: u32, site: CallSite) {
        for_events!(|audience| acquire(audience, &self.0, MutexKind::Critical, hint, site));
    }

    /// Enters without events, for reductions: the runtime's own use of the mutex.
    #[inline(always)]
    pub(crate) fn enter_quietly(&self) {
        self.0.lock();
    }

    /// Leaves without events, after `enter_quietly`.
    #[inline(always)]
    pub(crate) fn leave_quietly(&self) {
        self.0.unlock();
    }

    /// Leaves the region.
    #[inline(always)]
    pub fn leave(&self, site: CallSite) {
        release(&self.0, MutexKind::Critical, site);
    }
}
