//! The calls of the constructs that a thread has begun most recently: if the call that ends a
//! construct tells no address, the end has the address of the begin.

use core::cell::Cell;
use core::ffi::c_void;
use core::ptr;

/// More constructs than are commonly nested in one function.
const KEPT: usize = 8;

/// The last constructs that a thread has begun, each by a key, with the address to which the call
/// of its begin returns. Only the thread itself accesses it.
#[derive(Debug)]
pub(crate) struct Begun {
    calls: [Cell<(u64, *const c_void)>; KEPT],
    /// The place of the last one.
    last: Cell<usize>,
}

impl Begun {
    /// No construct.
    pub(super) const fn new() -> Self {
        Begun { calls: [const { Cell::new((0, ptr::null())) }; KEPT], last: Cell::new(0) }
    }

    /// Forgets all constructs.
    pub(super) fn clear(&self) {
        for call in &self.calls {
            call.set((0, ptr::null()));
        }
    }

    /// A construct begins. The oldest is forgotten, unless the last has the same key.
    #[inline(always)]
    pub(crate) fn note(&self, key: u64, return_address: *const c_void) {
        let mut place = self.last.get();
        if self.calls[place % KEPT].get().0 != key {
            place = (place + 1) % KEPT;
            self.last.set(place);
        }
        self.calls[place % KEPT].set((key, return_address));
    }

    /// The address to which the call that began the last construct of that key returns; null if the
    /// construct is not known.
    pub(crate) fn find(&self, key: u64) -> *const c_void {
        let last = self.last.get() + KEPT;
        let mut calls = (0..KEPT).map(|age| self.calls[(last - age) % KEPT].get());
        calls.find(|call| call.0 == key).map_or(ptr::null(), |call| call.1)
    }
}

#[cfg(test)]
mod tests {
    use core::ffi::c_void;
    use core::ptr;

    use super::{Begun, KEPT};

    fn address(number: usize) -> *const c_void {
        ptr::without_provenance(number)
    }

    #[test]
    fn the_last_constructs_are_known_by_their_keys() {
        let begun = Begun::new();
        for number in 1..=KEPT + 1 {
            begun.note(number as u64, address(number));
        }
        assert_eq!(begun.find(1), ptr::null());
        assert!((2..=KEPT + 1).all(|number| begun.find(number as u64) == address(number)));
        begun.note(5, address(77));
        begun.note(5, address(78));
        assert_eq!(begun.find(5), address(78));
        assert_eq!(begun.find(3), address(3));
        begun.clear();
        assert_eq!(begun.find(5), ptr::null());
    }
}
