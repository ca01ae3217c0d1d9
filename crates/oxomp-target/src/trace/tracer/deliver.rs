//! What the delivery thread does for the trace of a device, and the end of a trace without it.

use std::mem::take;

use super::super::callbacks::Buffer;
use super::super::phase::Phase;
use super::super::queue::Session;
use super::super::record::Record;
use super::super::selection::Selection;
use super::{Progress, State, Tracer};
use crate::sync::{MutexGuard, lock};

impl Tracer {
    /// Hands the tool the records that wait. A buffer that is not full is kept for later records,
    /// unless some of its records are due.
    pub(in super::super) fn deliver(&self) {
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
                // In the same hold of the lock in which nothing was due: whatever becomes due later
                // schedules the thread (I11).
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

    /// Ends the trace, if one is on, since the delivery thread has ended in a function of the tool,
    /// perhaps with work that it had begun for this device. Returns whether the delivery counted
    /// the trace.
    #[must_use]
    pub(in super::super) fn abandon(&self) -> bool {
        let mut state = lock(&self.state);
        state.progress = Progress { open: None, written: state.queue.created() };
        state.is_scheduled = false;
        state.queue.drop_all();
        state.dropped = 0;
        self.drop_all(state)
    }

    /// Ends the trace, if one is on, and drops the records that the tool has not got. Returns
    /// whether the delivery counted the trace.
    #[must_use]
    pub(super) fn drop_all(&self, mut state: MutexGuard<'_, State>) -> bool {
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
        is_in_count
    }
}
