//! A tool in C that asks the runtime, as built, for its answers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use oxomp_prerequisites::Program;

use oxomp_build::command;
use oxomp_build::dist::Dist;

/// The runtime's answers.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    /// The result of `ompt_set_callback`, by event.
    pub(crate) events: BTreeMap<String, String>,
    /// `present` or `absent`, by the entry point's full name.
    pub(crate) entry_points: BTreeMap<String, String>,
}

/// A program with the tool in it, and the names that it asks for.
pub(crate) struct Probe<'a> {
    /// The program; it includes `events.inc`, lines `EVENT(name)`, and `entry_points.inc`, lines
    /// `ENTRY_POINT(name)`.
    pub(crate) source: &'a str,
    pub(crate) events: Vec<&'a str>,
    pub(crate) entry_points: &'a [&'a str],
}

impl Probe<'_> {
    /// Builds the program with the headers of the repository at `root`, and runs it on the runtime
    /// in `built`.
    pub(crate) fn ask(&self, root: &Path, built: &Dist) -> Result<Answers> {
        let folder = tempfile::tempdir()?;
        let list = |macro_name: &str, names: &[&str]| {
            names.iter().map(|name| format!("{macro_name}({name})\n")).collect::<String>()
        };
        fs::write(folder.path().join("events.inc"), list("EVENT", &self.events))?;
        let entry_points = list("ENTRY_POINT", self.entry_points);
        fs::write(folder.path().join("entry_points.inc"), entry_points)?;
        fs::write(folder.path().join("probe.c"), self.source)?;
        let program = folder.path().join("probe");
        command::capture(
            Program::Gcc
                .command()
                .args(["-fopenmp", "-rdynamic", "-Wno-cast-function-type", "-I"])
                .arg(root.join("include"))
                .arg(folder.path().join("probe.c"))
                .arg("-o")
                .arg(&program),
        )?;
        let said = command::capture(
            Command::new(&program)
                .env("LD_LIBRARY_PATH", built.lib())
                .env_remove("OMP_TOOL")
                .env_remove("OMP_TOOL_LIBRARIES"),
        )
        .context("the probe did not run on the runtime")?;
        Ok(parse(&said))
    }
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

    #[test]
    fn answers_are_read() {
        let answers = parse("event work always\nentry_point ompt_get_state present\nother\n");
        assert_eq!(answers.events["work"], "always");
        assert_eq!(answers.entry_points["ompt_get_state"], "present");
    }
}
