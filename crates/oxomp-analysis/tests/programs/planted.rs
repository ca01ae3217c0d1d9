//! The table of plants: programs in tests/profiler/plants, each with one fault. Comments in them
//! say what the first advice has to contain; it also names a line that is marked PLANT. Where no
//! times are demanded, the profile knows a construct in such a line, unless a comment `NoLine` says
//! that the runtime does not tell it.
//!
//! `cargo xtask plants` measures what their repairs win.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Failed;
use oxomp_analysis::report::{Names, TryFirst, try_first};
use oxomp_analysis::symbols::{Place, Symbols};
use oxomp_prerequisites::Program;

use crate::demand::Demand;
use crate::run::Setting;
use crate::runtimes::workspace;

/// A program with a fault.
#[derive(Debug, Clone)]
pub(crate) struct Plant {
    /// The file's name without its ending.
    pub(crate) name: String,
    path: PathBuf,
    text: String,
}

/// Every program of the folder, by name.
pub(crate) fn plants() -> Vec<Plant> {
    let folder = workspace().join("tests/profiler/plants");
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
    let mut plants: Vec<Plant> = files.filter_map(|path| Plant::read(&path)).collect();
    plants.sort_by(|a, b| a.name.cmp(&b.name));
    plants
}

impl Plant {
    /// The program of `path`; `None` if the file is only a part of one.
    fn read(path: &Path) -> Option<Self> {
        let text = fs::read_to_string(path).ok().filter(|text| text.contains("//#Says"))?;
        let name = path.file_stem()?.to_str()?.to_owned();
        Some(Self { name, path: path.to_owned(), text })
    }

    fn is_script(&self) -> bool {
        self.path.extension().is_some_and(|ending| ending == "py")
    }

    /// What the first advice contains if the program was built by `compiler`.
    fn says(&self, compiler: Program) -> impl Iterator<Item = &str> {
        let own = format!("//#Says[{}]:", if compiler == Program::Gcc { "gcc" } else { "clang" });
        self.text.lines().filter_map(move |line| {
            let (_, said) = line.split_once("//#Says:").or_else(|| line.split_once(&own))?;
            Some(said)
        })
    }

    /// The places one of which the first advice names; empty if none is marked.
    fn places(&self) -> Vec<String> {
        let file = self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let lines = self.text.lines().zip(1..).filter(|(line, _)| line.ends_with(" PLANT"));
        lines.map(|(_, number)| format!("{file}:{number}")).collect()
    }

    /// Whether the runtime tells no address of the construct in the program.
    fn has_no_line(&self, setting: &Setting) -> bool {
        let title = setting.title();
        let told = self.text.lines().filter_map(|line| line.split_once("//#NoLine["));
        let mut told = told.filter_map(|(_, rest)| rest.split_once(']'));
        told.any(|(name, _)| name == title)
    }

    /// Builds the program; returns the command that runs it.
    pub(crate) fn build(&self, setting: &Setting) -> Result<Command, String> {
        if self.is_script() {
            let source = format!("plants/{}_library", self.name);
            let library = setting.compile_as(&source, "library.so", &["-shared", "-fPIC"])?;
            let mut command = setting.interpreter();
            command.arg(&self.path).arg(library);
            return Ok(command);
        }
        let source = format!("plants/{}", self.name);
        let is_fortran = self.path.extension().is_some_and(|ending| ending == "f90");
        let options: &[&str] = if is_fortran { &["-cpp"] } else { &[] };
        Ok(setting.urgent_command(&setting.compile_as(&source, &self.name, options)?))
    }

    /// The first advice is the plant, if times are demanded.
    pub(crate) fn check(&self, setting: &Setting) -> Result<(), Failed> {
        let mut command = self.build(setting)?;
        let attempt = || {
            let run = setting.finish(&mut command)?;
            if !run.status.success() {
                return Err(format!("{} ended with {}: {}", self.name, run.status, run.stderr));
            }
            let summary = run.summary()?;
            let places = Symbols::new().places(&summary.sites);
            let TryFirst { advices, .. } = try_first(summary, Names { places: &places });
            if let Some(wrong) = advices.iter().find(|it| it.gain_ns > summary.header.recorded_ns) {
                return Err(format!("a gain above the recorded time: {wrong:?}"));
            }
            let marked = self.places();
            let known: Vec<String> = places.iter().map(Place::short).collect();
            let is_told = marked.iter().any(|place| known.contains(place));
            if !marked.is_empty() && !is_told && !self.has_no_line(setting) {
                return Err(format!("none of {marked:?} is in {known:?}"));
            }
            if setting.demand == Demand::Counts {
                return Ok(());
            }
            let first = advices.first().ok_or("no advice")?;
            let missing = self.says(setting.compiler()).find(|part| !first.text.contains(part));
            if let Some(part) = missing {
                return Err(format!("`{part}` is not in `{}`", first.text));
            }
            let is_named = marked.iter().any(|place| first.text.contains(place));
            if !marked.is_empty() && !is_named && !self.has_no_line(setting) {
                return Err(format!("none of {marked:?} is in `{}`", first.text));
            }
            Ok(())
        };
        Ok(setting.demand.attempts(attempt)?)
    }
}
