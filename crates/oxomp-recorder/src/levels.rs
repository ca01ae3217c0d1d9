//! What the entry points tell inside a callback of the regions and tasks around the caller.

use ompt::{EntryPoints, EventSet, Info};

use crate::header::Header;
use crate::record::values;
use crate::recording::Recording;
use crate::value::{Value, region, task};

const MAX_LEVELS: u32 = 8;

/// Records the answers as details of the event `seq`.
pub(crate) fn record(
    recording: &Recording<Header, EventSet>,
    entry_points: &EntryPoints,
    seq: u64,
) {
    record_levels(recording, seq, "parallel_info", |level| {
        entry_points.parallel_info(level, |info| {
            values! {
                level: level,
                result: 2,
                parallel: region(info.parallel),
                size: info.team_size,
            }
        })
    });
    record_levels(recording, seq, "task_info", |level| {
        entry_points.task_info(level, |info| {
            values! {
                level: level,
                result: 2,
                task: task(info.task),
                flags: info.flags,
                parallel: region(info.parallel),
                thread_num: info.thread_num,
                exit_frame: info.frame.and_then(|frame| frame.exit()),
                enter_frame: info.frame.and_then(|frame| frame.enter()),
            }
        })
    });
}

/// Records what `ask` tells of each level, from the innermost outwards, until it knows none.
fn record_levels<const N: usize>(
    recording: &Recording<Header, EventSet>,
    seq: u64,
    name: &'static str,
    ask: impl Fn(u32) -> Info<[(&'static str, Value); N]>,
) {
    for level in 0..MAX_LEVELS {
        match ask(level) {
            Info::Available(values) => recording.detail(seq, name, values),
            Info::Unavailable => {
                recording.detail(seq, name, values! { level: level, result: 1 });
            }
            Info::None => break,
        }
    }
}
