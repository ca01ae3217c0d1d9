//! A value that is made once, and a list that only grows.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::{Slots, check, on_threads};
use crate::chain::Chain;
use crate::once::Once;

#[test]
fn one_thread_makes_the_value_and_all_see_it_whole() {
    check(3, || {
        let state = Arc::new((Once::<u32>::new(), Slots::new(1), AtomicU32::new(0)));
        on_threads(3, move |me| {
            let (once, parts, made) = &*state;
            let value = *once.get_or_make(2 * me as u64 + 2, || {
                made.fetch_add(1, Relaxed);
                parts.set(0, me as u32 + 1);
                me as u32 + 1
            });
            assert_eq!(parts.get(0), value);
            assert_eq!(once.get(), Some(&value));
            assert_eq!(made.load(Relaxed), 1);
        });
    });
}

#[test]
fn each_value_is_in_the_list_once_and_whole() {
    check(3, || {
        let state = Arc::new((Chain::<usize>::new(), Slots::new(3)));
        on_threads(3, move |me| {
            let (chain, parts) = &*state;
            // Two of the threads look for the same value.
            let wanted = me.min(1);
            let mine = || {
                parts.set(me, wanted as u32 + 5);
                me
            };
            let found = *chain.find_or_add(|other| other.min(&1) == &wanted, mine);
            assert_eq!(found.min(1), wanted);
            assert_eq!(parts.get(found), wanted as u32 + 5);
            let values: Vec<usize> = chain.iter().map(|value| *value.min(&1)).collect();
            assert!(values.contains(&wanted));
            assert!(values.iter().filter(|value| **value == wanted).count() == 1);
        });
    });
}
