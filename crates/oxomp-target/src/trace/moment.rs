//! The begin or the end of an operation that the device may do later.

use std::sync::Arc;

use crate::plugin::{Device, Event, Queue};

/// The begin or the end of an operation.
#[derive(Clone, Debug)]
pub(crate) enum Moment {
    /// A time of the device.
    At(u64),
    /// The time at which the event happens.
    When(Arc<dyn Event>),
}

impl Moment {
    /// The moment at which all operations of the queue so far are done.
    pub(super) fn of(device: &dyn Device, queue: &mut dyn Queue) -> Self {
        match queue.record() {
            Ok(Some(event)) => Self::When(event),
            // A queue that fails fails the construct, too: its time does not matter.
            Ok(None) | Err(_) => Self::At(device.time()),
        }
    }

    /// The time; `None` if the moment has not come.
    pub(super) fn time(&self) -> Option<u64> {
        match self {
            Self::At(time) => Some(*time),
            Self::When(event) => event.time(),
        }
    }
}
