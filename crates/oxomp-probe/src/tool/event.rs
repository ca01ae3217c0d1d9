//! One call of a callback, as the tool saw it.

use std::ffi::CStr;
use std::fmt;

use oxomp_sys::ompt::{
    EventRow, ompt_callbacks_t, ompt_data_t, ompt_dispatch_t, ompt_frame_t, ompt_mutex_t,
    ompt_scope_endpoint_t, ompt_sync_region_t, ompt_target_t, ompt_task_status_t, ompt_thread_t,
    ompt_work_t,
};

use crate::code::Code;

/// The number that the tool has put into a data word: `None` for a null pointer instead of the
/// word, 0 for a word that the tool has not written.
pub(crate) type Word = Option<u64>;

/// The arguments of a callback. Fields that its signature lacks have their default.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Event {
    pub(crate) code: i32,
    /// Of the native thread that called, numbered by their first events.
    pub(crate) thread: usize,
    pub(crate) endpoint: i32,
    /// The enumeration that tells the event's kinds apart: of thread, work, mutex, status …
    pub(crate) kind: i32,
    pub(crate) parallel: Word,
    pub(crate) task: Word,
    /// The new task, the next task, the sink.
    pub(crate) other: Word,
    /// The words that the event begins to use were all zero.
    pub(crate) was_fresh: bool,
    /// Requested or actual parallelism, iterations, hint, number of dependences, length.
    pub(crate) count: u64,
    pub(crate) flags: i64,
    /// Index, instance, modifier.
    pub(crate) index: u64,
    pub(crate) wait: u64,
    pub(crate) codeptr: Code,
    pub(crate) frame: Option<ompt_frame_t>,
    /// The address of a variable of the callback itself: below the frames that it may name.
    pub(crate) stack: usize,
    /// Kinds of the dependences; the message.
    pub(crate) text: String,
    /// `ompt_get_state` in the callback.
    pub(crate) state: i32,
}

impl Event {
    pub(crate) fn is(&self, code: ompt_callbacks_t) -> bool {
        self.code == code.0
    }

    pub(crate) fn begins(&self) -> bool {
        self.endpoint == ompt_scope_endpoint_t::BEGIN.0
    }

    pub(crate) fn ends(&self) -> bool {
        self.endpoint == ompt_scope_endpoint_t::END.0
    }

    /// The event's name without `ompt_callback_`.
    pub(crate) fn name(&self) -> &'static str {
        EventRow::of(ompt_callbacks_t(self.code)).map_or("unknown", |row| row.name)
    }

    fn kind_name(&self) -> Option<String> {
        let kind = self.kind;
        let (prefix, name): (&str, Option<&CStr>) = match ompt_callbacks_t(self.code) {
            ompt_callbacks_t::THREAD_BEGIN => ("ompt_thread_", ompt_thread_t(kind).name()),
            ompt_callbacks_t::WORK => ("ompt_work_", ompt_work_t(kind).name()),
            ompt_callbacks_t::DISPATCH => ("ompt_dispatch_", ompt_dispatch_t(kind).name()),
            ompt_callbacks_t::TASK_SCHEDULE => ("ompt_task_", ompt_task_status_t(kind).name()),
            ompt_callbacks_t::TARGET | ompt_callbacks_t::TARGET_EMI => {
                ("ompt_target_", ompt_target_t(kind).name())
            }
            ompt_callbacks_t::SYNC_REGION
            | ompt_callbacks_t::SYNC_REGION_WAIT
            | ompt_callbacks_t::REDUCTION => ("ompt_sync_region_", ompt_sync_region_t(kind).name()),
            ompt_callbacks_t::LOCK_INIT
            | ompt_callbacks_t::LOCK_DESTROY
            | ompt_callbacks_t::MUTEX_ACQUIRE
            | ompt_callbacks_t::MUTEX_ACQUIRED
            | ompt_callbacks_t::MUTEX_RELEASED => ("ompt_mutex_", ompt_mutex_t(kind).name()),
            _ => return None,
        };
        Some(name.and_then(|name| name.to_str().ok()).map_or_else(
            || kind.to_string(),
            |name| name.strip_prefix(prefix).unwrap_or(name).to_owned(),
        ))
    }
}

/// Name, endpoint and kind: "work begin loop_dynamic".
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self.endpoint {
            0 => {}
            1 => f.write_str(" begin")?,
            2 => f.write_str(" end")?,
            3 => f.write_str(" beginend")?,
            other => write!(f, " endpoint={other}")?,
        }
        match self.kind_name() {
            Some(kind) => write!(f, " {kind}"),
            None => Ok(()),
        }
    }
}

/// The number in a data word.
pub(crate) fn word(data: *const ompt_data_t) -> Word {
    // SAFETY: callbacks are given null or a word that is valid while they run.
    unsafe { data.as_ref() }.map(|data| data.value)
}
