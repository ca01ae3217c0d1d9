//! Strongly connected components (Tarjan), without recursion: chains of tasks may be long.

use std::collections::BTreeMap;

use super::Node;

#[derive(Clone, Copy)]
struct Mark {
    index: usize,
    low: usize,
    is_open: bool,
}

/// The strongly connected components of the graph, each sorted. Every target is a key.
pub(super) fn components(edges: &BTreeMap<Node, Vec<Node>>) -> Vec<Vec<Node>> {
    let mut marks: BTreeMap<Node, Mark> = BTreeMap::new();
    let mut open: Vec<Node> = Vec::new();
    let mut found = Vec::new();
    for &root in edges.keys() {
        if marks.contains_key(&root) {
            continue;
        }
        let mut path: Vec<(Node, usize)> = vec![(root, 0)];
        while let Some((node, step)) = path.pop() {
            if step == 0 {
                let index = marks.len();
                marks.insert(node, Mark { index, low: index, is_open: true });
                open.push(node);
            }
            let targets = &edges[&node];
            if step > 0 {
                lower(&mut marks, node, targets[step - 1], |mark| mark.low);
            }
            let ahead = targets[step..].iter().position(|target| match marks.get(target) {
                None => true,
                Some(_) => {
                    lower(&mut marks, node, *target, |mark| mark.index);
                    false
                }
            });
            if let Some(skipped) = ahead {
                path.push((node, step + skipped + 1));
                path.push((targets[step + skipped], 0));
                continue;
            }
            if marks[&node].low == marks[&node].index {
                let begin = open.iter().position(|other| *other == node).unwrap_or(0);
                let mut component = open.split_off(begin);
                for member in &component {
                    if let Some(mark) = marks.get_mut(member) {
                        mark.is_open = false;
                    }
                }
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

/// Lowers the mark of `node` to that of `target`, if the component of `target` is still open.
fn lower(marks: &mut BTreeMap<Node, Mark>, node: Node, target: Node, of: impl Fn(&Mark) -> usize) {
    let Some(value) = marks.get(&target).filter(|mark| mark.is_open).map(of) else { return };
    if let Some(mark) = marks.get_mut(&node) {
        mark.low = mark.low.min(value);
    }
}
