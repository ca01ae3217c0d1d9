//! The table of plants: programs in tests/profiler/plants, each with one fault, which has to be the
//! first advice; `oxomp_testing::plant` has what it is judged by. Where no times are demanded, the
//! profile knows a construct in a line of the fault, if the runtime tells it.
//!
//! `cargo xtask plants` measures what their repairs win.

use std::ops::Deref;
use std::process::Command;

use libtest_mimic::Failed;
use oxomp_analysis::report::{Names, TryFirst, try_first};
use oxomp_analysis::symbols::{Place, Symbols};
use oxomp_prerequisites::Program;
use oxomp_testing::plant::Plant;

use crate::demand::Demand;
use crate::run::Setting;
use crate::runtimes::workspace;

/// A program with a fault, to be built and judged in a setting.
#[derive(Debug)]
pub(crate) struct Planted(Plant);

impl Deref for Planted {
    type Target = Plant;

    fn deref(&self) -> &Plant {
        &self.0
    }
}

/// Every program of the table, by name.
pub(crate) fn plants() -> Vec<Planted> {
    let plants = Plant::all(workspace()).expect("the folder of the plants");
    plants.into_iter().map(Planted).collect()
}

impl Planted {
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
        let options: &[&str] = if self.ending() == "f90" { &["-cpp"] } else { &[] };
        Ok(setting.urgent_command(&setting.compile_as(&source, &self.name, options)?))
    }

    /// The first advice is the plant, if times are demanded.
    pub(crate) fn check(&self, setting: &Setting) -> Result<(), Failed> {
        let compiler = if setting.compiler() == Program::Gcc { "gcc" } else { "clang" };
        let runtime = setting.runtime().name();
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
            if !marked.is_empty() && !is_told && !self.has_no_line(compiler, runtime) {
                return Err(format!("none of {marked:?} is in {known:?}"));
            }
            if setting.demand == Demand::Counts {
                return Ok(());
            }
            self.judge(&advices.first().ok_or("no advice")?.text, compiler, runtime)
        };
        Ok(setting.demand.attempts(attempt)?)
    }
}
