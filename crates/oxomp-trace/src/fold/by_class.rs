//! A thread's time by class, in its entry.

use super::{FoldEntry, FoldKind, thread};

/// The positions of times by class in the entry of a thread's time ([`thread`]).
pub const CLASSES: [usize; 10] = [
    thread::USEFUL,
    thread::SERIAL,
    thread::IMBALANCE,
    thread::BARRIER,
    thread::MUTEX,
    thread::TASKWAIT,
    thread::FORK_JOIN,
    thread::SERIAL_IDLE,
    thread::SPARE_IDLE,
    thread::STARVED,
];

/// Whether the entry is of a thread's time.
pub(crate) fn is_time(entry: &FoldEntry) -> bool {
    entry.kind == FoldKind::Thread as u32
}

/// The ticks of all classes.
pub(crate) fn total(time: &FoldEntry) -> u64 {
    CLASSES.iter().fold(0, |sum, class| sum.saturating_add(time.values[*class]))
}

/// Makes a thread's time one of at most so many ticks.
pub(crate) fn keep_within(time: &mut FoldEntry, ticks: u64) {
    take_away(time, total(time).saturating_sub(ticks));
}

/// Takes so many ticks from a thread's time, from the largest classes first.
pub(crate) fn take_away(time: &mut FoldEntry, ticks: u64) {
    let mut rest = ticks;
    let mut classes = CLASSES;
    classes.sort_by_key(|class| std::cmp::Reverse(time.values[*class]));
    for class in classes {
        let taken = time.values[class].min(rest);
        time.values[class] -= taken;
        rest -= taken;
    }
}
