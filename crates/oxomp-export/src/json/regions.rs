//! Parallel regions in the document.

use oxomp_analysis::summary;
use serde::Serialize;

use super::places::{Place, Places};

/// All instances of one parallel construct.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Region {
    /// Identifies the row, in every run of the same binary.
    id: String,
    /// The construct; null if the runtime did not tell.
    place: Option<Place>,
    /// Number of instances.
    calls: u64,
    /// Sum of the instances' times from fork to join, ns.
    wall_ns: u64,
    /// Threads in the smallest team.
    team_min: u32,
    /// Threads in the largest team.
    team_max: u32,
    /// Of the calls, those with a team of one thread.
    serialized: u64,
    /// Of the calls, those inside another region.
    nested: u64,
    /// What the threads computed on average / what the busiest one computed, over the instances:
    /// 1.0 is perfect; null if nothing was. Time in which a thread was blocked or lacked a
    /// processor is not computed.
    load_balance: Option<f64>,
    /// Standard error of the mean time of a call, as a part of it; null if the recording has the
    /// times of fewer than two.
    spread: Option<f64>,
    /// Sum of the threads' useful time, ns; a nested region counts as work of the outer one.
    useful_ns: u64,
    /// For how long threads of the program's largest team idle beside smaller teams of the region,
    /// divided by the size of that team, ns; 0 where which threads idle is not known.
    spare_ns: u64,
    /// What is lost in wall time, by cause: upper bounds of what could be won where `bounds.hold`.
    gain: Gain,
    /// The worksharing constructs in it, by executions, most first.
    worksharing: Vec<Worksharing>,
    /// When explicit tasks ran in the instances whose events were recorded; null if none of these
    /// has tasks.
    tasking: Option<Tasking>,
}

impl Region {
    pub(super) fn new(region: &summary::Region, spare_ns: u64, places: &mut Places<'_>) -> Self {
        let id = places.id(&["region", &places.id_of(region.site)]);
        let worksharing = region.worksharing.iter().map(|work| Worksharing::new(work, places));
        Self {
            id,
            place: places.place(region.site),
            calls: region.calls,
            wall_ns: region.wall_ns,
            team_min: region.team.0,
            team_max: region.team.1,
            serialized: region.serialized,
            nested: region.nested,
            load_balance: region.load_balance,
            spread: region.spread,
            useful_ns: region.useful_ns,
            spare_ns,
            gain: Gain::new(&region.gain),
            worksharing: worksharing.collect(),
            tasking: region.tasking.as_ref().map(|tasking| Tasking::new(tasking, places)),
        }
    }
}

/// What is lost in wall time: the lost time of the team's threads divided by their number. Where
/// `bounds.hold`, upper bounds of what a change wins that takes waiting away and no work.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Gain {
    /// All parts together, ns.
    total_ns: u64,
    /// Waiting at barriers for the last thread, ns.
    imbalance_ns: u64,
    /// Barriers that all had reached, ns.
    barrier_ns: u64,
    /// Waiting for locks, criticals, ordered and atomic, and for other iterations (doacross), ns.
    mutex_ns: u64,
    /// Waiting in taskwait or at the end of a taskgroup, ns.
    taskwait_ns: u64,
    /// Waiting at barriers while tasks were under way, none of them ready, ns.
    starved_ns: u64,
    /// Handing out chunks of loops, ns.
    dispatch_ns: u64,
    /// User code without a processor, and waiting for such a thread, ns.
    scheduler_ns: u64,
    /// User code that neither computed nor lacked a processor, ns.
    blocked_ns: u64,
    /// Fork until each thread's start, and join after the release, ns.
    fork_join_ns: u64,
}

impl Gain {
    fn new(gain: &summary::Gain) -> Self {
        Self {
            total_ns: gain.total_ns(),
            imbalance_ns: gain.imbalance_ns,
            barrier_ns: gain.barrier_ns,
            mutex_ns: gain.mutex_ns,
            taskwait_ns: gain.taskwait_ns,
            starved_ns: gain.starved_ns,
            dispatch_ns: gain.dispatch_ns,
            scheduler_ns: gain.scheduler_ns,
            blocked_ns: gain.blocked_ns,
            fork_join_ns: gain.fork_join_ns,
        }
    }
}

/// A worksharing construct of a region.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Worksharing {
    /// Kind of the construct, as one would write it: `for static`, `sections`.
    kind: &'static str,
    /// The construct; null if the runtime did not tell.
    place: Option<Place>,
    /// Number of executions, summed over threads; of a distribute those by leagues.
    executions: u64,
    /// Iterations (sections) of all executions, counted once per team, and once per league
    /// of a distribute; 0 if the runtime did not tell.
    iterations: u64,
    /// Chunks handed out; null where the runtime reports none.
    chunks: Option<u64>,
}

impl Worksharing {
    fn new(work: &summary::Worksharing, places: &Places<'_>) -> Self {
        Self {
            kind: work.kind.name(),
            place: places.place(work.site),
            executions: work.executions,
            iterations: work.iterations,
            chunks: work.chunks,
        }
    }
}

/// When the explicit tasks of a region ran, in those instances whose events were recorded.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Tasking {
    /// Instances with tasks whose events were recorded.
    instances: u64,
    /// Number of tasks; one that is suspended counts again when it is resumed.
    tasks: u64,
    /// Sum of their times, ns.
    work_ns: u64,
    /// Sum over the instances of the time from the first task's begin to the last one's end, ns.
    span_ns: u64,
    /// Sum over the instances of the longest task, ns.
    longest_ns: u64,
    /// The construct of the longest task; null if the recording does not tell.
    longest: Option<Place>,
    /// Time of implicit tasks in user code while tasks were under way, ns: of a thread that
    /// creates tasks, for instance.
    creating_ns: u64,
    /// Time in taskwait, or in barriers with no task ready, summed over threads, ns.
    waits_ns: u64,
    /// How many tasks ran at a time, on average, in each tenth of `span_ns`, the first one first.
    parallelism: [f64; 10],
}

impl Tasking {
    fn new(tasking: &summary::Tasking, places: &Places<'_>) -> Self {
        Self {
            instances: tasking.instances,
            tasks: tasking.tasks,
            work_ns: tasking.work_ns,
            span_ns: tasking.span_ns,
            longest_ns: tasking.longest_ns,
            longest: places.place(tasking.longest),
            creating_ns: tasking.creating_ns,
            waits_ns: tasking.waits_ns,
            parallelism: tasking.parallelism,
        }
    }
}
