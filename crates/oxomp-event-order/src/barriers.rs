//! Barriers: no thread of a team leaves one before all have come.

use oxomp_sys::ompt::{ompt_callbacks_t, ompt_cancel_flag_t, ompt_sync_region_t};

use crate::event::Event;
use crate::history::Task;
use crate::rule::Rule;
use crate::run::Run;

/// Checks the barriers of every team, one after the other.
pub(crate) fn check(run: &mut Run<'_>) {
    if !run.applies(&[Rule::Barrier]) {
        return;
    }
    let mut found = Vec::new();
    for (name, region) in &run.history.regions {
        let members: Vec<&Task> =
            region.implicit.values().filter_map(|task| run.history.tasks.get(task)).collect();
        // The threads of a cancelled region, and the teams of a league, meet only at its end.
        if region.is_league || is_cancelled(run.events, &members) {
            continue;
        }
        let (begins, ends) = barriers(run.events, &members);
        let count = begins.first().map_or(0, Vec::len);
        if begins.iter().chain(&ends).any(|barriers| barriers.len() != count) {
            let said = format!("the threads of {name} meet a different number of barriers");
            found.push((said, vec![region.begun]));
            continue;
        }
        for number in 0..count {
            let last = begins.iter().map(|barriers| barriers[number]).max();
            let left = ends.iter().map(|barriers| barriers[number]).min();
            if let (Some(last), Some(left)) = (last, left)
                && left < last
            {
                let said = format!("a thread of {name} leaves a barrier before all have come");
                found.push((said, vec![left, last]));
            }
        }
    }
    found.into_iter().for_each(|(said, events)| run.say_of(Rule::Barrier, said, &events));
}

fn is_cancelled(events: &[Event], members: &[&Task]) -> bool {
    members.iter().flat_map(|task| &task.events).map(|at| &events[*at]).any(|event| {
        event.code == ompt_callbacks_t::CANCEL
            && ompt_cancel_flag_t(event.flags).contains(ompt_cancel_flag_t::PARALLEL)
    })
}

/// For each thread, where it comes to its barriers and where it leaves them.
fn barriers(events: &[Event], members: &[&Task]) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let of_each = |is_it: fn(&Event) -> bool| {
        let own = |task: &&Task| -> Vec<usize> {
            let all = task.events.iter().copied();
            all.filter(|at| is_barrier(&events[*at]) && is_it(&events[*at])).collect()
        };
        members.iter().map(own).collect()
    };
    let begins = of_each(|event| event.code == ompt_callbacks_t::SYNC_REGION && event.begins());
    let ends = of_each(|event| event.code == ompt_callbacks_t::SYNC_REGION_WAIT && event.ends());
    (begins, ends)
}

fn is_barrier(event: &Event) -> bool {
    let others = [
        ompt_sync_region_t::TASKWAIT,
        ompt_sync_region_t::TASKGROUP,
        ompt_sync_region_t::REDUCTION,
    ];
    event.sync_region().is_some_and(|kind| !others.contains(&kind))
}
