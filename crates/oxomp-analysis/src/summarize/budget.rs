//! The time of all threads together and of each, by class.

use std::collections::BTreeMap;

use crate::model::Model;
use crate::resolve::Resolved;
use crate::summary::{Budget, Class, Header, Thread};
use crate::sums::raise;

pub(super) fn budget(model: &Model, resolved: &Resolved, header: &Header) -> Budget {
    let mut by_class = [0; Class::COUNT];
    for thread in &resolved.threads {
        for (sum, &time) in by_class.iter_mut().zip(thread) {
            raise(sum, time);
        }
    }
    let total_ns = model.threads.iter().map(|thread| thread.end - thread.begin).sum();
    let accounted = by_class.iter().fold(0, |sum: u64, &time| sum.saturating_add(time));
    let working = by_class[Class::Useful as usize].saturating_add(by_class[Class::Serial as usize]);
    let concurrency = ratio(working, header.recorded_ns, 0.0);
    Budget {
        total_ns,
        by_class,
        accounted: ratio(accounted, total_ns, 1.0),
        parallel_efficiency: concurrency / f64::from(header.threads),
        average_concurrency: concurrency,
    }
}

/// `part / whole`, or `empty` if `whole` is 0.
fn ratio(part: u64, whole: u64, empty: f64) -> f64 {
    if whole == 0 { empty } else { part as f64 / whole as f64 }
}

/// The threads; `mpi_ns` has the time of each in MPI's functions, by number, if it is known.
pub(super) fn threads(
    model: &Model,
    resolved: &Resolved,
    mpi_ns: Option<&BTreeMap<u32, u64>>,
) -> Vec<Thread> {
    let pairs = model.threads.iter().zip(&resolved.threads);
    pairs
        .map(|(thread, &by_class)| Thread {
            number: thread.number,
            tid: thread.tid,
            initial: thread.initial,
            begin_ns: thread.begin,
            end_ns: thread.end,
            by_class,
            mpi_ns: mpi_ns.map(|times| times.get(&thread.number).copied().unwrap_or(0)),
        })
        .collect()
}
