//! The trace of a device: what the constructs report to it, and what the tool asks of it.

use core::ffi::c_int;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;
use std::mem::take;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Instant;

use super::callbacks::{Buffer, Callbacks};
use super::delivery;
use super::moment::Moment;
use super::operation::{Ids, Maker, Operation, Span, Target, thread_number};
use super::phase::Phase;
use super::queue::{Queue, Session};
use super::record::{MapItemRecord, Record};
use super::selection::Selection;
use super::unfinished::{List, Unfinished};
use crate::plugin::Device;
use crate::report;
use crate::sync::{lock, wait_while};

/// The records that wait before the delivery thread is woken for them: a wake costs as much as
/// some records.
const WAKE_AFTER: usize = 256;

/// The trace of a device. The crate's README has the protocol between its threads.
#[derive(Debug)]
pub(crate) struct Tracer {
    /// The number of the device.
    number: c_int,
    device: &'static dyn Device,
    /// The number of the trace in which operations are recorded, 0 if they are not; written with
    /// the state locked.
    recording: AtomicU64,
    state: Mutex<State>,
    /// `handed` has grown.
    changed: Condvar,
}

/// What the threads share.
#[derive(Debug, Default)]
pub(super) struct State {
    phase: Phase,
    selection: Selection,
    /// The trace that is on, paused or starved, or the last one.
    session: Option<Session>,
    queue: Queue,
    unfinished: List,
    /// What the delivery thread has begun; it takes it for as long as it works.
    progress: Progress,
    /// The records, in the order of their creation, that the tool has got or will not get.
    handed: u64,
    /// The records that the tool is to get soon, though its buffer is not full.
    due: u64,
    /// The number of the last trace whose tool has ended: its functions are called no more.
    discarded: u64,
    /// The records that were dropped with such a trace, and that `progress` does not know of.
    dropped: u64,
    /// Whether the delivery thread works for this device, or is going to.
    is_scheduled: bool,
}

/// When something began, and in which trace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begin {
    /// The device's time.
    pub(crate) time: u64,
    /// The number of the trace.
    pub(super) session: u64,
}

/// How far the delivery has come.
#[derive(Debug, Default)]
struct Progress {
    open: Option<(Session, Buffer)>,
    /// The records that are in buffers, or were dropped.
    written: u64,
}

impl State {
    /// What makes the records of the present trace, and where they go; none without a trace.
    fn parts(&mut self, device: c_int) -> Option<(Maker, Session, &mut Queue)> {
        let session = self.session.filter(|_| self.phase == Phase::On)?;
        let maker = Maker {
            selection: self.selection,
            is_report_2015: session.callbacks.is_report_2015(),
            device,
        };
        Some((maker, session, &mut self.queue))
    }

    /// What the device has not done will not be in the trace.
    fn forget_unfinished(&mut self) {
        self.unfinished = List::default();
        self.queue.unfinished = 0;
    }
}

impl Tracer {
    /// The trace of the device `number`.
    pub(crate) fn new(number: c_int, device: &'static dyn Device) -> Self {
        Self {
            number,
            device,
            recording: AtomicU64::new(0),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// The device.
    pub(super) fn device(&self) -> &'static dyn Device {
        self.device
    }

    /// The state, for the thread that forks the process.
    pub(super) fn locked(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// In the child of a fork there is no delivery thread and no trace.
    pub(super) fn forget(&self, state: &mut State) {
        let session = state.session;
        *state = State { session, ..State::default() };
        self.publish(state);
    }

    /// Shows the threads that report whether to.
    fn publish(&self, state: &State) {
        let is_recording = state.phase == Phase::On && !state.selection.is_empty();
        let session = state.session.filter(|_| is_recording);
        // Relaxed: `emit` looks at the state again.
        self.recording.store(session.map_or(0, |session| session.number), Relaxed);
    }

    // What the constructs report.

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

    /// A target construct ends, whose begin was reported.
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

    /// An operation has got into its queue, which began in a trace; it began and ends at these
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

    /// Queues the records of operations that are done: of all, or of those that are found soon.
    /// Returns whether the trace has just become starved.
    fn settle_locked(&'static self, state: &mut State, looks_at_all: bool) -> bool {
        if state.unfinished.len() == 0 {
            return false;
        }
        let mut unfinished = take(&mut state.unfinished);
        let mut has_room = true;
        // In a pause nothing is recorded, but what the device still does is not forgotten.
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

    /// There is no memory for something of the trace `session`.
    fn drop_further(&self, session: u64) {
        let mut state = lock(&self.state);
        let is_present = state.session.is_some_and(|present| present.number == session);
        let is_new = is_present && state.phase == Phase::On && self.starve(&mut state);
        drop(state);
        self.warn_if(is_new);
    }

    /// Says that the trace has become starved; called without its lock.
    fn warn_if(&self, is_new: bool) {
        if is_new {
            report::warn(&format!(
                "device {}: the tool takes its records too late; the trace drops further ones",
                self.number
            ));
        }
    }

    fn schedule(&'static self, state: &mut State) {
        if !state.is_scheduled {
            state.is_scheduled = true;
            delivery::schedule(self);
        }
    }

    // What the tool asks.

    /// Changes what is recorded.
    pub(super) fn select<T>(&self, change: impl FnOnce(&mut Selection) -> T) -> T {
        let mut state = lock(&self.state);
        let answer = change(&mut state.selection);
        self.publish(&state);
        answer
    }

    /// Starts the trace. Returns whether it has started.
    pub(super) fn start(&'static self, callbacks: Callbacks) -> bool {
        // Before the trace is on: from then on records may wake the thread.
        if !delivery::enlist() {
            return false;
        }
        let mut state = lock(&self.state);
        let (was, next) = (state.phase, state.phase.start());
        if let Some(phase) = next {
            let number = state.session.map_or(0, |session| session.number) + 1;
            state.session = Some(Session { number, callbacks });
            state.phase = phase;
            state.forget_unfinished();
            self.publish(&state);
        }
        drop(state);
        // A starved trace is in the count already.
        if next.is_none() || was != Phase::Off {
            delivery::delist();
            delivery::join(None);
        }
        next.is_some()
    }

    /// Pauses or resumes the trace. Returns whether there is one.
    pub(super) fn pause(&'static self, begins: bool) -> bool {
        let mut state = lock(&self.state);
        // What is done by now was not done in the pause.
        let is_new = self.settle_locked(&mut state, true);
        let next = state.phase.pause(begins);
        if let Some(phase) = next {
            state.phase = phase;
            self.publish(&state);
        }
        drop(state);
        self.warn_if(is_new);
        next.is_some()
    }

    /// Hands over the records that there are. Returns whether there is a trace.
    pub(super) fn flush(&'static self) -> bool {
        let mut state = lock(&self.state);
        if state.phase == Phase::Off {
            return false;
        }
        let is_new = self.settle_locked(&mut state, true);
        self.hand_over_all(state, None);
        self.warn_if(is_new);
        true
    }

    /// Ends the trace, and hands over its records. Returns whether there was one.
    pub(super) fn stop(&'static self) -> bool {
        self.stop_before(None)
    }

    fn stop_before(&'static self, deadline: Option<Instant>) -> bool {
        let mut state = lock(&self.state);
        let is_new = self.settle_locked(&mut state, true);
        let Some(phase) = state.phase.stop() else { return false };
        state.phase = phase;
        state.forget_unfinished();
        self.publish(&state);
        self.hand_over_all(state, deadline);
        self.warn_if(is_new);
        delivery::delist();
        delivery::join(deadline);
        true
    }

    /// Ends the trace, if there is one, since the tool ends. It waits for the tool's functions, at
    /// most until the deadline.
    pub(crate) fn finalize(&'static self, deadline: Instant) {
        self.stop_before(Some(deadline));
        self.select(|selection| *selection = Selection::default());
        delivery::join(Some(deadline));
    }

    /// Ends the trace, if there is one, since the tool has ended: from now on no function of the
    /// tool is called, and what it has not got it will not get.
    pub(super) fn discard(&'static self) {
        let mut state = lock(&self.state);
        let is_in_count = state.phase.stop().is_some();
        state.phase = Phase::Off;
        state.selection = Selection::default();
        state.forget_unfinished();
        state.discarded = state.session.map_or(0, |session| session.number);
        state.dropped += state.queue.drop_all();
        state.handed = state.queue.created();
        self.publish(&state);
        drop(state);
        self.changed.notify_all();
        if is_in_count {
            delivery::delist();
        }
    }

    /// Waits until the tool has got all records that there are, or until the deadline. On the
    /// delivery thread, in a callback of the tool, they follow after the callback's return.
    fn hand_over_all(&'static self, mut state: MutexGuard<'_, State>, deadline: Option<Instant>) {
        let all = state.queue.created();
        if state.handed >= all {
            return;
        }
        state.due = all;
        self.schedule(&mut state);
        if delivery::is_current_thread() {
            return;
        }
        let is_late = |state: &mut State| state.handed < all;
        drop(wait_while(&self.changed, state, deadline, is_late));
    }

    // What the delivery thread does.

    /// Hands the tool the records that wait. A buffer that is not full is kept for later ones,
    /// unless some of its records are due.
    pub(super) fn deliver(&self) {
        let mut progress = take(&mut lock(&self.state).progress);
        loop {
            let mut state = lock(&self.state);
            progress.written += take(&mut state.dropped);
            if let Some(block) = state.queue.take() {
                drop(state);
                self.fill(&mut progress, block.session, &block.records);
            } else if state.due > state.handed && progress.open.is_some() {
                drop(state);
                self.complete(&mut progress);
            } else {
                state.progress = progress;
                state.is_scheduled = false;
                return;
            }
        }
    }

    /// Puts records into buffers.
    fn fill(&self, progress: &mut Progress, session: Session, records: &[Record]) {
        for (index, record) in records.iter().enumerate() {
            let mut from = 0;
            loop {
                if progress.open.as_ref().is_some_and(|(of, _)| of.number != session.number) {
                    self.complete(progress);
                }
                let opened = progress.open.take().map(|(_, buffer)| buffer);
                let Some(mut buffer) = opened.or_else(|| self.request(session)) else {
                    return self.refused(progress, session, (records.len() - index) as u64);
                };
                let is_written = buffer.writer.append(record, &mut from);
                progress.open = Some((session, buffer));
                if is_written {
                    break;
                }
                self.complete(progress);
            }
            progress.written += 1;
        }
    }

    fn is_discarded(&self, session: Session) -> bool {
        session.number <= lock(&self.state).discarded
    }

    fn request(&self, session: Session) -> Option<Buffer> {
        if self.is_discarded(session) {
            return None;
        }
        session.callbacks.request(self.number)
    }

    fn complete(&self, progress: &mut Progress) {
        if let Some((session, buffer)) = progress.open.take()
            && !self.is_discarded(session)
        {
            session.callbacks.complete(self.number, buffer);
        }
        let mut state = lock(&self.state);
        state.handed = progress.written.max(state.handed);
        drop(state);
        self.changed.notify_all();
    }

    /// The tool has refused a buffer: the rest of the trace's records are dropped.
    fn refused(&self, progress: &mut Progress, session: Session, rest: u64) {
        let mut state = lock(&self.state);
        if state.session.is_some_and(|present| present.number == session.number) {
            state.phase = state.phase.refuse();
            self.publish(&state);
        }
        progress.written += rest + state.queue.drop_session(session.number);
        state.handed = progress.written.max(state.handed);
        drop(state);
        self.changed.notify_all();
    }
}
