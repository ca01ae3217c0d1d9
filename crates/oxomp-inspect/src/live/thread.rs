//! What `/proc` tells of a thread.

use std::fs;
use std::time::Duration;

use oxomp_ompd_layout::Memory;

use crate::status::field;
use crate::stop::Held;
use crate::thread::{NativeThread, Signal};

/// The thread of process `pid`, whose memory is `memory`, that is held.
pub(super) fn thread(pid: i32, memory: &dyn Memory, held: &Held) -> NativeThread {
    let lwp = held.lwp;
    let read = |file: &str| {
        let bytes = fs::read(format!("/proc/{pid}/task/{lwp}/{file}")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let inner_lwp = field(&read("status"), "NSpid")
        .and_then(|numbers| numbers.split_whitespace().last()?.parse().ok());
    let on_processor = read("schedstat").split(' ').next().and_then(|time| time.parse().ok());
    let mut thread = NativeThread {
        lwp,
        inner_lwp: inner_lwp.unwrap_or(lwp),
        name: read("comm").trim_end_matches('\n').to_owned(),
        system_call: None,
        restarts: false,
        signal: held.signal.map(|details| Signal {
            number: details.number,
            code: Some(details.code),
            address: Signal::is_fault(details.number).then_some(details.address),
        }),
        cpu_time: on_processor.map(Duration::from_nanos),
        registers: held.registers,
    };
    thread.find_system_call(memory);
    thread
}
