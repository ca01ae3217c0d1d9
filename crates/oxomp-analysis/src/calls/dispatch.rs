//! Samples of threads to which the runtime hands out a chunk. A runtime may tell of a chunk when it
//! has taken the chunk, so no event tells when the thread asked for it; a sample does.

use std::collections::BTreeMap;

use oxomp_trace::Profile;

use super::builder::Builder;
use super::code::Code;
use super::samples::{addresses_of, by_place};
use super::{DispatchCall, DispatchSamples};
use crate::model::Model;

/// What code of the program called when it was sampled.
enum Called {
    /// Nothing, or a function of the runtime that hands out no chunk.
    Else,
    /// The function that hands out the next chunk; with the address to which it returns.
    Dispatch(u64),
    /// A function of the runtime whose name is not known.
    Nameless,
}

/// The samples in bodies of regions, by body, and among them those of threads that wait for the
/// next chunk.
pub(super) fn dispatch(
    mut builder: Builder<'_>,
    profile: &Profile,
    model: &Model,
) -> Vec<DispatchSamples> {
    let mut bodies = BTreeMap::<(u64, u64), DispatchSamples>::new();
    for calls in &profile.calls {
        for ((node, _), placed) in by_place(calls, profile.clock(), model) {
            let (addresses, _) = addresses_of(calls, node);
            let Some(body) = builder.body(&addresses) else { continue };
            let called = called(&mut builder, &addresses);
            if matches!(called, Called::Nameless) {
                continue;
            }
            let sums = bodies.entry(body).or_insert_with(|| DispatchSamples {
                body,
                of: 0,
                calls: Vec::new(),
            });
            sums.of += placed.count;
            let Called::Dispatch(code) = called else { continue };
            let at = sums.calls.iter().position(|call| call.code == code);
            let at = at.unwrap_or_else(|| {
                sums.calls.push(DispatchCall { code, samples: 0, threads: BTreeMap::new() });
                sums.calls.len() - 1
            });
            let call = &mut sums.calls[at];
            call.samples += placed.count;
            for sample in &placed.samples {
                *call.threads.entry(sample.thread).or_default() += 1;
            }
        }
    }
    bodies.into_values().collect()
}

fn called(builder: &mut Builder<'_>, path: &[u64]) -> Called {
    let user = path.iter().rposition(|at| matches!(builder.code(*at), Code::User(_)));
    let Some(caller) = user else { return Called::Else };
    let Some(&entry) = path.get(caller + 1) else { return Called::Else };
    let Code::Runtime = builder.code(entry) else { return Called::Else };
    match is_dispatch(&builder.runtime_function(entry)) {
        Some(true) => Called::Dispatch(path[caller]),
        Some(false) => Called::Else,
        None => Called::Nameless,
    }
}

/// Whether the runtime's function of this name hands out the next chunk of a loop; `None` if it is
/// not the name of a function that programs call.
fn is_dispatch(name: &str) -> Option<bool> {
    let is_entry =
        ["__kmpc_", "GOMP_", "omp_", "ompc_", "kmp_"].iter().any(|prefix| name.starts_with(prefix));
    let is_next = name.starts_with("__kmpc_dispatch_next")
        || name.starts_with("GOMP_loop_") && name.ends_with("_next");
    is_entry.then_some(is_next)
}

#[cfg(test)]
mod tests {
    use super::is_dispatch;

    #[test]
    fn functions_of_both_interfaces_are_known() {
        for (name, expected) in [
            ("__kmpc_dispatch_next_4", Some(true)),
            ("__kmpc_dispatch_next_8u", Some(true)),
            ("GOMP_loop_dynamic_next", Some(true)),
            ("GOMP_loop_ull_maybe_nonmonotonic_runtime_next", Some(true)),
            ("__kmpc_dispatch_init_4", Some(false)),
            ("GOMP_loop_guided_start", Some(false)),
            ("GOMP_sections_next", Some(false)),
            ("omp_get_thread_num", Some(false)),
            ("libomp.so+0x1f20", None),
        ] {
            assert_eq!(is_dispatch(name), expected, "{name}");
        }
    }
}
