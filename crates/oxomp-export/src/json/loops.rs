//! Loops and sections by their chunks, in the document.

use oxomp_analysis::summary;
use serde::Serialize;

use super::places::{Place, Places};

/// A loop, or sections, of a region: its chunks over all executions.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Loop {
    /// Identifies the row, in every run of the same binary.
    id: String,
    /// The construct; null if the runtime did not tell.
    place: Option<Place>,
    /// The region in which it was met; null if unknown.
    region: Option<Place>,
    /// Kind of the construct with its schedule, as one would write it: `for dynamic`.
    kind: &'static str,
    /// Threads that were given chunks.
    threads: u32,
    /// Executions by a thread that was given at least one chunk.
    executions: u64,
    /// Iterations (sections) in the chunks.
    iterations: u64,
    /// The largest number of iterations of the whole construct; 0 if the runtime did not tell.
    count: u64,
    /// Chunks handed out.
    chunks: u64,
    /// Iterations of the smallest chunk.
    chunk_min: u64,
    /// Iterations of the largest chunk.
    chunk_max: u64,
    /// Sum over threads of the time in the construct, without the barrier at its end, ns.
    time_ns: u64,
    /// Upper bound of what handing out the chunks took of it, ns.
    dispatch_ns: u64,
    /// The longest chunk, ns; where a static schedule or `distribute` gives a thread several
    /// chunks, the longest share of a thread.
    longest_ns: u64,
    /// The time of the chunks in each quarter of the iterations, ns: shows where the cost lies.
    quarters_ns: [u64; 4],
}

impl Loop {
    pub(super) fn new(one: &summary::Loop, places: &mut Places<'_>) -> Self {
        let (region, site) = (places.id_of(one.region), places.id_of(one.site));
        Self {
            id: places.id(&["loop", &region, &site, one.kind.name()]),
            place: places.place(one.site),
            region: places.place(one.region),
            kind: one.kind.name(),
            threads: one.threads,
            executions: one.executions,
            iterations: one.iterations,
            count: one.count,
            chunks: one.chunks,
            chunk_min: one.sizes.0,
            chunk_max: one.sizes.1,
            time_ns: one.time_ns,
            dispatch_ns: one.dispatch_ns,
            longest_ns: one.longest_ns,
            quarters_ns: one.parts_ns,
        }
    }
}
