//! What a thread or task needs in order to go on.

use super::Node;
use super::cause::Cause;
use crate::situation::{
    Activity, Member, Owner, Situation, TaskId, TaskState, ThreadId, Turn, Wait,
};

/// What a node needs in order to go on.
#[derive(Clone, Debug)]
pub(super) enum Need {
    /// It goes on by itself.
    Nothing,
    /// This cannot happen any more.
    Never(Cause),
    /// This node goes on.
    Node(Node),
    /// All of these.
    All(Vec<Need>),
    /// One of these.
    Any(Vec<Need>),
    /// Any node of the process goes on.
    Anyone,
}

/// What `node` needs.
pub(super) fn of(situation: &Situation, node: Node) -> Need {
    match node {
        Node::Thread(thread) => of_thread(situation, thread),
        Node::Task(task) => of_task(situation, task),
    }
}

fn of_thread(situation: &Situation, id: ThreadId) -> Need {
    let thread = situation.thread(id);
    match &thread.activity {
        Activity::Runs | Activity::Unknown => Need::Nothing,
        // A worker that has been woken may not have noted that it is in a region.
        Activity::Idle | Activity::Waits(_) if !thread.settled => Need::Nothing,
        Activity::Idle => Need::Anyone,
        Activity::Waits(wait) => of_wait(wait),
    }
}

fn of_wait(wait: &Wait) -> Need {
    match wait {
        Wait::Mutex(mutex) => match mutex.owner {
            Owner::Thread(owner) => Need::Node(Node::Thread(owner)),
            Owner::Ended => Need::Never(Cause::HeldByEnded),
            // Its holder is a thread that goes on, if there is one.
            Owner::NotFound => Need::Any(vec![Need::Anyone, Need::Never(Cause::HeldByNone)]),
            Owner::Free | Owner::Unsound | Owner::Unknown => Need::Nothing,
        },
        Wait::Barrier { missing, tasks, .. } => {
            let members = missing.iter().map(|member| of_member(*member));
            Need::All(
                members.chain(tasks.iter().map(|task| Need::Node(Node::Task(*task)))).collect(),
            )
        }
        Wait::End { of } => Need::Node(Node::Thread(*of)),
        Wait::Tasks { tasks, .. } => all_tasks(tasks),
        Wait::Turn { turn, .. } => match turn {
            Turn::OneOf(threads) => {
                let threads = threads.iter().map(|thread| Need::Node(Node::Thread(*thread)));
                Need::Any(threads.collect())
            }
            Turn::Nobody => Need::Never(Cause::NobodysTurn),
            Turn::Unknown => Need::Nothing,
        },
        Wait::Other(_) => Need::Nothing,
    }
}

fn of_member(member: Member) -> Need {
    match member.thread {
        Some(thread) => Need::Node(Node::Thread(thread)),
        None if member.has_ended => Need::Never(Cause::Ended(member)),
        None => Need::Nothing,
    }
}

fn all_tasks(tasks: &[TaskId]) -> Need {
    Need::All(tasks.iter().map(|task| Need::Node(Node::Task(*task))).collect())
}

fn of_task(situation: &Situation, id: TaskId) -> Need {
    match &situation.task(id).state {
        TaskState::On(thread) => Need::Node(Node::Thread(*thread)),
        TaskState::Ready => ready(situation, id),
        TaskState::Blocked(predecessors) => all_tasks(predecessors),
        TaskState::Detached => Need::Any(vec![Need::Anyone, Need::Never(Cause::Unfulfilled(id))]),
        TaskState::OnDevice | TaskState::Unknown => Need::Nothing,
    }
}

/// The threads of the team that may begin the task: those that come to a task scheduling point, and
/// those that wait at one where the task scheduling constraint lets them.
fn ready(situation: &Situation, id: TaskId) -> Need {
    let Some(region) = situation.task(id).region else { return Need::Nothing };
    let mut threads = Vec::new();
    for thread in situation.region(region).members.iter() {
        let Some(thread) = *thread else { return Need::Nothing };
        if may_execute(situation, thread, id) {
            return Need::Nothing;
        }
        threads.push(Need::Node(Node::Thread(thread)));
    }
    Need::Any(threads)
}

/// Whether the thread waits where it may execute `task`: in a barrier of the task's team any task,
/// elsewhere descendants of its current task.
fn may_execute(situation: &Situation, id: ThreadId, task: TaskId) -> bool {
    let thread = situation.thread(id);
    let is_in_region = thread.member.map(|(region, _)| region) == situation.task(task).region;
    match &thread.activity {
        // A worker that has arrived at the end of its region looks idle, and executes tasks.
        Activity::Idle => true,
        Activity::Waits(Wait::Barrier { .. }) => is_in_region,
        Activity::Waits(Wait::Tasks { .. }) if is_in_region => match thread.tasks.first() {
            Some(&current) => situation.may_descend(task, current),
            None => situation.task(task).root.is_none_or(|root| root == id),
        },
        _ => false,
    }
}
