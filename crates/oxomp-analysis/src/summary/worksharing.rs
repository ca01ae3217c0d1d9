//! Worksharing constructs and loops.

use serde::Serialize;

use super::site::SiteId;
use super::written::{as_one, written_by_name};

/// A worksharing construct of a region.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Worksharing {
    /// Kind of the construct, as one would write it: `for static`, `sections`.
    pub kind: WorkKind,
    /// The construct; null if the runtime did not tell.
    #[serde(rename = "place")]
    pub site: Option<SiteId>,
    /// Number of executions, summed over threads; of a distribute those by leagues.
    pub executions: u64,
    /// Iterations (sections) of all executions, counted once per team, and once per league
    /// of a distribute; 0 if the runtime did not tell.
    pub iterations: u64,
    /// Chunks handed out; null where the runtime reports none.
    pub chunks: Option<u64>,
}

/// OMPT's work types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum WorkKind {
    /// A worksharing loop whose schedule the runtime does not tell.
    #[default]
    Loop,
    /// `sections`.
    Sections,
    /// `single`, the executing thread and the others.
    Single,
    /// `workshare` of Fortran.
    Workshare,
    /// `distribute`: iterations over the teams of a league.
    Distribute,
    /// `taskloop`.
    Taskloop,
    /// `scope`.
    Scope,
    /// A loop of static schedule.
    LoopStatic,
    /// A loop of dynamic schedule.
    LoopDynamic,
    /// A loop of guided schedule.
    LoopGuided,
    /// A loop of another schedule.
    LoopOther,
    /// A number this version does not know.
    Other(u8),
}

/// The kind of OMPT's work type of this number; `None` for a thread that does not execute a single
/// region.
#[must_use]
pub fn work_kind(number: u8) -> Option<WorkKind> {
    Some(match number {
        1 => WorkKind::Loop,
        2 => WorkKind::Sections,
        3 => WorkKind::Single,
        4 => return None,
        5 => WorkKind::Workshare,
        6 => WorkKind::Distribute,
        7 => WorkKind::Taskloop,
        8 => WorkKind::Scope,
        10 => WorkKind::LoopStatic,
        11 => WorkKind::LoopDynamic,
        12 => WorkKind::LoopGuided,
        13 => WorkKind::LoopOther,
        other => WorkKind::Other(other),
    })
}

written_by_name!(WorkKind);

impl WorkKind {
    /// Whether the construct is a worksharing loop.
    #[must_use]
    pub fn is_loop(self) -> bool {
        matches!(
            self,
            WorkKind::Loop
                | WorkKind::LoopStatic
                | WorkKind::LoopDynamic
                | WorkKind::LoopGuided
                | WorkKind::LoopOther
        )
    }

    /// As one would write the construct.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            WorkKind::Loop => "for",
            WorkKind::Sections => "sections",
            WorkKind::Single => "single",
            WorkKind::Workshare => "workshare",
            WorkKind::Distribute => "distribute",
            WorkKind::Taskloop => "taskloop",
            WorkKind::Scope => "scope",
            WorkKind::LoopStatic => "for static",
            WorkKind::LoopDynamic => "for dynamic",
            WorkKind::LoopGuided => "for guided",
            WorkKind::LoopOther => "for (other schedule)",
            WorkKind::Other(_) => "worksharing",
        }
    }
}

/// A loop, or sections, of a region: its chunks over all executions.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Loop {
    /// The construct; null if the runtime did not tell.
    #[serde(rename = "place")]
    pub site: Option<SiteId>,
    /// The region in which it was met; null if unknown.
    pub region: Option<SiteId>,
    /// Kind of the construct with its schedule, as one would write it: `for dynamic`.
    pub kind: WorkKind,
    /// Threads that were given chunks.
    pub threads: u32,
    /// Executions by a thread that was given at least one chunk.
    pub executions: u64,
    /// Iterations (sections) in the chunks.
    pub iterations: u64,
    /// The largest number of iterations of the whole construct; 0 if the runtime did not tell.
    pub count: u64,
    /// Chunks handed out.
    pub chunks: u64,
    /// Smallest and largest chunk, in iterations.
    #[serde(flatten, serialize_with = "as_one::<ChunkSizes, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "ChunkSizes"))]
    pub sizes: (u64, u64),
    /// Sum over threads of the time in the construct, without the barrier at its end, ns.
    pub time_ns: u64,
    /// What handing out the chunks took of it, ns: an estimate, or, where `dispatch_error_ns` is
    /// null, an upper bound.
    // The estimate is by samples of the processor's time. The bound is for each chunk the time
    // until the next one, but at most 200 ns, since events show only the two together.
    pub dispatch_ns: u64,
    /// Standard error of `dispatch_ns`, ns; null where too few samples tell of the loop.
    pub dispatch_error_ns: Option<u64>,
    /// The longest chunk, ns; where a static schedule or `distribute` gives a thread several
    /// chunks, the longest share of a thread.
    pub longest_ns: u64,
    /// The time of the chunks in each quarter of the iterations, ns: shows where the cost lies.
    // From a sample where chunks are short, all in the first where the runtime does not tell the
    // iterations.
    #[serde(rename = "quarters_ns")]
    pub parts_ns: [u64; 4],
}

/// The smallest and the largest chunk.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ChunkSizes {
    /// Iterations of the smallest chunk.
    chunk_min: u64,
    /// Iterations of the largest chunk.
    chunk_max: u64,
}

impl From<&(u64, u64)> for ChunkSizes {
    fn from(&(chunk_min, chunk_max): &(u64, u64)) -> Self {
        Self { chunk_min, chunk_max }
    }
}

impl Loop {
    /// Whether [`Loop::longest_ns`] is all that a thread did in one execution and not one chunk of
    /// several: runtimes tell of all chunks of a static schedule before the first one runs.
    #[must_use]
    pub fn has_shares(&self) -> bool {
        let is_told_before = matches!(self.kind, WorkKind::LoopStatic | WorkKind::Distribute);
        is_told_before && self.chunks > self.executions
    }
}
