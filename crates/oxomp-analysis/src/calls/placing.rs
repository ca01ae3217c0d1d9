//! Paths to a wait: the user's functions, and the line of the last call.

use super::CallTree;
use super::builder::{Builder, Path};
use super::library::outside_library;

/// Waits of some kind by the user's path to them. The callers of a worker's code are the callers in
/// the thread that began its region, so they are known only when all paths are there.
pub(super) struct Placing<'a, T> {
    builder: Builder<'a>,
    placed: Vec<(T, Option<u32>)>,
    unplaced: Vec<(T, Path, u64)>,
}

/// The user's functions from the start of the program to a call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct CallPath {
    pub(super) functions: Vec<String>,
    /// File and line of the call.
    pub(super) line: Option<(String, u32)>,
}

impl<'a, T> Placing<'a, T> {
    /// Without a wait.
    pub(super) fn new(builder: Builder<'a>) -> Self {
        Self { builder, placed: Vec::new(), unplaced: Vec::new() }
    }

    /// The builder that names the addresses.
    pub(super) fn builder(&mut self) -> &mut Builder<'a> {
        &mut self.builder
    }

    /// Adds a wait that was found `samples` times at the end of a path of addresses, by a worker in
    /// `region`, if that is not 0.
    pub(super) fn add(&mut self, wait: T, path: &[u64], region: u64, samples: u64) {
        let path = self.builder.path(path);
        match self.builder.caller_of(&path, region) {
            Some(caller) => {
                let node = self.builder.insert(caller, &path.frames, samples);
                self.placed.push((wait, node));
            }
            None => self.unplaced.push((wait, path, samples)),
        }
    }

    /// Every wait with its path.
    pub(super) fn close(mut self) -> impl Iterator<Item = (T, CallPath)> {
        for (wait, path, samples) in self.unplaced {
            let caller = self.builder.usual_caller(&path);
            let node = self.builder.insert(caller, &path.frames, samples);
            self.placed.push((wait, node));
        }
        let tree = self.builder.close();
        let path = move |node| CallPath::to(&tree, node);
        self.placed.into_iter().map(move |(wait, node)| (wait, node.map(&path).unwrap_or_default()))
    }
}

impl CallPath {
    fn to(tree: &CallTree, node: u32) -> Self {
        let (node, _) = outside_library(tree, node);
        let mut functions = Vec::new();
        let mut at = Some(node);
        while let Some(number) = at {
            let one = &tree.nodes[number as usize];
            functions.push(one.function.clone());
            at = one.caller;
        }
        functions.reverse();
        Self { functions, line: tree.nodes[node as usize].line.clone() }
    }
}
