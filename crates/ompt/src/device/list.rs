//! The devices that a tool has seen.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::boxed::Box;

/// The states of devices, in static memory. A state is never moved or dropped: handles of the tool
/// refer to it, and a runtime may hand buffers back late. There is one for each time that a device
/// is initialized.
#[derive(Debug)]
pub(crate) struct DeviceList<S: 'static> {
    newest: AtomicPtr<Entry<S>>,
}

#[derive(Debug)]
struct Entry<S: 'static> {
    state: S,
    older: Option<&'static Entry<S>>,
}

impl<S: Send + Sync + 'static> DeviceList<S> {
    pub(crate) const fn new() -> Self {
        Self { newest: AtomicPtr::new(null_mut()) }
    }

    fn newest(&self) -> Option<&'static Entry<S>> {
        // Acquire: pairs with the Release of `push`, which has made the entry.
        // SAFETY: null, or an entry that `push` has leaked.
        unsafe { self.newest.load(Ordering::Acquire).as_ref() }
    }

    /// Adds a state.
    pub(crate) fn push(&self, state: S) -> &'static S {
        let mut entry = Box::new(Entry { state, older: self.newest() });
        loop {
            let older =
                entry.older.map_or(null_mut(), |older| core::ptr::from_ref(older).cast_mut());
            let new = Box::into_raw(entry);
            let stored =
                self.newest.compare_exchange(older, new, Ordering::AcqRel, Ordering::Acquire);
            if stored.is_ok() {
                // SAFETY: made from a box above, and given up to the list for good.
                return unsafe { &(*new).state };
            }
            // SAFETY: made from a box above, and not stored.
            entry = unsafe { Box::from_raw(new) };
            entry.older = self.newest();
        }
    }

    /// The states, the newest one first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static S> {
        let entries = std::iter::successors(self.newest(), |entry| entry.older);
        entries.map(|entry| &entry.state)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::vec::Vec;

    use super::DeviceList;

    #[test]
    fn the_newest_is_the_first() {
        static LIST: DeviceList<u32> = DeviceList::new();
        assert_eq!(LIST.iter().count(), 0);
        let kept = LIST.push(1);
        assert_eq!((*LIST.push(2), *kept), (2, 1));
        assert!(LIST.iter().eq(&[2, 1]));
    }

    #[test]
    fn none_is_lost() {
        static LIST: DeviceList<u32> = DeviceList::new();
        thread::scope(|scope| {
            for first in [0, 100, 200, 300] {
                scope.spawn(move || {
                    for number in first..first + 100 {
                        LIST.push(number);
                    }
                });
            }
        });
        let mut numbers: Vec<u32> = LIST.iter().copied().collect();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..400));
    }
}
