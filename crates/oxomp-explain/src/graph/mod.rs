//! The wait-for graph: which threads and tasks may still go on, and what holds the others.
//!
//! A thread goes on when it runs, or when what it waits for may happen; a task goes on when it may
//! come to its end. [`Graph::new`] computes the least set with this property. A node that is not in
//! the set can only be moved by nodes that are not in it either, so none of them ever goes on by
//! itself: that is the proof of a deadlock. Wherever something is unknown the node counts as one
//! that may go on, so an error of the reader hides a deadlock, and never invents one.
//!
//! The proof holds for conforming programs: only its holder releases a mutex, no signal handler
//! calls a routine of OpenMP, `omp_fulfill_event` for instance: none is safe there, and no thread
//! cancels another one in its wait. A program that depends on one of these may go on where a
//! deadlock is told.
//!
//! | a wait for | ends when |
//! |---|---|
//! | a mutex | its holder may go on |
//! | the end of a thread | that thread may go on |
//! | a barrier | all members that have not arrived may go on, and all tasks of the team may end |
//! | tasks | all of them may end |
//! | a turn | one of the threads that may have it may go on |
//!
//! | a task | may end when |
//! |---|---|
//! | on a thread's stack | that thread may go on |
//! | ready | a thread of the team may go on, or waits where it may execute this task |
//! | blocked | all its predecessors may end |
//! | detached, its code over | any thread or task of the process may go on: any may fulfil the event |

mod cause;
mod components;
mod need;
#[cfg(test)]
mod tests;

pub use cause::{Cause, Deadlock, Edge};

use crate::situation::{Situation, TaskId, ThreadId};
use need::Need;

/// A thread, or a task that is not complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// A thread, with the innermost task on its stack.
    Thread(ThreadId),
    /// An explicit task.
    Task(TaskId),
}

/// The threads and tasks of a situation that may go on.
#[derive(Debug)]
pub struct Graph<'a> {
    situation: &'a Situation,
    threads: Vec<bool>,
    tasks: Vec<bool>,
    someone_goes_on: bool,
}

/// What has to happen before a need that is not met is looked at again.
#[derive(Debug, Default)]
struct Watched {
    /// One of these nodes goes on.
    nodes: Vec<Node>,
    /// Any node goes on.
    anyone: bool,
}

impl<'a> Graph<'a> {
    /// The graph of `situation`.
    #[must_use]
    pub fn new(situation: &'a Situation) -> Self {
        let mut graph = Graph {
            situation,
            threads: vec![false; situation.threads.len()],
            tasks: vec![false; situation.tasks.len()],
            someone_goes_on: false,
        };
        let needs: Vec<Need> = graph.nodes().map(|node| need::of(situation, node)).collect();
        let all: Vec<Node> = graph.nodes().collect();
        // Tasks first: threads wait for many of them.
        let mut next: Vec<Node> = all.clone();
        // The nodes that are looked at again when this one, or any one, is found to go on.
        let mut watching: Vec<Vec<Node>> = vec![Vec::new(); all.len()];
        let mut watching_anyone: Vec<Node> = Vec::new();
        while let Some(node) = next.pop() {
            if graph.goes_on(node) {
                continue;
            }
            let mut watched = Watched::default();
            if !graph.is_met(&needs[graph.index(node)], &mut watched) {
                for other in watched.nodes {
                    watching[graph.index(other)].push(node);
                }
                if watched.anyone {
                    watching_anyone.push(node);
                }
                continue;
            }
            match node {
                Node::Thread(thread) => graph.threads[thread.0] = true,
                Node::Task(task) => graph.tasks[task.0] = true,
            }
            graph.someone_goes_on = true;
            next.append(&mut watching_anyone);
            next.append(&mut watching[graph.index(node)]);
        }
        graph
    }

    fn index(&self, node: Node) -> usize {
        match node {
            Node::Thread(thread) => thread.0,
            Node::Task(task) => self.threads.len() + task.0,
        }
    }

    fn nodes(&self) -> impl Iterator<Item = Node> + use<> {
        let threads = self.situation.thread_ids().map(Node::Thread);
        threads.chain(self.situation.task_ids().map(Node::Task))
    }

    /// Whether the thread may go on, or the task may come to its end.
    #[must_use]
    pub fn goes_on(&self, node: Node) -> bool {
        match node {
            Node::Thread(thread) => self.threads[thread.0],
            Node::Task(task) => self.tasks[task.0],
        }
    }

    /// Whether the need is met; if not, `watched` gets nodes of which one has to go on first.
    fn is_met(&self, need: &Need, watched: &mut Watched) -> bool {
        match need {
            Need::Nothing => true,
            Need::Never(_) => false,
            Need::Node(node) => {
                let goes_on = self.goes_on(*node);
                if !goes_on {
                    watched.nodes.push(*node);
                }
                goes_on
            }
            Need::All(needs) => needs.iter().all(|need| self.is_met(need, watched)),
            Need::Any(needs) => needs.iter().any(|need| self.is_met(need, watched)),
            Need::Anyone => {
                watched.anyone |= !self.someone_goes_on;
                self.someone_goes_on
            }
        }
    }

    /// The waiting threads of which it is proven that they do not go on.
    #[must_use]
    pub fn stuck(&self) -> Vec<ThreadId> {
        let stuck = |thread: &ThreadId| {
            !self.threads[thread.0] && self.situation.thread(*thread).wait().is_some()
        };
        self.situation.thread_ids().filter(stuck).collect()
    }
}
