//! The root of the document.

use oxomp_analysis::Analysis;
use oxomp_analysis::report::{Names, spare_ns, try_first};
use oxomp_analysis::verdict::verdict;
use serde::Serialize;

use super::atomics::AtomicUpdate;
use super::blocked::Blocked;
use super::calls::Calls;
use super::conclusions::{Advice, Bounds, Quality, Verdict};
use super::loops::Loop;
use super::offload::Offload;
use super::places::Places;
use super::regions::Region;
use super::run::{Budget, Run};
use super::sampled::Sampled;
use super::shared_lines::SharedLines;
use super::spins::SpinLoop;
use super::tasks::{TaskChain, TaskConstruct};
use super::threads::Thread;
use super::version::SCHEMA_VERSION;
use super::waits::{Barrier, Lock, Serial, Unreached};

/// One recorded process of a run. Times are in nanoseconds, named `…_ns`; points in time count
/// from the start of the process. A quantity that was not measured is null, never zero.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Document {
    /// Version of this schema, `MAJOR.MINOR.PATCH`: a reader needs to know the first part.
    schema_version: &'static str,
    /// The program that wrote the document, and its version.
    producer: String,
    /// Facts about the process and its recording.
    run: Run,
    /// Where the threads' time went.
    budget: Budget,
    /// What the threads lose most time to, and where.
    verdict: Verdict,
    /// What to try first.
    advice: Advice,
    /// Whether `regions[].gain`, `locks[].gain_ns` and `serial[].gain_ns` are upper bounds of what
    /// could be won.
    bounds: Bounds,
    /// Every thread that OpenMP knew, by number.
    threads: Vec<Thread>,
    /// Parallel constructs, by `gain.total_ns`, largest first.
    regions: Vec<Region>,
    /// Loops and sections by their chunks, by time, largest first; empty where the runtime does
    /// not report chunks.
    loops: Vec<Loop>,
    /// Explicit tasks by construct and region, by time, largest first.
    tasks: Vec<TaskConstruct>,
    /// Regions with explicit tasks: their work and longest chains, by time, largest first.
    chains: Vec<TaskChain>,
    /// Barriers inside regions, by wait, largest first; those that end regions are in the regions'
    /// `gain`.
    barriers: Vec<Barrier>,
    /// Barriers that not all threads of a team had reached when the recording ended, by time,
    /// largest first.
    unreached: Vec<Unreached>,
    /// Locks, criticals, ordered and atomic by waiting place, by wait, largest first.
    locks: Vec<Lock>,
    /// Atomic updates in regions at which samples are, most samples first.
    atomics: Vec<AtomicUpdate>,
    /// Loops in regions at which samples are and that wait for another thread to change a variable,
    /// most samples first.
    spins: Vec<SpinLoop>,
    /// Cache lines that threads of a region use at the same time while one writes, most samples
    /// first.
    shared_lines: Vec<SharedLines>,
    /// Where user code blocked, by time, largest first.
    blocked: Vec<Blocked>,
    /// Code that initial threads executed outside every region, by time, largest first.
    serial: Vec<Serial>,
    /// Constructs for devices, their kernels and transfers; absent if the program used no device.
    #[serde(skip_serializing_if = "Option::is_none")]
    offload: Option<Offload>,
    /// The sampled code by function; null if the run was not sampled.
    sampled: Option<Sampled>,
    /// The sampled call paths; without nodes if the run was not sampled.
    calls: Calls,
    /// How far the numbers can be trusted.
    quality: Quality,
}

impl Document {
    pub(super) fn new(analysis: &Analysis, producer: &str) -> Self {
        let summary = &analysis.summary;
        let places = &mut Places::new(analysis);
        let names = Names { places: &analysis.places };
        Self {
            schema_version: SCHEMA_VERSION,
            producer: producer.to_owned(),
            run: Run::new(&summary.header),
            budget: Budget::new(&summary.budget),
            verdict: Verdict::new(verdict(summary, names), places),
            advice: Advice::new(try_first(summary, names)),
            bounds: Bounds::new(summary),
            threads: summary.threads.iter().map(Thread::new).collect(),
            regions: summary
                .regions
                .iter()
                .map(|it| Region::new(it, spare_ns(it, summary), places))
                .collect(),
            loops: summary.loops.iter().map(|it| Loop::new(it, places)).collect(),
            tasks: summary.tasks.iter().map(|it| TaskConstruct::new(it, places)).collect(),
            chains: summary.chains.iter().map(|it| TaskChain::new(it, places)).collect(),
            barriers: summary.barriers.iter().map(|it| Barrier::new(it, places)).collect(),
            unreached: summary.unreached.iter().map(|it| Unreached::new(it, places)).collect(),
            locks: summary.mutexes.iter().map(|it| Lock::new(it, places)).collect(),
            atomics: summary.atomics.iter().map(|it| AtomicUpdate::new(it, places)).collect(),
            spins: summary.spins.iter().map(|it| SpinLoop::new(it, places)).collect(),
            shared_lines: summary
                .shared_lines
                .iter()
                .map(|it| SharedLines::new(it, places))
                .collect(),
            blocked: summary.blocked.iter().map(|it| Blocked::new(it, places)).collect(),
            serial: summary.serial.iter().map(|it| Serial::new(it, places)).collect(),
            offload: Offload::new(&summary.offload, places),
            sampled: summary.sampled.as_ref().map(|it| Sampled::new(it, places)),
            calls: Calls::new(&analysis.calls),
            quality: Quality::new(&summary.quality, summary.header.truncated),
        }
    }
}
