//! The mutexes that a thread asks for and holds.

use crate::holds::{Seen, Ticket};

/// A request for a mutex.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) id: u64,
    /// 0: the clock is not read yet.
    pub(crate) tick: u64,
    /// The ticks of all pauses of the recording until then.
    pub(crate) paused: u64,
    pub(crate) code: u64,
    pub(crate) kind: u8,
    /// For how many acquisitions this one stands.
    pub(crate) weight: u64,
    pub(crate) seen: Option<Seen>,
}

/// A request for a mutex that is only counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counting {
    /// The wait id of the mutex; 0: the thread has no such request.
    pub(crate) id: u64,
    pub(crate) code: u64,
    pub(crate) slot: u32,
    pub(crate) kind: u8,
}

impl Counting {
    pub(crate) const NOTHING: Self = Self { id: 0, code: 0, slot: 0, kind: 0 };
}

/// A mutex that is held since an acquisition that was only counted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CountedHold {
    pub(crate) id: u64,
    pub(crate) ticket: Ticket,
}

/// A mutex that is held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    pub(crate) id: u64,
    pub(crate) code: u64,
    /// The code address of the region in which it was acquired.
    pub(crate) region: u64,
    pub(crate) kind: u8,
    /// For how many holds this one stands.
    pub(crate) weight: u64,
    pub(crate) since: u64,
    pub(crate) ticket: Option<Ticket>,
}
