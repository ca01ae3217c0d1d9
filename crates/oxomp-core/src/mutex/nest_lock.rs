//! Nestable locks (OpenMP 5.2 §18.9): owner and count in eight bytes.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use oxomp_arch::CallSite;
use oxomp_protocol::lock::OwnerWord;

use super::{destroyed_while_held, enter, mend, null_lock, released_by_none, waiting};
use crate::block::{Thread, threads_known};
use crate::ompt::event::{Audience, Endpoint, MutexKind, for_events};
use crate::task::Task;

/// The kind of owner of a nestable lock, with the numbers that a debugger reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Owner {
    /// A task owns the lock, since OpenMP 3.0.
    Task = 1,
    /// A thread owns the lock, in OpenMP 2.5.
    Thread = 2,
}

impl Owner {
    /// The number of the caller as an owner, never 0.
    #[inline(always)]
    fn me(self) -> u32 {
        let thread = Thread::current();
        match self {
            Owner::Task => thread.task().number(),
            Owner::Thread => thread.number() + 1,
        }
    }
}

/// A nestable lock in the user's variable: eight bytes, which is LLVM's `omp_nest_lock_t` and the
/// first half of gcc's.
///
/// All calls for one lock name the same kind of owner. Only the owner accesses `count`; it is
/// atomic only because a faulty program may release a lock that it does not hold.
#[derive(Debug)]
#[repr(C)]
pub struct NestLock {
    owner: OwnerWord,
    count: AtomicU32,
}

impl NestLock {
    /// The lock in the variable at `lock`.
    ///
    /// # Safety
    /// `lock` is null, which is a mistake of the program, or an `omp_nest_lock_t` that the program
    /// uses through these routines only.
    #[inline(always)]
    pub unsafe fn at<'a>(lock: *mut u64) -> &'a NestLock {
        if lock.is_null() {
            return Self::instead_of_null();
        }
        // SAFETY: `lock` is not null here, so it is an `omp_nest_lock_t` (`# Safety`), whose first
        // eight bytes are owner and count.
        unsafe { &*lock.cast::<NestLock>() }
    }

    /// A lock for a call that passes null; each call gets a lock of its own, so that no call waits
    /// for another.
    #[cold]
    #[inline(never)]
    fn instead_of_null() -> &'static NestLock {
        null_lock();
        Box::leak(Box::new(NestLock { owner: OwnerWord::new(), count: AtomicU32::new(0) }))
    }

    fn wait_id(&self) -> u64 {
        core::ptr::from_ref(self) as u64
    }

    /// `omp_init_nest_lock`, `omp_init_nest_lock_with_hint`.
    pub fn init(&self, hint: u32, site: CallSite) {
        // Starts the runtime, which reads from the environment what it checks of locks.
        Thread::current();
        for_events!(|audience| self.init_for(audience, hint, site));
    }

    fn init_for(&self, audience: impl Audience, hint: u32, site: CallSite) {
        let _frame = enter(audience, site);
        self.reset();
        audience.lock_init(MutexKind::NestLock, hint, self.wait_id(), site);
    }

    /// `omp_destroy_nest_lock`.
    pub fn destroy(&self, site: CallSite) {
        for_events!(|audience| self.destroy_for(audience, site));
    }

    fn destroy_for(&self, audience: impl Audience, site: CallSite) {
        let _frame = enter(audience, site);
        if !self.mend() && self.owner.owner() != 0 {
            destroyed_while_held();
        }
        audience.lock_destroy(MutexKind::NestLock, self.wait_id(), site);
        self.owner.destroy();
        self.count.store(0, Relaxed);
    }

    fn reset(&self) {
        self.owner.reset();
        self.count.store(0, Relaxed);
    }

    /// `omp_set_nest_lock`.
    #[inline(always)]
    pub fn set(&self, owner: Owner, site: CallSite) {
        for_events!(|audience| self.set_for(audience, owner, site));
    }

    #[inline(always)]
    fn set_for(&self, audience: impl Audience, owner: Owner, site: CallSite) {
        let _frame = enter(audience, site);
        let me = owner.me();
        audience.mutex_acquire(MutexKind::NestLock, 0, self.wait_id(), site);
        if self.owner.is_owned_by(me) {
            self.set_again(audience, site);
            return;
        }
        if !self.owner.try_own(me) {
            self.own_contended(me, site.undescribed(), owner);
        }
        self.count.store(1, Relaxed);
        audience.mutex_acquired(MutexKind::NestLock, self.wait_id(), site);
    }

    #[inline(always)]
    fn set_again(&self, audience: impl Audience, site: CallSite) {
        self.count.store(self.count.load(Relaxed) + 1, Relaxed);
        audience.nest_lock(Endpoint::Begin, self.wait_id(), site);
    }

    /// `omp_unset_nest_lock`.
    #[inline(always)]
    pub fn unset(&self, site: CallSite) {
        for_events!(|audience| self.unset_for(audience, site));
    }

    #[inline(always)]
    fn unset_for(&self, audience: impl Audience, site: CallSite) {
        let _frame = enter(audience, site);
        let left = self.count.load(Relaxed).saturating_sub(1);
        self.count.store(left, Relaxed);
        if left != 0 {
            audience.nest_lock(Endpoint::End, self.wait_id(), site);
            return;
        }
        if !self.owner.give_up() {
            released_by_none(MutexKind::NestLock);
        }
        audience.mutex_released(MutexKind::NestLock, self.wait_id(), site);
    }

    /// `omp_test_nest_lock`: returns the new count, or 0 if the lock has another owner.
    pub fn test(&self, owner: Owner, site: CallSite) -> u32 {
        for_events!(|audience| self.test_for(audience, owner, site))
    }

    #[inline(always)]
    fn test_for(&self, audience: impl Audience, owner: Owner, site: CallSite) -> u32 {
        let _frame = enter(audience, site);
        let me = owner.me();
        audience.mutex_acquire(MutexKind::TestNestLock, 0, self.wait_id(), site);
        if self.owner.is_owned_by(me) {
            self.set_again(audience, site);
        } else if self.owner.try_own(me) || (self.mend() && self.owner.try_own(me)) {
            self.count.store(1, Relaxed);
            audience.mutex_acquired(MutexKind::TestNestLock, self.wait_id(), site);
        } else {
            return 0;
        }
        self.count.load(Relaxed)
    }

    #[cold]
    #[inline(never)]
    fn own_contended(&self, me: u32, site: CallSite, owner: Owner) {
        self.mend();
        if let Some(thread) = Thread::known() {
            thread.ompt.nest_lock_owner.set(owner as u8);
        }
        let mutex = (MutexKind::NestLock, 0, self.wait_id());
        waiting(mutex, site, || self.owner.own_contended(me));
    }

    /// Makes the lock free if its owner is a number that no task or thread has. Returns whether it
    /// did so.
    #[cold]
    fn mend(&self) -> bool {
        let owner = self.owner.owner();
        let is_unsound = owner > Task::last_number() && owner > threads_known();
        if is_unsound {
            mend(&self.owner, MutexKind::NestLock);
        }
        is_unsound
    }
}
