//! Loops that wait for another thread to change a variable, in the document.

use oxomp_analysis::summary;
use serde::Serialize;

use super::places::{Place, Places};

/// A loop in a region at which samples are, and that only reads memory until another thread changes
/// it: its time counts as work.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SpinLoop {
    /// The region; null if it is not known.
    region: Option<Place>,
    /// The function that has the loop.
    function: String,
    /// Its source file; null without line information.
    file: Option<String>,
    /// Its line in `file`, from 1; null without line information.
    line: Option<u32>,
    /// Samples in the loop.
    samples: u64,
    /// All samples in the region's own code.
    region_samples: u64,
}

impl SpinLoop {
    pub(super) fn new(spin: &summary::SpinLoop, places: &Places<'_>) -> Self {
        Self {
            region: places.place(spin.region),
            function: spin.function.clone(),
            file: spin.line.as_ref().map(|(file, _)| file.clone()),
            line: spin.line.as_ref().map(|(_, line)| *line),
            samples: spin.samples,
            region_samples: spin.of,
        }
    }
}
