//! The events and entry points of OMPT as the runtime itself answers for them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use oxomp_prerequisites::Program;

use crate::command;
use crate::dist::Dist;

/// Every event that a tool can register a callback for, by its name without `ompt_callback_`.
pub(crate) const EVENTS: [&str; 37] = [
    "thread_begin",
    "thread_end",
    "parallel_begin",
    "parallel_end",
    "implicit_task",
    "work",
    "dispatch",
    "masked",
    "sync_region",
    "sync_region_wait",
    "reduction",
    "mutex_acquire",
    "mutex_acquired",
    "mutex_released",
    "nest_lock",
    "lock_init",
    "lock_destroy",
    "control_tool",
    "error",
    "flush",
    "cancel",
    "task_create",
    "task_schedule",
    "dependences",
    "task_dependence",
    "device_initialize",
    "device_finalize",
    "device_load",
    "device_unload",
    "target",
    "target_data_op",
    "target_submit",
    "target_map",
    "target_emi",
    "target_data_op_emi",
    "target_submit_emi",
    "target_map_emi",
];

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

/// What the runtime said.
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
    fs::write(folder.path().join("events.inc"), list("EVENT", &EVENTS))?;
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
    if answers.events.len() != EVENTS.len() {
        bail!("the runtime started no tool, or the tool no events: {said:?}");
    }
    Ok(answers)
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
    use super::{EVENTS, parse};

    #[test]
    fn each_event_of_the_header_is_asked_for() {
        let header = include_str!("../../../include/omp-tools.h");
        let numbered =
            |line: &&str| line.trim().starts_with("ompt_callback_") && line.contains("= ");
        let names = header.lines().filter(numbered).filter_map(|line| {
            let (name, value) = line.trim().trim_end_matches(',').split_once(" = ")?;
            value.parse::<u32>().ok()?;
            name.strip_prefix("ompt_callback_")
        });
        let mut in_header: Vec<&str> = names.collect();
        let mut asked = EVENTS.to_vec();
        in_header.sort_unstable();
        asked.sort_unstable();
        assert_eq!(in_header, asked);
    }

    #[test]
    fn answers_are_read() {
        let answers = parse("event work always\nentry_point ompt_get_state present\nother\n");
        assert_eq!(answers.events["work"], "always");
        assert_eq!(answers.entry_points["ompt_get_state"], "present");
    }
}
