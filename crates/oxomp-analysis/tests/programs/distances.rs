//! For which iterations the iterations of a doacross loop nest wait: how far away these are, and
//! how often.

use std::collections::BTreeMap;

use libtest_mimic::Failed;
use oxomp_analysis::Analysis;
use oxomp_analysis::summary::{Cause, Distance};
use oxomp_analysis::symbols::Symbols;
use oxomp_prerequisites::Program;
use oxomp_trace::fold::sinks;
use oxomp_trace::{FoldKind, Profile};

use crate::Check;
use crate::run::Setting;

pub(crate) const CHECKS: &[Check] = &[
    ("iterations_wait_for_those_at_known_distances", one_nest),
    ("two_nests_of_a_region_have_distances_of_their_own", two_nests),
];

/// The steps, and how often they are met.
type Known<'a> = &'a [(&'a [i64], u64)];

/// The nest that is also recorded without events, and whose samples have paths.
const SAMPLED: &str = "grid";

/// Each nest of the program with its sinks in the iteration space, whose sources are met.
const NESTS: [(&str, Known<'static>); 6] = [
    ("one", &[(&[-1], 59)]),
    ("two", &[(&[-2], 58)]),
    ("down", &[(&[-1], 59)]),
    ("last", &[(&[-1], 58)]),
    ("grid", &[(&[-1, 0], 110), (&[0, -1], 108)]),
    ("deep", &[(&[], 59)]),
];

/// The nest that the argument names is recorded: every sink, in whatever mode.
fn recorded(setting: &Setting, nest: &str, events: &str) -> Result<Profile, String> {
    let program = setting.compile("distances")?;
    let mut command = setting.command(&program);
    command.arg(nest).env("OXOMP_EVENTS", events).env("OXOMP_HZ", "1000");
    if [SAMPLED, "both"].contains(&nest) {
        command.arg("helper");
    }
    setting.recording(&mut command)
}

/// The sinks in the sums of all threads, by their distance.
fn counted(profile: &Profile) -> BTreeMap<Vec<i64>, u64> {
    let mut counts = BTreeMap::new();
    let entries = profile.threads.iter().flat_map(|thread| &thread.folded);
    for entry in entries.filter(|entry| entry.fold_kind() == Some(FoldKind::Sinks)) {
        let steps = sinks::unpacked(entry.key[1], entry.sub as usize).unwrap_or_default();
        *counts.entry(steps).or_default() += entry.values[sinks::COUNT];
    }
    counts
}

/// The distances of each row of waits for iterations, with its sink in the source.
fn rows(profile: Profile) -> Vec<(String, BTreeMap<Vec<i64>, u64>)> {
    let analysis = Analysis::new(profile, &mut Symbols::new());
    let of = |all: &[Distance]| all.iter().map(|one| (one.steps.clone(), one.count)).collect();
    let waits = analysis.summary.blocked.iter().filter(|one| one.cause == Cause::Doacross);
    waits.map(|one| (one.function.clone(), of(&one.distances))).collect()
}

fn known(distances: Known<'_>) -> BTreeMap<Vec<i64>, u64> {
    distances.iter().map(|&(steps, count)| (steps.to_vec(), count)).collect()
}

/// On a busy machine samples may miss the threads that wait; then the row is missing.
fn one_nest(setting: &Setting) -> Result<(), Failed> {
    for (nest, distances) in NESTS {
        let modes = if nest == SAMPLED { &["some", "none"][..] } else { &["some"] };
        for events in modes {
            let profile = recorded(setting, nest, events)?;
            let (counts, expected) = (counted(&profile), known(distances));
            if counts != expected {
                return Err(format!("{nest}, {events}: {counts:?}, not {expected:?}").into());
            }
            for (sink, found) in rows(profile) {
                if found != expected {
                    return Err(format!("{nest}, {events}, {sink}: {found:?}").into());
                }
            }
        }
    }
    Ok(())
}

/// Where a runtime does not tell the line of a nest, each sink has the distances of both nests.
/// This is the case on LLVM's runtime with gcc's code.
fn two_nests(setting: &Setting) -> Result<(), Failed> {
    let lines_are_told = setting.is_oxomp() || setting.compiler() != Program::Gcc;
    let attempt = || {
        let profile = recorded(setting, "both", "some")?;
        let (first, second) = (known(&[(&[-1], 59)]), known(&[(&[-3], 57)]));
        let both = known(&[(&[-1], 59), (&[-3], 57)]);
        let counts = counted(&profile);
        if counts != both {
            return Err(format!("{counts:?}"));
        }
        for (sink, found) in rows(profile) {
            let own = if sink.contains("row - 1") { &first } else { &second };
            if found != *own && (lines_are_told || found != both) {
                return Err(format!("{sink}: {found:?}"));
            }
        }
        Ok(())
    };
    // A sample whose line is not known has the distances of both.
    Ok(setting.demand.attempts(attempt)?)
}
