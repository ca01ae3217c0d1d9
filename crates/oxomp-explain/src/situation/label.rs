//! Names of threads for people.

use std::collections::BTreeMap;

use super::{Situation, ThreadId, ThreadKind};

/// The most regions around a thread that a label counts; deeper nests are corrupted memory.
const DEEPEST: usize = 64;

/// The label of every thread. No two threads have the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    labels: Vec<String>,
    /// Numbers of threads whose labels are plain numbers.
    numbers: Vec<Option<u64>>,
}

impl Labels {
    /// The labels of the threads of `situation`: the number that `omp_get_thread_num` returns; in
    /// nested regions those of all levels with more than one thread, outermost first, as in `1.0`.
    #[must_use]
    pub fn new(situation: &Situation) -> Self {
        let paths: Vec<Option<Vec<u64>>> =
            situation.thread_ids().map(|thread| path(situation, thread)).collect();
        let mut seen = BTreeMap::new();
        for path in paths.iter().flatten() {
            *seen.entry(path.clone()).or_insert(0_usize) += 1;
        }
        let mut labels = Vec::new();
        let mut numbers = Vec::new();
        for (thread, path) in situation.threads.iter().zip(&paths) {
            let lwp = thread.lwp.map_or_else(String::new, |lwp| format!("{lwp}"));
            let (label, number) = match path {
                Some(path) if seen[path] == 1 => {
                    let number = (path.len() == 1).then(|| path[0]);
                    (format!("thread {}", dotted(path)), number)
                }
                Some(path) => (format!("thread {} (lwp {lwp})", dotted(path)), None),
                None => match (thread.kind, thread.number) {
                    (ThreadKind::Worker, Some(number)) => (format!("worker {number}"), None),
                    (ThreadKind::Foreign, _) => (format!("other thread (lwp {lwp})"), None),
                    _ => (format!("thread of lwp {lwp}"), None),
                },
            };
            labels.push(label);
            numbers.push(number);
        }
        Labels { labels, numbers }
    }

    /// `thread 3`.
    #[must_use]
    pub fn of(&self, thread: ThreadId) -> &str {
        &self.labels[thread.0]
    }

    /// Several threads in one phrase: `threads 0-2 and 5`, `thread 1.0 and thread 1.1`.
    #[must_use]
    pub fn several(&self, threads: &[ThreadId]) -> String {
        let mut numbers: Vec<u64> = Vec::new();
        let mut others = Vec::new();
        for thread in threads {
            match self.numbers[thread.0] {
                Some(number) => numbers.push(number),
                None => others.push(self.of(*thread).to_owned()),
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let mut parts = Vec::new();
        if !numbers.is_empty() {
            parts.push(numbered(&numbers));
        }
        parts.extend(others);
        list(&parts)
    }
}

/// `thread 3`, `threads 0-2 and 5`; the numbers are sorted.
#[must_use]
pub fn numbered(numbers: &[u64]) -> String {
    match numbers {
        [one] => format!("thread {one}"),
        _ => format!("threads {}", ranges(numbers)),
    }
}

/// The numbers of a thread in the regions around it, outermost first. A thread outside of all
/// regions with several threads is thread 0.
fn path(situation: &Situation, thread: ThreadId) -> Option<Vec<u64>> {
    let (mut region, mut number) = situation.thread(thread).member?;
    let mut path = Vec::new();
    for _ in 0..DEEPEST {
        let at = situation.region(region);
        if at.size > 1 {
            path.push(number);
        }
        match (at.parent, at.encountered_by) {
            (Some(parent), Some(by)) => (region, number) = (parent, by),
            _ => break,
        }
    }
    if path.is_empty() {
        path.push(0);
    }
    path.reverse();
    Some(path)
}

fn dotted(path: &[u64]) -> String {
    path.iter().map(u64::to_string).collect::<Vec<_>>().join(".")
}

/// `0-2, 5 and 7` for sorted numbers.
fn ranges(numbers: &[u64]) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == number => *end = number,
            _ => runs.push((number, number)),
        }
    }
    let mut parts = Vec::new();
    for (begin, end) in runs {
        match end - begin {
            0 => parts.push(begin.to_string()),
            1 => parts.extend([begin.to_string(), end.to_string()]),
            _ => parts.push(format!("{begin}-{end}")),
        }
    }
    list(&parts)
}

/// `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [start @ .., last] => format!("{} and {last}", start.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{list, ranges};

    #[test]
    fn numbers_are_folded() {
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[0, 1]), "0 and 1");
        assert_eq!(ranges(&[0, 1, 2, 5, 7, 8]), "0-2, 5, 7 and 8");
    }

    #[test]
    fn phrases_have_one_and() {
        assert_eq!(list(&["a".into(), "b".into(), "c".into()]), "a, b and c");
    }
}
