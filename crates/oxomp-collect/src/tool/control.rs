//! What the program asks of the recording by `omp_control_tool`.

use ompt::ControlTool;
use oxomp_trace::EventKind;
use oxomp_trace::phases::PATH_LENGTH;

use crate::log::record;
use crate::store::Store;
use crate::{child, clock, phases, recording, sample, slow_regions};

/// A phase of the program begins: the argument is its name, and the modifier the length of the name
/// in bytes, or 0 if the name ends with a zero.
const PHASE_BEGIN: u64 = oxomp_sys::control::PHASE_BEGIN as u64;
/// The phase that began last ends.
const PHASE_END: u64 = oxomp_sys::control::PHASE_END as u64;

/// Obeys a command. False if that changes nothing.
pub(super) fn obey(event: &ControlTool) -> bool {
    match event.command {
        ControlTool::START => {
            let now = clock::now();
            let resumed = recording::resume(now);
            if let (true, Some(recording)) = (resumed, recording::current()) {
                recording.push_pause(record(EventKind::Resume, now));
            }
            resumed
        }
        ControlTool::PAUSE => {
            let now = clock::now();
            let paused = recording::pause(now);
            if let (true, Some(recording)) = (paused, recording::current()) {
                recording.push_pause(record(EventKind::Pause, now));
            }
            paused
        }
        // All records are in the file already; of the last seconds, a reader writes an excerpt.
        ControlTool::FLUSH => {
            if recording::current().is_some() {
                slow_regions::request(clock::now());
            }
            recording::is_wanted()
        }
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
        PHASE_BEGIN => {
            let most = usize::try_from(event.modifier).ok().filter(|&length| length > 0);
            let most = most.map_or(PATH_LENGTH, |length| length.min(PATH_LENGTH));
            let name = sample::text(event.arg.expose_provenance() as u64, most);
            let name = name.unwrap_or_default();
            change_phase(|store| phases::begin(store, name.trim_ascii()))
        }
        PHASE_END => change_phase(phases::end),
        _ => false,
    }
}

fn change_phase(change: impl FnOnce(&Store) -> bool) -> bool {
    if !recording::is_wanted() {
        return false;
    }
    // In a child, this may begin the recording.
    child::enter_region();
    child::begin_main_thread();
    recording::current().is_some_and(|recording| recording.change_phase(change))
}
