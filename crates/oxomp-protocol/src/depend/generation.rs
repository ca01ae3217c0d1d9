//! The protocol of dependences: tasks of one generation wait for the generation before. Steps and
//! argument: README.md beside this file.

use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::count::Count;
use super::wait::Wait;
use crate::inside::{Inside, inside};
use crate::shim::AtomicPtr;

/// Tasks that may run concurrently, or one task alone; later tasks wait until all of them are
/// complete.
///
/// Invariants:
/// 1. `unfinished` counts the members that are not complete; while the generation is open, it also
///    counts the generating thread, which adds members.
/// 2. The last member to leave replaces `waiting` by `OVER`, once, and owns the list that was
///    there.
/// 3. A wait in the list belongs to the waiting task, which waits until it has been told.
#[derive(Debug)]
pub struct Generation<T> {
    unfinished: Count,
    waiting: AtomicPtr<Wait<T>>,
}

/// `OVER`: the word `waiting` of a generation whose members are complete.
fn over<T>() -> *mut Wait<T> {
    ptr::without_provenance_mut(1)
}

impl<T> Generation<T> {
    /// The first wait for the generation; null for none, 1 when the generation is over.
    pub const WAITING: Inside<Self, AtomicPtr<Wait<T>>> = inside!(waiting);

    /// A generation with `members`; if it `is_open`, more may join.
    pub fn new(members: u32, is_open: bool) -> Self {
        Generation {
            unfinished: Count::new(members + u32::from(is_open)),
            waiting: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// Begins a generation as `new` does, in the memory of an earlier one, which is over and which
    /// no other thread uses.
    #[inline]
    pub fn restart(&self, members: u32, is_open: bool) {
        self.unfinished.restart(members + u32::from(is_open));
        // Relaxed: another thread learns of the generation from the one that generates tasks.
        self.waiting.store(ptr::null_mut(), Relaxed);
    }

    /// Adds a member to an open generation. For the thread that generates tasks.
    #[inline]
    pub fn join(&self) {
        self.unfinished.join();
    }

    /// A member is complete, or the generating thread adds no more: each leaves once. Returns the
    /// waits to be told if that was the last to leave, and no waits otherwise.
    #[inline]
    #[must_use]
    pub fn leave(&self) -> Waits<T> {
        if !self.unfinished.leave() {
            return Waits(ptr::null());
        }
        // AcqRel: acquires the links, and publishes the writes of all members to the threads that
        // find the generation over.
        Waits(self.waiting.swap(over(), AcqRel))
    }

    /// Whether all members are complete; then the caller sees their writes.
    #[inline]
    pub fn is_over(&self) -> bool {
        // Acquire: pairs with the swap in `leave`.
        self.waiting.load(Acquire) == over()
    }

    /// Whether an open generation has no unfinished members. Only the thread that generates tasks
    /// may ask.
    #[inline]
    pub fn has_no_members(&self) -> bool {
        self.unfinished.is_one()
    }

    /// Adds a wait, unless the generation is over. Returns whether it did.
    ///
    /// ```compile_fail,E0133
    /// use oxomp_protocol::depend::{Generation, Wait};
    ///
    /// fn waits(generation: &Generation<u32>) -> bool {
    ///     let wait = Wait::new(&7);
    ///     generation.wait(&wait)
    /// }
    /// ```
    ///
    /// # Safety
    /// The wait is in no list, and the calling thread owns it. If it is added, it stays where it is
    /// until its waiter has been told (`Waits::next`), and no thread uses it before.
    pub unsafe fn wait(&self, wait: &Wait<T>) -> bool {
        // Acquire, here and below: pairs with the swap in `leave`.
        let mut head = self.waiting.load(Acquire);
        loop {
            if head == over() {
                return false;
            }
            wait.next.set(head);
            let new = ptr::from_ref(wait).cast_mut();
            // Release: the thread that takes the list sees the link and the waiter.
            match self.waiting.compare_exchange_weak(head, new, Release, Acquire) {
                Ok(_) => return true,
                Err(other) => head = other,
            }
        }
    }
}

/// The waits of a generation that is over, to be told one by one.
#[derive(Debug)]
pub struct Waits<T>(*const Wait<T>);

impl<T> Iterator for Waits<T> {
    type Item = *const T;

    /// The next waiter. Once told it may be freed, and its wait with it; the link is read before.
    #[inline]
    fn next(&mut self) -> Option<*const T> {
        // One comparison for null and `OVER`, which a member finds that leaves once too often.
        if self.0.addr() <= over::<T>().addr() {
            return None;
        }
        // SAFETY: a wait that has not been told, which stays where it is (Invariant 3,
        // `Generation::wait`).
        let wait = unsafe { &*self.0 };
        self.0 = wait.next.get();
        Some(wait.waiter)
    }
}
