//! Tree reduction: each thread combines the lists that the threads below it offer, in order, into
//! its own, and offers the result to the thread above.
//!
//! An offer is a word: null, or a list. The offering thread writes the list into it (Release) and
//! waits until it is null again; the thread above waits for a list (Acquire), reads it, and makes
//! the offer null (Release). So each list is read after it was written and before its thread goes
//! on, and each offer is null when the next combining begins.

use core::ptr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::Alone;
use crate::inside::{Inside, inside};
use crate::patience::{Patience, look_until};
use crate::shim::{AtomicPtr, IS_MODEL};

/// How many threads' offers one thread combines.
const FAN_IN: u32 = if IS_MODEL { 2 } else { 4 };

/// A thread's offer: its list of variables, null if it has none to offer.
///
/// Invariant: only the offering thread replaces null, and only the thread above makes the offer
/// null again, when it has read the list.
#[derive(Debug)]
pub struct Offer<L>(AtomicPtr<L>);

impl<L> Offer<L> {
    /// The list on offer; null for none.
    pub const LIST: Inside<Self, AtomicPtr<L>> = inside!(0);

    /// No offer.
    pub fn new() -> Self {
        Offer(AtomicPtr::new(ptr::null_mut()))
    }

    /// In the child of a fork(2): takes back the offer of a thread that is gone.
    pub fn abandon(&self, _: &Alone) {
        self.0.store(ptr::null_mut(), Relaxed);
    }

    /// Waits for the offer, reads the list, and makes the offer null; or returns when the thread
    /// below `is_gone`, which has made no offer then.
    fn take(&self, patience: Patience, is_gone: impl Fn() -> bool, read: impl FnOnce(*mut L)) {
        // Acquire: pairs with the Release in `make`.
        let look = || self.0.load(Acquire);
        let list = look_until(patience, look, |list| !list.is_null() || is_gone());
        if !list.is_null() {
            read(list);
            // Release: the list has been read; pairs with the Acquire in `make`.
            self.0.store(ptr::null_mut(), Release);
        }
    }

    /// Offers `list`, and waits until the thread above has read it; or, when that thread `is_gone`,
    /// takes the offer back.
    fn make(&self, patience: Patience, is_gone: impl Fn() -> bool, list: *mut L) {
        // Release: publishes the list; pairs with the Acquire in `take`.
        self.0.store(list, Release);
        let look = || self.0.load(Acquire);
        if !look_until(patience, look, |list| list.is_null() || is_gone()).is_null() {
            // Relaxed: the thread that is gone reads no more offers of this combining.
            self.0.store(ptr::null_mut(), Relaxed);
        }
    }
}

/// Thread `me` of `size` combines the offers of the threads below it into `list`, by
/// `combine(list, offered)`, and offers the result. Returns whether it has no thread above, so that
/// `list` holds the result of all. Equal numbers of threads always combine in the same order. Each
/// thread calls the function once for a combining, with its own number and the same `size`.
///
/// A list may lie on its thread's stack: the thread stays in this function until the thread above
/// has read it, or `is_gone`: it has left for good, without a combining. Such threads are left out
/// of the result.
pub fn gather<'a, L: 'a>(
    me: u32,
    size: u32,
    offers: impl Fn(u32) -> &'a Offer<L>,
    patience: Patience,
    is_gone: impl Fn(u32) -> bool,
    list: *mut L,
    combine: impl Fn(*mut L, *mut L),
) -> bool {
    let first = me * FAN_IN + 1;
    for below in first..(first + FAN_IN).min(size) {
        offers(below).take(patience, || is_gone(below), |other| combine(list, other));
    }
    if me == 0 {
        return true;
    }
    offers(me).make(patience, || is_gone((me - 1) / FAN_IN), list);
    false
}
