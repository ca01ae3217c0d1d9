//! The rules find mistakes: a log that keeps them breaks one as soon as an event is left out, comes
//! twice, or has another argument, context or state.

use libtest_mimic::Trial;
use oxomp_testing::bench::{Bench, Compiler};
use oxomp_testing::trace::log::{Event, Log};

use crate::program::{self, FOLDER};
use crate::rules;

/// Events outside of pairs: their absence breaks no rule that holds for any program.
const ALONE: [&str; 4] = ["control", "flush", "task_dependences", "task_dependence_pair"];

/// Values that the rules compare with others.
const COMPARED: [&str; 9] =
    ["parallel", "task", "parent", "first", "second", "wait_id", "id", "type", "frame"];

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("the rules find mistakes", || Ok(run()?))]
}

fn run() -> Result<(), String> {
    let bench = Bench::new(FOLDER);
    let words = ["-O0", "-g", "mistakes.c"];
    let executable = bench.program(Compiler::Clang, "program", &words);
    let log = program::record(&bench, &executable, &[], &[], &bench.path("events"))?;
    rules::check(&log)?;
    let kinds = log.events.iter().filter(|event| event.name == "wait_lock").count();
    if kinds != 1 {
        return Err(format!("{kinds} waits for a lock"));
    }
    let mut missed = Vec::new();
    for (index, event) in log.events.iter().enumerate() {
        for (mistake, broken) in mistakes(&log, index, event) {
            if rules::check(&broken).is_ok() {
                missed.push(format!("{mistake}: {event}"));
            }
        }
    }
    if missed.is_empty() { Ok(()) } else { Err(missed.join("\n")) }
}

/// The log with one mistake at the event `index`, each with its name.
fn mistakes(log: &Log, index: usize, event: &Event) -> Vec<(String, Log)> {
    let mut all = Vec::new();
    let mut with = |mistake: String, change: &dyn Fn(&mut Vec<Event>)| {
        let mut events = log.events.clone();
        change(&mut events);
        all.push((mistake, Log { events, ..Log::default() }));
    };
    let name = event.name.as_str();
    // The end of a lock, and the wait before an acquisition, are free.
    let is_free =
        ALONE.contains(&name) || ["wait_lock", "wait_critical", "destroy_lock"].contains(&name);
    if !is_free {
        with("left out".to_owned(), &|events| drop(events.remove(index)));
    }
    if !["control", "flush", "task_dependences", "task_dependence_pair"].contains(&name) {
        with("twice".to_owned(), &|events| events.insert(index, event.clone()));
    }
    for (place, (key, value)) in event.keys.iter().enumerate() {
        let wrong = match (key.as_str(), name) {
            // Only the text before it says what a type is; a type of lock has to be one.
            ("type", "init_lock" | "wait_critical") => "bad",
            (key, _) if COMPARED.contains(&key) => "t999",
            _ => continue,
        };
        if value != wrong {
            with(format!("another {key}"), &|events| {
                events[index].keys[place].1 = wrong.to_owned();
            });
        }
    }
    if ["task_begin", "barrier_begin", "task_switch", "acquired_lock"].contains(&name) {
        with("another context".to_owned(), &|events| {
            let level = events[index].details.iter_mut().find(|detail| detail.name == "level");
            let keys = level.into_iter().flat_map(|level| level.keys.iter_mut());
            keys.filter(|(key, _)| key == "task").for_each(|it| it.1 = "t999".to_owned());
        });
    }
    if ["wait_lock", "wait_critical", "idle_begin"].contains(&name) {
        with("another state".to_owned(), &|events| {
            let state = events[index].keys.iter_mut().filter(|(key, _)| key == "state");
            state.for_each(|it| it.1 = "work_parallel".to_owned());
        });
    }
    all
}
