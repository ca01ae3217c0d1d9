//! The record of an event: its values, as plain data of a fixed size.

use crate::value::Value;

/// The most values that a record has.
const MOST: usize = 8;

/// One event, or a detail of the event before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    /// Position in the global order; a detail has the position of its event.
    pub(crate) seq: u64,
    pub(crate) is_detail: bool,
    /// The event's name, or the detail's.
    pub(crate) name: &'static str,
    pub(crate) values: Values,
    /// ns since the start of the tool.
    pub(crate) time: u64,
    /// The thread's state inside the callback, and the id of the mutex that it waits for.
    pub(crate) state: Value,
    pub(crate) wait: Value,
}

/// Values with their keys, in the order of the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values([Option<(&'static str, Value)>; MOST]);

impl Values {
    pub(crate) fn of<const N: usize>(values: [(&'static str, Value); N]) -> Self {
        const { assert!(N <= MOST) };
        let mut all = [None; MOST];
        for (place, value) in all.iter_mut().zip(values) {
            *place = Some(value);
        }
        Self(all)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, Value)> {
        self.0.iter().flatten().copied()
    }
}

/// Values with their keys: `values! { key: value, … }`.
macro_rules! values {
    ($($key:ident: $value:expr),* $(,)?) => {
        [$((stringify!($key), $crate::value::Value::from($value))),*]
    };
}

pub(crate) use values;
