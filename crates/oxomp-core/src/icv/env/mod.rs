//! The environment variables that set internal control variables (OpenMP 5.2 chapter 21).
//!
//! OMP_* of this runtime's constructs, and of KMP_* and GOMP_* those that users of the two libraries
//! rely on. A bad value gives one warning and the default. The variables of the tools
//! interface are read elsewhere, earlier (`tool`).

use core::fmt;
use std::collections::HashMap;

use super::hw_subset::HwSubset;
use super::value::{self, Parsed};
use super::{GlobalIcvs, Icvs, Library};

mod binding;
mod data_environment;
mod device;
#[cfg(test)]
mod tests;

pub(crate) use device::LEAST_STACK;

/// A variable whose value cannot be what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The name.
    pub variable: String,
    /// The value as it was written.
    pub value: String,
    /// What is wrong with it.
    pub problem: String,
    /// What holds instead, as one would write it.
    pub used: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, value, problem, used } = self;
        write!(f, "{variable}=\"{}\": {problem}; using {used}", value::shortened(value))
    }
}

/// The part of the machine that the user leaves to the process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confinement {
    /// The processors that the process was given are the most that it takes.
    pub respects_mask: bool,
    /// The name under which the subset was said.
    pub variable: &'static str,
    /// KMP_HW_SUBSET.
    pub hw_subset: Option<HwSubset>,
}

/// The processors that are left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Processors {
    /// *num-procs-var*, at least 1.
    pub num_procs: u32,
    /// How many threads can run at once for long, at least 1 and at most `num_procs`: teams have so
    /// many unless the user says otherwise.
    pub concurrency: u32,
    /// Why there is no such subset.
    pub refused: Option<String>,
}

impl Processors {
    /// So many, with nothing refused.
    #[must_use]
    pub fn of(num_procs: u32) -> Self {
        Self { num_procs, concurrency: num_procs, refused: None }
    }
}

/// Reads `variables`, names and values, for the processors that `machine` has: the variables of the
/// initial tasks' data environments, those that all share, and what could not be understood (nothing
/// if the user wants no warnings). Of two variables with one name the first holds, as in getenv(3).
#[must_use]
pub fn read(
    variables: &[(String, String)],
    machine: impl FnOnce(&Confinement) -> Processors,
) -> (Icvs, GlobalIcvs, Vec<Warning>) {
    let mut reader = Reader { values: HashMap::new(), warnings: Vec::new() };
    for (name, value) in variables {
        reader.values.entry(name).or_insert(value);
    }
    let affinity = binding::kmp_affinity(&mut reader);
    let confinement = binding::confinement(&mut reader, affinity.modifiers);
    let Processors { num_procs, concurrency, refused } = machine(&confinement);
    if let Some(problem) = refused.filter(|_| affinity.modifiers.warnings) {
        reader.warn(confinement.variable, problem, "the whole machine");
    }
    let mut icvs = data_environment::data_environment(&mut reader, concurrency.max(1));
    let mut global = device::device(&mut reader, num_procs.max(1));
    global.hw_subset = confinement.hw_subset;
    binding::places(&mut reader, affinity, &mut icvs, &mut global);
    // LLVM's serial mode: every region has one thread.
    if global.library == Library::Serial {
        icvs.thread_limit_var = 1;
    }
    reader.boolean("KMP_WARNINGS", &mut global.warnings);
    if !global.warnings {
        reader.warnings.clear();
    }
    (icvs, global, reader.warnings)
}

struct Reader<'a> {
    values: HashMap<&'a str, &'a str>,
    warnings: Vec<Warning>,
}

impl<'a> Reader<'a> {
    /// The value without surrounding blanks; an empty one counts as none.
    fn value(&self, name: &str) -> Option<&'a str> {
        self.values.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// The value as it is, blanks and all; an empty one counts as none.
    fn text(&self, name: &str) -> Option<&'a str> {
        self.values.get(name).copied().filter(|value| !value.is_empty())
    }

    /// The value, if there is one and it can be understood; else `used` goes into the warning.
    fn read<T>(
        &mut self,
        name: &str,
        used: impl fmt::Display,
        parse: impl FnOnce(&str) -> Parsed<T>,
    ) -> Option<T> {
        match parse(self.value(name)?) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.warn(name, problem, used);
                None
            }
        }
    }

    fn integer(&mut self, name: &str, least: u32, variable: &mut u32) {
        let default = *variable;
        if let Some(value) = self.read(name, default, |text| value::integer(text, least)) {
            *variable = value;
        }
    }

    fn boolean(&mut self, name: &str, variable: &mut bool) {
        let default = *variable;
        if let Some(value) = self.read(name, default, value::boolean) {
            *variable = value;
        }
    }

    fn warn(&mut self, name: &str, problem: String, used: impl fmt::Display) {
        self.warnings.push(Warning {
            variable: name.to_owned(),
            value: (*self.values.get(name).unwrap_or(&"")).to_owned(),
            problem,
            used: used.to_string(),
        });
    }
}
