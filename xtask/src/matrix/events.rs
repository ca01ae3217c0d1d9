//! The events and entry points of OMPT as the runtime itself answers for them.

use std::path::Path;

use anyhow::{Result, bail};
use oxomp_build::dist::Dist;
use oxomp_sys::ompt::{EventRow, Raised, ompt_set_result_t};

use super::coverage::EventTests;
use super::probe::{Answers, Probe};

/// The entry points of the host, by their names without `ompt_`.
pub(crate) const ENTRY_POINTS: [&str; 19] = [
    "enumerate_states",
    "enumerate_mutex_impls",
    "set_callback",
    "get_callback",
    "get_thread_data",
    "get_num_procs",
    "get_num_places",
    "get_place_proc_ids",
    "get_place_num",
    "get_partition_place_nums",
    "get_proc_id",
    "get_state",
    "get_parallel_info",
    "get_task_info",
    "get_task_memory",
    "get_target_info",
    "get_num_devices",
    "get_unique_id",
    "finalize_tool",
];

/// Builds the probe and runs it on the runtime in `built`.
pub(crate) fn ask(root: &Path, built: &Dist) -> Result<Answers> {
    let probe = Probe {
        source: include_str!("ompt_probe.c"),
        events: EventRow::ALL.iter().map(|row| row.name).collect(),
        entry_points: &ENTRY_POINTS,
    };
    let answers = probe.ask(root, built)?;
    for row in EventRow::ALL {
        let answer = answers.events.get(row.name).map(String::as_str);
        if answer != Some(label(row.answer())) {
            bail!("the runtime does not answer for {} as its table says: {answer:?}", row.name);
        }
    }
    Ok(answers)
}

/// An answer of `ompt_set_callback` as the probe and the page name it.
fn label(answer: ompt_set_result_t) -> &'static str {
    answer
        .name()
        .and_then(|name| name.to_str().ok()?.strip_prefix("ompt_set_"))
        .unwrap_or("unknown")
}

/// Where the table of events and the tests of the recorder disagree: an event that the table calls
/// raised in the programs of a family and no test of that family demands, or the other way round.
pub(crate) fn disagreements(tests: &EventTests) -> Vec<String> {
    let mut found = Vec::new();
    for row in EventRow::ALL {
        for (family, raised) in [("clang", row.clang), ("gcc", row.gcc)] {
            match (raised, tests.of(row.name, family)) {
                (Raised::Never, Some(test)) => found.push(format!(
                    "{} is raised in programs of {family}, as {test} shows: not in its row",
                    row.name
                )),
                (Raised::Always | Raised::Sometimes, None) => found.push(format!(
                    "{} is raised in programs of {family}, its row says: no test shows it",
                    row.name
                )),
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use oxomp_sys::ompt::EventRow;

    #[test]
    fn the_header_has_the_events_of_the_table_in_its_order() {
        let header = include_str!("../../../include/omp-tools.h");
        let in_header: Vec<(&str, i32)> = header
            .lines()
            .filter_map(|line| {
                let (name, value) = line.trim().trim_end_matches(',').split_once(" = ")?;
                Some((name.strip_prefix("ompt_callback_")?, value.parse().ok()?))
            })
            .collect();
        let rows: Vec<(&str, i32)> =
            EventRow::ALL.iter().map(|row| (row.name, row.event.0)).collect();
        assert_eq!(in_header, rows);
    }
}
