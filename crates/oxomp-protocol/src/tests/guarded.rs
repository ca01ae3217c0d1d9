//! A value behind a lock, on the machine.

use crate::Alone;
use crate::lock::Guarded;

static COUNT: Guarded<u64> = Guarded::new(0);

#[test]
fn threads_change_a_guarded_value_one_at_a_time() {
    const THREADS: u64 = 4;
    const ROUNDS: u64 = 20_000;
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                for _ in 0..ROUNDS {
                    COUNT.with(|count| *count += 1);
                }
            });
        }
    });
    assert_eq!(COUNT.with(|count| *count), THREADS * ROUNDS);
}

#[test]
fn the_child_of_a_fork_has_a_new_value_behind_a_free_lock() {
    static NAMES: Guarded<Vec<&str>> = Guarded::new(Vec::new());
    // In place of a thread that the child does not have: one that never goes on.
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        NAMES.with(|names| {
            names.push("half of a change");
            tell.send(()).expect("a test that waits");
            loop {
                std::thread::park();
            }
        })
    });
    told.recv().expect("a thread that holds the lock");
    // SAFETY: the other thread never goes on.
    NAMES.forget(Vec::new(), &unsafe { Alone::in_child() });
    assert!(NAMES.with(|names| names.is_empty()));
}
