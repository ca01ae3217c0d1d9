//! What a reader found in source files, near lines of interest.
//!
//! A source is edited between two runs of a program, so what was found right after the run counts
//! before what the file says now.

use std::collections::{BTreeMap, HashMap};
use std::fs;

use serde::{Deserialize, Serialize};

/// A line of a source, from 1, and what a reader has made of it.
pub type Found = (u32, String);

/// Findings by file and line of interest. An empty one is kept, too: a file that was edited may say
/// something by now.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Findings(BTreeMap<String, BTreeMap<u32, Vec<Found>>>);

impl Findings {
    fn get(&self, file: &str, line: u32) -> Option<&Vec<Found>> {
        self.0.get(file)?.get(&line)
    }

    fn insert(&mut self, file: &str, line: u32, found: Vec<Found>) {
        self.0.entry(file.to_owned()).or_default().insert(line, found);
    }

    /// Takes the findings of another run, which count before these.
    pub(crate) fn add(&mut self, others: Self) {
        for (file, lines) in others.0 {
            self.0.entry(file).or_default().extend(lines);
        }
    }
}

/// Sources, each read once.
#[derive(Debug, Default)]
pub(crate) struct Sources(HashMap<String, Option<String>>);

impl Sources {
    /// What `read` finds for the line, or what was `kept` of an earlier call; `None` if the source
    /// is not at hand. A copy of the answer is `given`.
    pub(crate) fn find(
        &mut self,
        (kept, given): (&Findings, &mut Findings),
        file: &str,
        line: u32,
        read: impl FnOnce(&str) -> Vec<Found>,
    ) -> Option<Vec<Found>> {
        let found = match kept.get(file, line) {
            Some(found) => found.clone(),
            None => {
                let source = self.0.entry(file.to_owned());
                read(source.or_insert_with(|| fs::read_to_string(file).ok()).as_ref()?)
            }
        };
        given.insert(file, line, found.clone());
        Some(found)
    }
}
