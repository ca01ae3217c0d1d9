//! The runtime's answers to a tool of the 2015 report.

use std::path::Path;

use anyhow::{Result, bail};
use oxomp_build::dist::Dist;
use oxomp_sys::report_2015::{EventRow, SetResult};

use super::super::probe::{Answers, Probe};

/// The functions that the look-up of the initializer finds: the report's, the other spellings of
/// functions that the report spells in two ways, and the functions of the report's drafts.
pub(super) const ENTRY_POINTS: [&str; 23] = [
    "ompt_set_callback",
    "ompt_get_callback",
    "ompt_enumerate_state",
    "ompt_enumerate_lock_type",
    "ompt_enumerate_lock_types",
    "ompt_enumerate_atomic_type",
    "ompt_get_thread_id",
    "ompt_get_state",
    "ompt_get_parallel_id",
    "ompt_get_parallel_team_size",
    "ompt_get_task_info",
    "ompt_get_num_devices",
    "ompt_target_get_device_info",
    "ompt_get_device_info",
    "ompt_target_get_device_id",
    "ompt_get_task_id",
    "ompt_get_task_frame",
    "ompt_get_idle_frame",
    "ompt_idle",
    "ompt_overhead",
    "ompt_barrier_wait",
    "ompt_task_wait",
    "ompt_mutex_wait",
];

/// Builds the probe and runs it on the runtime in `built`.
pub(crate) fn ask(root: &Path, built: &Dist) -> Result<Answers> {
    let probe = Probe {
        source: include_str!("probe.c"),
        events: EventRow::ALL.iter().map(|row| row.name).collect(),
        entry_points: &ENTRY_POINTS,
    };
    let answers = probe.ask(root, built)?;
    for row in EventRow::ALL {
        let answer = answers.events.get(row.name).map(String::as_str);
        if answer != Some(label(row.answer)) {
            bail!(
                "the runtime does not answer a tool of the 2015 report for {} as its table says: \
                 {answer:?}",
                row.name
            );
        }
    }
    Ok(answers)
}

/// An answer of `ompt_set_callback` as the probe and the page name it: by the number that the
/// report gives it, and a word, since the report gives it no name.
fn label(answer: SetResult) -> &'static str {
    match answer {
        SetResult::ERROR => "0-error",
        SetResult::IMPOSSIBLE => "1-impossible",
        SetResult::NEVER => "2-never",
        SetResult::CONVENIENT => "3-convenient",
        SetResult::ALWAYS => "4-always",
        _ => "unknown",
    }
}
