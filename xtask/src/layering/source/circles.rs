//! Circles: files that use each other, directly or through others.

use super::arrows::Arrow;
use super::tree::FileId;

/// The strongly connected components of more than one of `files` files, the largest first, each
/// sorted.
pub fn circles(files: usize, arrows: &[Arrow]) -> Vec<Vec<FileId>> {
    let mut forward = vec![Vec::new(); files];
    let mut backward = vec![Vec::new(); files];
    for arrow in arrows {
        forward[arrow.from].push(arrow.to);
        backward[arrow.to].push(arrow.from);
    }
    // Kosaraju: a file's component is what reaches it among the files that are left.
    let mut seen = vec![false; files];
    let mut order = Vec::new();
    for file in 0..files {
        visit(file, &forward, &mut seen, &mut order);
    }
    let mut seen = vec![false; files];
    let mut circles = Vec::new();
    for &file in order.iter().rev() {
        let mut circle = Vec::new();
        visit(file, &backward, &mut seen, &mut circle);
        if circle.len() > 1 {
            circle.sort_unstable();
            circles.push(circle);
        }
    }
    circles.sort_by_key(|circle| std::cmp::Reverse(circle.len()));
    circles
}

/// Adds `file` and what can be reached from it to `order`, each after those that it reaches.
fn visit(file: FileId, next: &[Vec<FileId>], seen: &mut [bool], order: &mut Vec<FileId>) {
    if std::mem::replace(&mut seen[file], true) {
        return;
    }
    for &other in &next[file] {
        visit(other, next, seen, order);
    }
    order.push(file);
}
