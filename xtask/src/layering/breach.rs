//! A broken rule, and the place that breaks it.

use std::fmt;
use std::path::{Path, PathBuf};

/// A place that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Breach {
    pub file: PathBuf,
    /// The line in it, from 1.
    pub line: usize,
    /// The offending text, and the rule that it breaks.
    pub rule: String,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.rule)
    }
}

/// The line of the first place where `path` has `text`, or 1.
pub fn line_of(path: &Path, text: &str) -> usize {
    let contents = std::fs::read_to_string(path).unwrap_or_default();
    contents.lines().position(|line| line.trim_start().starts_with(text)).map_or(1, |at| at + 1)
}
