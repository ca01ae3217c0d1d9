//! Regions, and what could be won in them.

use serde::Serialize;

use super::site::SiteId;
use super::written::as_one;
use super::{Class, PythonCall, Worksharing};

/// All instances of one parallel construct.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Region {
    /// The construct; null if the runtime did not tell.
    #[serde(rename = "place")]
    pub site: Option<SiteId>,
    /// Number of instances.
    pub calls: u64,
    /// Sum of the instances' times from fork to join, ns.
    pub wall_ns: u64,
    /// The smallest and the largest team.
    #[serde(flatten, serialize_with = "as_one::<TeamSizes, _, _>")]
    #[cfg_attr(feature = "schema", schemars(with = "TeamSizes"))]
    pub team: (u32, u32),
    /// Of the calls, those with a team of one thread.
    pub serialized: u64,
    /// Of the calls, those inside another region.
    pub nested: u64,
    /// Of the calls, those that were under way when the recording began, to which the collector was
    /// attached: their times count from there.
    pub under_way: u64,
    /// What the threads computed on average / what the busiest one computed, over the instances:
    /// 1.0 is perfect; null if nothing was. Time in which a thread was blocked or lacked a
    /// processor is not computed.
    pub load_balance: Option<f64>,
    /// Standard error of the mean time of a call, as a part of it; null if the recording has the
    /// times of fewer than two.
    pub spread: Option<f64>,
    /// Sum of the threads' useful time, ns; a nested region counts as work of the outer one.
    pub useful_ns: u64,
    /// The functions of Python that were under way where most of its sampled instances began, the
    /// innermost first; empty if there are none.
    pub python: Vec<PythonCall>,
    /// What is lost, in wall time.
    // This and what follows is not flat: documents have it behind numbers of their own.
    #[serde(skip)]
    pub gain: Gain,
    /// The worksharing constructs in it, as the runtime named them, by executions.
    #[serde(skip)]
    pub worksharing: Vec<Worksharing>,
    /// When the explicit tasks ran in the instances whose events were recorded; `None` if these
    /// instances have no tasks.
    #[serde(skip)]
    pub tasking: Option<Tasking>,
}

/// The smallest and the largest team.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TeamSizes {
    /// Threads in the smallest team.
    team_min: u32,
    /// Threads in the largest team.
    team_max: u32,
}

impl From<&(u32, u32)> for TeamSizes {
    fn from(&(team_min, team_max): &(u32, u32)) -> Self {
        Self { team_min, team_max }
    }
}

/// When the explicit tasks of a region ran, in those instances whose events were recorded.
// Sums over all instances are in `TaskConstruct`.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tasking {
    /// Instances with tasks whose events were recorded.
    pub instances: u64,
    /// Number of tasks; one that is suspended counts again when it is resumed.
    pub tasks: u64,
    /// Sum of their times, ns.
    pub work_ns: u64,
    /// Sum over the instances of the time from the first task's begin to the last one's end, ns.
    pub span_ns: u64,
    /// Sum over the instances of the longest task, ns.
    pub longest_ns: u64,
    /// The construct of the longest task; null if the recording does not tell.
    pub longest: Option<SiteId>,
    /// Time of implicit tasks in user code while tasks were under way, ns: of a thread that
    /// creates tasks, for instance.
    pub creating_ns: u64,
    /// Time in taskwait, or in barriers with no task ready, summed over threads, ns.
    pub waits_ns: u64,
    /// How many tasks ran at a time, on average, in each tenth of `span_ns`, the first one first.
    pub parallelism: [f64; 10],
}

/// What is lost in wall time: per instance, the lost time of all its threads divided by their
/// number, ns. The sum is an upper bound of what could be won without less work, if every thread
/// had a processor for all of the time ([`bounds_hold`](crate::report::bounds_hold)). For a region
/// outside every other one, the parts and `useful / threads` sum to the wall time. For a region
/// inside another one, the gains are divided by the number of threads in the outer team. No
/// region's gains exceed the time in which an instance of it ran.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gain {
    /// Waiting at barriers for the last thread, ns.
    // Without what `mutex_ns` has of it.
    pub imbalance_ns: u64,
    /// Barriers that all had reached, ns.
    pub barrier_ns: u64,
    /// Waiting for locks, criticals, ordered and atomic, and for other iterations (doacross), ns.
    // By how much sooner the last thread would have arrived at the barriers without the waits for
    // locks; and what each thread waited on average for other iterations.
    pub mutex_ns: u64,
    /// Waiting in taskwait or at the end of a taskgroup, ns.
    pub taskwait_ns: u64,
    /// Waiting at barriers while tasks were under way, none of them ready, ns.
    pub starved_ns: u64,
    /// Handing out chunks of loops, ns.
    pub dispatch_ns: u64,
    /// User code without a processor, and waiting for such a thread, ns.
    pub scheduler_ns: u64,
    /// User code that neither computed nor lacked a processor, ns.
    pub blocked_ns: u64,
    /// Fork until each thread's start, and join after the release, ns.
    pub fork_join_ns: u64,
}

impl Gain {
    /// The classes that a region loses time to, in the order of the fields.
    pub const CLASSES: [Class; 9] = [
        Class::Imbalance,
        Class::Barrier,
        Class::Mutex,
        Class::Taskwait,
        Class::Starved,
        Class::Dispatch,
        Class::Scheduler,
        Class::Blocked,
        Class::ForkJoin,
    ];

    /// All parts together, ns.
    #[must_use]
    pub fn total_ns(&self) -> u64 {
        Self::CLASSES.iter().map(|class| self.class_ns(*class)).sum()
    }

    /// The part that `class` has, ns; 0 for a class that does not count as a loss in regions.
    #[must_use]
    pub fn class_ns(&self, class: Class) -> u64 {
        match class {
            Class::Imbalance => self.imbalance_ns,
            Class::Barrier => self.barrier_ns,
            Class::Mutex => self.mutex_ns,
            Class::Taskwait => self.taskwait_ns,
            Class::Starved => self.starved_ns,
            Class::Dispatch => self.dispatch_ns,
            Class::Scheduler => self.scheduler_ns,
            Class::Blocked => self.blocked_ns,
            Class::ForkJoin => self.fork_join_ns,
            Class::Useful
            | Class::Serial
            | Class::SerialWait
            | Class::SerialIdle
            | Class::SpareIdle
            | Class::Paused => 0,
        }
    }

    /// The largest part and its name; `None` if nothing is to be won.
    #[must_use]
    pub fn mostly(&self) -> Option<(&'static str, u64)> {
        let parts = Self::CLASSES.map(|class| (class, self.class_ns(class)));
        let most = parts.into_iter().max_by_key(|part| part.1).filter(|part| part.1 > 0);
        most.map(|(class, ns)| match class {
            Class::Starved => ("few tasks", ns),
            Class::ForkJoin => ("fork/join", ns),
            class => (class.key(), ns),
        })
    }
}

impl Region {
    /// What was unusual about every call: a team of one thread, being inside another region, having
    /// been under way when the recording began.
    #[must_use]
    pub fn peculiarities(&self) -> Vec<String> {
        let all =
            [("1 thread", self.serialized), ("nested", self.nested), ("under way", self.under_way)];
        let of_every_call = all.into_iter().filter(|(_, calls)| *calls == self.calls);
        of_every_call.map(|(word, _)| word.to_owned()).collect()
    }

    /// The names of its worksharing constructs, each once, by executions.
    #[must_use]
    pub fn worksharing_names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        for work in &self.worksharing {
            if !names.contains(&work.kind.name()) {
                names.push(work.kind.name());
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::Gain;

    #[test]
    fn each_field_is_a_part_of_the_total() {
        let parts = Gain {
            imbalance_ns: 1,
            barrier_ns: 1,
            mutex_ns: 1,
            taskwait_ns: 1,
            starved_ns: 1,
            dispatch_ns: 1,
            scheduler_ns: 1,
            blocked_ns: 1,
            fork_join_ns: 1,
        };
        assert_eq!(parts.total_ns(), (size_of::<Gain>() / size_of::<u64>()) as u64);
    }
}
