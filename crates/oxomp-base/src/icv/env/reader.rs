//! Reads variables by their names, and warns of values that they cannot have.

use core::{fmt, mem};
use std::collections::BTreeMap;

use crate::icv::value::{self, Parsed};

/// A variable with an invalid value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The name of the variable.
    pub variable: String,
    /// The value as it was written.
    pub value: String,
    /// The problem with the value.
    pub problem: String,
    /// The value that is used instead, in the variable's syntax.
    pub used: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, value, problem, used } = self;
        write!(f, "{variable}=\"{}\": {problem}; using {used}", value::shortened(value))
    }
}

/// The variables of the environment, and the warnings about those that have been read.
pub(super) struct Reader<'a> {
    values: BTreeMap<&'a str, &'a str>,
    warnings: Vec<Warning>,
    #[cfg(test)]
    looked_up: std::cell::RefCell<std::collections::BTreeSet<String>>,
}

impl<'a> Reader<'a> {
    /// The reader of `variables`, names and values. Of two with the same name the first counts.
    pub(super) fn new(variables: &'a [(String, String)]) -> Self {
        let mut values = BTreeMap::new();
        for (name, value) in variables {
            values.entry(name.as_str()).or_insert(value.as_str());
        }
        Reader {
            values,
            warnings: Vec::new(),
            #[cfg(test)]
            looked_up: Default::default(),
        }
    }

    /// The warnings about the variables that have been read.
    pub(super) fn warnings(&mut self) -> Vec<Warning> {
        mem::take(&mut self.warnings)
    }

    /// The names of the variables that have been looked up, whether they are set or not.
    #[cfg(test)]
    pub(super) fn looked_up(self) -> std::collections::BTreeSet<String> {
        self.looked_up.into_inner()
    }

    /// The text of a variable, as it is.
    fn look_up(&self, name: &str) -> Option<&'a str> {
        #[cfg(test)]
        self.looked_up.borrow_mut().insert(name.to_owned());
        self.values.get(name).copied()
    }

    /// The value of a variable without surrounding blanks; an empty value counts as unset.
    pub(super) fn value(&self, name: &str) -> Option<&'a str> {
        self.look_up(name).map(str::trim).filter(|value| !value.is_empty())
    }

    /// The value of a variable, blanks included; an empty value counts as unset.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.look_up(name).filter(|value| !value.is_empty())
    }

    /// The names of the variables that begin so, in their order.
    pub(super) fn names_beginning_with(&self, beginning: &str) -> Vec<&'a str> {
        self.values.keys().copied().filter(|name| name.starts_with(beginning)).collect()
    }

    /// The parsed value of a variable, if it has a valid one. For an invalid value, adds a warning
    /// that names `used` as the effective value.
    pub(super) fn read<T>(
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

    pub(super) fn integer(&mut self, name: &str, least: u32, variable: &mut u32) {
        // A value that no user can give stands for an unset variable.
        let used = match *variable {
            unset if unset < least => "the default".to_owned(),
            default => default.to_string(),
        };
        if let Some(value) = self.read(name, used, |text| value::integer(text, least)) {
            *variable = value;
        }
    }

    pub(super) fn boolean(&mut self, name: &str, variable: &mut bool) {
        let default = *variable;
        if let Some(value) = self.read(name, default, value::boolean) {
            *variable = value;
        }
    }

    pub(super) fn warn(&mut self, name: &str, problem: String, used: impl fmt::Display) {
        self.warnings.push(Warning {
            variable: name.to_owned(),
            value: (*self.values.get(name).unwrap_or(&"")).to_owned(),
            problem,
            used: used.to_string(),
        });
    }
}
