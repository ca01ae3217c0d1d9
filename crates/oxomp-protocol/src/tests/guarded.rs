//! A value behind a lock, on the machine.

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
