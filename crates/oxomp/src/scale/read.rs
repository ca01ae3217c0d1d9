//! The runs of a scale's folder, read and brought together.

use std::path::Path;

use oxomp_analysis::symbols::Symbols;
use oxomp_scale::{Measured, Scale};

use super::folder::{counts, processors};
use crate::data_folder::shown;
use crate::failure::Failure;
use crate::repetitions::repetitions;
use crate::runs::read_summary;

/// The runs that could be read, brought together, and why the others could not.
#[derive(Debug)]
pub(super) struct ReadScale {
    pub(super) scale: Scale,
    /// Files that could not be read, and runs that were left out, in words.
    pub(super) messages: Vec<String>,
    /// Whether a run is missing because it could not be read.
    pub(super) is_partial: bool,
}

impl ReadScale {
    /// Reads the runs in `folder`.
    ///
    /// # Errors
    ///
    /// If no run can be read; the message names each file and the reason.
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        let name = folder.display();
        folder.metadata().map_err(|error| Failure::own(format!("{name}: {error}")))?;
        let found = counts(folder);
        if found.is_empty() {
            return Err(Failure::own(format!(
                "{name}: there are no runs of `oxomp scale` in it (folders threads-1, threads-2 \
                 ...); `oxomp scale -o DIR -- PROGRAM` writes them"
            )));
        }
        let (mut measured, mut messages, mut is_partial) = (Vec::new(), Vec::new(), false);
        let mut symbols = Symbols::new();
        for (threads, of_count) in found {
            let mut runs = Vec::new();
            for run in repetitions(&of_count) {
                match read_summary(&run, &mut symbols) {
                    Ok((summary, places, message)) => {
                        runs.push((run, Measured::of(threads, &summary, &places)));
                        messages.extend(message);
                    }
                    Err(message) => {
                        messages.push(message);
                        is_partial = true;
                    }
                }
            }
            let any_whole = runs.iter().any(|(_, run)| run.facts.incomplete.is_empty());
            for (path, run) in runs {
                if any_whole && !run.facts.incomplete.is_empty() {
                    let why = run.facts.incomplete.join(", ");
                    messages.push(format!("{}: left out: {why}", shown(&path)));
                    is_partial = true;
                } else {
                    measured.push(run);
                }
            }
        }
        messages.dedup();
        let allowed = measured.iter().map(|run| run.facts.allowed_cpus).max().unwrap_or(0);
        let processors = processors(folder).unwrap_or(allowed).max(1);
        let scale = Scale::of(measured, processors)
            .ok_or_else(|| Failure::own(messages.join("\noxomp: ")))?;
        Ok(Self { scale, messages, is_partial })
    }
}
