//! What happens on a location beside its slices: locks, and calls of MPI.

use std::io;

use super::calls::Call;
use super::events::Events;
use super::locks::LockEvent;
use super::shared::Shared;
use crate::timeline::{Kind, Slice};

/// What has not happened yet, in the order of time.
#[derive(Debug)]
pub(super) struct Moments<'a> {
    locks: &'a [LockEvent],
    calls: &'a [Call],
    /// The names of the calls' functions.
    functions: &'a [String],
    /// When a slice last began or ended.
    last: u64,
}

impl<'a> Moments<'a> {
    pub(super) fn new(locks: &'a [LockEvent], calls: &'a [Call], functions: &'a [String]) -> Self {
        Self { locks, calls, functions, last: 0 }
    }

    /// Writes what happens until a slice begins or ends at `time`, locks that are acquired then
    /// included if `with_locks`. Another clock tells when calls begin and end than tells it of
    /// slices: a call is where its middle is, and not in two slices.
    pub(super) fn until(
        &mut self,
        time: u64,
        with_locks: bool,
        shared: &mut Shared,
        events: &mut Events<'_>,
    ) -> io::Result<()> {
        let is_now = |lock: &LockEvent| lock.time < time || with_locks && lock.time == time;
        loop {
            let lock = self.locks.first().filter(|lock| is_now(lock));
            let call = self.calls.first().filter(|call| call.middle() < time);
            match (lock, call) {
                (Some(lock), call) if call.is_none_or(|call| lock.time <= call.begin) => {
                    events.lock(*lock)?;
                    self.locks = &self.locks[1..];
                }
                (_, Some(call)) => {
                    let span = (call.begin.max(self.last), call.end.min(time));
                    call.write(span, self.functions, shared, events)?;
                    self.calls = &self.calls[1..];
                }
                _ => break,
            }
        }
        self.last = time;
        Ok(())
    }
}

/// Removes the sums that lie at a time at which one of `calls` is: sums are shown one after the
/// other, not when they passed, and the times of calls are known.
pub(super) fn without_sums_at(calls: &[Call], slices: &mut Vec<Slice>) {
    slices.retain(|slice| {
        let next = calls.partition_point(|call| call.end <= slice.begin);
        let is_free = calls.get(next).is_none_or(|call| slice.end <= call.begin);
        is_free || !matches!(slice.kind, Kind::Sum(_))
    });
}
