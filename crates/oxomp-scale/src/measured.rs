//! What one run tells about scaling.

use std::collections::BTreeMap;

use oxomp_analysis::summary::{Class, Region, Summary};
use oxomp_analysis::symbols::Place;
use oxomp_compare::{
    Construct, ContendedCode, Contention, Facts, Group, Kind, Run, RuntimeWaits, Spot,
};
use serde::{Serialize, Serializer};

/// The numbers of one run.
///
/// The parts of the wall time have no remainder: [`Measured::serial_ns`] and the
/// [cost](MeasuredRegion::cost_ns) of each region sum to [`Measured::wall_ns`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measured {
    /// The number of threads that the run was asked to have.
    pub threads: u32,
    /// The circumstances of the run.
    pub facts: Facts,
    /// From the start of the process to the end of the recording without pauses, ns.
    pub wall_ns: f64,
    /// CPU time of the process, ns; `None` if it is not known.
    pub cpu_ns: Option<f64>,
    /// Wall time in which the program was in no region, ns.
    pub serial_ns: f64,
    /// Threads of the program's own that met OpenMP.
    pub initial_threads: u32,
    /// The regions that it executed.
    pub regions: BTreeMap<Construct, MeasuredRegion>,
    /// Locks, criticals, ordered and atomic, with the wall time that waiting for them costs, ns.
    pub locks: BTreeMap<Construct, f64>,
    /// Code of regions in which threads meet in memory, by samples.
    pub contention: BTreeMap<(Construct, Contention), ContendedCode>,
    /// What recording took the threads, ns; `None` if it is not known.
    pub recording_ns: Option<f64>,
    /// What the threads worked, in regions and outside, ns.
    pub worked_ns: f64,
}

/// All executions of a region.
// Documents have the sums of what is skipped here.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MeasuredRegion {
    /// How often it was executed.
    pub calls: u64,
    /// Smallest and largest team.
    #[serde(flatten, serialize_with = "as_sizes")]
    #[cfg_attr(feature = "schema", schemars(with = "TeamSizes"))]
    pub team: (u32, u32),
    /// Whether it was met inside other regions: its work then is part of the outer one's.
    #[serde(skip)]
    pub is_nested: bool,
    /// Iterations of its worksharing constructs, as far as the runtime tells; 0 if it did not.
    #[serde(skip)]
    pub iterations: u64,
    /// The part of the wall time that is useful work: useful time divided by the threads that did
    /// it, ns.
    #[serde(skip)]
    pub work_ns: f64,
    /// How many threads did the work, by the time that each execution took.
    #[serde(skip)]
    pub workers: f64,
    /// The part of the wall time that is lost, by class, ns; [`Class::Mutex`] without `waits`.
    #[serde(skip)]
    pub losses: [f64; Class::COUNT],
    /// Waits for iterations and for turns, ns of wall time.
    #[serde(skip)]
    pub waits: RuntimeWaits,
}

/// The smallest and the largest team.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TeamSizes {
    /// The smallest team.
    least_team: u32,
    /// The largest team.
    most_team: u32,
}

/// Writes the two sizes of `team` as fields of their own.
fn as_sizes<S: Serializer>(team: &(u32, u32), serializer: S) -> Result<S::Ok, S::Error> {
    let (least_team, most_team) = *team;
    TeamSizes { least_team, most_team }.serialize(serializer)
}

impl MeasuredRegion {
    /// The part of the run's wall time that the region is, ns.
    #[must_use]
    pub fn cost_ns(&self) -> f64 {
        self.work_ns + self.losses.iter().sum::<f64>() + self.waits.sum_ns()
    }

    /// Useful time of all threads, ns.
    #[must_use]
    pub fn useful_ns(&self) -> f64 {
        self.work_ns * self.workers
    }

    fn of(region: &Region, summary: &Summary) -> Self {
        let mut losses = Class::ALL.map(|class| region.gain.class_ns(class) as f64);
        let work_ns = (region.wall_ns as f64 - losses.iter().sum::<f64>()).max(0.0);
        let waits = RuntimeWaits::of(region, summary);
        losses[Class::Mutex as usize] -= waits.sum_ns();
        let is_nested = 2 * region.nested > region.calls;
        let most = f64::from(region.team.1.max(1));
        let workers = if work_ns > 0.0 { region.useful_ns as f64 / work_ns } else { most };
        Self {
            calls: region.calls,
            team: region.team,
            is_nested,
            iterations: region.worksharing.iter().map(|work| work.iterations).sum(),
            work_ns: if is_nested { 0.0 } else { work_ns },
            workers: workers.clamp(1.0, most),
            losses,
            waits,
        }
    }

    /// Adds another region of the same place.
    fn add(&mut self, other: &Self) {
        let useful = self.useful_ns() + other.useful_ns();
        self.calls += other.calls;
        self.team = (self.team.0.min(other.team.0), self.team.1.max(other.team.1));
        self.is_nested &= other.is_nested;
        self.iterations += other.iterations;
        self.work_ns += other.work_ns;
        if self.work_ns > 0.0 {
            self.workers = useful / self.work_ns;
        }
        for (sum, more) in self.losses.iter_mut().zip(other.losses) {
            *sum += more;
        }
        self.waits = self.waits.plus(other.waits);
    }

    fn scale(&mut self, by: f64) {
        self.work_ns *= by;
        self.losses = self.losses.map(|loss| loss * by);
        self.waits = self.waits.times(by);
    }
}

impl Measured {
    /// What matters of `summary`, whose sites are named by `places` (same order), of a run that was
    /// asked to have `threads` threads.
    #[must_use]
    pub fn of(threads: u32, summary: &Summary, places: &[Place]) -> Self {
        let header = &summary.header;
        let spots: Vec<Spot> = places.iter().map(Spot::of).collect();
        let named = |site: Option<_>, group, name| {
            let site: Option<oxomp_analysis::summary::SiteId> = site;
            let spot = site.and_then(|site| spots.get(site.0 as usize).cloned());
            Construct { kind: Kind { group, name }, spot, other: None }
        };
        let run = Run::of(summary, places);
        let is_recording_known = !summary.quality.recording.is_empty();
        let mut measured = Self {
            threads,
            facts: run.facts,
            contention: run.contention,
            recording_ns: is_recording_known.then(|| summary.quality.recording_ns() as f64),
            worked_ns: summary.budget.work_ns() as f64,
            wall_ns: header.recorded_ns as f64,
            cpu_ns: header.cpu_ns.map(|cpu| cpu as f64),
            initial_threads: summary.threads.iter().map(|thread| u32::from(thread.initial)).sum(),
            ..Self::default()
        };
        for region in &summary.regions {
            let construct = named(region.site, Group::Region, "parallel");
            let of = MeasuredRegion::of(region, summary);
            measured.regions.entry(construct).and_modify(|sum| sum.add(&of)).or_insert(of);
        }
        for lock in summary.mutexes.iter().filter(|lock| lock.gain_ns > 0) {
            let construct = named(lock.site, Group::Lock, lock.kind.name());
            *measured.locks.entry(construct).or_default() += lock.gain_ns as f64;
        }
        let serial_ns = match measured.initial_threads {
            0 | 1 => None,
            _ => outside_regions(summary),
        };
        measured.settle(serial_ns);
        measured
    }

    /// Makes the parts sum to the wall time. What regions inside others lose is taken from the work
    /// of the outer ones, which contains it; where regions of several threads of the program's own
    /// ran at the same time, each counts in proportion. `serial_ns` is the time in no region, where
    /// that is not simply the rest.
    pub(crate) fn settle(&mut self, serial_ns: Option<f64>) {
        let (mut nested, mut work) = (0.0, 0.0);
        for region in self.regions.values() {
            if region.is_nested {
                nested += region.cost_ns();
            } else {
                work += region.work_ns;
            }
        }
        let left = if work > 0.0 { (1.0 - nested / work).max(0.0) } else { 1.0 };
        for region in self.regions.values_mut().filter(|region| !region.is_nested) {
            region.work_ns *= left;
        }
        let inside: f64 = self.regions.values().map(MeasuredRegion::cost_ns).sum();
        let room = serial_ns.map_or(self.wall_ns, |serial| (self.wall_ns - serial).max(0.0));
        if inside > room {
            self.regions.values_mut().for_each(|region| region.scale(room / inside));
            self.serial_ns = self.wall_ns - room;
        } else {
            self.serial_ns = self.wall_ns - inside;
        }
    }
}

/// The time of the first initial thread outside of every region, ns.
fn outside_regions(summary: &Summary) -> Option<f64> {
    let first = summary.threads.iter().find(|thread| thread.initial)?;
    let outside = [Class::Serial, Class::SerialWait, Class::SerialIdle, Class::SpareIdle];
    let inside = Class::ALL
        .into_iter()
        .filter(|class| !outside.contains(class) && *class != Class::Paused)
        .map(|class| first.by_class[class as usize] as f64)
        .sum::<f64>();
    Some((summary.header.recorded_ns as f64 - inside).max(0.0))
}
