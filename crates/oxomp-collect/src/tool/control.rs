//! What the program asks of the recording by `omp_control_tool`.

use ompt::ControlTool;
use oxomp_trace::EventKind;

use crate::log::record;
use crate::{clock, recording};

/// Obeys `command`. False if that changes nothing.
pub(super) fn obey(command: u64) -> bool {
    match command {
        ControlTool::START => {
            let now = clock::now();
            let resumed = recording::resume(now);
            if let (true, Some(recording)) = (resumed, recording::current()) {
                recording.push(record(EventKind::Resume, now));
            }
            resumed
        }
        ControlTool::PAUSE => {
            let now = clock::now();
            let paused = recording::pause(now);
            if let (true, Some(recording)) = (paused, recording::current()) {
                recording.push(record(EventKind::Pause, now));
            }
            paused
        }
        // All records are in the file already.
        ControlTool::FLUSH => recording::is_wanted(),
        ControlTool::END => {
            let alive = recording::is_wanted();
            match recording::current() {
                Some(recording) if alive => {
                    recording.end();
                    // Without a thread for it, the tool stays and does nothing.
                    if let Some(attached) = recording.origin().attached {
                        let _ = attached.leave();
                    }
                }
                Some(_) => recording::give_up(),
                None => recording::give_up_or_end(),
            }
            alive
        }
        _ => false,
    }
}
