//! The sampled code by function, in the document.

use oxomp_analysis::summary;
use serde::Serialize;

use super::places::{Place, Places};

/// The functions that the threads executed at sampled moments.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Sampled {
    /// Samples of the program's own code.
    taken: u64,
    /// Those among them whose call path could not be followed to the start of its thread.
    incomplete: u64,
    /// Samples that could not be taken.
    lost: u64,
    /// Processor time between two samples of a thread, ns.
    period_ns: u64,
    /// The code of the whole run by function, most samples first; the 200 functions with the most.
    code: Vec<HotCode>,
    /// The code of serial stretches, most samples first.
    serial: Vec<HotStretch>,
}

/// A function and its samples.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct HotCode {
    /// The function; module and offset where it has no name.
    function: String,
    /// Short name of the mapped file; null if unknown.
    module: Option<String>,
    /// The function of a library that it called, if the samples are in there; null otherwise.
    library: Option<String>,
    /// Source file of the line with the most samples; null without line information.
    file: Option<String>,
    /// That line in `file`, from 1; null without line information.
    line: Option<u32>,
    /// Samples in the function itself, or in the library's; times `period_ns` they are an estimate
    /// of its processor time.
    samples: u64,
    /// Those among them that were taken outside every region.
    serial_samples: u64,
}

/// The code of a serial stretch.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct HotStretch {
    /// The region that ended before the stretch; null at the start of the thread.
    after: Option<Place>,
    /// The region that began after it; null at the end of the thread.
    before: Option<Place>,
    /// Samples in all instances of the stretch.
    samples: u64,
    /// The functions that have most of them, at most three.
    code: Vec<HotCode>,
}

impl Sampled {
    pub(super) fn new(sampled: &summary::Sampled, places: &Places<'_>) -> Self {
        let stretches = sampled.stretches.iter();
        Self {
            taken: sampled.taken,
            incomplete: sampled.incomplete,
            lost: sampled.lost,
            period_ns: sampled.period_ns,
            code: sampled.code.iter().map(HotCode::new).collect(),
            serial: stretches.map(|stretch| HotStretch::new(stretch, places)).collect(),
        }
    }
}

impl HotCode {
    fn new(code: &summary::HotCode) -> Self {
        Self {
            function: code.function.clone(),
            module: code.module.clone(),
            library: code.library.clone(),
            file: code.line.as_ref().map(|(file, _)| file.clone()),
            line: code.line.as_ref().map(|(_, line)| *line),
            samples: code.samples,
            serial_samples: code.serial,
        }
    }
}

impl HotStretch {
    fn new(stretch: &summary::HotStretch, places: &Places<'_>) -> Self {
        Self {
            after: places.place(stretch.after),
            before: places.place(stretch.before),
            samples: stretch.samples,
            code: stretch.code.iter().map(HotCode::new).collect(),
        }
    }
}
