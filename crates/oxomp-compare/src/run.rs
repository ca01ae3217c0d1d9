//! What is compared of one run, and the repeated runs of a program.

use std::collections::BTreeMap;

use oxomp_analysis::report::units::count;
use oxomp_analysis::summary::{
    Barrier, BarrierKind, Class, Gain, Loop, Mutex, Region, SiteId, Summary, TargetConstruct,
    TargetKind, WorkKind,
};
use oxomp_analysis::symbols::Place;

use crate::construct::{Construct, Group, Kind, Spot};
use crate::contention::{ContendedCode, Contention, contended, expected_samples};
use crate::offloaded::Offloaded;
use crate::runtime_waits::RuntimeWaits;

/// The part of the wall time that serial code is.
pub(crate) const SERIAL: &str = "serial work";

/// The kind of every region.
const REGION: Kind = Kind { group: Group::Region, name: "parallel" };
/// From this part of what regions lose at locks on, the rows of locks have all of it: both are
/// rounded.
const ALL: f64 = 0.99;

/// The circumstances of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Threads at the same time.
    pub threads: u32,
    /// The largest team.
    pub max_team: u32,
    /// The runtime's name and version.
    pub runtime: String,
    /// Name of the machine.
    pub hostname: String,
    /// Linux's name of the kind of processor.
    pub processor: String,
    /// Processors that the process was allowed to use.
    pub allowed_cpus: u32,
    /// OpenMP's variables.
    pub environment: Vec<(String, String)>,
    /// Why the numbers are not of the whole run; empty if they are.
    pub incomplete: Vec<&'static str>,
    /// A part of the run was not recorded because the program paused the recording.
    pub paused: bool,
    /// The part of the threads' time that went to recording; `None` if it is not known.
    pub recording: Option<f64>,
}

/// A construct's numbers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measure {
    /// The time by which it is compared, see [`Group::quantity`], ns.
    pub time_ns: f64,
    /// The wall time to which that amounts, ns: a sum over threads is divided by their number.
    pub wall_ns: f64,
    /// How often it was executed, its chunks were handed out, its lock was acquired …
    pub count: u64,
    /// What the construct is in words, where it may change: the schedule, whether its thread waits.
    pub detail: String,
    /// The kernels and transfers of a construct of [`Group::Target`].
    pub offloaded: Option<Offloaded>,
}

/// The numbers of one run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Run {
    /// The circumstances of the run.
    pub facts: Facts,
    /// From the start of the process to the end of the recording, ns.
    pub wall_ns: f64,
    /// CPU time of the process, ns; `None` if it is not known.
    pub cpu_ns: Option<f64>,
    /// Mean of useful time over the threads / recorded time.
    pub efficiency: f64,
    /// Nanoseconds of all threads per class, in [`Class::ALL`]'s order.
    pub by_class: [f64; Class::COUNT],
    /// Every construct.
    pub constructs: BTreeMap<Construct, Measure>,
    /// The wall time in parts: work and losses of regions and locks, and serial code, ns. Without
    /// regions inside others they sum to the time of the regions and of serial code. Regions inside
    /// others count for their losses only.
    pub parts: BTreeMap<(Construct, &'static str), f64>,
    /// Code of regions in which threads meet in memory, by samples.
    pub contention: BTreeMap<(Construct, Contention), ContendedCode>,
    /// How many samples each region has, from its processor time; empty without samples.
    pub samples: BTreeMap<Construct, f64>,
}

/// The runs of one program under the same circumstances.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSet {
    /// As the user named it.
    pub name: String,
    /// At least one.
    pub runs: Vec<Run>,
}

impl Run {
    /// What is compared of `summary`, whose sites are named by `places` (same order).
    #[must_use]
    pub fn of(summary: &Summary, places: &[Place]) -> Self {
        let header = &summary.header;
        let quality = &summary.quality;
        let incomplete = [
            (header.truncated, "the process went away without ending the recording"),
            (quality.stopped.is_some(), "the recording stopped early"),
            (!quality.damaged.is_empty(), "the file is damaged"),
            (quality.lost_events > 0, "events were lost"),
            (!quality.disagreements.is_empty(), "counts of the recording disagree"),
        ];
        let mut run = Self {
            facts: Facts {
                command: header.command.clone(),
                threads: header.threads,
                max_team: header.max_team,
                runtime: header.runtime.trim().to_owned(),
                hostname: header.hostname.clone(),
                processor: header.processor.clone(),
                allowed_cpus: header.allowed_cpus,
                environment: header.environment.clone(),
                incomplete: incomplete.iter().filter(|(is, _)| *is).map(|(_, why)| *why).collect(),
                paused: header.recorded_ns < header.wall_ns,
                recording: quality.recording_share(summary.budget.total_ns),
            },
            wall_ns: header.wall_ns as f64,
            cpu_ns: header.cpu_ns.map(|cpu| cpu as f64),
            efficiency: summary.budget.parallel_efficiency,
            by_class: summary.budget.by_class.map(|ns| ns as f64),
            ..Self::default()
        };
        let spots = Spots(places.iter().map(Spot::of).collect());
        let threads = f64::from(header.threads.max(1));
        let locks = LockLosses::of(summary);
        for region in &summary.regions {
            run.add_region(region, summary, &spots, &locks);
        }
        for row in &summary.loops {
            let kind = Kind { group: Group::Loop, name: family(row.kind) };
            let measure = Measure {
                time_ns: row.time_ns as f64,
                wall_ns: row.time_ns as f64 / f64::from(row.threads.max(1)),
                count: row.chunks,
                detail: schedule(row),
                offloaded: None,
            };
            run.add(kind, spots.of(row.site), spots.of(row.region), measure);
        }
        for row in &summary.tasks {
            let kind = Kind { group: Group::Tasks, name: "tasks" };
            let measure = measure(row.time_ns, threads, row.count);
            run.add(kind, spots.of(row.site), spots.of(row.region), measure);
        }
        for row in &summary.barriers {
            let kind = Kind { group: Group::Barrier, name: barrier(row) };
            let measure = measure(row.wait_ns, threads, row.passes);
            run.add(kind, spots.of(row.site), spots.of(row.region), measure);
        }
        for row in &summary.mutexes {
            run.add_lock(row, threads, &spots, &locks);
        }
        for row in &summary.offload.constructs {
            run.add_target(row, &spots);
        }
        for row in &summary.serial {
            let kind = Kind { group: Group::Serial, name: "serial code" };
            let (after, before) = (spots.of(row.after), spots.of(row.before));
            let measure = measure(row.total_ns, 1.0, row.count);
            let construct = Construct { kind, spot: after, other: before };
            *run.parts.entry((construct.clone(), SERIAL)).or_default() += measure.time_ns;
            run.add(kind, construct.spot, construct.other, measure);
        }
        let region = |site| Construct { kind: REGION, spot: spots.of(site), other: None };
        run.contention = contended(summary, region);
        run.samples = expected_samples(summary, region);
        run
    }

    fn add_region(
        &mut self,
        region: &Region,
        summary: &Summary,
        spots: &Spots,
        locks: &LockLosses,
    ) {
        let spot = spots.of(region.site);
        let loops = summary.loops.iter().filter(|row| row.region == region.site);
        let wall_ns = region.wall_ns as f64;
        let measure = Measure {
            time_ns: wall_ns,
            wall_ns,
            count: region.calls,
            detail: loops.map(schedule).next().unwrap_or_default(),
            offloaded: None,
        };
        let construct = Construct { kind: REGION, spot: spot.clone(), other: None };
        let lost = region.gain.total_ns();
        let work = if region.nested == 0 { region.wall_ns.saturating_sub(lost) } else { 0 };
        let waits = RuntimeWaits::of(region, summary);
        let at_locks = region.gain.mutex_ns as f64 - waits.sum_ns();
        let of_no_class = [
            ("useful work", work as f64),
            (RuntimeWaits::ITERATIONS, waits.iterations_ns),
            (RuntimeWaits::TURNS, waits.turns_ns),
            (Class::Mutex.name(), at_locks * (1.0 - locks.with_row)),
        ];
        let classes = losses(&region.gain).map(|(name, ns)| (name, ns as f64));
        for (name, ns) in of_no_class.into_iter().chain(classes).filter(|(_, ns)| *ns > 0.0) {
            *self.parts.entry((construct.clone(), name)).or_default() += ns;
        }
        self.add(REGION, spot, None, measure);
    }

    fn add_lock(&mut self, lock: &Mutex, threads: f64, spots: &Spots, locks: &LockLosses) {
        let kind = Kind { group: Group::Lock, name: lock.kind.name() };
        let spot = spots.of(lock.site);
        let ns = lock.gain_ns as f64 * locks.in_regions;
        if ns > 0.0 {
            let construct = Construct { kind, spot: spot.clone(), other: None };
            *self.parts.entry((construct, Class::Mutex.name())).or_default() += ns;
        }
        self.add(kind, spot, None, measure(lock.lost_ns(), threads, lock.acquisitions));
    }

    /// Adds a construct for a device. Its time is part of that of serial code, or of a region.
    fn add_target(&mut self, target: &TargetConstruct, spots: &Spots) {
        let kind = Kind { group: Group::Target, name: target_name(target.kind) };
        let time_ns = target.time_ns as f64;
        let measure = Measure {
            time_ns,
            // Several threads may have been in it at a time.
            wall_ns: time_ns.min(self.wall_ns),
            count: target.calls,
            detail: if target.kind.waits() { "without nowait" } else { "nowait" }.to_owned(),
            offloaded: Some(Offloaded::of(target)),
        };
        self.add(kind, spots.of(target.site), None, measure);
    }

    /// Adds a row to its construct; a summary may have several rows of one place.
    fn add(&mut self, kind: Kind, spot: Option<Spot>, other: Option<Spot>, measure: Measure) {
        let sum = self.constructs.entry(Construct { kind, spot, other }).or_default();
        sum.time_ns += measure.time_ns;
        sum.wall_ns += measure.wall_ns;
        sum.count += measure.count;
        let both = sum.offloaded.zip(measure.offloaded);
        sum.offloaded =
            both.map(|(one, other)| one.sum(other)).or(sum.offloaded).or(measure.offloaded);
        if sum.detail.is_empty() {
            sum.detail = measure.detail;
        }
    }
}

/// How the losses of regions at locks fit together with the rows of locks: recordings have the
/// losses by region and by lock, not by lock and region.
struct LockLosses {
    /// The part of what regions lose at locks that the rows have; the rest belongs to no known
    /// lock.
    with_row: f64,
    /// What regions lose at locks with rows, as a part of what the rows cost: the rest of that is
    /// in serial code.
    in_regions: f64,
}

impl LockLosses {
    fn of(summary: &Summary) -> Self {
        let at_locks = |region: &Region| {
            region.gain.mutex_ns as f64 - RuntimeWaits::of(region, summary).sum_ns()
        };
        let regions: f64 = summary.regions.iter().map(at_locks).sum();
        let rows: f64 = summary.mutexes.iter().map(|lock| lock.gain_ns as f64).sum();
        if rows > 0.0 && rows >= ALL * regions {
            return Self { with_row: 1.0, in_regions: regions / rows };
        }
        Self { with_row: if regions > 0.0 { rows / regions } else { 0.0 }, in_regions: 1.0 }
    }
}

/// The identities of a summary's sites.
struct Spots(Vec<Spot>);

impl Spots {
    fn of(&self, site: Option<SiteId>) -> Option<Spot> {
        self.0.get(site?.0 as usize).cloned()
    }
}

fn measure(ns: u64, threads: f64, count: u64) -> Measure {
    let (time_ns, detail) = (ns as f64, String::new());
    Measure { time_ns, wall_ns: time_ns / threads, count, detail, offloaded: None }
}

/// The losses of a region by class, but for those at locks and waits of the runtime.
fn losses(gain: &Gain) -> impl Iterator<Item = (&'static str, u64)> {
    let classes = Gain::CLASSES.into_iter().filter(|class| *class != Class::Mutex);
    classes.map(|class| (class.name(), gain.class_ns(class)))
}

/// One name for all loops.
fn family(kind: WorkKind) -> &'static str {
    if kind.is_loop() { "loop" } else { kind.name() }
}

/// One name for a construct and its form with `nowait`.
fn target_name(kind: TargetKind) -> &'static str {
    match kind {
        TargetKind::Target | TargetKind::TargetNowait => "target",
        TargetKind::EnterData | TargetKind::EnterDataNowait => "target enter data",
        TargetKind::ExitData | TargetKind::ExitDataNowait => "target exit data",
        TargetKind::Update | TargetKind::UpdateNowait => "target update",
        TargetKind::Other(_) => kind.name(),
    }
}

fn barrier(barrier: &Barrier) -> &'static str {
    match barrier.kind {
        BarrierKind::Explicit => "barrier",
        _ => "implied barrier",
    }
}

/// `for dynamic in chunks of 64`.
fn schedule(row: &Loop) -> String {
    let mean = row.iterations / row.chunks.max(1);
    match row.sizes {
        (least, most) if least == most && most > 0 => {
            format!("{} in chunks of {}", row.kind.name(), count(most))
        }
        _ if mean > 0 => format!("{} in chunks of {} on average", row.kind.name(), count(mean)),
        _ => row.kind.name().to_owned(),
    }
}
