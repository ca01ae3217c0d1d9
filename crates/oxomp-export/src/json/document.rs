//! The root of the document.

use oxomp_analysis::Analysis;
use oxomp_analysis::calls::CallTree;
use oxomp_analysis::report::{Names, try_first};
use oxomp_analysis::summary::{
    AtomicUpdate, Barrier, Blocked, Budget, Counters, Header, Iterations, Loop, MpiCalls, Mutex,
    PhaseSums, Sampled, SerialStretch, SharedLines, SliceSums, SpinLoop, TaskChain, TaskConstruct,
    Thread, Unreached,
};
use oxomp_analysis::verdict::verdict;
use serde::Serialize;

use super::conclusions::{Advice, Bounds, Quality, Verdict};
use super::places::Places;
use super::rows::{Offload, Region, Row};
use super::version::SCHEMA_VERSION;

/// One recorded process of a run. Times are in nanoseconds, named `…_ns`; points in time count
/// from the start of the process. A quantity that was not measured is null, never zero.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Document<'a> {
    /// Version of this schema, `MAJOR.MINOR.PATCH`: a reader needs to know the first part.
    schema_version: &'static str,
    /// The program that wrote the document, and its version.
    producer: String,
    /// Facts about the process and its recording.
    run: &'a Header,
    /// Where the threads' time went.
    budget: &'a Budget,
    /// What the threads lose most time to, and where.
    verdict: Verdict,
    /// What to try first.
    advice: Advice,
    /// Whether `regions[].gain`, `locks[].gain_ns` and `serial[].gain_ns` are upper bounds of what
    /// could be won.
    bounds: Bounds,
    /// Every thread that OpenMP knew, by number.
    threads: &'a [Thread],
    /// Parallel constructs, by `gain.total_ns`, largest first.
    regions: Vec<Region<'a>>,
    /// Loops and sections by their chunks, by time, largest first; empty where the runtime does
    /// not report chunks.
    loops: Vec<Row<'a, Loop>>,
    /// Explicit tasks by construct and region, by time, largest first.
    tasks: Vec<Row<'a, TaskConstruct>>,
    /// Regions with explicit tasks: their work and longest chains, by time, largest first.
    chains: Vec<Row<'a, TaskChain>>,
    /// Barriers inside regions, by wait, largest first; those that end regions are in the regions'
    /// `gain`.
    barriers: Vec<Row<'a, Barrier>>,
    /// Barriers that not all threads of a team had reached when the recording ended, by time,
    /// largest first.
    unreached: Vec<Row<'a, Unreached>>,
    /// Locks, criticals, ordered and atomic by waiting place, by wait, largest first.
    locks: Vec<Row<'a, Mutex>>,
    /// Atomic updates in regions at which samples are, most samples first.
    atomics: &'a [AtomicUpdate],
    /// Loops in regions at which samples are and that wait for another thread to change a variable,
    /// most samples first.
    spins: &'a [SpinLoop],
    /// Cache lines that threads of a region use at the same time while one writes, most samples
    /// first.
    shared_lines: &'a [SharedLines],
    /// Where user code blocked, by time, largest first.
    blocked: &'a [Blocked],
    /// Code that initial threads executed outside every region, by time, largest first.
    serial: Vec<Row<'a, SerialStretch>>,
    /// Constructs for devices, their kernels and transfers; absent if the program used no device.
    #[serde(skip_serializing_if = "Option::is_none")]
    offload: Option<Offload<'a>>,
    /// Calls of MPI by function and region, by time, largest first; empty if the process called
    /// none, or if they were not timed.
    mpi: Vec<Row<'a, MpiCalls>>,
    /// The iterations of the program's time loop; null if no regions repeat, or their events were
    /// not recorded.
    iterations: Option<&'a Iterations>,
    /// The phases that the program marked, by path, and the time outside of them; empty if it
    /// marked none.
    phases: &'a [PhaseSums],
    /// The run by slices of time, rising; empty if it was recorded without.
    slices: &'a [SliceSums],
    /// What the threads counted: cycles, instructions, cache lines from memory and others; null if
    /// the recording was asked for no counters.
    counters: Option<&'a Counters>,
    /// The sampled code by function; null if the run was not sampled.
    sampled: Option<&'a Sampled>,
    /// The sampled call paths; without nodes if the run was not sampled.
    calls: &'a CallTree,
    /// How far the numbers can be trusted.
    quality: Quality<'a>,
}

impl<'a> Document<'a> {
    pub(super) fn new(analysis: &'a Analysis, producer: &str, places: &mut Places<'_>) -> Self {
        let summary = &analysis.summary;
        let names = Names { places: &analysis.places };
        Self {
            schema_version: SCHEMA_VERSION,
            producer: producer.to_owned(),
            run: &summary.header,
            budget: &summary.budget,
            verdict: Verdict::new(verdict(summary, names)),
            advice: Advice::new(try_first(summary, names)),
            bounds: Bounds::new(summary),
            threads: &summary.threads,
            regions: Region::all(analysis, places),
            loops: Row::all(&summary.loops, places),
            tasks: Row::all(&summary.tasks, places),
            chains: Row::all(&summary.chains, places),
            barriers: Row::all(&summary.barriers, places),
            unreached: Row::all(&summary.unreached, places),
            locks: Row::all(&summary.mutexes, places),
            atomics: &summary.atomics,
            spins: &summary.spins,
            shared_lines: &summary.shared_lines,
            blocked: &summary.blocked,
            serial: Row::all(&summary.serial, places),
            offload: Offload::new(&summary.offload, places),
            mpi: Row::all(&summary.mpi, places),
            iterations: summary.iterations.as_ref(),
            phases: &summary.phases,
            slices: &summary.slices,
            counters: summary.counters.as_ref(),
            sampled: summary.sampled.as_ref(),
            calls: &analysis.calls,
            quality: Quality::new(&summary.quality, summary.header.truncated),
        }
    }
}
