//! Locks in a word: mutual exclusion, and no lost wake-up.

use loom::sync::Arc;

use super::{Slots, check, on_threads};
use crate::lock::OwnerWord;
use crate::lock::sleepers::Sleeper;
use crate::shim::AtomicU32;

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

/// A lock whose threads wait for a limited time first, and then without a limit.
struct InTwoWaits<const OVER_WITH_WAKE: bool>(OwnerWord);

impl<const OVER_WITH_WAKE: bool> Lock for InTwoWaits<OVER_WITH_WAKE> {
    fn create() -> Self {
        InTwoWaits(OwnerWord::new())
    }

    fn take(&self, me: u32) {
        // In a model 0 nanoseconds are over before the sleep, others with the wake that ends it.
        let nanoseconds = u64::from(OVER_WITH_WAKE);
        if !self.0.try_own(me) && !self.0.own_within(me, nanoseconds) {
            self.0.own_after_sleep(me);
        }
        assert!(self.0.is_owned_by(me));
    }

    fn give_back(&self) {
        assert!(self.0.give_up());
    }
}

fn threads_take_turns<L: Lock>(threads: u32) {
    check(3, move || {
        let shared = Arc::new((L::create(), Slots::new(1)));
        let body = {
            let shared = shared.clone();
            move |me: usize| {
                let (lock, slots) = &*shared;
                lock.take(me as u32 + 1);
                slots.set(0, slots.get(0) + 1);
                lock.give_back();
            }
        };
        on_threads(threads as usize, body);
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

/// A wake-up that comes as the first wait ends is not lost to the threads that still sleep.
#[test]
fn a_wake_at_the_end_of_a_limited_wait_is_not_lost() {
    threads_take_turns::<InTwoWaits<true>>(3);
}

#[test]
fn who_gives_up_a_limited_wait_is_woken_in_the_next() {
    threads_take_turns::<InTwoWaits<false>>(3);
}

/// A thread may find `SEEN` set by one that waits for another lock, whose later release wakes no
/// thread on this one. The threads do not spin: after a pause loom shows a thread no value that it
/// saw before.
#[test]
fn a_sleeper_on_another_lock_does_not_hide_a_release() {
    check(3, || {
        let shared = Arc::new((OwnerWord::new(), AtomicU32::new(0)));
        let body = {
            let shared = shared.clone();
            move |me: usize| {
                let (lock, other) = &*shared;
                if me == 2 {
                    drop(Sleeper::on(other));
                    return;
                }
                if !lock.try_own(me as u32 + 1) {
                    lock.own_after_sleep(me as u32 + 1);
                }
                lock.give_back();
            }
        };
        on_threads(3, body);
    });
}
