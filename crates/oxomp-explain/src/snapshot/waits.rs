//! The waits that the runtime tells, in terms of the situation.

use oxomp_debuggee as debuggee;

use super::build::Builder;
use super::variables;
use crate::situation::{
    Activity, Construct, Member, Mutex, MutexKind, Owner, TaskConstruct, TaskId, ThreadId, Turn,
    Wait,
};

impl Builder<'_> {
    /// What a thread does whose wait is `wait`.
    pub(super) fn activity(&mut self, id: ThreadId, wait: &debuggee::Wait) -> Activity {
        Activity::Waits(match wait {
            debuggee::Wait::Nothing => return Activity::Runs,
            debuggee::Wait::Idle => return Activity::Idle,
            debuggee::Wait::Mutex { kind, wait_id, owner } => {
                Wait::Mutex(self.mutex(*kind, *wait_id, *owner))
            }
            debuggee::Wait::Ordered { region, turn, awaited, holder, .. } => Wait::Turn {
                what: format!(
                    "for the turn of iteration {awaited} in the ordered region (the turn is at \
                     iteration {turn})"
                ),
                turn: match holder {
                    Some(member) => match member.thread.and_then(|it| self.thread_id(it)) {
                        Some(thread) if thread != id => Turn::OneOf(vec![thread]),
                        _ => Turn::Unknown,
                    },
                    None => self.others(*region, id),
                },
                is_polled: false,
            },
            debuggee::Wait::Doacross { region, vector, .. } => {
                let vector: Vec<String> = vector.iter().map(i64::to_string).collect();
                Wait::Turn {
                    what: match vector.as_slice() {
                        [] => "for an iteration (depend(sink))".to_owned(),
                        [one] => format!("for iteration {one} (depend(sink))"),
                        more => format!("for iteration ({}) (depend(sink))", more.join(", ")),
                    },
                    turn: self.others(*region, id),
                    is_polled: true,
                }
            }
            debuggee::Wait::Barrier { is_cancelled: true, .. } => {
                Wait::Other("at a barrier of a cancelled region".to_owned())
            }
            debuggee::Wait::Barrier { kind, region, missing, tasks, .. } => Wait::Barrier {
                region: self.region_id(*region),
                construct: construct(*kind),
                missing: self.members(missing),
                tasks: self.task_ids(tasks),
            },
            debuggee::Wait::Reduction { region, missing } => Wait::Barrier {
                region: self.region_id(*region),
                construct: Construct::Reduction,
                missing: self.members(missing),
                tasks: Vec::new(),
            },
            debuggee::Wait::Taskwait { children, .. } => {
                self.for_tasks(TaskConstruct::Taskwait, children)
            }
            debuggee::Wait::Taskgroup { tasks, .. } => {
                self.for_tasks(TaskConstruct::Taskgroup, tasks)
            }
            debuggee::Wait::Dependences { predecessors, .. } => {
                self.for_tasks(TaskConstruct::Undeferred, predecessors)
            }
            debuggee::Wait::Throttled { .. } => {
                Wait::Other("until fewer of the tasks that it has generated are left".to_owned())
            }
            debuggee::Wait::Other => Wait::Other("in the runtime".to_owned()),
        })
    }

    fn for_tasks(&mut self, construct: TaskConstruct, tasks: &[debuggee::TaskInFlight]) -> Wait {
        Wait::Tasks { construct, tasks: self.task_ids(tasks) }
    }

    fn task_ids(&mut self, tasks: &[debuggee::TaskInFlight]) -> Vec<TaskId> {
        tasks.iter().map(|task| self.task_id(task)).collect()
    }

    fn members(&self, members: &[debuggee::Member]) -> Vec<Member> {
        let member = |member: &debuggee::Member| Member {
            number: member.number,
            thread: member.thread.and_then(|thread| self.thread_id(thread)),
            has_ended: false,
        };
        members.iter().map(member).collect()
    }

    /// Any of the other threads of the team.
    fn others(&mut self, region: debuggee::Parallel, id: ThreadId) -> Turn {
        let region = self.region_id(region);
        let members = &self.situation.region(region).members;
        match members.iter().copied().collect::<Option<Vec<ThreadId>>>() {
            Some(all) => Turn::OneOf(all.into_iter().filter(|thread| *thread != id).collect()),
            None => Turn::Unknown,
        }
    }

    fn mutex(&mut self, kind: debuggee::Mutex, address: u64, owner: debuggee::Owner) -> Mutex {
        let kind = match kind {
            debuggee::Mutex::Lock => MutexKind::Lock,
            debuggee::Mutex::NestLock => MutexKind::NestLock,
            debuggee::Mutex::Critical => MutexKind::Critical,
            debuggee::Mutex::Atomic => MutexKind::Atomic,
            debuggee::Mutex::Reduction => MutexKind::Reduction,
        };
        let name = match kind {
            // The word of gcc's unnamed critical is one of the runtime's.
            MutexKind::Critical if self.is_of_runtime(address) => Some(String::new()),
            MutexKind::Critical => self.variable(address).map(|name| variables::critical(&name)),
            _ => self.variable(address),
        };
        let owner = match owner {
            debuggee::Owner::Free => Owner::Free,
            debuggee::Owner::Frame(bits) => self.owner_by_frame(bits.low()),
            debuggee::Owner::Task(task) => match self.executing(task) {
                Some(thread) => Owner::Thread(thread),
                None => Owner::Unknown,
            },
            debuggee::Owner::Thread(thread) => {
                self.thread_id(thread).map_or(Owner::Unknown, Owner::Thread)
            }
            debuggee::Owner::Gone(_) => Owner::Ended,
            debuggee::Owner::Unsound(_) => Owner::Unsound,
            debuggee::Owner::Unknown => Owner::Unknown,
        };
        Mutex { kind, address, name, owner }
    }
}

fn construct(kind: debuggee::Barrier) -> Construct {
    match kind {
        debuggee::Barrier::Explicit => Construct::Barrier,
        debuggee::Barrier::Workshare => Construct::Worksharing,
        debuggee::Barrier::Parallel => Construct::Parallel,
        debuggee::Barrier::Teams => Construct::Teams,
        debuggee::Barrier::Any | debuggee::Barrier::Implementation => Construct::Other,
    }
}
