//! Nestable locks (OpenMP 5.2 §18.9): owner and count in eight bytes.

use core::cell::Cell;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use super::spin::try_for_a_while;
use super::{inside, waiting};
use crate::arch::CallSite;
use crate::ompt::event::{Endpoint, MutexKind, emit};
use crate::sync::{AtomicU32, sleep_on, wake};
use crate::thread::Thread;

/// Somebody may sleep on the lock; the rest of the word is the owner, 0 for nobody.
const CONTENDED: u32 = 1 << 31;

/// A nestable lock in the user's variable: eight bytes, which is LLVM's `omp_nest_lock_t` and the
/// first half of gcc's.
///
/// Invariants:
/// 1. `owner` is the number of the owning thread plus one, 0 if there is none, and `CONTENDED`.
/// 2. `count` is the owner's alone.
/// 3. A thread sleeps only on a word with `CONTENDED`; who gives such a lock back wakes one; a thread
///    that has slept takes it with the mark, since others may sleep still.
#[derive(Debug)]
#[repr(C)]
pub struct NestLock {
    owner: AtomicU32,
    count: Cell<u32>,
}

impl NestLock {
    /// The lock in the variable at `lock`.
    ///
    /// # Safety
    /// `lock` is an `omp_nest_lock_t`, used through these routines only.
    #[inline(always)]
    pub unsafe fn at<'a>(lock: *mut u64) -> &'a NestLock {
        // SAFETY: by contract.
        unsafe { &*lock.cast::<NestLock>() }
    }

    fn wait_id(&self) -> u64 {
        core::ptr::from_ref(self) as u64
    }

    /// `omp_init_nest_lock`, `omp_init_nest_lock_with_hint`.
    pub fn init(&self, hint: u32, site: CallSite) {
        let _frame = inside(site);
        self.reset();
        emit::lock_init(MutexKind::NestLock, hint, self.wait_id(), site);
    }

    /// `omp_destroy_nest_lock`.
    pub fn destroy(&self, site: CallSite) {
        let _frame = inside(site);
        emit::lock_destroy(MutexKind::NestLock, self.wait_id(), site);
        self.reset();
    }

    fn reset(&self) {
        self.owner.store(0, Relaxed);
        self.count.set(0);
    }

    /// `omp_set_nest_lock`.
    #[inline(always)]
    pub fn set(&self, site: CallSite) {
        let _frame = inside(site);
        let me = Thread::current().number() + 1;
        emit::mutex_acquire(MutexKind::NestLock, 0, self.wait_id(), site);
        if self.is_owned_by(me) {
            self.count.set(self.count.get() + 1);
            emit::nest_lock(Endpoint::Begin, self.wait_id(), site);
            return;
        }
        if !self.try_own(me) {
            self.own_contended(me);
        }
        self.count.set(1);
        emit::mutex_acquired(MutexKind::NestLock, self.wait_id(), site);
    }

    /// `omp_unset_nest_lock`.
    #[inline(always)]
    pub fn unset(&self, site: CallSite) {
        let _frame = inside(site);
        let left = self.count.get().saturating_sub(1);
        self.count.set(left);
        if left != 0 {
            emit::nest_lock(Endpoint::End, self.wait_id(), site);
            return;
        }
        // Release: pairs with the Acquire of who owns it next.
        if self.owner.swap(0, Release) & CONTENDED != 0 {
            self.wake_one();
        }
        emit::mutex_released(MutexKind::NestLock, self.wait_id(), site);
    }

    /// `omp_test_nest_lock`: the new count, 0 if another thread owns the lock.
    pub fn test(&self, site: CallSite) -> u32 {
        let _frame = inside(site);
        let me = Thread::current().number() + 1;
        emit::mutex_acquire(MutexKind::TestNestLock, 0, self.wait_id(), site);
        if self.is_owned_by(me) {
            self.count.set(self.count.get() + 1);
            emit::nest_lock(Endpoint::Begin, self.wait_id(), site);
        } else if self.try_own(me) {
            self.count.set(1);
            emit::mutex_acquired(MutexKind::TestNestLock, self.wait_id(), site);
        } else {
            return 0;
        }
        self.count.get()
    }

    fn is_owned_by(&self, me: u32) -> bool {
        // Relaxed: only we ourselves can have made it ours.
        self.owner.load(Relaxed) & !CONTENDED == me
    }

    #[inline(always)]
    fn try_own(&self, me: u32) -> bool {
        // Acquire: pairs with the Release of `unset`.
        self.owner.compare_exchange(0, me, Acquire, Relaxed).is_ok()
    }

    #[cold]
    #[inline(never)]
    fn own_contended(&self, me: u32) {
        waiting(MutexKind::NestLock, self.wait_id(), || {
            if !try_for_a_while(|| self.owner.load(Relaxed) == 0 && self.try_own(me)) {
                self.own_after_sleep(me);
            }
        });
    }

    /// Invariant 3.
    fn own_after_sleep(&self, me: u32) {
        let mut seen = self.owner.load(Relaxed);
        loop {
            let wanted = if seen == 0 { me | CONTENDED } else { seen | CONTENDED };
            // Acquire: as in `try_own`.
            match self.owner.compare_exchange(seen, wanted, Acquire, Relaxed) {
                Ok(0) => return,
                Ok(_) => {
                    sleep_on(&self.owner, wanted);
                    seen = self.owner.load(Relaxed);
                }
                Err(now) => seen = now,
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn wake_one(&self) {
        wake(&self.owner, 1);
    }
}
