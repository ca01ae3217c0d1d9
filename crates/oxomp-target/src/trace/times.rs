//! The times of an operation in a trace, from its begin to the report.

use super::moment::Moment;
use super::operation::Operation;
use super::tracer::{Begin, Tracer};
use crate::plugin::Queue;

/// Begin and end of an operation; empty if its device is not traced.
#[derive(Debug, Default)]
pub(crate) struct Times(Option<Timed>);

#[derive(Debug)]
struct Timed {
    tracer: &'static Tracer,
    begun: Begin,
    /// The begin in the queue, once `begin_in` has set it; without it the operation began at
    /// `begun`.
    begin: Option<Moment>,
    end: Option<Moment>,
}

impl Times {
    /// An operation begins now, on the device with that trace.
    pub(crate) fn begin(tracer: Option<&'static Tracer>) -> Self {
        let begin = |tracer: &'static Tracer| {
            Some(Timed { tracer, begun: tracer.begin()?, begin: None, end: None })
        };
        Self(tracer.and_then(begin))
    }

    /// The operation begins after all operations that are in the queue.
    pub(crate) fn begin_in(&mut self, queue: &mut dyn Queue) {
        if let Some(timed) = &mut self.0 {
            timed.begin = Some(Moment::of(timed.tracer.device(), queue));
        }
    }

    /// The operation ends with the last operation that is in the queue.
    pub(crate) fn end_in(&mut self, queue: &mut dyn Queue) {
        if let Some(timed) = &mut self.0 {
            timed.end = Some(Moment::of(timed.tracer.device(), queue));
        }
    }

    /// Reports the operation, which ends now unless its end is known; a second call does nothing.
    pub(crate) fn report(&mut self, operation: impl FnOnce() -> Operation) {
        let Some(Timed { tracer, begun, begin, end }) = self.0.take() else { return };
        let begin = begin.unwrap_or(Moment::At(begun.time));
        let end = end.unwrap_or_else(|| Moment::At(tracer.device().time()));
        tracer.operation(operation(), begun.session, (begin, end));
    }
}
