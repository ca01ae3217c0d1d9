//! The locks in a word: exclusion, and no sleeper forgotten.

use loom::sync::Arc;
use loom::thread;

use crate::owner_word::OwnerWord;
use crate::{Slots, check};

/// A lock as thread `me`, numbered from 1, uses it.
trait Lock: Send + Sync + 'static {
    fn create() -> Self;
    fn take(&self, me: u32);
    fn give_back(&self);
}

impl Lock for OwnerWord {
    fn create() -> Self {
        OwnerWord::new()
    }

    fn take(&self, me: u32) {
        if !self.try_own(me) {
            self.own_contended(me);
        }
        assert!(self.is_owned_by(me));
    }

    fn give_back(&self) {
        assert!(self.give_up());
    }
}

fn threads_take_turns<L: Lock>(threads: u32) {
    check(3, move || {
        let shared = Arc::new((L::create(), Slots::new(1)));
        let add = |shared: &(L, Slots), me: u32| {
            shared.0.take(me);
            shared.1.set(0, shared.1.get(0) + 1);
            shared.0.give_back();
        };
        let others: Vec<_> = (2..=threads)
            .map(|me| {
                let shared = shared.clone();
                thread::spawn(move || add(&shared, me))
            })
            .collect();
        add(&shared, 1);
        for other in others {
            other.join().unwrap();
        }
        assert_eq!(shared.1.get(0), threads);
    });
}

#[test]
fn two_threads_exclude_each_other() {
    threads_take_turns::<OwnerWord>(2);
}

#[test]
fn an_owner_that_slept_wakes_the_next() {
    threads_take_turns::<OwnerWord>(3);
}
