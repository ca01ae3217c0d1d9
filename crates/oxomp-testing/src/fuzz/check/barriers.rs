//! Barriers: no thread of a team leaves one before all have come.

use super::history::{History, has, value};
use crate::fuzz::violation::Violation;
use crate::trace::log::{Event, Log};

const CLAUSE: &str = "5.2 §15.3, barriers";

/// Checks the barriers of every team, one after the other.
#[must_use]
pub fn check(log: &Log, history: &History<'_>) -> Vec<Violation> {
    let mut found = Vec::new();
    for (name, region) in &history.regions {
        let mut teams = Vec::new();
        let mut is_cancelled = false;
        for task in region.implicit.values().filter_map(|task| history.tasks.get(task)) {
            let events = task.events.iter().map(|at| (*at, &log.events[*at]));
            let of = |endpoint: &'static str, kind: &'static str| {
                let is_it = move |event: &Event| {
                    event.name == kind
                        && event.get("endpoint") == Some(endpoint)
                        && value(event, "kind").starts_with("barrier_")
                };
                events.clone().filter(move |(_, event)| is_it(event)).map(|(at, _)| at)
            };
            let begins: Vec<usize> = of("begin", "sync_region").collect();
            let ends: Vec<usize> = of("end", "sync_region_wait").collect();
            is_cancelled |= events
                .clone()
                .any(|(_, event)| event.name == "cancel" && has(value(event, "flags"), "parallel"));
            teams.push((begins, ends));
        }
        // The threads of a cancelled region, and the teams of a league, meet only at its end.
        if is_cancelled || region.is_league {
            continue;
        }
        let Some((first, _)) = teams.first() else { continue };
        let count = first.len();
        if teams.iter().any(|(begins, ends)| begins.len() != count || ends.len() != count) {
            let said = format!("the threads of {name} meet a different number of barriers");
            found.push(Violation::new(CLAUSE, said, region.begun));
            continue;
        }
        for number in 0..count {
            let last = teams.iter().map(|(begins, _)| begins[number]).max();
            let left = teams.iter().map(|(_, ends)| ends[number]).min();
            if left < last {
                let said = format!("a thread of {name} leaves a barrier before all have come");
                found.push(Violation::new(CLAUSE, said, left));
            }
        }
    }
    found
}
