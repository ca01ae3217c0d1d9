//! Waits and their holders in words.

use crate::graph::{Cause, Edge, Graph, Node};
use crate::situation::{
    Activity, Construct, Labels, Member, Mutex, MutexKind, Owner, Situation, Stands, TaskConstruct,
    TaskId, TaskState, ThreadId, Turn, Wait, list, numbered,
};

/// The most tasks that a phrase names one by one.
const MOST_TASKS: usize = 3;

/// A situation and the names of its threads.
#[derive(Debug)]
pub(crate) struct Words<'a> {
    pub(crate) situation: &'a Situation,
    pub(crate) graph: &'a Graph<'a>,
    pub(crate) labels: &'a Labels,
}

/// A wait in words, without the waiting threads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Phrase {
    /// Behind "waits": `for lock a at app.c:21, which thread 1 holds`.
    pub(crate) rest: String,
}

impl Phrase {
    /// `thread 0 waits for …`, `threads 0-2 wait for …`.
    pub(crate) fn of(&self, who: &str, is_several: bool) -> String {
        format!("{who} {} {}", if is_several { "wait" } else { "waits" }, self.rest)
    }
}

impl Words<'_> {
    /// What the thread waits for, with the place of the wait if `with_place`.
    pub(crate) fn wait(&self, id: ThreadId, with_place: bool) -> Option<Phrase> {
        let thread = self.situation.thread(id);
        let place = thread.place().filter(|_| with_place);
        let at = place.map_or_else(String::new, |place| format!(" {}", place.at()));
        let rest = match thread.wait()? {
            Wait::Mutex(mutex) => {
                format!("for {}{at}{}", mutex_name(mutex), self.owner(id, mutex))
            }
            Wait::Barrier { construct, missing, tasks, .. } => {
                let mut for_whom = Vec::new();
                let is_gone = |member: &Member| member.has_ended || self.is_idle(member.thread);
                let present: Vec<ThreadId> = missing
                    .iter()
                    .filter(|member| !is_gone(member))
                    .filter_map(|member| member.thread)
                    .collect();
                if !present.is_empty() {
                    for_whom.push(self.labels.several(&present));
                }
                let numbers = |gone: bool, has_thread: bool| -> Vec<u64> {
                    let fits = |member: &&Member| {
                        is_gone(member) == gone && member.thread.is_some() == has_thread
                    };
                    missing.iter().filter(fits).map(|member| member.number).collect()
                };
                let [left, ended, unknown] =
                    [numbers(true, true), numbers(true, false), numbers(false, false)];
                if !left.is_empty() {
                    let has = if left.len() > 1 { "have" } else { "has" };
                    for_whom.push(format!("{}, which {has} left the region", numbered(&left)));
                }
                if !ended.is_empty() {
                    let has = if ended.len() > 1 { "have" } else { "has" };
                    for_whom.push(format!("{}, which {has} ended", numbered(&ended)));
                }
                if !unknown.is_empty() {
                    for_whom.push(numbered(&unknown));
                }
                match tasks.as_slice() {
                    [] => {}
                    [one] => for_whom.push(self.task(*one)),
                    more => for_whom.push(format!("{} unfinished tasks", more.len())),
                }
                match for_whom.is_empty() {
                    true => format!("{}{at}", at_construct(*construct)),
                    false => format!("{}{at} for {}", at_construct(*construct), list(&for_whom)),
                }
            }
            Wait::End { of } if *of == id => format!("for its own end{at} (pthread_join)"),
            Wait::End { of } => {
                format!("for the end of {}{at} (pthread_join)", self.labels.of(*of))
            }
            Wait::Tasks { construct, tasks } => {
                let construct = match construct {
                    TaskConstruct::Taskwait => "at the taskwait",
                    TaskConstruct::Taskgroup => "at the end of the taskgroup",
                    TaskConstruct::Undeferred => "for the dependences of its task",
                };
                match tasks.is_empty() {
                    true => format!("{construct}{at}"),
                    false => format!("{construct}{at} for {}", self.tasks(tasks)),
                }
            }
            Wait::Turn { what, turn, .. } => {
                let who = match turn {
                    Turn::OneOf(threads) if threads.is_empty() => {
                        ", which no thread can give".to_owned()
                    }
                    Turn::OneOf(threads) => match threads.as_slice() {
                        [one] => format!(", which depends on {}", self.labels.of(*one)),
                        _ => format!(", which one of {} has to give", self.labels.several(threads)),
                    },
                    Turn::Nobody => ", which no thread will give any more".to_owned(),
                    Turn::Unknown => String::new(),
                };
                format!("{what}{at}{who}")
            }
            Wait::Other(what) => format!("{what}{at}"),
        };
        Some(Phrase { rest })
    }

    fn is_idle(&self, thread: Option<ThreadId>) -> bool {
        thread.is_some_and(|thread| self.situation.thread(thread).activity == Activity::Idle)
    }

    fn owner(&self, waiting: ThreadId, mutex: &Mutex) -> String {
        match mutex.owner {
            Owner::Thread(owner) if owner == waiting => ", which it holds itself".to_owned(),
            Owner::Thread(owner) if self.situation.thread(owner).activity == Activity::Idle => {
                format!(", which {} took before it left its region", self.labels.of(owner))
            }
            Owner::Thread(owner) => format!(", which {} holds", self.labels.of(owner)),
            Owner::Ended => ", whose holder has ended".to_owned(),
            Owner::NotFound => {
                ", whose holder could not be found: its thread may have ended".to_owned()
            }
            Owner::Free => ", which is free".to_owned(),
            Owner::Unsound => ", which is destroyed or was never initialized".to_owned(),
            Owner::Unknown => String::new(),
        }
    }

    /// `the task at app.c:15`, `5 tasks (app.c:15, app.c:16)`.
    pub(crate) fn tasks(&self, tasks: &[TaskId]) -> String {
        if tasks.len() <= MOST_TASKS {
            return list(&tasks.iter().map(|task| self.task(*task)).collect::<Vec<_>>());
        }
        let mut places: Vec<String> = tasks
            .iter()
            .filter_map(|task| self.situation.task(*task).place.as_ref())
            .map(crate::situation::Place::short)
            .collect();
        places.sort();
        places.dedup();
        match places.len() {
            1..=MOST_TASKS => format!("{} tasks ({})", tasks.len(), places.join(", ")),
            _ => format!("{} tasks", tasks.len()),
        }
    }

    /// `the task at app.c:15`.
    pub(crate) fn task(&self, task: TaskId) -> String {
        match &self.situation.task(task).place {
            Some(place) => format!("the task {}", place.at()),
            None => "a task".to_owned(),
        }
    }

    /// What an incomplete task does, without its name.
    pub(crate) fn task_state(&self, id: TaskId) -> String {
        let thread = self.thread_of(id).map_or("", |thread| self.labels.of(thread));
        format!("{}{thread}", self.task_state_of(id))
    }

    /// The thread that has the task on its stack.
    pub(crate) fn thread_of(&self, id: TaskId) -> Option<ThreadId> {
        match self.situation.task(id).state {
            TaskState::On(thread) => Some(thread),
            _ => None,
        }
    }

    /// What an incomplete task does, without its name and without the name of its thread.
    pub(crate) fn task_state_of(&self, id: TaskId) -> String {
        match &self.situation.task(id).state {
            TaskState::On(thread) => {
                let is_current = self.situation.thread(*thread).tasks.first() == Some(&id);
                let verb = if is_current { "is executed by " } else { "is suspended on " };
                verb.to_owned()
            }
            TaskState::Ready => {
                let holders = self.graph.held_by(Node::Task(id));
                match holders.is_empty() {
                    true => "is ready for any thread of the team that comes to a task scheduling \
                             point"
                        .to_owned(),
                    false => {
                        "is ready, and no thread of the team comes to a task scheduling point \
                              where it may execute it"
                            .to_owned()
                    }
                }
            }
            TaskState::Blocked(before) if before.is_empty() => {
                "is blocked by its dependences".to_owned()
            }
            TaskState::Blocked(before) => format!("depends on {}", self.tasks(before)),
            TaskState::Detached => {
                "is over, but its event is not fulfilled (omp_fulfill_event)".to_owned()
            }
            TaskState::OnDevice => "waits for its work on the device".to_owned(),
            TaskState::Unknown => "is in an unknown state".to_owned(),
        }
    }

    /// Why a node of a deadlock does not go on: a clause with its subject.
    pub(crate) fn clause(&self, node: Node, equals: &[ThreadId]) -> String {
        match node {
            Node::Thread(thread) => match self.wait(thread, true) {
                Some(phrase) => phrase.of(&self.labels.several(equals), equals.len() > 1),
                None => format!("{} does not go on", self.labels.of(thread)),
            },
            Node::Task(task) => format!("{} {}", self.task(task), self.task_state(task)),
        }
    }

    /// What follows the clauses of a deadlock in which `node` waits for something that cannot
    /// happen.
    pub(crate) fn cause(&self, node: Node, cause: Cause) -> Option<String> {
        let wait = match node {
            Node::Thread(thread) => self.situation.thread(thread).wait(),
            Node::Task(_) => None,
        };
        let is_at_barrier = matches!(wait, Some(Wait::Barrier { .. }));
        let said = match cause {
            Cause::Unfulfilled(_) => "no thread is left that could fulfil it",
            Cause::Idle(_) if is_at_barrier => {
                "the threads of the team have met different numbers of barriers"
            }
            Cause::HeldByEnded => "nothing releases it any more",
            Cause::HeldByNone => "no thread is left that could release it",
            Cause::Idle(_) | Cause::Ended(_) | Cause::NobodysTurn => return None,
        };
        Some(said.to_owned())
    }

    /// Where a thread is that does not wait: `is at app.c:40 in work, in the system call read`.
    pub(crate) fn position(&self, id: ThreadId) -> String {
        let thread = self.situation.thread(id);
        let at = thread.place().map(|place| match place.line {
            None if place.function.is_some() => format!("in {place}"),
            _ => format!("at {place}"),
        });
        let stands = match &thread.stands {
            Stands::Code => None,
            Stands::SystemCall(call) => Some(format!("in {call}")),
            Stands::Signal(name) => Some(format!("stopped by {name}")),
        };
        match (at, stands) {
            (Some(at), Some(stands)) => format!("{at}, {stands}"),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => "at an unknown place".to_owned(),
        }
    }

    /// Threads whose wait reads the same as that of `thread`, among `candidates`.
    pub(crate) fn equals(&self, thread: ThreadId, candidates: &[ThreadId]) -> Vec<ThreadId> {
        let phrase = self.wait(thread, true);
        let same = |other: &&ThreadId| self.wait(**other, true) == phrase;
        candidates.iter().filter(same).copied().collect()
    }

    /// The threads and tasks that the node needs, whether they go on or not.
    pub(crate) fn holders(&self, node: Node) -> Vec<Node> {
        nodes(self.graph.needs(node))
    }

    /// The threads and tasks that hold the node and do not go on.
    pub(crate) fn held_by(&self, node: Node) -> Vec<Node> {
        nodes(self.graph.held_by(node))
    }
}

fn nodes(edges: Vec<Edge>) -> Vec<Node> {
    let node = |edge| match edge {
        Edge::To(node) => Some(node),
        Edge::Missing(_) => None,
    };
    edges.into_iter().filter_map(node).collect()
}

fn at_construct(construct: Construct) -> &'static str {
    match construct {
        Construct::Barrier => "at the barrier",
        Construct::Parallel => "at the end of the parallel region",
        Construct::Worksharing => "at the end of the worksharing region",
        Construct::Teams => "at the end of the teams region",
        Construct::Reduction => "in the reduction",
        Construct::Other => "at a barrier",
    }
}

/// `lock a`, `critical(update)`, `the lock at 0x4010`.
pub(crate) fn mutex_name(mutex: &Mutex) -> String {
    let kind = match mutex.kind {
        MutexKind::Lock => "lock",
        MutexKind::NestLock => "nestable lock",
        MutexKind::Critical => "critical",
        MutexKind::Pthread => "pthread mutex",
        MutexKind::ReaderWriter => "pthread read-write lock",
        MutexKind::Atomic => return "the mutex of atomics".to_owned(),
        MutexKind::Reduction => return "the mutex of the reduction".to_owned(),
    };
    match (&mutex.name, mutex.kind) {
        (Some(name), MutexKind::Critical) if name.is_empty() => "the unnamed critical".to_owned(),
        (Some(name), MutexKind::Critical) => format!("critical({name})"),
        (Some(name), _) => format!("{kind} {name}"),
        (None, MutexKind::Critical) => format!("the critical at {:#x}", mutex.address),
        (None, _) => format!("the {kind} at {:#x}", mutex.address),
    }
}
