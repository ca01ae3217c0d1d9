//! The ids of threads, regions and tasks: numbers that are unique for the whole run of the process
//! (the 2015 report §4.1 to §4.3). No id is 0.
//!
//! An id stands in the tool's word of the object's record: a tool of the report has no words. A
//! thread gets its id at its first event, a region when it begins. A task gets its id when a
//! callback or an entry point first needs it, by an exchange, so that a signal handler, and any
//! other thread, gets the same one.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::block::Thread;
use crate::ompt::event::{ParallelRecord, TaskRecord, ThreadRecord};

/// The size of the block of numbers that a thread draws from the process at once.
const BLOCK: u64 = 1 << 16;

/// The first number of the next block. The first number of a block is not used: it marks the end of
/// the block before.
static NEXT_BLOCK: AtomicU64 = AtomicU64::new(0);

/// A number that no other call has returned. May be called in a signal handler.
pub(super) fn draw() -> u64 {
    static ELSEWHERE: AtomicU64 = AtomicU64::new(0);
    draw_from(Thread::known().map_or(&ELSEWHERE, |thread| &thread.ompt.report_2015.next_number))
}

/// Draws from the block of which `word` has the next number.
///
/// A thread's word is written by the thread and its signal handlers, `ELSEWHERE` by all threads
/// without one. Of the calls that find the same number, one succeeds in the exchange, and the
/// others begin again. The words never have a value twice, since all blocks are distinct and a
/// block's numbers ascend: so a value that an exchange finds unchanged has not been drawn
/// meanwhile. Relaxed: a number publishes nothing.
fn draw_from(word: &AtomicU64) -> u64 {
    loop {
        let next = word.load(Relaxed);
        let number = match next % BLOCK {
            0 => NEXT_BLOCK.fetch_add(BLOCK, Relaxed) + 1,
            _ => next,
        };
        if word.compare_exchange(next, number + 1, Relaxed, Relaxed).is_ok() {
            return number;
        }
    }
}

/// Gives the thread, which begins, its id.
pub(super) fn begin_thread(thread: &ThreadRecord) -> u64 {
    let id = draw();
    thread.data.set(id);
    id
}

/// The id of a thread; 0 before its first event.
pub(super) fn of_thread(thread: &ThreadRecord) -> u64 {
    thread.data.get()
}

/// Gives the region, which begins, its id.
pub(super) fn begin_region(region: &ParallelRecord) -> u64 {
    let id = draw();
    region.data.set(id);
    id
}

/// The id of a parallel region; 0 for a league and for the region around an initial task, which the
/// report does not count as parallel regions.
pub(super) fn of_region(region: &ParallelRecord) -> u64 {
    region.data.get()
}

/// The id of a task.
pub(super) fn of_task(task: &TaskRecord) -> u64 {
    task.data.get_or_set(draw)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::thread;

    use super::{BLOCK, draw};

    #[test]
    fn numbers_are_unique_and_never_zero() {
        let draw_many = || (0..BLOCK + 10).map(|_| draw()).collect::<Vec<_>>();
        let threads: Vec<_> = (0..3).map(|_| thread::spawn(draw_many)).collect();
        let numbers: Vec<u64> = threads.into_iter().flat_map(|t| t.join().unwrap()).collect();
        let distinct: HashSet<u64> = numbers.iter().copied().collect();
        assert_eq!(distinct.len(), numbers.len());
        assert!(!distinct.contains(&0));
    }
}
