//! The time in MPI's calls in which a rank waited for another one, told from the time of transfer.
//!
//! | wait | from the begin of the call until |
//! |---|---|
//! | late sender | the message began to be sent |
//! | late receiver | a blocking receive of the message began, if the blocking send took so long |
//! | late member | the last process entered the operation, in which each, or the root, needs all |
//! | late root | the root entered the operation, in which each needs the root |
//!
//! and at most until the call's end. A call that waits for several messages waits for the last one.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use oxomp_symbols::Place;
use oxomp_trace::MpiRole;
use serde::Serialize;

use crate::ranks::clocks::Clocks;
use crate::ranks::events::{Event, EventsByInstance, JobEvents, OUTSIDE};
use crate::summary::written::written_by_name;

/// Why a rank waited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WaitCause {
    /// The message that it receives was not yet being sent.
    LateSender,
    /// The message that it sends was not yet being received.
    LateReceiver,
    /// Another process had not yet entered the collective operation.
    LateMember,
    /// The root had not yet entered the collective operation.
    LateRoot,
}

impl WaitCause {
    /// The cause in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LateSender => "late sender",
            Self::LateReceiver => "late receiver",
            Self::LateMember => "late member",
            Self::LateRoot => "late root",
        }
    }
}

written_by_name!(WaitCause);

/// Waits for other ranks in one function of MPI, in one region, for one cause.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MpiWait {
    /// The region in which the function was called; `None` outside every region.
    #[serde(skip)]
    pub region: Option<Place>,
    /// The function's name in C, as `MPI_Recv`.
    pub function: String,
    /// `late sender`, `late receiver`, `late member` (of a collective operation), or `late root`.
    pub cause: WaitCause,
    /// Calls that waited.
    pub calls: u64,
    /// Sum of the waits of all processes, ns.
    pub wait_ns: u64,
    /// The longest wait of a call, ns.
    pub longest_ns: u64,
    /// The process that waited longest in sum.
    // By its position in `Job::processes`, as that which was late.
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub waiting: usize,
    /// The process for which the others waited longest in sum.
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub late: usize,
    /// The part of `wait_ns` for that process, ns.
    pub late_ns: u64,
}

/// Waits for other ranks in MPI's calls.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MpiWaits {
    /// The waits by function, region and cause, by time, largest first.
    #[serde(skip)]
    pub rows: Vec<MpiWait>,
    /// By process: the waits on its main thread, ns.
    // By position in `Job::processes`.
    pub by_process_ns: Vec<u64>,
    /// Messages and collective operations of which both ends, or all members, were recorded.
    pub matched: u64,
    /// Those of which an end or a member is missing; nothing is said of them.
    pub unmatched: u64,
    /// Those that were not recorded, although none of their kind stands for them.
    pub left_out: u64,
    /// How many there were in all, those included for which others stand; an estimate then.
    #[serde(skip)]
    pub operations: u64,
    /// Those that all processes that take part must have recorded, whatever they leave out.
    #[serde(skip)]
    pub sure: u64,
    /// True if some of them stand for others of the same kind, so that times are estimates.
    pub estimated: bool,
    /// Machines, each with a clock of its own.
    pub machines: u64,
    /// By how much times of different machines may be wrong against each other, ns: 0 on one
    /// machine; null if nothing bounds it.
    pub clock_error_ns: Option<u64>,
}

/// One wait of one call.
#[derive(Debug, Clone, Copy)]
struct Wait {
    /// What tells the call from others: its process and its begin.
    call: (u32, u64),
    cause: WaitCause,
    ns: u64,
    late: u32,
    region: u32,
    function: u16,
    weight: u64,
    on_main_thread: bool,
}

/// Sums of a row.
#[derive(Debug, Default)]
struct Sums {
    calls: u64,
    ns: u64,
    longest_ns: u64,
    waiting: BTreeMap<u32, u64>,
    late: BTreeMap<u32, u64>,
}

impl MpiWaits {
    /// The waits in `events`. `position` has, for each process of them, its position in the result.
    pub(super) fn of(
        events: &EventsByInstance,
        processes: usize,
        position: &[Option<usize>],
    ) -> Self {
        let job = &events.0;
        let clocks = Clocks::of(events);
        let mut found = Found::new(&clocks, job);
        events.groups().for_each(|group| found.group(group));
        let Found { mut waits, matched, unmatched, operations, sure, most_thinning, .. } = found;
        // Of a call that waited for several messages the longest wait counts.
        waits.sort_unstable_by_key(|wait| (wait.call, wait.function, Reverse(wait.ns)));
        waits.dedup_by_key(|wait| (wait.call, wait.function));
        let at = |process: u32| position.get(process as usize).copied().flatten();
        let mut by_process_ns = vec![0_u64; processes];
        let mut rows = BTreeMap::<(u16, u32, WaitCause), Sums>::new();
        for wait in &waits {
            let ns = wait.ns.saturating_mul(wait.weight);
            let sums = rows.entry((wait.function, wait.region, wait.cause)).or_default();
            let add = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
            add(&mut sums.calls, wait.weight);
            add(&mut sums.ns, ns);
            sums.longest_ns = sums.longest_ns.max(wait.ns);
            add(sums.waiting.entry(wait.call.0).or_default(), ns);
            add(sums.late.entry(wait.late).or_default(), ns);
            if wait.on_main_thread
                && let Some(sum) = at(wait.call.0).and_then(|at| by_process_ns.get_mut(at))
            {
                add(sum, ns);
            }
        }
        let most = |sums: &BTreeMap<u32, u64>| {
            let most = sums.iter().max_by_key(|(process, ns)| (**ns, Reverse(**process)));
            most.map_or((0, 0), |(&process, &ns)| (at(process).unwrap_or(0), ns))
        };
        let row = |((function, region, cause), sums): ((u16, u32, WaitCause), Sums)| {
            let (late, late_ns) = most(&sums.late);
            MpiWait {
                region: job.regions.get(region as usize).filter(|_| region != OUTSIDE).cloned(),
                function: job.functions.get(usize::from(function)).cloned().unwrap_or_default(),
                cause,
                calls: sums.calls,
                wait_ns: sums.ns,
                longest_ns: sums.longest_ns,
                waiting: most(&sums.waiting).0,
                late,
                late_ns,
            }
        };
        let mut rows: Vec<MpiWait> = rows.into_iter().map(row).collect();
        rows.sort_by_cached_key(|row| Reverse(row.wait_ns));
        Self {
            rows,
            by_process_ns,
            matched,
            unmatched,
            operations,
            sure,
            left_out: job.members.iter().fold(0, |sum, it| sum.saturating_add(it.world.left_out)),
            estimated: most_thinning > 0,
            machines: clocks.machines as u64,
            clock_error_ns: clocks.error_ns,
        }
    }

    /// The waits in the calls of a function, all causes together, ns.
    #[must_use]
    pub fn of_function_ns(&self, function: &str) -> u64 {
        let own = self.rows.iter().filter(|row| row.function == function);
        own.fold(0, |sum, row| sum.saturating_add(row.wait_ns))
    }

    /// Whether enough is known of all calls for sums over them: of 20 messages and operations 19.
    #[must_use]
    pub fn are_most_known(&self) -> bool {
        let are_few = |missing: u64, all: u64| missing.saturating_mul(20) <= all;
        self.operations > 0
            && are_few(self.unmatched, self.sure)
            && are_few(self.left_out, self.operations)
    }
}

/// The waits that were found so far.
#[derive(Debug)]
struct Found<'a> {
    clocks: &'a Clocks,
    job: &'a JobEvents,
    /// The highest level of any event: with so many bits that are 0, all processes have recorded a
    /// message or operation.
    most_thinning: u8,
    waits: Vec<Wait>,
    matched: u64,
    unmatched: u64,
    operations: u64,
    sure: u64,
}

impl<'a> Found<'a> {
    fn new(clocks: &'a Clocks, job: &'a JobEvents) -> Self {
        let highest = job.events.iter().map(|event| event.thinning).max();
        let most_thinning = highest.unwrap_or(0).max(job.thinning);
        Self {
            clocks,
            job,
            most_thinning,
            waits: Vec::new(),
            matched: 0,
            unmatched: 0,
            operations: 0,
            sure: 0,
        }
    }

    /// Takes in the events of one message or operation.
    fn group(&mut self, group: &[Event]) {
        let is_matched = match group[0].role {
            MpiRole::Send | MpiRole::Receive => self.message(group),
            _ => self.collective(group),
        };
        let Some(is_matched) = is_matched else { return };
        // One that all must have recorded.
        let is_sure = group[0].instance & ((1 << self.most_thinning) - 1) == 0;
        self.sure += u64::from(is_sure);
        if is_matched {
            self.matched += 1;
            self.operations = self.operations.saturating_add(self.weight(group));
        } else if is_sure {
            self.unmatched += 1;
        }
    }

    /// Whether both ends of a message are there; `None` for one that is not received, or whose
    /// receive did not wait.
    fn message(&mut self, group: &[Event]) -> Option<bool> {
        let is_received = group.iter().any(|event| event.role == MpiRole::Receive);
        let sent = group.iter().find(|event| event.role == MpiRole::Send);
        let Some(sent) = sent.filter(|_| is_received) else {
            return is_received.then_some(false);
        };
        let [send_begin, send_end] = self.clocks.times(sent);
        let error = i128::from(self.clocks.error_ns.unwrap_or(0));
        for received in group.iter().filter(|event| event.role == MpiRole::Receive) {
            let [begin, end] = self.clocks.times(received);
            // Not the same message: the order in which they were counted was another one.
            if end + error < send_begin {
                return Some(false);
            }
            self.wait(group, received, sent, send_begin, WaitCause::LateSender);
            // A send that needs no receiver has ended before.
            if sent.blocking && received.blocking && begin < send_end {
                self.wait(group, sent, received, begin, WaitCause::LateReceiver);
            }
        }
        Some(true)
    }

    /// Whether all members of an operation are there.
    fn collective(&mut self, group: &[Event]) -> Option<bool> {
        let has_all = group.len() == group[0].members as usize
            && group.windows(2).all(|two| two[0].process != two[1].process);
        let begin = |event: &&Event| self.clocks.times(event)[0];
        let last = *group.iter().max_by_key(begin).as_ref()?;
        let is_root = |event: &&Event| {
            let member = self.job.members.get(event.process as usize);
            member.is_some_and(|member| member.world.rank == event.peer)
        };
        let root = group.iter().find(is_root);
        if !has_all || (group[0].role != MpiRole::AllToAll && root.is_none()) {
            return Some(false);
        }
        let (last_begin, root_begin) = (begin(&last), root.as_ref().map_or(0, begin));
        for event in group {
            match (event.role, root) {
                (MpiRole::AllToAll, _) => {
                    self.wait(group, event, last, last_begin, WaitCause::LateMember);
                }
                (MpiRole::ToRoot, Some(root)) if event.process == root.process => {
                    self.wait(group, event, last, last_begin, WaitCause::LateMember);
                }
                (MpiRole::FromRoot, Some(root)) if event.process != root.process => {
                    self.wait(group, event, root, root_begin, WaitCause::LateRoot);
                }
                _ => {}
            }
        }
        Some(true)
    }

    /// For how many messages or operations this one stands.
    fn weight(&self, group: &[Event]) -> u64 {
        let thinning = group.iter().map(|event| event.thinning).max().unwrap_or(0);
        1 << thinning.max(self.job.thinning)
    }

    /// The call of `event` could not go on before `until`, when `late` began.
    fn wait(
        &mut self,
        group: &[Event],
        event: &Event,
        late: &Event,
        until: i128,
        cause: WaitCause,
    ) {
        let [begin, end] = self.clocks.times(event);
        let ns = u64::try_from(until.min(end) - begin).unwrap_or(0);
        if ns == 0 {
            return;
        }
        let weight = self.weight(group);
        self.waits.push(Wait {
            call: (event.process, event.begin_ns),
            cause,
            ns,
            late: late.process,
            region: event.region,
            function: event.function,
            weight,
            on_main_thread: event.on_main_thread,
        });
    }
}
