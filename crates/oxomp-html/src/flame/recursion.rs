//! Call paths with recursion folded: a function that calls itself, directly or through others, is
//! one frame with the depth that it reaches.
//!
//! Each frame of the tree is put on a folded path. If the function is on that path already, the
//! frame is its recursion: the path ends there again, and goes on from there. Samples move with
//! their frames, so that a folded frame has every sample of its recursion once.

use std::collections::HashMap;

use oxomp_analysis::calls::CallNode;

/// A frame of folded call paths. A caller comes before the frames that it calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Folded {
    /// Position of the caller; `None` at the start of the program.
    pub(super) caller: Option<u32>,
    /// Position of a frame of the tree that it stands for.
    pub(super) node: u32,
    /// Samples in the frame itself, at whatever depth.
    pub(super) own: u64,
    /// Samples in the frame and in those that it called.
    pub(super) total: u64,
    /// The most frames of the function in one path.
    pub(super) depth: u32,
}

/// `nodes` with recursion folded; `None` if no call path has a recursion.
pub(super) fn folded(nodes: &[CallNode]) -> Option<Vec<Folded>> {
    let mut all: Vec<Folded> = Vec::new();
    let mut known = HashMap::<(Option<u32>, Key<'_>), u32>::new();
    // By frame of the tree: its folded frame, and by folded frame on its path the depth there.
    let mut places: Vec<(u32, Vec<(u32, u32)>)> = Vec::with_capacity(nodes.len());
    for (number, node) in (0..).zip(nodes) {
        let caller = node.caller.and_then(|caller| places.get(caller as usize));
        let path: &[(u32, u32)] = caller.map_or(&[], |(_, path)| path);
        let recurs = |place: &&(u32, u32)| {
            is_same_function(&nodes[all[place.0 as usize].node as usize], node)
        };
        if let Some(place) = path.iter().rposition(|place| recurs(&place)) {
            let mut path = path[..=place].to_vec();
            path[place].1 += 1;
            let (folded, depth) = path[place];
            let frame = &mut all[folded as usize];
            frame.own += node.own;
            frame.depth = frame.depth.max(depth);
            places.push((folded, path));
            continue;
        }
        let above = caller.map(|(folded, _)| *folded);
        let mut path = path.to_vec();
        let next = all.len() as u32;
        let folded = *known.entry((above, Key::of(node))).or_insert(next);
        if folded == next {
            let frame = Folded { caller: above, node: number, own: 0, total: 0, depth: 1 };
            all.push(frame);
        }
        all[folded as usize].own += node.own;
        path.push((folded, 1));
        places.push((folded, path));
    }
    if all.iter().all(|frame| frame.depth == 1) {
        return None;
    }
    for position in (0..all.len()).rev() {
        all[position].total += all[position].own;
        if let Some(caller) = all[position].caller {
            all[caller as usize].total += all[position].total;
        }
    }
    Some(all)
}

/// A frame's identity beside the frames of the same caller.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key<'a> {
    function: &'a str,
    line: Option<&'a (String, u32)>,
    module: Option<&'a str>,
    region: bool,
}

impl<'a> Key<'a> {
    fn of(node: &'a CallNode) -> Self {
        Self {
            function: &node.function,
            line: node.line.as_ref(),
            module: node.module.as_deref(),
            region: node.region,
        }
    }
}

/// Whether two frames are of one function: a call has its line, so that lines differ.
fn is_same_function(one: &CallNode, other: &CallNode) -> bool {
    let file = |node: &CallNode| node.line.as_ref().map(|(file, _)| file.clone());
    one.function == other.function
        && one.module == other.module
        && one.region == other.region
        && file(one) == file(other)
}

#[cfg(test)]
mod tests {
    use super::{Folded, folded};
    use oxomp_analysis::calls::CallNode;

    fn node(caller: Option<u32>, function: &str, line: u32, own: u64) -> CallNode {
        CallNode {
            caller,
            function: function.to_owned(),
            line: Some(("fib.c".to_owned(), line)),
            module: None,
            region: false,
            library: false,
            python: false,
            own,
            total: 0,
        }
    }

    #[test]
    fn a_function_that_calls_itself_is_one_frame() {
        // main calls fib, which calls itself from two lines, and leaf at each depth.
        let nodes = [
            node(None, "main", 1, 1),
            node(Some(0), "fib", 8, 2),
            node(Some(1), "fib", 8, 4),
            node(Some(1), "fib", 9, 8),
            node(Some(2), "leaf", 3, 16),
            node(Some(3), "leaf", 3, 32),
        ];
        let expected = [
            Folded { caller: None, node: 0, own: 1, total: 63, depth: 1 },
            Folded { caller: Some(0), node: 1, own: 14, total: 62, depth: 2 },
            Folded { caller: Some(1), node: 4, own: 48, total: 48, depth: 1 },
        ];
        assert_eq!(folded(&nodes).expect("there is recursion"), expected);
    }

    #[test]
    fn functions_that_call_each_other_fold_to_the_first_of_them() {
        // even, odd, even, odd, leaf.
        let nodes = [
            node(None, "even", 1, 1),
            node(Some(0), "odd", 2, 1),
            node(Some(1), "even", 1, 1),
            node(Some(2), "odd", 2, 1),
            node(Some(3), "leaf", 3, 5),
        ];
        let expected = [
            Folded { caller: None, node: 0, own: 2, total: 9, depth: 2 },
            Folded { caller: Some(0), node: 1, own: 2, total: 7, depth: 1 },
            Folded { caller: Some(1), node: 4, own: 5, total: 5, depth: 1 },
        ];
        assert_eq!(folded(&nodes).expect("there is recursion"), expected);
    }

    #[test]
    fn without_recursion_nothing_is_folded() {
        assert_eq!(folded(&[node(None, "main", 1, 1), node(Some(0), "relax", 2, 1)]), None);
        assert_eq!(folded(&[]), None);
    }
}
