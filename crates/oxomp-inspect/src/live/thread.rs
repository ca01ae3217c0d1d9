//! What `/proc` tells of a thread.

use std::fs;
use std::time::Duration;

use crate::status::field;
use crate::stop::Held;
use crate::thread::{NativeThread, Signal};

/// The thread of process `pid` that is held.
pub(super) fn thread(pid: i32, held: &Held) -> NativeThread {
    let lwp = held.lwp;
    let read = |file: &str| {
        let bytes = fs::read(format!("/proc/{pid}/task/{lwp}/{file}")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let inner_lwp = field(&read("status"), "NSpid")
        .and_then(|numbers| numbers.split_whitespace().last()?.parse().ok());
    let on_processor = read("schedstat").split(' ').next().and_then(|time| time.parse().ok());
    NativeThread {
        lwp,
        inner_lwp: inner_lwp.unwrap_or(lwp),
        name: read("comm").trim_end_matches('\n').to_owned(),
        system_call: held.registers.and_then(|registers| registers.system_call),
        signal: held.signal.map(|details| Signal {
            number: details.number,
            code: Some(details.code),
            address: Signal::is_fault(details.number).then_some(details.address),
        }),
        cpu_time: on_processor.map(Duration::from_nanos),
        registers: held.registers,
    }
}
