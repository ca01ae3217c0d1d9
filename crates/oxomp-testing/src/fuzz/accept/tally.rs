//! The work that the threads of a team share: each iteration once, one thread for a single.

use std::collections::BTreeMap;

use crate::fuzz::violation::Violation;

/// The counts of every construct that a team shares.
#[derive(Debug, Clone, Default)]
pub struct Tally(BTreeMap<Key, Shared>);

/// A construct in a region, or in a task.
pub type Key = (String, u32);

/// What must come out.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rule {
    /// The number of iterations or sections; each is executed once.
    pub iterations: Option<usize>,
    /// Whether one thread executes it.
    pub is_single: bool,
    /// The number of threads that encounter it.
    pub encounters: Option<usize>,
}

#[derive(Debug, Clone, Default)]
struct Shared {
    rule: Rule,
    /// Begin and length of each chunk reported.
    chunks: Vec<(usize, usize)>,
    executed: Vec<usize>,
    executors: usize,
    encounters: usize,
    is_cancelled: bool,
}

impl Tally {
    /// Notes that a thread encounters the construct `id` within `scope`.
    pub fn encounter(&mut self, scope: &str, id: u32, rule: Rule) -> Key {
        let key = (scope.to_owned(), id);
        let shared = self.0.entry(key.clone()).or_default();
        shared.rule = rule;
        shared.encounters += 1;
        key
    }

    /// Notes a chunk that a thread gets.
    pub fn chunk(&mut self, key: &Key, chunk: (usize, usize)) {
        self.0.entry(key.clone()).or_default().chunks.push(chunk);
    }

    /// Notes an iteration that a thread executes.
    pub fn iteration(&mut self, key: &Key, iteration: usize) {
        self.0.entry(key.clone()).or_default().executed.push(iteration);
    }

    /// Notes that a thread executes a single.
    pub fn executor(&mut self, key: &Key) {
        self.0.entry(key.clone()).or_default().executors += 1;
    }

    /// Notes that the construct is cancelled.
    pub fn cancelled(&mut self, key: &Key) {
        self.0.entry(key.clone()).or_default().is_cancelled = true;
    }

    /// What did not come out.
    #[must_use]
    pub fn check(&self) -> Vec<Violation> {
        self.0.iter().flat_map(|((scope, id), shared)| shared.check(scope, *id)).collect()
    }
}

impl Shared {
    fn check(&self, scope: &str, id: u32) -> Vec<Violation> {
        let mut found = Vec::new();
        let mut say = |clause: &'static str, said: String| {
            let said = format!("construct {id} in {scope}: {said}");
            found.push(Violation::new(clause, said, None));
        };
        if let Some(count) = self.rule.iterations {
            let mut executed = self.executed.clone();
            executed.sort_unstable();
            let is_whole = executed.iter().copied().eq(0..count);
            let mut once = executed.clone();
            once.dedup();
            if !is_whole && !self.is_cancelled || once.len() != executed.len() {
                say("5.2 §11.5, iterations", format!("{executed:?} of {count} are executed"));
            }
            let mut chunks = self.chunks.clone();
            chunks.retain(|(_, length)| *length > 0);
            chunks.sort_unstable();
            let end = chunks.iter().try_fold(0_usize, |end, (start, length)| {
                if end == *start { end.checked_add(*length) } else { None }
            });
            let is_covered = end == Some(count);
            if !self.chunks.is_empty() && !is_covered && !self.is_cancelled {
                let said = format!("the chunks {:?} are not the {count} iterations", self.chunks);
                say("5.2 §19.5.2.6, dispatch", said);
            }
        }
        if self.rule.is_single && self.executors != 1 {
            say("5.2 §11.1, single", format!("{} threads execute it", self.executors));
        }
        if self.rule.encounters.is_some_and(|count| count != self.encounters) {
            say("5.2 §11, worksharing", format!("{} threads encounter it", self.encounters));
        }
        found
    }
}
