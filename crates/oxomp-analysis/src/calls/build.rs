//! From the recorded trees of addresses to one tree of named call paths.
//!
//! A thread's path is cut at the runtime: the runtime's frames are left out, and the code that the
//! runtime calls is the body of a construct. The path of a worker begins in the runtime, so the
//! path of the thread that forked its region is put before it. Samples name their region, and the
//! forking thread has recorded its path if they asked for it. Where this path is missing, as for
//! samples of which only the number is known, the most frequent path before the same body stands
//! in.

use oxomp_trace::Profile;
use oxomp_trace::calls::{Pseudo, ThreadCalls};

use crate::calls::CallTree;
use crate::calls::blocked::blocked;
use crate::calls::builder::{Builder, Path};
use crate::calls::dispatch::dispatch;
use crate::calls::hot_accesses::hot_accesses;
use crate::calls::iterations::iterations;
use crate::calls::nests::nests;
use crate::calls::python_calls::python_calls;
use crate::calls::samples::{Placed, addresses_of, by_place};
use crate::calls::shared_lines::shared_lines;
use crate::constructs::Constructs;
use crate::model::Model;
use crate::symbols::Symbols;

/// The tree of all threads' samples.
pub(crate) fn call_tree(
    profile: &Profile,
    model: &Model,
    constructs: &Constructs,
    symbols: &mut Symbols,
) -> CallTree {
    let Some((period_ns, _)) = profile.info.sampling else { return CallTree::default() };
    let mut builder = Builder::new(profile, symbols);
    builder.add_samples(model);
    let mut tree = builder.close();
    tree.period_ns = period_ns;
    tree.lost = sum(profile, |calls| calls.pseudo(Pseudo::LOST));
    tree.hot_accesses = hot_accesses(Builder::new(profile, symbols), profile);
    tree.shared_lines = shared_lines(Builder::new(profile, symbols), profile, model, constructs);
    tree.blocked = blocked(Builder::new(profile, symbols), &profile.blocked, model);
    tree.nests = nests(Builder::new(profile, symbols), profile);
    tree.python = python_calls(Builder::new(profile, symbols), profile, constructs);
    tree.dispatch = dispatch(Builder::new(profile, symbols), profile, model);
    (tree.iterations, tree.waiters) = iterations(Builder::new(profile, symbols), profile, model);
    tree
}

fn sum(profile: &Profile, of: impl Fn(&ThreadCalls) -> u64) -> u64 {
    profile.calls.iter().map(of).sum()
}

impl Builder<'_> {
    /// Places every sample in the tree.
    fn add_samples(&mut self, model: &Model) {
        let mut unplaced = Vec::new();
        for stream in 0..self.profile.calls.len() {
            self.add_stream(stream, model, &mut unplaced);
        }
        // By now the callers of most bodies are known.
        for (path, samples) in unplaced {
            let caller = self.usual_caller(&path);
            self.place(caller, &path, samples);
        }
    }

    /// Places the samples of a stream, except samples of workers whose region is unknown.
    fn add_stream(&mut self, stream: usize, model: &Model, unplaced: &mut Vec<(Path, Placed)>) {
        let calls = &self.profile.calls[stream];
        for ((node, region), samples) in by_place(calls, self.clock(), model) {
            let (addresses, complete) = addresses_of(calls, node);
            if self.runtime_wait(&addresses).is_some() {
                continue;
            }
            if !complete {
                self.tree.incomplete += samples.count;
            }
            let mut path = self.path(&addresses);
            if path.frames.is_empty() {
                continue;
            }
            if region != 0 && !complete {
                path.is_cut_in_region();
            }
            let Some(caller) = self.caller_of(&path, region) else {
                unplaced.push((path, samples));
                continue;
            };
            self.place(caller, &path, samples);
        }
    }
}
