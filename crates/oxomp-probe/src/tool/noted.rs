//! The callbacks that do nothing but append their arguments to the log, made of the table of all
//! callbacks.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::mem::transmute;

use oxomp_sys::for_each_callback;
use oxomp_sys::ompt::{self as c, ompt_callback_t, ompt_callbacks_t};

use super::event::{Event, Word, word};
use super::{entry_points, log};
use crate::code::Code;

/// The event, with what each callback asks the runtime for, but no arguments.
pub(super) fn base(event: ompt_callbacks_t) -> Event {
    let here = 0u8;
    Event {
        code: event.0,
        thread: log::this_thread(),
        stack: (&raw const here).addr(),
        state: entry_points::state().map_or(-1, |(state, _)| state),
        ..Event::default()
    }
}

/// Notes the word of an object.
fn note_word(event: &mut Event, name: &str, word: Word) {
    match name {
        "parallel_data" | "target_data" => event.parallel = word,
        "next_task_data" | "sink_task_data" | "target_task_data" => event.other = word,
        _ => event.task = word,
    }
}

/// Notes a number, if a check reads it.
fn note_number(event: &mut Event, name: &str, number: u64) {
    match name {
        "count" | "hint" | "requested_num_teams" => event.count = number,
        "device_num" | "implementation" => event.index = number,
        "wait_id" => event.wait = number,
        _ => {}
    }
}

/// Notes an argument in the field of an event that is for arguments of this role and name.
macro_rules! note {
    ($event:ident, endpoint $argument:ident) => {
        $event.endpoint = $argument.0
    };
    ($event:ident, kind $argument:ident) => {
        $event.kind = $argument.0
    };
    ($event:ident, flags $argument:ident) => {
        $event.flags = $argument.0.into()
    };
    ($event:ident, code $argument:ident) => {
        $event.codeptr = Code::of($argument)
    };
    ($event:ident, word $argument:ident) => {
        note_word(&mut $event, stringify!($argument), word($argument))
    };
    ($event:ident, number $argument:ident) => {
        note_number(&mut $event, stringify!($argument), $argument as u64)
    };
    // No check reads what a pointer refers to.
    ($event:ident, $role:ident $argument:ident) => {
        _ = $argument
    };
}

/// The callback for one event; `None` for one with an answer, which has a function of its own.
macro_rules! callback {
    ($event:ident $callback:ident ($($role:ident $argument:ident: $type:ty),* $(,)?)) => {{
        unsafe extern "C" fn note($($argument: $type),*) {
            let mut event = base(ompt_callbacks_t::$event);
            $(note!(event, $role $argument);)*
            log::push(event);
        }
        // SAFETY: function pointers have one size; the runtime calls it by the event's signature.
        Some(unsafe { transmute::<c::$callback, ompt_callback_t>(note) })
    }};
    (
        $event:ident $callback:ident
        ($($role:ident $argument:ident: $type:ty),* $(,)? => $answer:ty)
    ) => {
        None
    };
}

macro_rules! define_of {
    ($(
        $(#[$doc:meta])*
        $callback:ident $arguments:tt {
            $(($code:literal, $c_name:literal, $constant:ident, $name:ident, $facts:tt);)*
        }
    )*) => {
        /// The callback for an event.
        pub(super) fn of(event: ompt_callbacks_t) -> Option<ompt_callback_t> {
            match event {
                $($(ompt_callbacks_t::$constant => {
                    callback!($constant $callback $arguments)
                })*)*
                _ => None,
            }
        }
    };
}

for_each_callback!(define_of);
