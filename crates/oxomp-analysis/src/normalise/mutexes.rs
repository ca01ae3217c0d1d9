//! Waiting for mutexes and holding them.

use oxomp_trace::{EventKind, Record};

use super::machine::{Frame, Held, Machine};
use crate::model::{Hold, MutexWait};

impl Machine<'_> {
    /// A thread that does something else does not wait for a mutex any more: the lock was not
    /// free (omp_test_lock), or it is a nest lock of its own.
    pub(super) fn give_up_mutex(&mut self, kind: EventKind, id: u64) {
        if let Some(&Frame::Mutex { wait_id, .. }) = self.stack.last()
            && !(kind == EventKind::MutexAcquired && wait_id == id)
        {
            self.stack.pop();
        }
    }

    pub(super) fn mutex_acquire(&mut self, time: u64, record: &Record) {
        self.advance(time);
        if self.held.iter().any(|held| held.wait_id == record.value) {
            return;
        }
        self.stack.push(Frame::Mutex {
            wait_id: record.value,
            kind: record.sub,
            code: record.code,
            since: time,
        });
    }

    pub(super) fn mutex_acquired(&mut self, time: u64, record: &Record) {
        self.advance(time);
        let (kind, code, since) = match self.stack.last() {
            Some(&Frame::Mutex { kind, code, since, .. }) => {
                self.stack.pop();
                (kind, code, since)
            }
            _ => {
                // The thread asked for it before the window.
                if self.thread.folded_from.is_none() {
                    self.unmatched_end("mutex acquired without being asked for");
                }
                (record.sub, record.code, time)
            }
        };
        let wait_id = record.value;
        let member = self.member();
        self.model.mutex_waits.push(MutexWait {
            kind,
            wait_id,
            code,
            begin: since,
            end: time,
            acquired: true,
            member,
        });
        self.held.push(Held { wait_id, kind, code, since: time });
    }

    pub(super) fn mutex_released(&mut self, time: u64, record: &Record) {
        self.advance(time);
        match self.held.iter().rposition(|held| held.wait_id == record.value) {
            Some(position) => {
                let held = self.held.remove(position);
                self.hold(held, time);
            }
            // Or the thread acquired the mutex before the window.
            None if self.thread.folded_from.is_some() => {}
            None => self.unmatched_end("mutex released that was not held"),
        }
    }

    pub(super) fn hold(&mut self, held: Held, end: u64) {
        let Held { wait_id, kind, code, since } = held;
        self.model.holds.push(Hold { kind, wait_id, code, begin: since, end });
    }
}
