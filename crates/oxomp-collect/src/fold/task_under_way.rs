//! The end of an explicit task that was under way when the recording began: the runtime reports
//! none, so the task ends when its thread is seen doing something else.

use oxomp_trace::{EventKind, Record};

use crate::context::Wait;
use crate::log::{Log, record};
use crate::store::{Exhausted, Store};

/// OMPT's status of a task that is complete.
const COMPLETE: u8 = 1;

impl Log {
    /// The thread executes none of the tasks that were under way any more: the runtime reports no
    /// end of these.
    #[inline]
    pub(crate) fn end_task_under_way(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        if self.context.is_in_task_under_way {
            self.close_task_under_way(store, now)
        } else {
            Ok(())
        }
    }

    #[cold]
    fn close_task_under_way(&mut self, store: &Store, now: u64) -> Result<(), Exhausted> {
        self.context.is_in_task_under_way = false;
        let Some(&mut Wait::Task { begin }) = self.context.waits.top() else { return Ok(()) };
        self.end_user_code(store, now);
        self.context.waits.pop();
        let end = self.without_pauses(now);
        self.add_counted_task(store, end.saturating_sub(begin))?;
        self.record(store, Record { sub: COMPLETE, ..record(EventKind::TaskSwitch, now) })
    }
}
