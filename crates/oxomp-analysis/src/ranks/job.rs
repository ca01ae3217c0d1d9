//! Several recordings side by side.

use std::collections::{BTreeMap, BTreeSet};

use oxomp_symbols::Place;
use serde::Serialize;

use crate::ranks::brief::{Brief, BriefRegion};
use crate::ranks::construct::{Key, key, slowest};
use crate::ranks::events::EventsByInstance;
use crate::ranks::mpi::{MpiShare, MpiSums};
use crate::ranks::pop::Pop;
use crate::ranks::targets::{JobTarget, merge_targets};
use crate::ranks::waits::MpiWaits;
use crate::summary::Class;

/// The recordings of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// By rank, then by start; processes without a rank come first.
    pub processes: Vec<Brief>,
    /// How many ranks there should be; `None` if the processes have no ranks, or no launcher told.
    pub size: Option<u32>,
    /// The ranks without a recording.
    pub missing: Vec<u32>,
    /// Whether the recordings come from more than one job.
    pub mixed: bool,
    /// The parallel constructs of all processes, by time, largest first.
    pub regions: Vec<JobRegion>,
    /// The constructs for devices of all processes, by time, largest first.
    pub targets: Vec<JobTarget>,
    /// MPI's functions, largest share first; empty if nothing is known of them.
    pub mpi: Vec<MpiCall>,
    /// The waits for other ranks in MPI's calls; `None` until [`Job::find_waits`], and if nothing
    /// was recorded of them.
    pub waits: Option<MpiWaits>,
    /// The efficiencies of POP's model; `None` unless the calls of MPI were timed in all ranks.
    pub pop: Option<Pop>,
    /// How evenly the ranks compute; `None` for fewer than two ranks.
    pub imbalance: Option<RankImbalance>,
    /// Machines on which threads lacked processors.
    pub oversubscribed: Vec<Oversubscription>,
}

/// A parallel construct in all processes, which are matched by function and line.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Region"))]
pub struct JobRegion {
    /// The construct's name.
    #[serde(skip)]
    pub place: Option<Place>,
    /// Number of processes that executed it.
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub processes: usize,
    /// Instances, all processes together.
    pub calls: u64,
    /// Sum of the instances' times, all processes together, ns.
    pub wall_ns: u64,
    /// Sum of the instances' times in the process in which it is largest, ns.
    pub max_ns: u64,
    /// That process.
    // By its position in `Job::processes`.
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub slowest: usize,
    /// What is lost inside it, all processes together, ns: an upper bound of what could be won if
    /// `bounds_hold`.
    pub gain_ns: u64,
}

/// A function of MPI in all processes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MpiCall {
    /// Its name in C, as `MPI_Waitall`.
    pub name: String,
    /// Its part of the processes' wall time, from 0 to 1, on their first threads: by the times of
    /// the calls, or by samples in processes whose calls were not timed.
    pub share: f64,
    /// The process in which the part is largest.
    // By its position in `Job::processes`.
    #[serde(rename = "most")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub largest_in: usize,
    /// The part there, from 0 to 1.
    #[serde(rename = "most_share")]
    pub largest_share: f64,
    /// The calls of all processes whose calls were timed; null if there is none.
    pub sums: Option<MpiSums>,
    /// The part of `sums.time_ns` in which processes waited for others, ns; null if nothing was
    /// recorded of it.
    pub wait_ns: Option<u64>,
}

impl MpiCall {
    /// The function `name`, first met in the process at `position`.
    fn none(name: &str, position: usize) -> Self {
        let name = name.to_owned();
        Self {
            name,
            share: 0.0,
            largest_in: position,
            largest_share: 0.0,
            sums: None,
            wait_ns: None,
        }
    }
}

/// How evenly the ranks compute.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Between"))]
pub struct RankImbalance {
    /// True if the time in MPI is known and left out of the times below; if not, they are those in
    /// regions.
    pub without_mpi: bool,
    /// Mean of the ranks' times, ns.
    pub mean_ns: u64,
    /// The longest of them, ns.
    pub max_ns: u64,
    /// The shortest of them, ns.
    pub min_ns: u64,
    /// `mean_ns` / `max_ns`: 1.0 is perfect; null if nobody computed.
    pub balance: Option<f64>,
    /// The process with the longest time.
    // By its position in `Job::processes`, as that with the shortest.
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub slowest: usize,
    /// The process with the shortest time.
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub fastest: usize,
    /// The region in which the slowest rank is furthest above the mean; null if there is none.
    pub region: Option<Farthest>,
}

/// A region in which one rank takes longer than the others.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Farthest {
    /// The region: a position in `regions`.
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub region: usize,
    /// Time of the slowest rank in it, ns.
    pub slowest_ns: u64,
    /// Mean over all ranks, ns.
    pub mean_ns: u64,
}

/// A machine on which threads lacked processors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Oversubscription {
    /// Name of the machine.
    pub hostname: String,
    /// Its recorded processes at the moment at which their threads are most.
    pub processes: u64,
    /// Their threads together.
    pub threads: u64,
    /// The most processors that one of them was allowed to use.
    pub allowed_cpus: u32,
    /// Time without a processor, all threads of all processes together, ns.
    pub lost_ns: u64,
}

impl Job {
    /// Compares `processes`.
    #[must_use]
    pub fn new(mut processes: Vec<Brief>) -> Self {
        processes.sort_by_key(|one| (one.rank.as_ref().map(|r| r.number), one.started_unix_ns));
        let ranks: BTreeSet<u32> = numbers(&processes).collect();
        let size = processes.iter().filter_map(|one| one.rank.as_ref()?.size).max();
        let missing = (0..size.unwrap_or(0)).filter(|number| !ranks.contains(number)).collect();
        let jobs: BTreeSet<&str> =
            processes.iter().filter_map(|one| Some(one.rank.as_ref()?.job.as_str())).collect();
        let mixed = jobs.len() > 1;
        let merged = merge_regions(&processes);
        let imbalance = imbalance(&processes, ranks.len(), &merged);
        let mpi = merge_mpi(&processes);
        let targets = merge_targets(processes.iter().map(|one| one.targets.as_slice()));
        let oversubscribed = oversubscribed(&processes);
        let regions = merged.into_iter().map(|merged| merged.region).collect();
        let pop = Pop::of(&processes);
        Self {
            processes,
            size,
            missing,
            mixed,
            regions,
            targets,
            mpi,
            waits: None,
            pop,
            imbalance,
            oversubscribed,
        }
    }

    /// Finds the waits for other ranks in `events`, in which [`Brief::events`] names each process.
    pub fn find_waits(&mut self, events: &EventsByInstance) {
        let members = events.0.members.len();
        // Identities of messages are those of one `MPI_COMM_WORLD`.
        if self.mixed || members == 0 || !events.are_of_one_world() {
            return;
        }
        let mut position = vec![None; members];
        for (at, process) in self.processes.iter().enumerate() {
            let number = process.events.and_then(|number| usize::try_from(number).ok());
            if let Some(place) = number.and_then(|number| position.get_mut(number)) {
                *place = Some(at);
            }
        }
        let waits = MpiWaits::of(events, self.processes.len(), &position);
        if let Some(pop) = &mut self.pop {
            pop.split(&self.processes, &waits);
        }
        for call in &mut self.mpi {
            let time = call.sums.as_ref().map_or(0, |sums| sums.time_ns);
            call.wait_ns = Some(waits.of_function_ns(&call.name).min(time));
        }
        self.waits = Some(waits);
    }

    /// Whether the processes are ranks of a parallel job.
    #[must_use]
    pub fn has_ranks(&self) -> bool {
        self.processes.iter().any(|one| one.rank.is_some())
    }

    /// The time of the longest process, ns.
    #[must_use]
    pub fn wall_ns(&self) -> u64 {
        self.processes.iter().map(|one| one.wall_ns).max().unwrap_or(0)
    }

    /// Nanoseconds of `class`, all processes together.
    #[must_use]
    pub fn class_ns(&self, class: Class) -> u64 {
        self.processes.iter().map(|one| one.class_ns(class)).sum()
    }

    /// What recording took the threads of all processes, ns; `None` if it is not known of one.
    #[must_use]
    pub fn recording_ns(&self) -> Option<u64> {
        let of = |one: &Brief| one.recording_ns;
        self.processes.iter().try_fold(0_u64, |sum, one| Some(sum.saturating_add(of(one)?)))
    }

    /// The mean part of the processes' time that is spent in MPI; `None` if it is not known.
    #[must_use]
    pub fn mpi_share(&self) -> Option<f64> {
        let shares: Vec<f64> = self
            .processes
            .iter()
            .filter_map(|one| Some(one.mpi_ns()? as f64 / one.recorded_ns.max(1) as f64))
            .collect();
        (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
    }
}

fn numbers(processes: &[Brief]) -> impl Iterator<Item = u32> {
    processes.iter().filter_map(|one| Some(one.rank.as_ref()?.number))
}

struct Merged {
    region: JobRegion,
    /// Time by position in [`Job::processes`], ns.
    times: BTreeMap<usize, u64>,
    nested: bool,
}

fn merge_regions(processes: &[Brief]) -> Vec<Merged> {
    let mut merged: BTreeMap<Key, Merged> = BTreeMap::new();
    for (position, process) in processes.iter().enumerate() {
        for region in &process.regions {
            let entry = merged.entry(key(region.place.as_ref())).or_insert_with(|| empty(region));
            entry.region.calls += region.calls;
            entry.region.wall_ns += region.wall_ns;
            entry.region.gain_ns += region.gain_ns;
            entry.nested &= region.nested;
            *entry.times.entry(position).or_default() += region.wall_ns;
        }
    }
    let mut merged: Vec<Merged> = merged.into_values().collect();
    for one in &mut merged {
        (one.region.slowest, one.region.max_ns) = slowest(&one.times);
        one.region.processes = one.times.len();
    }
    merged.sort_by_cached_key(|one| std::cmp::Reverse(one.region.wall_ns));
    merged
}

fn empty(region: &BriefRegion) -> Merged {
    Merged {
        region: JobRegion {
            place: region.place.clone(),
            processes: 0,
            calls: 0,
            wall_ns: 0,
            max_ns: 0,
            slowest: 0,
            gain_ns: 0,
        },
        times: BTreeMap::new(),
        nested: true,
    }
}

/// Compares the first process of each rank.
fn imbalance(processes: &[Brief], ranks: usize, regions: &[Merged]) -> Option<RankImbalance> {
    if ranks < 2 {
        return None;
    }
    let mut seen = BTreeSet::new();
    let one_each: Vec<usize> = (0..processes.len())
        .filter(|&position| {
            let rank = processes[position].rank.as_ref();
            rank.is_some_and(|rank| seen.insert(rank.number))
        })
        .collect();
    let is_known =
        |&position: &usize| processes[position].mpi.as_ref().is_some_and(MpiShare::is_known);
    let without_mpi = one_each.iter().any(is_known);
    let time = |position: usize| processes[position].compute_ns(without_mpi);
    let slowest = one_each.iter().copied().max_by_key(|&p| (time(p), usize::MAX - p))?;
    let fastest = one_each.iter().copied().min_by_key(|&p| (time(p), p))?;
    let number = one_each.len() as u64;
    let mean_ns = one_each.iter().map(|&position| time(position)).sum::<u64>() / number;
    let region = regions
        .iter()
        .enumerate()
        .filter(|(_, one)| !one.nested)
        .map(|(position, one)| {
            let of_slowest = one.times.get(&slowest).copied().unwrap_or(0);
            let all: u64 = one_each.iter().filter_map(|p| one.times.get(p)).sum();
            Farthest { region: position, slowest_ns: of_slowest, mean_ns: all / number }
        })
        .max_by_key(|one| one.slowest_ns.saturating_sub(one.mean_ns))
        .filter(|one| one.slowest_ns > one.mean_ns);
    let (max_ns, min_ns) = (time(slowest), time(fastest));
    let balance = (max_ns > 0).then(|| mean_ns as f64 / max_ns as f64);
    Some(RankImbalance { without_mpi, mean_ns, max_ns, min_ns, balance, slowest, fastest, region })
}

fn merge_mpi(processes: &[Brief]) -> Vec<MpiCall> {
    let mut calls: BTreeMap<&str, MpiCall> = BTreeMap::new();
    let known = processes.iter().filter(|one| one.mpi.is_some()).count().max(1) as f64;
    for (position, process) in processes.iter().enumerate() {
        let Some(mpi) = process.mpi.as_ref().filter(|mpi| mpi.is_known()) else { continue };
        let wall = process.recorded_ns.max(1) as f64;
        let mut add = |name, share: f64, sums: Option<&MpiSums>| {
            let call = calls.entry(name).or_insert_with(|| MpiCall::none(name, position));
            call.share += share / known;
            if share > call.largest_share {
                (call.largest_in, call.largest_share) = (position, share);
            }
            match (&mut call.sums, sums) {
                (Some(all), Some(sums)) => all.add(sums),
                (all, sums) => *all = all.or(sums.copied()),
            }
        };
        if let Some(timed) = &mpi.timed {
            for (name, sums) in &timed.by_function {
                add(name, sums.first_thread_ns as f64 / wall, Some(sums));
            }
            continue;
        }
        for (name, samples) in &mpi.by_call {
            let part = *samples as f64 / mpi.in_mpi() as f64;
            add(name, mpi.ns as f64 / wall * part, None);
        }
    }
    let mut calls: Vec<MpiCall> = calls.into_values().collect();
    calls.sort_by(|one, other| other.share.total_cmp(&one.share));
    calls
}

/// Part of the threads' time without a processor from which on a machine is oversubscribed.
const SHORT_OF_PROCESSORS: f64 = 0.05;

fn oversubscribed(processes: &[Brief]) -> Vec<Oversubscription> {
    let mut hosts: BTreeMap<&str, Vec<&Brief>> = BTreeMap::new();
    for process in processes {
        hosts.entry(&process.hostname).or_default().push(process);
    }
    hosts.into_values().filter_map(|processes| oversubscription(&processes)).collect()
}

/// The processes of one machine, if they lack processors at their busiest moment.
fn oversubscription(processes: &[&Brief]) -> Option<Oversubscription> {
    let lives = |one: &&&Brief, time: u64| {
        (one.started_unix_ns..one.started_unix_ns.saturating_add(one.wall_ns)).contains(&time)
    };
    // The busiest moment is one at which a process begins.
    let at = |time: u64| processes.iter().filter(move |one| lives(one, time));
    let begins = processes.iter().map(|one| one.started_unix_ns);
    let threads_at = |time: u64| at(time).map(|one| u64::from(one.threads)).sum::<u64>();
    let busiest = begins.max_by_key(|&time| threads_at(time))?;
    let lost_ns = processes.iter().map(|one| one.class_ns(Class::Scheduler)).sum();
    let total: u64 = processes.iter().map(|one| one.total_ns).sum();
    let allowed_cpus = processes.iter().map(|one| one.allowed_cpus).max()?;
    let threads = threads_at(busiest);
    let is_short =
        threads > allowed_cpus.into() && lost_ns as f64 >= SHORT_OF_PROCESSORS * total as f64;
    is_short.then(|| Oversubscription {
        hostname: processes[0].hostname.clone(),
        processes: at(busiest).count() as u64,
        threads,
        allowed_cpus,
        lost_ns,
    })
}
