//! A value that one thread makes, once, while other threads that need it wait.

use core::fmt;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::Alone;
use crate::shim::{AtomicPtr, yield_now};

/// A value that is made by the first thread that asks for it. It is never freed.
///
/// One word has the state: null, the number of the thread that makes the value (odd), or the
/// value's address (even). So the child of a fork(2) sees from the word alone whether a thread that
/// is gone was making the value, and makes it anew (`after_fork`).
///
/// A thread has an even number other than 0 that no other thread of the process has, and that it
/// keeps in the child of a fork(2).
pub struct Once<T: 'static>(AtomicPtr<T>);

impl<T> Once<T> {
    const_unless_model! {
        /// No thread has asked for the value.
        pub fn new() -> Self {
            const { assert!(align_of::<T>() > 1, "the address of a value must be even") };
            Once(AtomicPtr::new(ptr::null_mut()))
        }
    }

    /// The value, if it has been made. Async-signal-safe.
    #[inline]
    pub fn get(&self) -> Option<&'static T>
    where
        T: Sync,
    {
        // Acquire: pairs with the Release of the thread that made the value.
        value_at(self.0.load(Acquire))
    }

    /// The value, which `make` makes if no thread has begun to. `make` must not ask for it.
    #[inline]
    pub fn get_or_make(&self, me: u64, make: impl FnOnce() -> T) -> &'static T
    where
        T: Send + Sync,
    {
        match self.get() {
            Some(value) => value,
            None => self.make_or_wait(me, make),
        }
    }

    #[cold]
    fn make_or_wait(&self, me: u64, make: impl FnOnce() -> T) -> &'static T
    where
        T: Send + Sync,
    {
        loop {
            match self.0.compare_exchange(ptr::null_mut(), maker(me), Relaxed, Acquire) {
                Ok(_) => {
                    let value: &'static T = Box::leak(Box::new(make()));
                    // Release: pairs with the Acquire of a thread that finds the address.
                    self.0.store(ptr::from_ref(value).cast_mut(), Release);
                    return value;
                }
                Err(word) => match value_at(word) {
                    Some(value) => return value,
                    None => yield_now(),
                },
            }
        }
    }

    /// In the child of a fork(2), whose only thread is `me`: if another thread was making the
    /// value, no thread has asked for it yet.
    pub fn after_fork(&self, me: u64, _: &Alone) {
        let word = self.0.load(Relaxed);
        if is_maker(word) && word != maker(me) {
            self.0.store(ptr::null_mut(), Relaxed);
        }
    }
}

impl<T> fmt::Debug for Once<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Once").field(&self.0).finish()
    }
}

/// The word while the thread `me` makes the value.
fn maker<T>(me: u64) -> *mut T {
    ptr::without_provenance_mut(me as usize | 1)
}

fn is_maker<T>(word: *mut T) -> bool {
    word.addr() % 2 == 1
}

#[inline]
fn value_at<T>(word: *mut T) -> Option<&'static T> {
    // SAFETY: a word that is neither null nor a maker's number is the address of a value, which is
    // never freed or changed.
    if is_maker(word) { None } else { unsafe { word.as_ref() } }
}
