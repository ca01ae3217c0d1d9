//! Deadlocks: the threads and tasks that hold each other, or what they miss.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::components::components;
use super::need::{self, Need};
use super::{Graph, Node, Watched};
use crate::situation::{Activity, Member, TaskId, ThreadId};

/// Something that cannot happen any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The thread that holds the mutex has ended.
    HeldByEnded,
    /// No thread has the frame that took the mutex on its stack, and no thread that could release
    /// it goes on.
    HeldByNone,
    /// The thread that has to act is an idle worker: it has left the region.
    Idle(ThreadId),
    /// The thread of this member of the team has ended.
    Ended(Member),
    /// No thread will have, or give, this turn.
    NobodysTurn,
    /// No thread is left that could fulfil the event of this task.
    Unfulfilled(TaskId),
}

/// A reason why a node does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// This node does not go on.
    To(Node),
    /// This cannot happen.
    Missing(Cause),
}

/// Threads and tasks none of which goes on, and which wait for no others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// A shortest circle, beginning with a thread if there is one in it: each node waits for the
    /// next, and the last for the first. A single node if it waits for itself, or for something
    /// that cannot happen.
    pub circle: Vec<Node>,
    /// All its threads and tasks.
    pub nodes: Vec<Node>,
    /// What the node waits for, if it is a single one that waits for something that cannot happen.
    pub cause: Option<Cause>,
}

impl Graph<'_> {
    /// Why the node does not go on: all nodes and causes that hold it.
    #[must_use]
    pub fn held_by(&self, node: Node) -> Vec<Edge> {
        let mut edges = Vec::new();
        if !self.goes_on(node) {
            self.collect(&need::of(self.situation, node), &mut edges);
        }
        edges
    }

    /// The nodes that the node waits for, whether they go on or not, and what cannot happen.
    #[must_use]
    pub fn needs(&self, node: Node) -> Vec<Edge> {
        let mut edges = Vec::new();
        all(&need::of(self.situation, node), &mut edges);
        edges
    }

    fn collect(&self, need: &Need, edges: &mut Vec<Edge>) {
        let mut watched = Watched::default();
        match need {
            Need::Nothing | Need::Anyone => {}
            Need::Never(cause) => edges.push(Edge::Missing(*cause)),
            Need::Node(node) if self.goes_on(*node) => {}
            Need::Node(Node::Thread(thread)) if self.is_idle(*thread) => {
                edges.push(Edge::Missing(Cause::Idle(*thread)));
            }
            Need::Node(node) => edges.push(Edge::To(*node)),
            Need::All(needs) => {
                for need in needs {
                    self.collect(need, edges);
                }
            }
            Need::Any(needs) if needs.iter().any(|need| self.is_met(need, &mut watched)) => {}
            Need::Any(needs) => {
                // Beside a cause, the alternatives are all nodes of the process.
                let causes: Vec<&Need> =
                    needs.iter().filter(|need| matches!(need, Need::Never(_))).collect();
                let needs = if causes.is_empty() { needs.iter().collect() } else { causes };
                for need in needs {
                    self.collect(need, edges);
                }
            }
        }
    }

    fn is_idle(&self, thread: ThreadId) -> bool {
        self.situation.thread(thread).activity == Activity::Idle
    }

    /// The deadlocks: the ends of all chains of nodes that do not go on.
    #[must_use]
    pub fn deadlocks(&self) -> Vec<Deadlock> {
        let mut reached: BTreeSet<Node> = BTreeSet::new();
        let mut edges: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
        let mut causes: BTreeMap<Node, Cause> = BTreeMap::new();
        let mut next: Vec<Node> = self.stuck().into_iter().map(Node::Thread).collect();
        while let Some(node) = next.pop() {
            if !reached.insert(node) {
                continue;
            }
            let mut targets = BTreeSet::new();
            for edge in self.held_by(node) {
                match edge {
                    Edge::To(node) => {
                        targets.insert(node);
                    }
                    Edge::Missing(cause) => {
                        causes.insert(node, cause);
                    }
                }
            }
            next.extend(targets.iter().copied());
            edges.insert(node, targets.into_iter().collect());
        }
        let mut found = Vec::new();
        for nodes in components(&edges) {
            let inside: BTreeSet<Node> = nodes.iter().copied().collect();
            // A node that waits for several things, one of which cannot happen, is an end too.
            if let Some((node, cause)) =
                nodes.iter().find_map(|node| Some((*node, *causes.get(node)?)))
            {
                found.push(Deadlock { circle: vec![node], nodes, cause: Some(cause) });
                continue;
            }
            let leaves = |node: &Node| edges[node].iter().any(|target| !inside.contains(target));
            if !nodes.iter().any(leaves) {
                found.push(Deadlock { circle: circle(&nodes, &edges), nodes, cause: None });
            }
        }
        found.sort_by(|one, other| one.circle.cmp(&other.circle));
        merged(found)
    }
}

/// Merges those deadlocks that miss the same into one.
fn merged(deadlocks: Vec<Deadlock>) -> Vec<Deadlock> {
    let mut found: Vec<Deadlock> = Vec::new();
    for deadlock in deadlocks {
        let same = |other: &&mut Deadlock| other.cause.is_some() && other.cause == deadlock.cause;
        match found.iter_mut().find(same) {
            Some(other) => other.nodes.extend(deadlock.nodes),
            None => found.push(deadlock),
        }
    }
    found
}

fn all(need: &Need, edges: &mut Vec<Edge>) {
    match need {
        Need::Nothing | Need::Anyone => {}
        Need::Never(cause) => edges.push(Edge::Missing(*cause)),
        Need::Node(node) => edges.push(Edge::To(*node)),
        Need::All(needs) | Need::Any(needs) => needs.iter().for_each(|need| all(need, edges)),
    }
}

/// A shortest circle through the least node of a component that has no edge to another.
fn circle(nodes: &[Node], edges: &BTreeMap<Node, Vec<Node>>) -> Vec<Node> {
    let Some(&start) = nodes.iter().min() else { return Vec::new() };
    let mut before: BTreeMap<Node, Node> = BTreeMap::new();
    let mut next = VecDeque::from([start]);
    while let Some(node) = next.pop_front() {
        for &target in &edges[&node] {
            if target == start {
                let mut circle = vec![node];
                while let Some(&previous) = before.get(&circle[circle.len() - 1]) {
                    circle.push(previous);
                }
                circle.reverse();
                return circle;
            }
            if target != start && !before.contains_key(&target) {
                before.insert(target, node);
                next.push_back(target);
            }
        }
    }
    vec![start]
}
