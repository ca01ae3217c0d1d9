//! Samples of threads that wait for other iterations of a doacross loop nest and use a processor
//! meanwhile.

use std::collections::BTreeMap;

use oxomp_trace::Profile;

use super::IterationCall;
use super::build::{Builder, addresses_of, by_place};
use super::placing::Placing;
use super::runtime_wait::RuntimeWait;
use crate::model::Model;

/// The sinks at which samples are.
pub(super) fn iterations(
    builder: Builder<'_>,
    profile: &Profile,
    model: &Model,
) -> Vec<IterationCall> {
    let mut placing = Placing::new(builder);
    for calls in &profile.calls {
        for ((node, region), placed) in by_place(calls, profile.clock(), model) {
            let (addresses, _) = addresses_of(calls, node);
            let builder = placing.builder();
            let Some((RuntimeWait::Iteration, caller)) = builder.runtime_wait(&addresses) else {
                continue;
            };
            let body = builder.body(&addresses);
            let mut threads = BTreeMap::new();
            for sample in &placed.samples {
                *threads.entry(sample.thread).or_default() += 1;
            }
            let path = &addresses[..=caller];
            placing.add((body, placed.count, threads), path, region, placed.count);
        }
    }
    let mut found: Vec<IterationCall> = Vec::new();
    for ((body, samples, threads), path) in placing.close() {
        let (path, line) = (path.functions, path.line);
        let same =
            |one: &&mut IterationCall| (one.body, &one.path, &one.line) == (body, &path, &line);
        match found.iter_mut().find(same) {
            Some(one) => {
                one.samples += samples;
                for (thread, more) in threads {
                    *one.threads.entry(thread).or_default() += more;
                }
            }
            None => found.push(IterationCall { body, path, line, samples, threads }),
        }
    }
    found
}
