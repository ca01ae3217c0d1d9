//! Calls of MPI, added up over threads.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use oxomp_trace::fold::mpi;
use oxomp_trace::{EventKind, FoldKind, MpiFunction, Profile, ThreadEvents};

use crate::constructs::Constructs;
use crate::summary::{MpiCalls, MpiKind, SiteId};
use crate::sums::raise;

/// Sums of a function in a region.
#[derive(Debug, Default, Clone, Copy)]
struct Sums {
    calls: u64,
    time_ns: u64,
    first_thread_ns: u64,
    longest_ns: u64,
    bytes: u64,
}

impl Sums {
    fn add(&mut self, other: Self) {
        raise(&mut self.calls, other.calls);
        raise(&mut self.time_ns, other.time_ns);
        raise(&mut self.first_thread_ns, other.first_thread_ns);
        self.longest_ns = self.longest_ns.max(other.longest_ns);
        raise(&mut self.bytes, other.bytes);
    }
}

/// The calls of a profile by function and region, by time, largest first.
pub(super) fn mpi_calls(
    profile: &Profile,
    constructs: &Constructs,
    mut site: impl FnMut(u64) -> Option<SiteId>,
) -> Vec<MpiCalls> {
    let mut all = BTreeMap::<(u64, u64), Sums>::new();
    for thread in &profile.threads {
        let is_first = is_first(profile, thread);
        for entry in thread.folded.iter().filter(|it| it.fold_kind() == Some(FoldKind::Mpi)) {
            let time_ns = entry.values[mpi::TIME_NS];
            let region = if entry.key[0] == 0 { 0 } else { constructs.name(entry.key[0]) };
            all.entry((entry.sub.into(), region)).or_default().add(Sums {
                calls: entry.values[mpi::CALLS],
                time_ns,
                first_thread_ns: if is_first { time_ns } else { 0 },
                longest_ns: entry.values[mpi::LONGEST_NS],
                bytes: entry.values[mpi::BYTES],
            });
        }
    }
    for one in &profile.info.mpi_elsewhere {
        all.entry((one.function, 0)).or_default().add(Sums {
            calls: one.calls,
            time_ns: one.time_ns,
            first_thread_ns: if one.on_main_thread { one.time_ns } else { 0 },
            longest_ns: one.longest_ns,
            bytes: one.bytes,
        });
    }
    let functions = &profile.info.mpi_functions;
    let mut calls: Vec<MpiCalls> = all
        .into_iter()
        .map(|((number, region), sums)| {
            let function = functions.iter().find(|one| one.number == number);
            row(number, function, (region != 0).then(|| site(region)).flatten(), sums)
        })
        .collect();
    calls.sort_by_cached_key(|row| Reverse(row.time_ns));
    calls
}

/// The time of each thread in MPI's functions, ns, by number. That of threads that OpenMP does not
/// know is nowhere.
pub(super) fn mpi_by_thread(profile: &Profile) -> BTreeMap<u32, u64> {
    let elsewhere = profile.info.mpi_elsewhere.iter().filter(|one| one.on_main_thread);
    let elsewhere = elsewhere.fold(0_u64, |sum, one| sum.saturating_add(one.time_ns));
    let time = |thread: &ThreadEvents| {
        let entries = thread.folded.iter().filter(|it| it.fold_kind() == Some(FoldKind::Mpi));
        let begin = if is_first(profile, thread) { elsewhere } else { 0 };
        entries.fold(begin, |sum, entry| sum.saturating_add(entry.values[mpi::TIME_NS]))
    };
    profile.threads.iter().map(|thread| (thread.number, time(thread))).collect()
}

fn row(
    number: u64,
    function: Option<&MpiFunction>,
    region: Option<SiteId>,
    sums: Sums,
) -> MpiCalls {
    let Sums { calls, time_ns, first_thread_ns, longest_ns, bytes } = sums;
    MpiCalls {
        function: function.map_or_else(|| format!("MPI's function {number}"), |it| it.name.clone()),
        kind: MpiKind(function.and_then(|it| it.class)),
        region,
        calls,
        time_ns,
        first_thread_ns,
        longest_ns,
        bytes,
    }
}

/// Whether the stream is that of the thread with which the process began.
fn is_first(profile: &Profile, thread: &ThreadEvents) -> bool {
    let begins = thread.records.iter().filter(|it| it.kind == EventKind::ThreadBegin as u8);
    begins.into_iter().any(|begin| begin.value == u64::from(profile.header.pid))
}
