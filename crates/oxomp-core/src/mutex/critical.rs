//! The critical construct (OpenMP 5.2 §15.2).

use super::{RawLock, acquire, release};
use crate::arch::CallSite;
use crate::ompt::event::MutexKind;

/// A critical name: the first word of the zero-initialised object that the compiler emits for it.
#[derive(Debug)]
#[repr(transparent)]
pub struct Critical(RawLock);

/// The critical regions without a name, of programs whose compiler gives no object for them.
static UNNAMED: Critical = Critical(RawLock::new());

impl Critical {
    /// The one unnamed critical of the process.
    pub fn unnamed() -> &'static Critical {
        &UNNAMED
    }

    /// The critical whose object lies at `name`.
    ///
    /// # Safety
    /// `name` is an object of at least four bytes, zero when the program started and used for
    /// nothing else, that is never freed while a thread may be in the region.
    #[inline(always)]
    pub unsafe fn at<'a>(name: *mut u32) -> &'a Critical {
        // SAFETY: by contract; a lock is transparent over the word.
        unsafe { &*name.cast::<Critical>() }
    }

    /// Enters the region; `hint` is the `omp_sync_hint_t` of the construct.
    #[inline(always)]
    pub fn enter(&self, hint: u32, site: CallSite) {
        acquire(&self.0, MutexKind::Critical, hint, site);
    }

    /// Enters without events: the runtime's own use of a name, for reductions.
    #[inline(always)]
    pub(crate) fn enter_quietly(&self) {
        self.0.lock();
    }

    /// Leaves what `enter_quietly` entered.
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
