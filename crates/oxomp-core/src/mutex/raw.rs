//! The lock in a 32-bit word of the program, of which critical regions and simple locks are made.

use core::ops::Range;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use oxomp_arch::CallSite;
use oxomp_base::os;
use oxomp_protocol::lock::{OwnerWord, forget_sleepers};

use super::{mend, waits_for_itself};
use crate::block::{Alone, Thread};
use crate::ompt::event::MutexKind;

/// A lock of one word, which holds bits of the stack address of the call that took it.
#[repr(transparent)]
#[derive(Debug)]
pub(crate) struct RawLock(OwnerWord);

/// The holder of a lock, by the frame of the call that took it: an address in the thread's stack.
/// The address is in a register anyway, and after a long wait it may show that a thread waits for
/// itself.
///
/// The value has bits 1 to 31 of the address, the lowest of them set: frames are aligned to 16
/// bytes, so it is 1 modulo 8. The values of the runtime are 3 modulo 8.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Holder(u32);

/// The value of `Holder::runtime`.
static RUNTIME: AtomicU32 = AtomicU32::new(3);

impl Holder {
    /// The runtime itself, which never waits for itself. The value in the child of a fork(2)
    /// differs from that in its parent, so that the child recognizes a lock whose holder is gone.
    fn runtime() -> Self {
        Holder(RUNTIME.load(Relaxed))
    }

    /// Whether the runtime took the lock, in this process or in one from which it was forked.
    fn is_runtime(self) -> bool {
        self.0 % 8 == 3
    }

    #[inline(always)]
    pub(crate) fn at(site: CallSite) -> Self {
        Holder((site.frame() as u32 >> 1) | 1)
    }

    /// Whether a mutex of this kind can have this holder: the runtime takes no locks of the
    /// program.
    fn is_sound(self, kind: MutexKind) -> bool {
        let is_number = self.0 < 1 << 31;
        is_number && (self.0 % 8 == 1 || self.is_runtime() && kind != MutexKind::Lock)
    }

    /// The distance of the frame from the address `near`, if both are in the same stack.
    fn distance(self, near: usize) -> i32 {
        ((self.0 & !1) << 1).wrapping_sub(near as u32).cast_signed()
    }

    /// Whether the calling thread may be the holder: frames of other threads are usually farther
    /// away.
    fn may_be_caller(self) -> bool {
        const NEAR: u32 = 4 << 20;
        !self.is_runtime()
            && self.distance(oxomp_arch::frame_pointer().addr()).unsigned_abs() < NEAR
    }

    /// Whether the calling thread is proved to be the holder: the frame with these bits can only be
    /// in its stack. Other memory with these bits in its address may be the stack of the holder,
    /// unless it was never written. Slow: asks the system for the bounds of the stack and for the
    /// memory of the process.
    pub(crate) fn is_caller(self) -> bool {
        self.in_own_stack()
            .is_some_and(|(frame, stack)| !os::written::may_be_elsewhere(frame, &stack))
    }

    /// The frame with these bits in the stack of the calling thread, and that stack, if it has such
    /// a frame.
    fn in_own_stack(self) -> Option<(usize, Range<usize>)> {
        let near = oxomp_arch::frame_pointer().addr();
        let frame = near.wrapping_add_signed(self.distance(near) as isize);
        if self.is_runtime() {
            return None;
        }
        let stack = os::own_stack()?;
        (stack.contains(&near) && stack.contains(&frame)).then_some((frame, stack))
    }
}

/// The time after which a waiting thread checks whether it waits for itself: the check takes
/// longer than most waits.
const LONG_WAIT_NS: u64 = 2_000_000_000;

impl RawLock {
    pub(crate) const fn new() -> Self {
        RawLock(OwnerWord::new())
    }

    /// The wait id of the lock for tools: its address.
    #[inline(always)]
    pub(crate) fn wait_id(&self) -> u64 {
        core::ptr::from_ref(self) as u64
    }

    /// Makes the word a free lock, whatever value it has.
    pub(crate) fn reset(&self) {
        self.0.reset();
    }

    /// The holder that the caller sees; it may change at any time.
    pub(crate) fn holder(&self) -> Option<Holder> {
        let owner = self.0.owner();
        (owner != 0).then_some(Holder(owner))
    }

    #[inline(always)]
    pub(crate) fn try_lock(&self, holder: Holder) -> bool {
        self.0.try_own(holder.0)
    }

    /// Takes the lock of a mutex of some `kind` after `try_lock` failed.
    #[cold]
    pub(crate) fn lock_contended(&self, holder: Holder, kind: MutexKind) {
        self.mend(kind);
        let suspect = self.holder();
        if suspect.is_some_and(Holder::may_be_caller) {
            if self.0.own_within(holder.0, LONG_WAIT_NS) {
                return;
            }
            let is_same = self.0.owner() == suspect.map_or(0, |suspect| suspect.0);
            if is_same && suspect.is_some_and(Holder::is_caller) {
                waits_for_itself(kind);
            }
            self.0.own_after_sleep(holder.0);
            return;
        }
        self.0.own_contended(holder.0);
    }

    /// Makes the lock free if no thread can have written its word. Returns whether that was so.
    #[cold]
    pub(crate) fn mend(&self, kind: MutexKind) -> bool {
        let is_unsound = self.holder().is_some_and(|holder| !holder.is_sound(kind));
        if is_unsound {
            mend(&self.0, kind);
        }
        is_unsound
    }

    /// Marks the lock as destroyed: it must not be used before it is initialized again.
    pub(crate) fn destroy(&self) {
        self.0.destroy();
    }

    /// Takes the lock for the runtime itself.
    pub(crate) fn lock(&self) {
        let me = Holder::runtime();
        if !self.try_lock(me) {
            self.lock_for_runtime(me);
        }
    }

    #[cold]
    fn lock_for_runtime(&self, me: Holder) {
        if let Some(holder) = self.holder()
            && holder.is_runtime()
            && holder.0 != me.0
        {
            self.0.disown(holder.0);
        }
        match Thread::known() {
            // The thread is in a reduction's state: for a debugger.
            Some(thread) => thread.ompt.wait_unseen(self.wait_id(), || self.0.own_contended(me.0)),
            None => self.0.own_contended(me.0),
        }
    }

    /// In the child of a fork(2): frees the lock, unless the surviving thread holds it.
    pub(super) fn forget(&self, _: &Alone) {
        if !self.holder().is_some_and(Holder::is_caller) {
            self.reset();
        }
    }

    /// Releases the lock. Returns whether a thread held it.
    #[inline(always)]
    pub(crate) fn unlock(&self) -> bool {
        self.0.give_up()
    }
}

/// In the child of a fork(2): the locks that the runtime took in the parent are free. The surviving
/// thread has none of them, unless a function of the program that combines results called fork(2).
/// No thread sleeps on any lock.
pub(crate) fn forget_holders_and_sleepers(alone: &Alone) {
    forget_sleepers(alone);
    let next = (RUNTIME.load(Relaxed) + 8) % (1 << 31);
    RUNTIME.store(next, Relaxed);
}

#[cfg(test)]
mod tests {
    use oxomp_arch::CallSite;

    use super::{Holder, RawLock};
    use crate::ompt::event::MutexKind;

    #[test]
    fn who_took_a_lock_is_known_by_the_stack() {
        let holder = Holder::at(CallSite::here());
        assert!(
            holder.is_sound(MutexKind::Lock)
                && holder.may_be_caller()
                && holder.in_own_stack().is_some()
        );
        std::thread::spawn(move || assert!(!holder.is_caller())).join().expect("not the caller");
        assert!(!Holder::runtime().may_be_caller() && !Holder::runtime().is_caller());
        assert!(Holder::runtime().is_sound(MutexKind::Critical));
        assert!(!Holder::runtime().is_sound(MutexKind::Lock));
        // Of any address, the lowest of a span of 4 GiB too.
        for frame in [0, 0xe030, 0xffff_fff0_u32] {
            let holder = Holder(frame >> 1 | 1);
            assert!(holder.is_sound(MutexKind::Lock) && !holder.is_runtime(), "{frame:#x}");
        }
    }

    #[test]
    fn a_lock_that_nobody_has_says_so() {
        let lock = RawLock::new();
        assert!(lock.holder().is_none() && !lock.unlock());
        let holder = Holder::at(CallSite::here());
        assert!(lock.try_lock(holder) && !lock.try_lock(holder));
        assert!(lock.holder().and_then(Holder::in_own_stack).is_some());
        assert!(lock.unlock() && lock.holder().is_none());
        lock.destroy();
        assert!(
            !lock.try_lock(holder)
                && lock.holder().is_some_and(|holder| !holder.is_sound(MutexKind::Lock))
        );
        lock.reset();
        assert!(lock.try_lock(holder));
    }
}
