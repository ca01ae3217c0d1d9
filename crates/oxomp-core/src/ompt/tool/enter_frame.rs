//! The enter frame during the events of constructs that neither wait nor switch to another task.

use crate::ompt::event::{EnterFrame, Event, SyncRegion};

/// Marks the task as inside the runtime while a tool hears of a construct that neither waits nor
/// switches to another task. Other constructs have set the enter frame themselves.
#[inline(always)]
pub(super) fn enter_frame<'a>(event: &Event<'a>) -> Option<EnterFrame<'a>> {
    match *event {
        Event::Work { task, site, .. }
        | Event::Dispatch { task, site, .. }
        | Event::Masked { task, site, .. }
        | Event::Reduction { task, site, .. }
        | Event::Cancel { task, site, .. }
        | Event::SyncRegion { kind: SyncRegion::Taskgroup, task, site, .. } => {
            Some(EnterFrame::new(task, site))
        }
        _ => None,
    }
}
