//! Atomic updates of memory, in the document.

use oxomp_analysis::summary;
use serde::Serialize;

use super::places::{Place, Places};

/// An atomic update in a region at which samples are.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct AtomicUpdate {
    /// The region; null if it is not known.
    region: Option<Place>,
    /// The function that has the update.
    function: String,
    /// Its source file; null without line information.
    file: Option<String>,
    /// Its line in `file`, from 1; null without line information.
    line: Option<u32>,
    /// The instruction, as `lock xadd`, or the runtime's function.
    instruction: String,
    /// Samples at the instruction, or at the one directly behind it.
    samples: u64,
    /// All samples in the region's own code.
    region_samples: u64,
}

impl AtomicUpdate {
    pub(super) fn new(update: &summary::AtomicUpdate, places: &Places<'_>) -> Self {
        Self {
            region: places.place(update.region),
            function: update.function.clone(),
            file: update.line.as_ref().map(|(file, _)| file.clone()),
            line: update.line.as_ref().map(|(_, line)| *line),
            instruction: update.instruction.clone(),
            samples: update.samples,
            region_samples: update.of,
        }
    }
}
