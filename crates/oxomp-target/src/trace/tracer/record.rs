//! What the constructs report to the trace of a device.

use core::sync::atomic::Ordering::Relaxed;
use std::mem::take;

use super::super::delivery;
use super::super::moment::Moment;
use super::super::operation::{Ids, Maker, Operation, Span, Target};
use super::super::phase::Phase;
use super::super::record::{MapItemRecord, Record};
use super::super::unfinished::Unfinished;
use super::{Begin, State, Tracer, WAKE_AFTER};
use crate::report;
use crate::sync::{lock, thread_number};

impl Tracer {
    /// The begin of something, if it is to be recorded.
    #[inline]
    pub(crate) fn begin(&self) -> Option<Begin> {
        // Relaxed: an operation on another thread may be recorded or not at the trace's begin.
        match self.recording.load(Relaxed) {
            0 => None,
            session => Some(Begin { time: self.device.time(), session }),
        }
    }

    /// A target construct begins; returns when.
    pub(crate) fn target_begins(&'static self, target: &Target) -> Option<Begin> {
        let begin = self.begin()?;
        self.report_target(target, None, begin);
        Some(begin)
    }

    /// A target construct ends; its begin was reported.
    pub(crate) fn target_ends(&'static self, target: &Target, begun: Begin) {
        let now = Begin { time: self.device.time(), session: begun.session };
        self.report_target(target, Some(begun.time), now);
    }

    fn report_target(&'static self, target: &Target, begun: Option<u64>, now: Begin) {
        let span = self.span(now.time, now.time);
        self.emit(now.session, |maker, emit| maker.target(target, begun, span, emit));
    }

    /// List items are mapped.
    pub(crate) fn map(
        &'static self,
        ids: &Ids,
        items: impl ExactSizeIterator<Item = MapItemRecord>,
    ) {
        let Some(now) = self.begin() else { return };
        let (span, mut list) = (self.span(now.time, now.time), Vec::new());
        if list.try_reserve_exact(items.len()).is_err() {
            return self.drop_further(now.session);
        }
        list.extend(items);
        self.emit(now.session, |maker, emit| maker.map(ids, list, span, emit));
    }

    /// A thread has waited for the device.
    pub(crate) fn waited(&'static self, ids: &Ids, since: Begin) {
        let now = self.device.time();
        let times = (Moment::At(since.time), Moment::At(now));
        self.operation(Operation::Wait(*ids), since.session, times);
    }

    /// An operation that began in a trace has got into its queue. It began and ends at these
    /// moments.
    pub(crate) fn operation(
        &'static self,
        operation: Operation,
        session: u64,
        (begin, end): (Moment, Moment),
    ) {
        if let (Some(start), Some(end)) = (begin.time(), end.time()) {
            let span = self.span(start, end);
            return self.emit(session, |maker, emit| maker.operation(&operation, span, emit));
        }
        let Span { thread, processor, .. } = self.span(0, 0);
        let mut state = lock(&self.state);
        if state.phase != Phase::On || state.session.is_none_or(|it| it.number != session) {
            return;
        }
        let unfinished = Unfinished { operation, begin, end, thread, processor };
        let has_room = state.queue.has_room(1) && state.unfinished.push(unfinished);
        state.queue.unfinished = state.unfinished.len();
        let is_new = !has_room && self.starve(&mut state);
        drop(state);
        self.warn_if(is_new);
    }

    fn span(&self, start: u64, end: u64) -> Span {
        let processor = self.device.current_processor();
        let processor = processor.and_then(|it| i32::try_from(it).ok()).unwrap_or(-1);
        Span { start, end: end.max(start), thread: thread_number(), processor }
    }

    /// Queues the records that `make` makes of something that began in the trace `session`, after
    /// those of operations that are done meanwhile.
    fn emit(&'static self, session: u64, make: impl FnOnce(&Maker, &mut dyn FnMut(Record))) {
        let mut state = lock(&self.state);
        let mut is_new = self.settle_locked(&mut state, false);
        // The trace may have been stopped and started since the begin.
        let parts = state.parts(self.number).filter(|(_, present, _)| present.number == session);
        if let Some((maker, present, queue)) = parts {
            let mut has_room = true;
            make(&maker, &mut |record| has_room &= has_room && queue.push(present, record));
            is_new |= self.queued(&mut state, has_room);
        }
        drop(state);
        self.warn_if(is_new);
    }

    /// Queues the records of operations that are done: of all such operations, or of those that are
    /// found quickly. Returns whether the trace has just become starved.
    pub(super) fn settle_locked(&'static self, state: &mut State, looks_at_all: bool) -> bool {
        if state.unfinished.len() == 0 {
            return false;
        }
        let mut unfinished = take(&mut state.unfinished);
        let mut has_room = true;
        // In a pause nothing is recorded, but operations that the device has not done are kept.
        if let Some((maker, session, queue)) = state.parts(self.number) {
            unfinished.take_done(looks_at_all, |operation, span| {
                queue.unfinished = queue.unfinished.saturating_sub(1);
                maker.operation(operation, span, |record| {
                    has_room &= has_room && queue.push(session, record);
                });
            });
        }
        state.unfinished = unfinished;
        self.queued(state, has_room)
    }

    /// Makes the delivery thread work for the device.
    pub(super) fn schedule(&'static self, state: &mut State) {
        if !state.is_scheduled {
            state.is_scheduled = true;
            delivery::schedule(self);
        }
    }

    /// Records were queued, or there was no room for them. Returns whether the trace has just
    /// become starved.
    fn queued(&'static self, state: &mut State, has_room: bool) -> bool {
        let is_new = !has_room && self.starve(state);
        if state.queue.waiting() >= WAKE_AFTER {
            self.schedule(state);
        }
        is_new
    }

    /// The trace drops what comes. Returns whether it has recorded until now.
    fn starve(&self, state: &mut State) -> bool {
        let is_new = state.phase != Phase::Starved;
        state.phase = state.phase.refuse();
        self.publish(state);
        is_new
    }

    /// Memory for a record or an operation of the trace `session` is missing: the trace drops what
    /// comes.
    fn drop_further(&self, session: u64) {
        let mut state = lock(&self.state);
        let is_present = state.session.is_some_and(|present| present.number == session);
        let is_new = is_present && state.phase == Phase::On && self.starve(&mut state);
        drop(state);
        self.warn_if(is_new);
    }

    /// Says that the trace has become starved; called without its lock.
    pub(super) fn warn_if(&self, is_new: bool) {
        if is_new {
            report::warn(&format!(
                "device {}: the tool takes its records too late; the trace drops further ones",
                self.number
            ));
        }
    }
}
