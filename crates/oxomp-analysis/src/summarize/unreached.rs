//! Barriers at which threads still waited for others of their team when the recording ended.

use std::collections::BTreeMap;

use super::sites::Sites;
use crate::model::{Doing, Model, Segment, Thread};
use crate::summary::Unreached;

/// The barriers of `model`, by time.
pub(super) fn unreached(model: &Model, sites: &mut Sites<'_>) -> Vec<Unreached> {
    let mut found = BTreeMap::<(u32, u64), (u32, u64)>::new();
    for last in model.threads.iter().filter_map(last_segment) {
        let (member, code) = match last.doing {
            Doing::Barrier { wait } => {
                let wait = &model.barrier_waits[wait as usize];
                (wait.member.filter(|_| !wait.left), wait.code)
            }
            Doing::Tail { member, .. } => (Some(member), 0),
            _ => continue,
        };
        let Some(member) = member else { continue };
        let region = model.members[member as usize].region;
        if model.regions[region as usize].end.is_some() || last.end < model.end {
            continue;
        }
        let (threads, time) = found.entry((region, code)).or_default();
        *threads += 1;
        *time += last.end - last.begin;
    }
    let mut all: Vec<Unreached> = found
        .into_iter()
        .map(|((region, code), (waiting, time_ns))| {
            let has_ended = |thread: &&Thread| {
                thread.end < model.end
                    && last_segment(thread).is_some_and(|last| {
                        member_of(model, &last)
                            .is_some_and(|member| model.members[member as usize].region == region)
                    })
            };
            Unreached {
                site: sites.of_program(code),
                region: sites.id(model.regions[region as usize].code),
                waiting,
                time_ns,
                ended: u32::try_from(model.threads.iter().filter(has_ended).count()).unwrap_or(0),
            }
        })
        .collect();
    all.sort_by_cached_key(|one| std::cmp::Reverse(one.time_ns));
    all
}

/// What a thread did last, if its events were recorded to the end.
fn last_segment(thread: &Thread) -> Option<Segment> {
    thread.segments.last().copied().filter(|_| thread.folded_from.is_none())
}

/// The implicit task to which a segment of user code belongs.
fn member_of(model: &Model, segment: &Segment) -> Option<u32> {
    match segment.doing {
        Doing::Useful(member) | Doing::Mutex(member) | Doing::Taskwait(member) => member,
        Doing::Task(task) => Some(model.tasks[task as usize].member),
        _ => None,
    }
}
