//! The constructs of each task: begins and ends match, innermost first.

use oxomp_sys::ompt::{EventRow, ompt_callbacks_t};

use crate::event::{Event, Object};
use crate::rule::Rule;
use crate::run::{Construct, Run};

/// Follows the begin or the end of a construct.
pub(crate) fn follow(run: &mut Run<'_>, event: &Event) {
    let nests = matches!(
        event.code,
        ompt_callbacks_t::IMPLICIT_TASK
            | ompt_callbacks_t::WORK
            | ompt_callbacks_t::MASKED
            | ompt_callbacks_t::SYNC_REGION
            | ompt_callbacks_t::SYNC_REGION_WAIT
            | ompt_callbacks_t::REDUCTION
    );
    if !nests {
        return;
    }
    let open = run.open.entry(event.task).or_default();
    if event.begins() {
        open.push(Construct { code: event.code, kind: event.kind, begun: run.at });
    } else if event.ends() {
        match open.pop() {
            None => run.say(Rule::Nesting, "an end without a begin"),
            Some(last) if (last.code, last.kind) != (event.code, event.kind) => {
                let events = [run.at, last.begun];
                run.say_of(Rule::Nesting, format!("{} is still open", name(last)), &events);
            }
            Some(_) => {}
        }
    }
}

/// Checks that `task`, which ends, is in no construct.
pub(crate) fn over(run: &mut Run<'_>, task: Object) {
    let last = run.open.remove(&task).and_then(|open| open.last().copied());
    if let Some(last) = last {
        let said = format!("a task ends inside a construct: {} is still open", name(last));
        run.say_of(Rule::Nesting, said, &[run.at, last.begun]);
    }
}

fn name(construct: Construct) -> &'static str {
    EventRow::of(construct.code).map_or("unknown", |row| row.name)
}
