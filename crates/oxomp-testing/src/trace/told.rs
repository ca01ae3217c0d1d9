//! The events of a log in the types of the tools interface, as the judge of `oxomp-event-order`
//! takes them.

use std::ffi::{CStr, c_int};

use oxomp_event_order::event::{Event, Object, TaskLevel};
use oxomp_sys::ompt::{
    EventRow, ompt_callbacks_t, ompt_cancel_flag_t, ompt_data_t, ompt_dependence_type_t,
    ompt_frame_flag_t, ompt_frame_t, ompt_mutex_t, ompt_parallel_flag_t, ompt_scope_endpoint_t,
    ompt_state_t, ompt_sync_region_t, ompt_task_flag_t, ompt_task_status_t, ompt_work_t,
};

use crate::trace::log::{self, Log, find};

type Keys = [(String, String)];

/// The value of an enumeration or of a flag that the log calls `$text`: by the end of its name in
/// C, or by its number.
macro_rules! named {
    ($type:ident, $text:expr) => {{
        let text: &str = $text;
        let named = $type::NAMES.iter().find(|(_, name)| is_called(name, text));
        named.map_or_else(|| $type(numeric(text) as _), |(value, _)| *value)
    }};
}

fn is_called(name: &CStr, text: &str) -> bool {
    let rest = name.to_str().ok().and_then(|name| name.strip_suffix(text));
    rest.is_some_and(|rest| rest.ends_with('_'))
}

/// The events of `log`, each at the position that it has there.
#[must_use]
pub fn events(log: &Log) -> Vec<Event> {
    log.events.iter().map(event).collect()
}

fn event(event: &log::Event) -> Event {
    let row = EventRow::ALL.iter().find(|row| row.name == event.name);
    let code = row.map_or(ompt_callbacks_t(0), |row| row.event);
    let keys = &event.keys;
    let new_task = if code == ompt_callbacks_t::TASK_CREATE { "task" } else { "next" };
    let details = |name: &'static str| {
        let details = event.details.iter().filter(move |detail| detail.name == name);
        details.map(|detail| &*detail.keys)
    };
    Event {
        endpoint: named!(ompt_scope_endpoint_t, text(keys, "endpoint")),
        kind: kind(code, keys),
        parallel: object(keys, &["parallel"]),
        task: object(keys, &["encountering_task", "prior", "source", "task"]),
        other: object(keys, &[new_task, "sink", "target_task"]),
        count: number(keys, &["parallelism", "hint", "has_dependences"]),
        index: number(keys, &["index"]),
        flags: flags(code, text(keys, "flags")),
        wait: number(keys, &["wait_id"]),
        frame: find(keys, "exit_frame").map(|_| frame(keys)),
        dirty: numeric(text(keys, "dirty")),
        has_own_thread_word: find(keys, "thread_data").is_none_or(|word| word == "ok"),
        state: named!(ompt_state_t, text(keys, "state")),
        tasks: details("task_info").map(task_level).collect(),
        regions: details("parallel_info")
            .map(|keys| (object(keys, &["parallel"]), number(keys, &["size"])))
            .collect(),
        dependences: details("dependence").map(dependence).collect(),
        ..Event::new(event.thread, code)
    }
}

fn task_level(keys: &Keys) -> TaskLevel {
    TaskLevel {
        task: object(keys, &["task"]),
        flags: ompt_task_flag_t(flags(ompt_callbacks_t::TASK_CREATE, text(keys, "flags"))),
        parallel: object(keys, &["parallel"]),
        thread_num: text(keys, "thread_num").parse().unwrap_or(-1),
        frame: frame(keys),
    }
}

fn dependence(keys: &Keys) -> (ompt_dependence_type_t, u64) {
    (named!(ompt_dependence_type_t, text(keys, "type")), number(keys, &["variable"]))
}

fn text<'l>(keys: &'l Keys, key: &str) -> &'l str {
    find(keys, key).unwrap_or_default()
}

/// The object that the first of `names` that the event has names.
#[must_use]
pub fn object(keys: &Keys, names: &[&str]) -> Object {
    let Some(text) = names.iter().find_map(|name| find(keys, name)) else { return Object::Null };
    let number = text.get(1..).and_then(|digits| digits.parse().ok());
    match (text.as_bytes().first(), number) {
        (Some(b't'), Some(number)) => Object::Task(number),
        (Some(b'p'), Some(number)) => Object::Region(number),
        _ if text == "null" => Object::Null,
        _ if text == "zero" => Object::Unannounced,
        _ => Object::Foreign(numeric(text.trim_start_matches("bad:"))),
    }
}

/// The number of the first of `names` that the event has.
fn number(keys: &Keys, names: &[&str]) -> u64 {
    numeric(names.iter().find_map(|name| find(keys, name)).unwrap_or_default())
}

/// A number; what follows the letter in a name that the log gives; 0 if there is none.
fn numeric(text: &str) -> u64 {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.trim_start_matches(['w', 'v']).parse(),
    }
    .unwrap_or(0)
}

/// The kind of an event that has a rule for it.
fn kind(code: ompt_callbacks_t, keys: &Keys) -> c_int {
    let text = ["type", "kind", "status"].iter().find_map(|name| find(keys, name));
    let text = text.unwrap_or_default();
    match code {
        ompt_callbacks_t::TASK_SCHEDULE => named!(ompt_task_status_t, text).0,
        ompt_callbacks_t::WORK => named!(ompt_work_t, text).0,
        ompt_callbacks_t::SYNC_REGION
        | ompt_callbacks_t::SYNC_REGION_WAIT
        | ompt_callbacks_t::REDUCTION => named!(ompt_sync_region_t, text).0,
        ompt_callbacks_t::LOCK_INIT
        | ompt_callbacks_t::LOCK_DESTROY
        | ompt_callbacks_t::MUTEX_ACQUIRE
        | ompt_callbacks_t::MUTEX_ACQUIRED
        | ompt_callbacks_t::MUTEX_RELEASED => named!(ompt_mutex_t, text).0,
        _ => 0,
    }
}

fn flags(code: ompt_callbacks_t, text: &str) -> u32 {
    let value = |flag: &str| match code {
        ompt_callbacks_t::PARALLEL_BEGIN | ompt_callbacks_t::PARALLEL_END => {
            named!(ompt_parallel_flag_t, flag).0
        }
        ompt_callbacks_t::CANCEL => named!(ompt_cancel_flag_t, flag).0,
        _ => named!(ompt_task_flag_t, flag).0,
    };
    text.split(',').filter(|flag| !flag.is_empty()).map(value).fold(0, |all, flag| all | flag)
}

fn frame(keys: &Keys) -> ompt_frame_t {
    let [exit, enter] = ["exit_frame", "enter_frame"].map(|key| {
        let (words, address) = text(keys, key).split_once('@').unwrap_or_default();
        let words = words.trim_start_matches("set:").split(',');
        let flags = words.fold(0, |all, word| all | named!(ompt_frame_flag_t, word).0);
        (ompt_data_t { value: numeric(address) }, ompt_frame_flag_t(flags))
    });
    ompt_frame_t {
        exit_frame: exit.0,
        enter_frame: enter.0,
        exit_frame_flags: exit.1,
        enter_frame_flags: enter.1,
    }
}

#[cfg(test)]
mod tests {
    use super::{is_called, numeric};
    use oxomp_sys::ompt::{
        ompt_cancel_flag_t, ompt_dependence_type_t, ompt_frame_flag_t, ompt_mutex_t,
        ompt_parallel_flag_t, ompt_scope_endpoint_t, ompt_state_t, ompt_sync_region_t,
        ompt_task_flag_t, ompt_task_status_t, ompt_work_t,
    };

    /// Each name, without what all names of the type begin with, leads to its value. One name may
    /// end like another: the first one of the type counts.
    macro_rules! lead_back {
        ($($type:ident),*) => {$({
            let names: Vec<(_, &str)> = $type::NAMES
                .iter()
                .map(|(value, name)| (*value, name.to_str().expect("ASCII")))
                .collect();
            let first = names[0].1;
            let same = (0..first.len())
                .take_while(|&at| names.iter().all(|(_, name)| name.get(..=at) == first.get(..=at)))
                .count();
            let begin = first[..same].rfind('_').map_or(0, |at| at + 1);
            for (value, name) in &names {
                let text = &name[begin..];
                assert_eq!(named!($type, text), *value, "{text} of {}", stringify!($type));
            }
        })*};
    }

    #[test]
    fn each_name_leads_back_to_its_value() {
        lead_back!(
            ompt_cancel_flag_t,
            ompt_dependence_type_t,
            ompt_frame_flag_t,
            ompt_mutex_t,
            ompt_parallel_flag_t,
            ompt_scope_endpoint_t,
            ompt_state_t,
            ompt_sync_region_t,
            ompt_task_flag_t,
            ompt_task_status_t,
            ompt_work_t
        );
    }
}
