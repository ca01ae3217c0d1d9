//! Where the counters of a thread come from.

use std::io;

use super::event::Event;
use super::fake::{Fake, FakeCounters};
use super::kernel::KernelCounters;
use super::reading::Reading;

/// Who opens counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Opener {
    #[default]
    Kernel,
    /// For tests.
    Fake(Fake),
}

/// The counters of one thread.
#[derive(Debug)]
pub(crate) enum Source {
    Kernel(KernelCounters),
    Fake(FakeCounters),
}

impl Source {
    /// Opens `events` for the calling thread.
    pub(crate) fn open(opener: Opener, events: &[Event]) -> io::Result<Self> {
        Ok(match opener {
            Opener::Kernel => Self::Kernel(KernelCounters::open(events)?),
            Opener::Fake(fake) => Self::Fake(FakeCounters::open(fake, events)?),
        })
    }

    /// How many groups the processor counts: more than one may have to take turns.
    pub(crate) fn groups(&self) -> usize {
        match self {
            Self::Kernel(counters) => counters.groups(),
            Self::Fake(_) => 1,
        }
    }

    /// The counters of the calling thread now; `None` if the program has closed one. Signal-safe,
    /// but that it may change errno.
    pub(crate) fn read(&self) -> Option<Reading> {
        match self {
            Self::Kernel(counters) => counters.read(),
            Self::Fake(counters) => Some(counters.read()),
        }
    }
}
