//! Times of operations that the device may do later.

use std::sync::Arc;

use super::tracer::Tracer;
use crate::device::TargetDevice;
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
    fn of(device: &dyn Device, queue: &mut dyn Queue) -> Self {
        match queue.record() {
            Ok(Some(event)) => Self::When(event),
            // A queue that fails fails the construct, too: its time does not matter.
            Ok(None) | Err(_) => Self::At(device.time()),
        }
    }

    /// The time; none if it has not come.
    pub(super) fn time(&self) -> Option<u64> {
        match self {
            Self::At(time) => Some(*time),
            Self::When(event) => event.time(),
        }
    }
}

/// Begin and end of an operation; nothing if its device is not traced.
#[derive(Debug, Default)]
pub(crate) struct Times(Option<Pending>);

#[derive(Debug)]
struct Pending {
    tracer: &'static Tracer,
    begin: Moment,
    end: Option<Moment>,
}

/// An operation that is to be recorded.
#[derive(Debug)]
pub(crate) struct Traced {
    /// By whom.
    pub(crate) tracer: &'static Tracer,
    /// Its begin.
    pub(crate) begin: Moment,
    /// Its end.
    pub(crate) end: Moment,
}

impl Times {
    /// An operation of the device begins now.
    pub(crate) fn begin(device: Option<&'static TargetDevice>) -> Self {
        let begin = |device: &'static TargetDevice| {
            let tracer = &device.tracer;
            let begin = Moment::At(tracer.begin()?);
            Some(Pending { tracer, begin, end: None })
        };
        Self(device.and_then(begin))
    }

    /// The operation begins after all that are in the queue.
    pub(crate) fn begin_in(&mut self, queue: &mut dyn Queue) {
        if let Some(pending) = &mut self.0 {
            pending.begin = Moment::of(pending.tracer.device(), queue);
        }
    }

    /// The operation ends with the last one that is in the queue.
    pub(crate) fn end_in(&mut self, queue: &mut dyn Queue) {
        if let Some(pending) = &mut self.0 {
            pending.end = Some(Moment::of(pending.tracer.device(), queue));
        }
    }

    /// The times; the operation ends now if nothing else is known. None if it is not recorded, and
    /// the second time.
    pub(crate) fn take(&mut self) -> Option<Traced> {
        let Pending { tracer, begin, end } = self.0.take()?;
        let end = end.unwrap_or_else(|| Moment::At(tracer.device().time()));
        Some(Traced { tracer, begin, end })
    }
}
