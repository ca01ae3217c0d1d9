//! The efficiencies of POP's hybrid multiplicative model (pop-coe.eu), from the sums of all ranks.
//!
//! | factor | definition |
//! |---|---|
//! | hybrid load balance | mean / maximum over all threads of useful computation |
//! | hybrid communication | maximum over all threads of useful computation / runtime |
//! | MPI load balance | mean / maximum over processes of time outside MPI |
//! | MPI communication | maximum over processes of time outside MPI / runtime |
//! | OpenMP load balance | hybrid / MPI load balance |
//! | OpenMP communication | hybrid / MPI communication |
//!
//! A parallel efficiency is load balance × communication, so hybrid = MPI × OpenMP. A process's
//! time outside MPI is that of its first thread; the OpenMP runtime counts as useful there. Useful
//! computation is a thread's time outside both runtimes, with waits of the program's own.
//!
//! MPI's communication efficiency is serialisation × transfer. POP defines both by the runtime on
//! an ideal network, on which a transfer takes no time, and gets that from a replay of all
//! messages. Here the waits for other ranks stand in its place, which would remain on such a
//! network:
//!
//! | factor | definition |
//! |---|---|
//! | ideal runtime | maximum over processes of time outside MPI and waits for other ranks |
//! | serialisation | maximum over processes of time outside MPI / ideal runtime |
//! | transfer | ideal runtime / runtime |

use std::collections::BTreeSet;

use serde::Serialize;

use crate::analysis::Analysis;
use crate::ranks::brief::Brief;
use crate::ranks::waits::MpiWaits;
use crate::summary::{Class, Thread};

/// A parallel efficiency and its factors, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Efficiency {
    /// `load_balance` × `communication`.
    pub parallel: f64,
    /// Load balance efficiency.
    pub load_balance: f64,
    /// Communication efficiency.
    pub communication: f64,
}

/// The factors of MPI's communication efficiency, from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Split {
    /// What is lost to waits for other ranks.
    pub serialisation: f64,
    /// What is lost to all other time in MPI's calls.
    pub transfer: f64,
}

/// The efficiencies of a job by POP's hybrid multiplicative model: `hybrid` is `mpi` × `openmp`, in
/// each factor.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pop {
    /// The longest time of a rank, ns, from which all efficiencies are formed.
    pub runtime_ns: u64,
    /// Threads of all ranks.
    pub threads: u64,
    /// Of MPI and OpenMP together.
    pub hybrid: Efficiency,
    /// Of MPI, with the OpenMP runtime as useful as computation.
    pub mpi: Efficiency,
    /// The factors of `mpi.communication`; null if too little is known of waits for other ranks.
    pub mpi_split: Option<Split>,
    /// Of OpenMP: what remains of `hybrid` without `mpi`. A factor may be above 1.
    pub openmp: Efficiency,
}

/// The useful computation of a process's threads, ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Useful {
    /// All threads together.
    pub sum_ns: u64,
    /// The thread with the most.
    pub max_ns: u64,
}

impl Efficiency {
    /// Of times with this mean and maximum, in a run of this length.
    fn new(mean: f64, max: f64, runtime: f64) -> Self {
        let (load_balance, communication) = (mean / max, max / runtime);
        Self { parallel: load_balance * communication, load_balance, communication }
    }

    /// What remains if `part` is a factor.
    fn without(self, part: Self) -> Self {
        Self {
            parallel: self.parallel / part.parallel,
            load_balance: self.load_balance / part.load_balance,
            communication: self.communication / part.communication,
        }
    }
}

impl Useful {
    /// Of the threads of one recording.
    pub(super) fn of(analysis: &Analysis) -> Self {
        let threads = || analysis.summary.threads.iter().map(useful_ns);
        Self {
            sum_ns: threads().fold(0, u64::saturating_add),
            max_ns: threads().max().unwrap_or(0),
        }
    }
}

/// A thread's time in code of the program. The classes do not tell calls of MPI from this code:
/// there a thread computes, waits, or lacks a processor as anywhere.
fn useful_ns(thread: &Thread) -> u64 {
    const OWN_CODE: [Class; 5] =
        [Class::Useful, Class::Serial, Class::SerialWait, Class::Blocked, Class::Scheduler];
    let own = OWN_CODE.iter().map(|class| thread.by_class[*class as usize]);
    own.fold(0, u64::saturating_add).saturating_sub(thread.mpi_ns.unwrap_or(0))
}

impl Pop {
    /// The levels of the model by name: hybrid, which is the product of the others, MPI, OpenMP.
    #[must_use]
    pub fn levels(&self) -> [(&'static str, Efficiency); 3] {
        [("hybrid", self.hybrid), ("MPI", self.mpi), ("OpenMP", self.openmp)]
    }

    /// The efficiencies of the ranks among `processes`, the first process of each rank; `None` if
    /// there are no ranks, or if the calls of one of them were not timed.
    pub(super) fn of(processes: &[Brief]) -> Option<Self> {
        let ranks: Vec<&Brief> = first_of_ranks(processes).map(|(_, one)| one).collect();
        if ranks.is_empty() || ranks.iter().any(|one| !one.mpi_is_timed) {
            return None;
        }
        let runtime_ns = ranks.iter().map(|one| one.recorded_ns).max()?;
        let threads: u64 = ranks.iter().map(|one| u64::from(one.threads.max(1))).sum();
        let outside: Vec<u64> = ranks.iter().map(|one| outside_mpi_ns(one)).collect();
        let (runtime, number) = (runtime_ns as f64, ranks.len() as f64);
        let mean_outside = outside.iter().map(|&ns| ns as f64).sum::<f64>() / number;
        let max_outside = outside.iter().copied().max()? as f64;
        let useful = ranks.iter().map(|one| one.useful.sum_ns as f64).sum::<f64>();
        let max_useful = ranks.iter().map(|one| one.useful.max_ns).max()? as f64;
        if max_outside <= 0.0 || max_useful <= 0.0 || runtime_ns == 0 {
            return None;
        }
        let mpi = Efficiency::new(mean_outside, max_outside, runtime);
        let hybrid = Efficiency::new(useful / threads as f64, max_useful, runtime);
        Some(Self {
            runtime_ns,
            threads,
            hybrid,
            mpi,
            openmp: hybrid.without(mpi),
            mpi_split: None,
        })
    }

    /// Splits MPI's communication efficiency by the waits for other ranks.
    pub(super) fn split(&mut self, processes: &[Brief], waits: &MpiWaits) {
        let ranks = || first_of_ranks(processes);
        if !waits.are_most_known() || ranks().any(|(_, one)| one.events.is_none()) {
            return;
        }
        let with_waits = |(position, one): (usize, &Brief)| {
            // Estimates, and waits while the recording was paused, may be longer than the calls.
            let wait = waits.by_process_ns.get(position).copied().unwrap_or(0);
            outside_mpi_ns(one).saturating_add(wait.min(one.mpi_ns().unwrap_or(0)))
        };
        let ideal = ranks().map(with_waits).max().unwrap_or(0) as f64;
        let outside = ranks().map(|(_, one)| outside_mpi_ns(one)).max().unwrap_or(0) as f64;
        if ideal > 0.0 {
            let (serialisation, transfer) = (outside / ideal, ideal / self.runtime_ns as f64);
            self.mpi_split = Some(Split { serialisation, transfer });
        }
    }
}

/// The first process of each rank, with its position.
fn first_of_ranks(processes: &[Brief]) -> impl Iterator<Item = (usize, &Brief)> {
    let mut seen = BTreeSet::new();
    let rank = |one: &Brief| one.rank.as_ref().map(|it| it.number);
    processes
        .iter()
        .enumerate()
        .filter(move |(_, one)| rank(one).is_some_and(|number| seen.insert(number)))
}

/// The time of a process's first thread outside MPI, ns.
fn outside_mpi_ns(one: &Brief) -> u64 {
    one.recorded_ns.saturating_sub(one.mpi_ns().unwrap_or(0))
}
