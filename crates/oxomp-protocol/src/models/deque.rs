//! The deque of ready tasks: owner and thieves take each entry once, and see all that its maker
//! wrote.

use core::ptr;
use core::sync::atomic::Ordering::Relaxed;

use loom::sync::Arc;
use loom::sync::atomic::AtomicU32;
use loom::thread;

use super::{Slots, check};
use crate::Owner;
use crate::task::{Deque, Stolen};

/// A deque of numbers, with a cell that their maker writes and a count of how often each was taken.
struct Numbers {
    deque: Deque<u32>,
    slots: Slots,
    taken: Vec<AtomicU32>,
}

// SAFETY: loom checks the slots.
unsafe impl Send for Numbers {}
// SAFETY: as above.
unsafe impl Sync for Numbers {}

fn number_of(entry: *mut u32) -> usize {
    entry.addr() - 1
}

impl Numbers {
    fn new(count: usize) -> Arc<Self> {
        let taken = (0..count).map(|_| AtomicU32::new(0)).collect();
        Arc::new(Numbers { deque: Deque::new(), slots: Slots::new(count), taken })
    }

    /// The deque, for the thread that runs `own`.
    fn owner(&self) -> Owner<&Deque<u32>> {
        // SAFETY: one thread runs `own`, and then `each_taken_once`; thieves steal.
        unsafe { Owner::of(&self.deque) }
    }

    /// The owner makes `number`, and runs it itself if the deque is full.
    fn push(&self, number: usize) {
        self.slots.set(number, 7);
        let entry = ptr::without_provenance_mut(number + 1);
        if self.owner().has_room() {
            self.owner().push(entry);
        } else {
            self.take(entry);
        }
    }

    fn pop(&self) -> bool {
        let entry = self.owner().pop();
        entry.map(|entry| self.take(entry)).is_some()
    }

    fn take(&self, entry: *mut u32) {
        let number = number_of(entry);
        assert_eq!(self.slots.get(number), 7);
        self.taken[number].fetch_add(1, Relaxed);
    }

    /// `suits` looks at the number behind the entry, as the scheduler does.
    fn steal(&self, suits: impl Fn(usize) -> bool) -> Stolen<u32> {
        let stolen = self.deque.steal(|entry| {
            assert_eq!(self.slots.get(number_of(entry)), 7);
            suits(number_of(entry))
        });
        if let Stolen::Entry(entry) = stolen {
            self.take(entry);
        }
        stolen
    }

    fn each_taken_once(&self) {
        while self.pop() {}
        for taken in &self.taken {
            assert_eq!(taken.load(Relaxed), 1);
        }
    }
}

/// Thieves steal `steals` times each while the owner runs `own`.
fn each_entry_once(
    count: usize,
    thieves: usize,
    steals: usize,
    preemptions: usize,
    own: fn(&Numbers),
) {
    check(preemptions, move || {
        let numbers = Numbers::new(count);
        let thieves: Vec<_> = (0..thieves)
            .map(|_| {
                let numbers = numbers.clone();
                thread::spawn(move || {
                    for _ in 0..steals {
                        numbers.steal(|_| true);
                    }
                })
            })
            .collect();
        own(&numbers);
        for thief in thieves {
            thief.join().unwrap();
        }
        numbers.each_taken_once();
    });
}

#[test]
fn owner_and_thief_take_each_entry_once() {
    each_entry_once(3, 1, 2, 3, |numbers| {
        numbers.push(0);
        numbers.push(1);
        numbers.pop();
        numbers.push(2);
        numbers.pop();
        numbers.pop();
    });
}

#[test]
fn two_thieves_and_the_owner_take_each_entry_once() {
    each_entry_once(2, 2, 1, 3, |numbers| {
        numbers.push(0);
        numbers.push(1);
        numbers.pop();
        numbers.pop();
    });
}

/// With room for two, the third and the fourth entry take the slots of the first and the second.
#[test]
fn an_entry_is_not_overwritten_before_it_is_taken() {
    each_entry_once(4, 1, 2, 3, |numbers| (0..4).for_each(|number| numbers.push(number)));
}

/// With room for two, one thief may read the third entry while the other has the first, whose slot
/// it took: the first thief sees all that the maker of the third wrote.
#[test]
fn a_thief_that_is_overtaken_may_look_at_a_later_entry() {
    each_entry_once(3, 2, 1, 3, |numbers| (0..3).for_each(|number| numbers.push(number)));
}

#[test]
fn a_refused_entry_stays() {
    check(3, || {
        let numbers = Numbers::new(2);
        let thief = {
            let numbers = numbers.clone();
            thread::spawn(move || {
                let stolen = numbers.steal(|number| number != 0);
                // The stolen entry, if any, is not the first.
                assert!(stolen != Stolen::Entry(ptr::without_provenance_mut(1)));
            })
        };
        numbers.push(0);
        numbers.push(1);
        numbers.pop();
        thief.join().unwrap();
        assert_eq!(numbers.taken[0].load(Relaxed), 0);
        numbers.each_taken_once();
    });
}
