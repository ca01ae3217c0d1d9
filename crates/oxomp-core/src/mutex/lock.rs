//! Simple locks (OpenMP 5.2 §18.9): the lock is the word in `omp_lock_t`.

use oxomp_arch::CallSite;

use super::{Holder, RawLock, acquire, destroyed_while_held, enter, null_lock, release};
use crate::block::Thread;
use crate::ompt::event::{Audience, MutexKind, for_events};

/// A simple lock in the user's variable: four bytes, which is gcc's `omp_lock_t` and the first half
/// of LLVM's.
#[derive(Debug)]
#[repr(transparent)]
pub struct Lock(RawLock);

impl Lock {
    /// The lock in the variable at `lock`.
    ///
    /// # Safety
    /// `lock` is null, which is a mistake of the program, or an `omp_lock_t` that the program uses
    /// through these routines only.
    #[inline(always)]
    pub unsafe fn at<'a>(lock: *mut u32) -> &'a Lock {
        if lock.is_null() {
            return Self::instead_of_null();
        }
        // SAFETY: `lock` is not null here, so it is an `omp_lock_t` (`# Safety`), whose first four
        // bytes are the word.
        unsafe { &*lock.cast::<Lock>() }
    }

    /// A lock for a call that passes null; each call gets a lock of its own, so that no call waits
    /// for another.
    #[cold]
    #[inline(never)]
    fn instead_of_null() -> &'static Lock {
        null_lock();
        Box::leak(Box::new(Lock(RawLock::new())))
    }

    /// `omp_init_lock`, `omp_init_lock_with_hint`.
    pub fn init(&self, hint: u32, site: CallSite) {
        // Starts the runtime, which reads from the environment what it checks of locks.
        Thread::current();
        for_events!(|audience| self.init_for(audience, hint, site));
    }

    fn init_for(&self, audience: impl Audience, hint: u32, site: CallSite) {
        let _frame = enter(audience, site);
        self.0.reset();
        audience.lock_init(MutexKind::Lock, hint, self.0.wait_id(), site);
    }

    /// `omp_destroy_lock`.
    pub fn destroy(&self, site: CallSite) {
        for_events!(|audience| self.destroy_for(audience, site));
    }

    fn destroy_for(&self, audience: impl Audience, site: CallSite) {
        let _frame = enter(audience, site);
        if !self.0.mend(MutexKind::Lock) && self.0.holder().is_some() {
            destroyed_while_held();
        }
        audience.lock_destroy(MutexKind::Lock, self.0.wait_id(), site);
        self.0.destroy();
    }

    /// `omp_set_lock`.
    #[inline(always)]
    pub fn set(&self, site: CallSite) {
        for_events!(|audience| acquire(audience, &self.0, MutexKind::Lock, 0, site));
    }

    /// `omp_unset_lock`.
    #[inline(always)]
    pub fn unset(&self, site: CallSite) {
        release(&self.0, MutexKind::Lock, site);
    }

    /// `omp_test_lock`: returns whether the caller has taken the lock.
    #[inline(always)]
    pub fn test(&self, site: CallSite) -> bool {
        for_events!(|audience| self.test_for(audience, site))
    }

    #[inline(always)]
    fn test_for(&self, audience: impl Audience, site: CallSite) -> bool {
        let _frame = enter(audience, site);
        let wait_id = self.0.wait_id();
        audience.mutex_acquire(MutexKind::TestLock, 0, wait_id, site);
        let holder = Holder::at(site);
        let mut taken = self.0.try_lock(holder);
        if !taken && self.0.mend(MutexKind::Lock) {
            taken = self.0.try_lock(holder);
        }
        if taken {
            audience.mutex_acquired(MutexKind::TestLock, wait_id, site);
        }
        taken
    }
}
