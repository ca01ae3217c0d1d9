//! Worksharing constructs and loops.

use super::site::SiteId;

/// A worksharing construct of a region.
#[derive(Debug, Clone, PartialEq)]
pub struct Worksharing {
    /// The kind of worksharing construct.
    pub kind: WorkKind,
    /// The construct; `None` if the runtime did not tell.
    pub site: Option<SiteId>,
    /// Executions, summed over threads; of a `distribute` those by leagues.
    pub executions: u64,
    /// Iterations (sections, …) of all executions of the construct, counted once per team, and once
    /// per league of a `distribute`, as far as the runtime tells; 0 if it did not.
    pub iterations: u64,
    /// Chunks handed out; `None` where the runtime does not report chunks.
    pub chunks: Option<u64>,
}

/// OMPT's work types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WorkKind {
    /// A worksharing loop whose schedule the runtime does not tell.
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
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// The region it was met in.
    pub region: Option<SiteId>,
    /// The construct; `None` if the runtime did not tell.
    pub site: Option<SiteId>,
    /// The kind of construct, with its schedule where the runtime tells it.
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
    pub sizes: (u64, u64),
    /// Σ over threads of the time in the construct, without the barrier at its end, ns.
    pub time_ns: u64,
    /// Bound of what handing out the chunks took of it, ns: for each chunk the time until the next
    /// one, but at most 200 ns, since a recording shows only the two together.
    pub dispatch_ns: u64,
    /// The longest chunk, ns; where [`Loop::has_shares`] it is the longest share of a thread.
    pub longest_ns: u64,
    /// The time of the chunks in each quarter of the iterations, ns; from a sample where chunks are
    /// short, all in the first where the runtime does not tell the iterations.
    pub parts_ns: [u64; 4],
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
