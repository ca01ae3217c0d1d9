//! The first sentences: whether the threads go on, and if not, what holds them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::words::Words;
use crate::graph::{Deadlock, Node};
use crate::situation::{Activity, Owner, Stands, ThreadId, ThreadKind, Wait};

/// The most clauses of a sentence.
const MOST_CLAUSES: usize = 6;
/// The most places that the sentence names for threads that wait in no construct.
const MOST_PLACES: usize = 3;

/// The sentences of all deadlocks.
pub(super) fn deadlocks(words: &Words<'_>, deadlocks: &[Deadlock]) -> Vec<String> {
    let mut inside: BTreeSet<Node> =
        deadlocks.iter().flat_map(|deadlock| deadlock.nodes.iter().copied()).collect();
    let mut sentences = Vec::new();
    for deadlock in deadlocks {
        // A deadlock of tasks alone begins with a thread that waits for them.
        let chain = match deadlock.nodes.iter().any(|node| thread_of(node).is_some()) {
            true => Vec::new(),
            false => chain_to(words, deadlock),
        };
        sentences.push(sentence(words, &chain, deadlock));
        inside.extend(chain);
    }
    let behind: Vec<ThreadId> = words
        .graph
        .stuck()
        .into_iter()
        .filter(|thread| !inside.contains(&Node::Thread(*thread)))
        .collect();
    if !behind.is_empty() {
        let verb = if behind.len() > 1 { "wait" } else { "waits" };
        sentences.push(format!("{} {verb} behind that.", capital(&words.labels.several(&behind))));
    }
    sentences
}

/// A shortest chain of nodes, each of which waits for the next, from a thread to the deadlock.
fn chain_to(words: &Words<'_>, deadlock: &Deadlock) -> Vec<Node> {
    let mut after: BTreeMap<Node, Node> = BTreeMap::new();
    let mut next: VecDeque<Node> = words.graph.stuck().into_iter().map(Node::Thread).collect();
    let mut seen: BTreeSet<Node> = next.iter().copied().collect();
    while let Some(node) = next.pop_front() {
        for target in words.held_by(node) {
            if deadlock.circle.first() == Some(&target) {
                let mut chain = vec![node];
                while let Some(&before) = after.get(&chain[chain.len() - 1]) {
                    chain.push(before);
                }
                chain.reverse();
                return chain;
            }
            if seen.insert(target) {
                after.insert(target, node);
                next.push_back(target);
            }
        }
    }
    Vec::new()
}

fn sentence(words: &Words<'_>, chain: &[Node], deadlock: &Deadlock) -> String {
    let threads: Vec<ThreadId> = deadlock.nodes.iter().filter_map(thread_of).collect();
    let mut clauses = Vec::new();
    // The circle first, then the others that are as stuck: where one of several threads could act,
    // none of them does.
    let others = deadlock.nodes.iter().filter(|node| !deadlock.circle.contains(node));
    let others = others.filter(|_| deadlock.circle.len() <= MOST_CLAUSES);
    for node in chain.iter().chain(&deadlock.circle).chain(others) {
        if clauses.len() == MOST_CLAUSES {
            break;
        }
        let equals = match node {
            Node::Thread(thread) if !threads.contains(thread) => vec![*thread],
            Node::Thread(thread) => words.equals(*thread, &threads),
            Node::Task(_) => Vec::new(),
        };
        let clause = words.clause(*node, &equals);
        if !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    if chain.len() + deadlock.circle.len() > MOST_CLAUSES {
        clauses.push(format!("and so on, a circle of {} threads and tasks", deadlock.circle.len()));
    }
    let last = deadlock.circle.first().zip(deadlock.cause);
    clauses.extend(last.and_then(|(node, cause)| words.cause(*node, cause)));
    format!("Deadlock: {}.", clauses.join("; "))
}

fn thread_of(node: &Node) -> Option<ThreadId> {
    match node {
        Node::Thread(thread) => Some(*thread),
        Node::Task(_) => None,
    }
}

/// One clause for all threads whose wait reads the same.
fn grouped(words: &Words<'_>, threads: &[ThreadId]) -> Vec<String> {
    let mut clauses: Vec<String> = Vec::new();
    for thread in threads {
        let clause = words.clause(Node::Thread(*thread), &words.equals(*thread, threads));
        if !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    clauses
}

/// The sentence where no deadlock is proven.
pub(super) fn no_deadlock(words: &Words<'_>) -> String {
    let situation = words.situation;
    let ids = || situation.thread_ids();
    let waiting: Vec<ThreadId> =
        ids().filter(|id| situation.thread(*id).wait().is_some()).collect();
    let crashed = ids().find(|id| matches!(situation.thread(*id).stands, Stands::Signal(_)));
    let start = match crashed {
        Some(thread) => {
            format!("{} is {}. ", capital(words.labels.of(thread)), words.position(thread))
        }
        None => String::new(),
    };
    if waiting.is_empty() && crashed.is_some() {
        return start.trim_end().to_owned();
    }
    if waiting.is_empty() {
        let known = |id: &ThreadId| situation.thread(*id).kind != ThreadKind::Foreign;
        let acting: Vec<ThreadId> = ids()
            .filter(known)
            .filter(|id| situation.thread(*id).activity == Activity::Runs)
            .collect();
        let verdict = match places(words, &acting) {
            Some(places) if !acting.is_empty() => {
                let told = |(threads, place): &(Vec<ThreadId>, String)| {
                    let verb = if threads.len() > 1 { "are" } else { "is" };
                    format!("{} {verb} {place}", words.labels.several(threads))
                };
                let told: Vec<String> = places.iter().map(told).collect();
                format!("No thread waits in an OpenMP construct: {}.", told.join("; "))
            }
            _ => "No thread waits in an OpenMP construct.".to_owned(),
        };
        return format!("{start}{verdict}");
    }
    let actors = actors(words, &waiting);
    let verb = if waiting.len() > 1 { "wait" } else { "waits" };
    let who = words.labels.several(&waiting);
    if actors.is_empty() {
        let unknown: Vec<String> = grouped(words, &waiting);
        return format!("{start}No deadlock found: {}.", unknown.join("; "));
    }
    let for_whom = match places(words, &actors) {
        Some(places) => {
            let told = |(threads, place): &(Vec<ThreadId>, String)| {
                let verb = if threads.len() > 1 { "are" } else { "is" };
                format!("{}, which {verb} {place}", words.labels.several(threads))
            };
            places.iter().map(told).collect::<Vec<_>>().join(", and ")
        }
        None => format!("{}, which wait in no OpenMP construct", words.labels.several(&actors)),
    };
    format!("{start}No deadlock found: {who} {verb} for {for_whom}.")
}

/// The places of these threads, those at the same place together; `None` if there are too many to
/// tell in a sentence.
fn places(words: &Words<'_>, threads: &[ThreadId]) -> Option<Vec<(Vec<ThreadId>, String)>> {
    let mut places: Vec<(Vec<ThreadId>, String)> = Vec::new();
    for &thread in threads {
        let position = words.position(thread);
        match places.iter_mut().find(|(_, place)| *place == position) {
            Some((there, _)) => there.push(thread),
            None => places.push((vec![thread], position)),
        }
    }
    (places.len() <= MOST_PLACES).then_some(places)
}

/// The threads that run, and for which the waiting ones wait in the end.
fn actors(words: &Words<'_>, waiting: &[ThreadId]) -> Vec<ThreadId> {
    let mut seen: BTreeSet<Node> = BTreeSet::new();
    let mut next: Vec<Node> = waiting.iter().copied().map(Node::Thread).collect();
    let mut found = BTreeSet::new();
    while let Some(node) = next.pop() {
        if !seen.insert(node) {
            continue;
        }
        if let Node::Thread(thread) = node
            && words.situation.thread(thread).activity == Activity::Runs
        {
            found.insert(thread);
            continue;
        }
        next.extend(words.holders(node));
        if let Node::Thread(thread) = node
            && let Some(Wait::Mutex(mutex)) = words.situation.thread(thread).wait()
            && let Owner::Thread(owner) = mutex.owner
        {
            next.push(Node::Thread(owner));
        }
    }
    found.into_iter().collect()
}

/// The text with a capital at its beginning.
pub(super) fn capital(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}
