//! The constructs of each task: begins and ends match, innermost first.

use oxomp_sys::ompt::{EventRow, ompt_callbacks_t};

use crate::event::{Event, Object};
use crate::judge::{Construct, Judge};
use crate::rule::Rule;

/// Follows the begin or the end of a construct.
pub(crate) fn follow(judge: &mut Judge<'_>, event: &Event) {
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
    let open = judge.open.entry(event.task).or_default();
    if event.begins() {
        open.push(Construct { code: event.code, kind: event.kind, begun: judge.at });
    } else if event.ends() {
        match open.pop() {
            None => judge.say(Rule::Nesting, "an end without a begin"),
            Some(last) if (last.code, last.kind) != (event.code, event.kind) => {
                let events = [judge.at, last.begun];
                judge.say_of(Rule::Nesting, format!("{} is still open", name(last)), &events);
            }
            Some(_) => {}
        }
    }
}

/// Checks that `task`, which ends, is in no construct.
pub(crate) fn over(judge: &mut Judge<'_>, task: Object) {
    let last = judge.open.remove(&task).and_then(|open| open.last().copied());
    if let Some(last) = last {
        let said = format!("a task ends inside a construct: {} is still open", name(last));
        judge.say_of(Rule::Nesting, said, &[judge.at, last.begun]);
    }
}

fn name(construct: Construct) -> &'static str {
    EventRow::of(construct.code).map_or("unknown", |row| row.name)
}
