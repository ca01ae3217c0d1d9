//! Memory on its way back to the thread that made it: a stack that other threads push to and the
//! owner takes whole.

use core::cell::Cell;
use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::inside::{Inside, inside};
use crate::shim::AtomicPtr;

/// An entry of a list, with a link to the next.
pub trait Linked: Sized + 'static {
    /// The link, null at the end.
    fn link(&self) -> &Cell<Option<&'static Self>>;
}

/// The stack of returned entries. The owner takes it whole, so no thread compares an entry that was
/// taken: an address that comes back does no harm (no ABA).
#[derive(Debug)]
#[repr(align(128))]
pub struct Returned<T>(AtomicPtr<T>);

fn raw<T>(entry: Option<&'static T>) -> *mut T {
    entry.map_or(ptr::null_mut(), |entry| ptr::from_ref(entry).cast_mut())
}

impl<T: Linked> Returned<T> {
    /// The first entry; null for none.
    pub const FIRST: Inside<Self, AtomicPtr<T>> = inside!(0);

    const_unless_model! {
        /// No entry yet.
        pub fn new() -> Self {
            Returned(AtomicPtr::new(ptr::null_mut()))
        }
    }

    /// Adds the entries linked from `first` to `last`. Any thread may call this.
    ///
    /// # Safety
    /// The calling thread owns these entries, and does not use them afterwards: they belong to the
    /// thread that takes them. What they contain may pass from one thread to the other.
    pub unsafe fn give_back(&self, first: &'static T, last: &'static T) {
        let mut head = self.0.load(Relaxed);
        loop {
            // SAFETY: an entry, which is never freed, or null.
            last.link().set(unsafe { head.as_ref() });
            // Release: pairs with the Acquire in `take_all`.
            match self.0.compare_exchange_weak(head, raw(Some(first)), Release, Relaxed) {
                Ok(_) => return,
                Err(other) => head = other,
            }
        }
    }

    /// Takes all entries, linked from the one that is returned: they belong to the calling thread.
    pub fn take_all(&self) -> Option<&'static T> {
        // SAFETY: an entry, which is never freed, or null. The swap made all of them this thread's.
        // Acquire: pairs with the Release in `give_back`, of each, as exchanges keep the chain.
        unsafe { self.0.swap(ptr::null_mut(), Acquire).as_ref() }
    }
}
