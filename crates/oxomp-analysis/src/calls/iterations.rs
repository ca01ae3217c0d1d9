//! Samples of threads that wait for other iterations of a doacross loop nest and use a processor
//! meanwhile; and the other samples of these threads, since a sample stands for time in user code,
//! and a thread that gives its processor away in each turn of its wait is in the kernel.

use std::collections::BTreeMap;

use oxomp_trace::Profile;

use super::builder::Builder;
use super::code::Code;
use super::placing::Placing;
use super::runtime_wait::RuntimeWait;
use super::samples::{addresses_of, by_place};
use super::{IterationCall, Waiter};
use crate::model::Model;

/// The sinks at which samples are.
pub(super) fn iterations(
    builder: Builder<'_>,
    profile: &Profile,
    model: &Model,
) -> (Vec<IterationCall>, BTreeMap<u32, Waiter>) {
    let mut placing = Placing::new(builder);
    let mut waiters: BTreeMap<u32, Waiter> = BTreeMap::new();
    let mut has_all_threads = true;
    for calls in &profile.calls {
        for ((node, region), placed) in by_place(calls, profile.clock(), model) {
            let (addresses, _) = addresses_of(calls, node);
            let builder = placing.builder();
            let wait = builder.runtime_wait(&addresses);
            let is_waiting = matches!(wait, Some((RuntimeWait::Iteration, _)));
            let innermost = addresses.last().map(|&at| builder.code(at));
            let in_library = !is_waiting && matches!(innermost, Some(Code::Library(_)));
            has_all_threads &= placed.count == placed.samples.len() as u64;
            for sample in &placed.samples {
                let waiter = waiters.entry(sample.thread).or_default();
                waiter.all += 1;
                waiter.waiting += u64::from(is_waiting);
                waiter.in_library += u64::from(in_library);
            }
            let Some((RuntimeWait::Iteration, caller)) = wait else { continue };
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
    waiters.retain(|_, waiter| waiter.waiting > 0 && has_all_threads);
    (found, waiters)
}
