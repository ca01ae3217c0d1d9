//! The quota: never more than the limit is taken, and one thread is the last.

use loom::sync::Arc;

use super::{Slots, check, on_threads};
use crate::quota::Quota;

/// Three threads take two of four bytes each, while the third also ends the quota: no more than two
/// have theirs at once, and exactly one call returns that it is the last, after all others.
#[test]
fn the_limit_holds_and_one_is_last() {
    check(3, || {
        let shared = Arc::new((Quota::new(), Slots::new(3)));
        shared.0.begin();
        let body = {
            let shared = shared.clone();
            move |me: usize| {
                let (quota, last) = &*shared;
                let mut is_last = false;
                if quota.take(2, 4) {
                    assert!(quota.taken() <= 4);
                    is_last = quota.give_back(2);
                }
                if me == 0 {
                    is_last |= quota.end();
                }
                last.set(me, u32::from(is_last));
            }
        };
        on_threads(3, body);
        let (quota, last) = &*shared;
        assert_eq!((0..3).map(|me| last.get(me)).sum::<u32>(), 1);
        assert_eq!(quota.taken(), 0);
        assert!(!quota.take(1, 4));
    });
}

/// Two threads that each want all of it never have it at the same time, and the thread
/// that takes next sees what the other wrote before it gave its bytes back.
#[test]
fn what_is_taken_again_was_given_back_before() {
    check(3, || {
        let shared = Arc::new((Quota::new(), Slots::new(1)));
        shared.0.begin();
        let body = {
            let shared = shared.clone();
            move |_: usize| {
                let (quota, slots) = &*shared;
                if quota.take(8, 8) {
                    slots.set(0, slots.get(0) + 1);
                    assert!(!quota.give_back(8));
                }
            }
        };
        on_threads(2, body);
        assert!(shared.1.get(0) >= 1);
    });
}
