//! The events and entry points of OMPT as the runtime itself answers for them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use oxomp_prerequisites::Program;
use oxomp_sys::ompt::{EventRow, Raised, ompt_set_result_t};

use super::coverage::EventTests;
use crate::command;
use crate::dist::Dist;

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

/// The runtime's answers.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// The result of `ompt_set_callback`, by event.
    pub(crate) events: BTreeMap<String, String>,
    /// `present` or `absent`, by the entry point's full name.
    pub(crate) entry_points: BTreeMap<String, String>,
}

/// Builds the probe and runs it on the runtime in `built`.
pub(crate) fn ask(root: &Path, built: &Dist) -> Result<Answers> {
    let folder = tempfile::tempdir()?;
    let list = |macro_name: &str, names: &[&str]| {
        names.iter().map(|name| format!("{macro_name}({name})\n")).collect::<String>()
    };
    let events: Vec<&str> = EventRow::ALL.iter().map(|row| row.name).collect();
    fs::write(folder.path().join("events.inc"), list("EVENT", &events))?;
    fs::write(folder.path().join("entry_points.inc"), list("ENTRY_POINT", &ENTRY_POINTS))?;
    fs::write(folder.path().join("probe.c"), include_str!("ompt_probe.c"))?;
    let probe = folder.path().join("probe");
    command::capture(
        Program::Gcc
            .command()
            .args(["-fopenmp", "-rdynamic", "-Wno-cast-function-type", "-I"])
            .arg(root.join("include"))
            .arg(folder.path().join("probe.c"))
            .arg("-o")
            .arg(&probe),
    )?;
    let said = command::capture(
        Command::new(&probe).env("LD_LIBRARY_PATH", built.lib()).env_remove("OMP_TOOL_LIBRARIES"),
    )
    .context("the probe did not run on the runtime")?;
    let answers = parse(&said);
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

fn parse(said: &str) -> Answers {
    let mut answers = Answers::default();
    for line in said.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["event", name, result] => {
                answers.events.insert(name.to_owned(), result.to_owned());
            }
            ["entry_point", name, result] => {
                answers.entry_points.insert(name.to_owned(), result.to_owned());
            }
            _ => {}
        }
    }
    answers
}

#[cfg(test)]
mod tests {
    use super::parse;
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

    #[test]
    fn answers_are_read() {
        let answers = parse("event work always\nentry_point ompt_get_state present\nother\n");
        assert_eq!(answers.events["work"], "always");
        assert_eq!(answers.entry_points["ompt_get_state"], "present");
    }
}
