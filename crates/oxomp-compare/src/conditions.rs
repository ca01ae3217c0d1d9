//! What besides the program's text differs between two sets of runs.

use std::collections::BTreeSet;

use oxomp_analysis::report::units::percent;
use oxomp_analysis::summary::{Class, MUCH_RECORDING};

use crate::noise::median;
use crate::run::{Facts, Run, RunSet};

/// The share of the threads' time without a processor above which other programs had a say.
const BUSY: f64 = 0.1;

/// The first run stands for its set: repeated runs have the same circumstances.
fn facts(set: &RunSet) -> Option<&Facts> {
    set.runs.first().map(|run| &run.facts)
}

/// The differences of circumstances, in words; they may be the cause of every other difference.
pub(crate) fn differences(before: &RunSet, after: &RunSet) -> Vec<String> {
    let (Some(a), Some(b)) = (facts(before), facts(after)) else { return Vec::new() };
    let mut notes = Vec::new();
    let mut differ = |what: &str, a: String, b: String| {
        if a != b {
            notes.push(format!("{what} differ: {a} before, {b} after"));
        }
    };
    let program = |facts: &Facts| {
        let name = facts.command.first().map(String::as_str).unwrap_or_default();
        name.rsplit('/').next().unwrap_or(name).to_owned()
    };
    differ("programs", program(a), program(b));
    let arguments = |facts: &Facts| match facts.command.get(1..).unwrap_or_default() {
        [] => "none".to_owned(),
        arguments => arguments.join(" "),
    };
    differ("arguments", arguments(a), arguments(b));
    differ("numbers of threads", a.threads.to_string(), b.threads.to_string());
    differ("largest teams", a.max_team.to_string(), b.max_team.to_string());
    differ("machines", a.hostname.clone(), b.hostname.clone());
    differ("processors", a.processor.clone(), b.processor.clone());
    differ("allowed CPUs", a.allowed_cpus.to_string(), b.allowed_cpus.to_string());
    differ("runtimes", a.runtime.clone(), b.runtime.clone());
    for (name, one, other) in variables(a, b) {
        let text = |value: Option<&str>| value.map_or("unset".to_owned(), |v| format!("`{v}`"));
        notes.push(format!("{name} differs: {} before, {} after", text(one), text(other)));
    }
    notes
}

/// Says that other programs had the processors, which no number of runs removes from a comparison.
pub(crate) fn busy(side: &str, set: &RunSet) -> Option<String> {
    let share = |run: &Run| {
        let total: f64 = run.by_class.iter().sum();
        if total > 0.0 { run.by_class[Class::Scheduler as usize] / total } else { 0.0 }
    };
    let share = median(&set.runs.iter().map(share).collect::<Vec<f64>>());
    (share > BUSY).then(|| {
        format!(
            "{side}: the threads were without a processor for {} of their time; where the other \
             programs differ, so do these times",
            percent(share)
        )
    })
}

/// Says how much of the threads' time went to recording, if that is much on one side: it is in the
/// times of the constructs whose events were recorded.
pub(crate) fn recording(before: &RunSet, after: &RunSet) -> Option<String> {
    let part = |set: &RunSet| {
        let known: Option<Vec<f64>> = set.runs.iter().map(|run| run.facts.recording).collect();
        known.filter(|known| !known.is_empty()).map(|known| median(&known))
    };
    let (before, after) = (part(before), part(after));
    let most = before.into_iter().chain(after).fold(0.0, f64::max);
    let words = |part: Option<f64>| part.map_or("an unknown part".to_owned(), percent);
    (most > MUCH_RECORDING).then(|| {
        format!(
            "recording took {} of the threads' time before, {} after: so much of the times, and of \
             their changes, may be the recording's",
            words(before),
            words(after)
        )
    })
}

/// The variables that differ, without those that say where the data goes.
fn variables<'a>(a: &'a Facts, b: &'a Facts) -> Vec<(&'a str, Option<&'a str>, Option<&'a str>)> {
    let value = |facts: &'a Facts, name: &str| {
        let found = facts.environment.iter().find(|(present, _)| present == name);
        found.map(|(_, value)| value.as_str())
    };
    let names: BTreeSet<&str> = a.environment.iter().chain(&b.environment).map(|v| &*v.0).collect();
    names
        .into_iter()
        .filter(|name| !name.starts_with("OXOMP_") && !name.starts_with("OMP_TOOL"))
        .map(|name| (name, value(a, name), value(b, name)))
        .filter(|(_, one, other)| one != other)
        .collect()
}

/// The runs whose numbers are not those of the whole run, in words.
pub(crate) fn incomplete(side: &str, set: &RunSet) -> Vec<String> {
    let mut notes = Vec::new();
    for (number, run) in set.runs.iter().enumerate() {
        let facts = &run.facts;
        if !facts.incomplete.is_empty() {
            let reasons = facts.incomplete.join(", ");
            notes.push(format!("{side}, run {}: {reasons}; its numbers are too small", number + 1));
        }
    }
    if set.runs.iter().any(|run| run.facts.paused) {
        notes.push(format!(
            "{side}: the program paused the recording; the wall time contains the pauses, the \
             constructs do not"
        ));
    }
    notes
}
