//! Cache lines that threads share, in the document.

use oxomp_analysis::summary::{self, LineSharing, MemoryObject};
use serde::Serialize;

use super::places::{Place, Places};

/// Cache lines of one object that threads of a region use at the same time, while one writes: its
/// time counts as work.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SharedLines {
    /// The region; null if it is not known.
    region: Option<Place>,
    /// What the threads use in a line.
    sharing: Sharing,
    /// How many bytes from each other the bytes of two threads begin in a line; null if all use one
    /// variable.
    distance_bytes: Option<u32>,
    /// Where the code uses the lines, most samples first, at most two places.
    places: Vec<SharedPlace>,
    /// The variable of static storage there, with an offset in bytes, as `counts+16`; null if it is
    /// none, or has no name.
    variable: Option<String>,
    /// The number of the thread on whose stack they lie; null if it is not known.
    stack_of_thread: Option<u32>,
    /// The threads that share them.
    threads: u32,
    /// How many cache lines there are.
    lines: u32,
    /// Samples at the instructions that use them, or directly behind: nothing tells how much of
    /// their time is waiting. A sample that was kept for others counts for these, too.
    samples: u64,
    /// How many of them were kept: a number.
    taken: u64,
    /// All samples in the region that tell which memory they used.
    region_samples: u64,
}

/// What threads use in a line.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum Sharing {
    /// Each its own bytes: false sharing.
    Neighbours,
    /// The same bytes.
    Variable,
}

/// A place in the source that uses a shared line.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SharedPlace {
    /// The function.
    function: String,
    /// Its source file; null without line information.
    file: Option<String>,
    /// Its line in `file`, from 1; null without line information.
    line: Option<u32>,
    /// Whether it writes.
    writes: bool,
}

impl SharedLines {
    pub(super) fn new(one: &summary::SharedLines, places: &Places<'_>) -> Self {
        let (sharing, distance_bytes) = match one.sharing {
            LineSharing::Neighbours(distance) => (Sharing::Neighbours, Some(distance)),
            LineSharing::Variable => (Sharing::Variable, None),
        };
        let place = |place: &summary::SharedPlace| SharedPlace {
            function: place.function.clone(),
            file: place.line.as_ref().map(|(file, _)| file.clone()),
            line: place.line.as_ref().map(|(_, line)| *line),
            writes: place.writes,
        };
        let (variable, stack_of_thread) = match &one.object {
            MemoryObject::Variable(name) => (Some(name.clone()), None),
            MemoryObject::Stack(thread) => (None, Some(*thread)),
            MemoryObject::Unknown => (None, None),
        };
        Self {
            region: places.place(one.region),
            sharing,
            distance_bytes,
            places: one.places.iter().map(place).collect(),
            variable,
            stack_of_thread,
            threads: one.threads,
            lines: one.lines,
            samples: one.samples,
            taken: one.taken,
            region_samples: one.of,
        }
    }
}
