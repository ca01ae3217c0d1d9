//! Counters that are computed, for tests: machines without counters of their own can test all that
//! is made of them.
//!
//! `OXOMP_FAKE_COUNTERS` chooses: `steady`, whose counters are fixed multiples of the thread's
//! processor time; `turns`, which counts half as much in half of the time, as counters do that take
//! turns; or an error of the kernel by name, with which it refuses every event.

use std::ffi::c_int;
use std::io;

use super::event::Event;
use super::reading::{Reading, Value};
use crate::usage::processor_time;

/// Processor time advances by so much, ns: every multiple below is whole.
const STEP_NS: u64 = 1024;

/// What each counter counts in [`STEP_NS`].
const PER_STEP: [(&str, u64); 8] = [
    ("cycles", 3 * STEP_NS),
    ("instructions", 6 * STEP_NS),
    ("cache-references", 128),
    ("cache-misses", 64),
    ("memory-lines", 64),
    ("remote-lines", 16),
    ("hitm", 8),
    ("stalled-cycles-backend", STEP_NS),
];

/// The kind of fake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fake {
    Steady,
    Turns,
    Refuses(c_int),
}

impl Fake {
    /// The fake that `text` chooses; `None` for any other text.
    pub(crate) fn of_text(text: &str) -> Option<Self> {
        match text {
            "steady" => Some(Self::Steady),
            "turns" => Some(Self::Turns),
            "ENOENT" => Some(Self::Refuses(libc::ENOENT)),
            "EACCES" => Some(Self::Refuses(libc::EACCES)),
            "EMFILE" => Some(Self::Refuses(libc::EMFILE)),
            _ => None,
        }
    }
}

/// The fake counters of one thread.
#[derive(Debug)]
pub(crate) struct FakeCounters {
    fake: Fake,
    /// What each counts in a step.
    per_step: [u64; oxomp_trace::counters::MOST_COUNTERS],
    used: usize,
    /// The thread's steps at the begin.
    begin: u64,
}

impl FakeCounters {
    /// Opens `events` for the calling thread.
    pub(crate) fn open(fake: Fake, events: &[Event]) -> io::Result<Self> {
        if let Fake::Refuses(errno) = fake {
            return Err(io::Error::from_raw_os_error(errno));
        }
        let mut own = Self { fake, per_step: Default::default(), used: events.len(), begin: 0 };
        for (place, event) in own.per_step.iter_mut().zip(events) {
            let known = PER_STEP.iter().find(|(name, _)| *name == event.name);
            *place = known.map_or(2, |(_, count)| *count);
        }
        own.begin = processor_time() / STEP_NS;
        Ok(own)
    }

    /// The counters now. Signal-safe.
    pub(crate) fn read(&self) -> Reading {
        let steps = (processor_time() / STEP_NS).saturating_sub(self.begin);
        let enabled_ns = steps * STEP_NS;
        let part = if self.fake == Fake::Turns { 2 } else { 1 };
        let mut reading = Reading { used: self.used, time_ns: enabled_ns, ..Reading::default() };
        for (value, count) in reading.values.iter_mut().zip(self.per_step).take(self.used) {
            *value =
                Value { count: count * steps / part, enabled_ns, running_ns: enabled_ns / part };
        }
        reading
    }
}
