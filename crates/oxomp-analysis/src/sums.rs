//! Sums of a recording: how they are added, and the classes of a thread's.

use oxomp_trace::fold::thread;

use crate::summary::Class;

/// The class of each time of a [`FoldKind::Thread`](oxomp_trace::FoldKind::Thread) entry.
pub(crate) const CLASSES: [(usize, Class); 10] = [
    (thread::USEFUL, Class::Useful),
    (thread::SERIAL, Class::Serial),
    (thread::IMBALANCE, Class::Imbalance),
    (thread::BARRIER, Class::Barrier),
    (thread::MUTEX, Class::Mutex),
    (thread::TASKWAIT, Class::Taskwait),
    (thread::FORK_JOIN, Class::ForkJoin),
    (thread::SERIAL_IDLE, Class::SerialIdle),
    (thread::SPARE_IDLE, Class::SpareIdle),
    (thread::STARVED, Class::Starved),
];

/// Adds, saturating: numbers of a damaged file may be of any size.
pub(crate) fn raise(sum: &mut u64, value: u64) {
    *sum = sum.saturating_add(value);
}
