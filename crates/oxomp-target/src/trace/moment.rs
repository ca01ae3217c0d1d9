//! Times of operations that the device may do later.

use std::sync::Arc;

use super::operation::Operation;
use super::tracer::{Begin, Tracer};
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
    pub(super) fn of(device: &dyn Device, queue: &mut dyn Queue) -> Self {
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
pub(crate) struct Times(Option<Timed>);

#[derive(Debug)]
struct Timed {
    tracer: &'static Tracer,
    begun: Begin,
    /// The begin if it is not known yet.
    begin: Option<Moment>,
    end: Option<Moment>,
}

impl Times {
    /// An operation of the device begins now.
    pub(crate) fn begin(device: Option<&'static TargetDevice>) -> Self {
        let begin = |device: &'static TargetDevice| {
            let tracer = &device.tracer;
            Some(Timed { tracer, begun: tracer.begin()?, begin: None, end: None })
        };
        Self(device.and_then(begin))
    }

    /// The operation begins after all that are in the queue.
    pub(crate) fn begin_in(&mut self, queue: &mut dyn Queue) {
        if let Some(timed) = &mut self.0 {
            timed.begin = Some(Moment::of(timed.tracer.device(), queue));
        }
    }

    /// The operation ends with the last one that is in the queue.
    pub(crate) fn end_in(&mut self, queue: &mut dyn Queue) {
        if let Some(timed) = &mut self.0 {
            timed.end = Some(Moment::of(timed.tracer.device(), queue));
        }
    }

    /// Reports the operation, which ends now if nothing else is known; the second call does
    /// nothing.
    pub(crate) fn report(&mut self, operation: impl FnOnce() -> Operation) {
        let Some(Timed { tracer, begun, begin, end }) = self.0.take() else { return };
        let begin = begin.unwrap_or(Moment::At(begun.time));
        let end = end.unwrap_or_else(|| Moment::At(tracer.device().time()));
        tracer.operation(operation(), begun.session, (begin, end));
    }
}
