//! Locks that the child of a fork(2) would find held.

use super::super::fork::{Found, words};
use crate::tokens::parse;

/// The lines and rules that a file breaks.
fn broken(file: &str, text: &str) -> Vec<(usize, String)> {
    let mut found = Found::default();
    found.read(file, &words(&parse(text).expect("Rust")));
    found.breaches.into_iter().map(|breach| (breach.line, breach.rule)).collect()
}

#[test]
fn locks_and_once_cells_of_std_are_found_however_they_are_named() {
    let text = "use core::cell::Cell;
use std::{fmt, sync::{Arc, OnceLock as Cell2}};
use std::sync;
use std::io::{self, Write};
static A: sync::Mutex<u32> = sync::Mutex::new(0);
fn f() { io::stderr().write_all(b\"\"); std::sync::Once::new(); eprintln!(); }
use crate::sync::Mutex;
use std::sync::atomic::AtomicU32;
use once_cell::race::OnceBox;
use once_cell::sync::Lazy;
#[cfg(test)]
mod tests { use std::sync::Mutex; }";
    let lines: Vec<_> = broken("oxomp-core/src/a.rs", text).iter().map(|it| it.0).collect();
    // The lock in line 5 is not made anew either.
    assert_eq!(lines, [2, 5, 5, 6, 6, 6, 10]);
}

#[test]
fn a_guarded_value_is_forgotten_in_its_file() {
    let text = "struct Thread { displayed: Guarded<u32>, queue: Guarded<Vec<u8>> }
static POOL: Guarded<u8> = Guarded::new(0);
fn with(lock: &Guarded<u8>) {}
fn in_child(thread: &Thread, alone: &Alone) { thread.queue.forget(Vec::new(), alone); }
static TWO: [Guarded<u8>; 2] = [];";
    let broken = broken("oxomp-core/src/block/thread.rs", text);
    assert_eq!(broken.iter().map(|it| it.0).collect::<Vec<_>>(), [1, 2, 5]);
    assert!(broken[0].1.contains("`displayed.forget(…)`"), "{}", broken[0].1);
}

#[test]
fn a_value_that_is_made_once_is_made_anew_in_its_file() {
    let text = "static SETTINGS: Once<Settings> = Once::new();
static NAMES: Once<Names> = Once::new();
struct Tables { first: oxomp_protocol::once::Once<u64> }
fn get(once: &Once<u64>) {}
fn in_child(alone: &Alone) { SETTINGS.after_fork(1, alone); NAMES.get(); }";
    for file in ["oxomp-base/src/settings.rs", "oxomp-target/src/settings.rs"] {
        let broken = broken(file, text);
        assert_eq!(broken.iter().map(|it| it.0).collect::<Vec<_>>(), [2, 3]);
        assert!(broken[0].1.contains("`NAMES.after_fork(…)`"), "{}", broken[0].1);
    }
}

#[test]
fn a_lock_of_the_offload_runtime_is_made_anew_in_its_file() {
    let text = "struct Offload { started: Mutex<u8>, others: Mutex<u8> }
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {}
fn in_child(offload: &Offload, alone: &Alone) { offload.started.after_fork(Vec::new, alone); }";
    let broken = broken("oxomp-target/src/offload.rs", text);
    assert_eq!(broken.len(), 1);
    assert!(broken[0].1.contains("`others.after_fork(…)`"), "{}", broken[0].1);
}
