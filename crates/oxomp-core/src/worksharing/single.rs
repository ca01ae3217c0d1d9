//! The single construct (OpenMP 5.2 §11.1): who executes the block.

use core::sync::atomic::Ordering::Relaxed;

use crate::thread::Thread;

/// Whether the calling thread executes the block of the `single` that it encounters: the first of the
/// team that gets there does.
///
/// Every thread counts the singles that it has met, the team those that have found their thread; the
/// team's count is never behind anybody's by more than the single at hand.
#[inline(always)]
pub fn single(thread: &Thread) -> bool {
    let task = thread.task();
    let team = task.team();
    if team.size() == 1 {
        return true;
    }
    let met = task.singles.get();
    task.singles.set(met.wrapping_add(1));
    let found = &team.single.0;
    // Relaxed: it decides who, it publishes nothing; the barrier does.
    found.load(Relaxed) == met
        && found.compare_exchange(met, met.wrapping_add(1), Relaxed, Relaxed).is_ok()
}
