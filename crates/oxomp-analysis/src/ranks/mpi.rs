//! Time in MPI's functions: that of the calls, or, where they were not timed, from the samples'
//! symbols.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::calls::{CallNode, CallTree};
use crate::summary::{MpiCalls, MpiKind};

/// A process's time in MPI's functions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MpiShare {
    /// The first thread's time in MPI's functions, ns: that of its calls if they were timed, else
    /// of its time outside of regions the part that the samples there give. The latter is too small
    /// where MPI waits without a processor, since samples are taken by processor time.
    pub ns: u64,
    /// The calls, if they were timed.
    pub timed: Option<MpiTimes>,
    /// Samples outside every parallel region that fell into MPI's functions.
    pub outside_in_mpi: u64,
    /// Samples inside parallel regions that fell into MPI's functions.
    pub inside_in_mpi: u64,
    /// Samples by the function that the program called, `MPI_Waitall` for instance.
    pub by_call: BTreeMap<String, u64>,
}

impl MpiShare {
    /// The time of the calls, if they were timed, else what the samples of `tree` give; `None` if
    /// there are neither.
    #[must_use]
    pub fn new(calls: &[MpiCalls], tree: &CallTree, outside_ns: u64) -> Option<Self> {
        let sampled = Self::sampled(tree, outside_ns);
        if calls.is_empty() {
            return sampled;
        }
        let timed = MpiTimes::of(calls);
        let ns = timed.outside_ns.saturating_add(timed.inside_ns);
        Some(Self { ns, timed: Some(timed), ..sampled.unwrap_or_default() })
    }

    /// Sums up the samples of `calls`; `None` without samples. The outermost function of MPI in a
    /// call path is the one that counts. The first thread was outside of regions for `outside_ns`.
    fn sampled(calls: &CallTree, outside_ns: u64) -> Option<Self> {
        if calls.nodes.iter().all(|node| node.total == 0) {
            return None;
        }
        let mut share = Self::default();
        let mut outside = 0;
        // For each node: whether a region, and whether MPI, is in it or above it.
        let mut above: Vec<(bool, bool)> = Vec::with_capacity(calls.nodes.len());
        for node in &calls.nodes {
            let caller = node.caller.and_then(|caller| above.get(caller as usize).copied());
            let (in_region, in_mpi) = caller.unwrap_or_default();
            let is_region = in_region || node.region;
            let call = if in_mpi { None } else { mpi_function(node) };
            if let Some(call) = &call {
                *share.by_call.entry(call.clone()).or_default() += node.total;
                let part =
                    if is_region { &mut share.inside_in_mpi } else { &mut share.outside_in_mpi };
                *part += node.total;
            }
            if !is_region {
                outside += node.own;
            }
            above.push((is_region, in_mpi || call.is_some()));
        }
        if outside > 0 {
            let part = share.outside_in_mpi.min(outside) as f64 / outside as f64;
            share.ns = (outside_ns as f64 * part) as u64;
        }
        Some(share)
    }

    /// Whether the time in MPI is known: a process with hardly a sample outside of regions was
    /// hardly there.
    #[must_use]
    pub fn is_known(&self) -> bool {
        self.timed.is_some() || self.in_mpi() > 0
    }

    /// All samples in MPI's functions.
    #[must_use]
    pub fn in_mpi(&self) -> u64 {
        self.outside_in_mpi + self.inside_in_mpi
    }
}

/// The calls of MPI's functions in a process.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MpiTimes {
    /// The first thread's time in calls outside of regions, ns.
    pub outside_ns: u64,
    /// The first thread's time in calls inside regions, ns.
    pub inside_ns: u64,
    /// By function.
    pub by_function: BTreeMap<String, MpiSums>,
}

/// The calls of a function of MPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MpiSums {
    /// What the function is for: `setup`, `point-to-point`, `collective`, `wait`, `one-sided`,
    /// `I/O`, or `other`.
    pub kind: MpiKind,
    /// Calls that returned.
    pub calls: u64,
    /// Sum of their times, all threads together, ns.
    pub time_ns: u64,
    /// The part of it on the processes' first threads, ns.
    pub first_thread_ns: u64,
    /// The longest time, ns.
    pub longest_ns: u64,
    /// Bytes that the processes contributed: those of messages that they sent, and of their blocks
    /// in collective calls.
    pub bytes: u64,
}

impl MpiTimes {
    fn of(calls: &[MpiCalls]) -> Self {
        let mut times = Self::default();
        for row in calls {
            let place =
                if row.region.is_some() { &mut times.inside_ns } else { &mut times.outside_ns };
            *place = place.saturating_add(row.first_thread_ns);
            let one = MpiSums {
                kind: row.kind,
                calls: row.calls,
                time_ns: row.time_ns,
                first_thread_ns: row.first_thread_ns,
                longest_ns: row.longest_ns,
                bytes: row.bytes,
            };
            let sums = times.by_function.entry(row.function.clone());
            sums.and_modify(|sums| sums.add(&one)).or_insert(one);
        }
        times
    }
}

impl MpiSums {
    /// Adds the calls of other regions or processes.
    pub(super) fn add(&mut self, other: &Self) {
        let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        add(&mut self.calls, other.calls);
        add(&mut self.time_ns, other.time_ns);
        add(&mut self.first_thread_ns, other.first_thread_ns);
        self.longest_ns = self.longest_ns.max(other.longest_ns);
        add(&mut self.bytes, other.bytes);
    }
}

/// Writes the time in MPI's functions.
pub(super) fn as_time<S: Serializer>(
    share: &Option<MpiShare>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    share.as_ref().map(|share| share.ns).serialize(serializer)
}

/// The name of MPI's C function that `node` is, if it is one: `MPI_Send`, `PMPI_Send`, Fortran's
/// `mpi_send_`, `mpi_send_f08_` and `mpi_send__`.
fn mpi_function(node: &CallNode) -> Option<String> {
    let name = node.function.split(['(', '@']).next()?;
    if let Some(rest) = name.strip_prefix("PMPI_").or_else(|| name.strip_prefix("MPI_")) {
        return is_word(rest).then(|| format!("MPI_{rest}"));
    }
    let lower = name.to_ascii_lowercase();
    let rest = lower.strip_prefix("pmpi_").or_else(|| lower.strip_prefix("mpi_"))?;
    // Functions of the program may be called mpi_…, but few end in an underscore.
    let rest = rest.strip_suffix('_')?.trim_end_matches('_').trim_end_matches("_f08");
    let mut letters = rest.chars();
    let first = letters.next().filter(char::is_ascii_alphabetic)?.to_ascii_uppercase();
    is_word(rest).then(|| format!("MPI_{first}{}", letters.as_str()))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::MpiShare;
    use crate::calls::{CallNode, CallTree};

    fn node(caller: Option<u32>, function: &str, region: bool, own: u64, total: u64) -> CallNode {
        let function = function.to_owned();
        let (line, module) = (None, None);
        CallNode {
            caller,
            function,
            line,
            module,
            region,
            library: false,
            python: false,
            own,
            total,
        }
    }

    #[test]
    fn the_outermost_function_of_mpi_counts() {
        let nodes = vec![
            node(None, "main", false, 10, 100),
            node(Some(0), "exchange", false, 0, 40),
            node(Some(1), "PMPI_Sendrecv", false, 5, 40),
            node(Some(2), "PMPI_Waitall", false, 5, 35),
            node(Some(3), "opal_progress", false, 30, 30),
            node(Some(0), "relax", true, 30, 45),
            node(Some(5), "mpi_waitall_f08_", false, 15, 15),
            node(Some(0), "mpi_reduce_", false, 5, 5),
        ];
        let tree = CallTree { nodes, ..CallTree::default() };
        let share = MpiShare::new(&[], &tree, 110).unwrap();
        let by_call: Vec<_> = share.by_call.iter().map(|(name, n)| (name.as_str(), *n)).collect();
        assert_eq!(by_call, [("MPI_Reduce", 5), ("MPI_Sendrecv", 40), ("MPI_Waitall", 15)]);
        // Of the 55 samples outside of regions, 45 are in MPI.
        assert_eq!((share.ns, share.outside_in_mpi, share.inside_in_mpi), (90, 45, 15));
    }

    #[test]
    fn functions_of_the_program_are_not_mpi() {
        for name in ["mpi_helper", "MPI_", "my_MPI_Send", "mpi__", "MPIR_Send", "mpi::send_"] {
            let nodes = vec![node(None, name, false, 1, 1)];
            let tree = CallTree { nodes, ..CallTree::default() };
            let share = MpiShare::new(&[], &tree, 1).unwrap();
            assert_eq!((share.ns, share.in_mpi()), (0, 0), "{name}");
        }
        assert_eq!(MpiShare::new(&[], &CallTree::default(), 1), None);
    }
}
