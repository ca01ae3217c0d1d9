//! A list that only grows, without a lock: for state of the process that the child of a fork(2)
//! needs.

use core::iter::successors;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Release};

use crate::shim::AtomicPtr;

/// A list of values that are never removed, the newest first.
///
/// One word, the address of the newest link, says which values are in the list. A thread fills a
/// link before it stores that word, and no thread changes the link afterwards. So a fork(2) never
/// catches the list half-changed: the child has the value that another thread was adding, or does
/// not have it.
#[derive(Debug)]
pub struct Chain<T: 'static> {
    newest: AtomicPtr<Link<T>>,
}

#[derive(Debug)]
struct Link<T: 'static> {
    value: T,
    next: Option<&'static Link<T>>,
}

impl<T: Send + Sync> Chain<T> {
    const_unless_model! {
        /// An empty list.
        pub fn new() -> Self {
            Chain { newest: AtomicPtr::new(ptr::null_mut()) }
        }
    }

    fn newest(&self) -> Option<&'static Link<T>> {
        // SAFETY: null or a link, which is never freed once its address is in the word. Acquire:
        // pairs with the Release of the thread that added the link.
        unsafe { self.newest.load(Acquire).as_ref() }
    }

    /// The values, the newest first.
    pub fn iter(&self) -> impl Iterator<Item = &'static T> + use<T> {
        values(self.newest())
    }

    /// Adds a value.
    pub fn add(&self, value: T) -> &'static T {
        self.find_or_add(|_| false, || value)
    }

    /// The newest value that `is_it`, or else what `make` returns, which is in the list from now
    /// on. Of several threads that look for the same value one adds it, and the others find that.
    pub fn find_or_add(
        &self,
        is_it: impl Fn(&'static T) -> bool,
        make: impl FnOnce() -> T,
    ) -> &'static T {
        let mut newest = self.newest();
        let find = |newest| values(newest).find(|value| is_it(value));
        if let Some(found) = find(newest) {
            return found;
        }
        let new = Box::into_raw(Box::new(Link { value: make(), next: newest }));
        loop {
            let before = newest.map_or(ptr::null_mut(), |link| ptr::from_ref(link).cast_mut());
            // Release: a thread that finds the link finds it filled.
            match self.newest.compare_exchange(before, new, Release, Acquire) {
                // SAFETY: the link is never freed from now on, and no thread changes it.
                Ok(_) => return unsafe { &(*new).value },
                // SAFETY: as in `newest`.
                Err(other) => newest = unsafe { other.as_ref() },
            }
            if let Some(found) = find(newest) {
                // SAFETY: `into_raw` made the pointer, and no other thread has it.
                drop(unsafe { Box::from_raw(new) });
                return found;
            }
            // SAFETY: no other thread has the link yet.
            unsafe { (*new).next = newest };
        }
    }
}

fn values<T>(newest: Option<&'static Link<T>>) -> impl Iterator<Item = &'static T> {
    successors(newest, |link| link.next).map(|link| &link.value)
}
