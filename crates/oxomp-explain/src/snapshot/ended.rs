//! Members of a team whose threads have ended inside the region: they will not arrive at its
//! barrier any more.
//!
//! A member without a thread is one of them if the runtime knows every thread of the process: a
//! thread that it does not know could be the member's, about to begin.

use crate::situation::{Activity, RegionId, Situation, Thread, ThreadId, ThreadKind, Wait};

/// Marks the members that are gone in the waits of `situation`.
pub(super) fn mark(regions: impl Iterator<Item = RegionId>, situation: &mut Situation) {
    let is_foreign = |thread: &Thread| thread.kind == ThreadKind::Foreign;
    if situation.threads.iter().any(is_foreign) {
        return;
    }
    for id in regions {
        // While the primary thread is not at a barrier itself, it may still start the team.
        let Some(primary) = situation.region(id).members.first().copied().flatten() else {
            continue;
        };
        if !waits_at(situation, primary, id) {
            continue;
        }
        for thread in &mut situation.threads {
            let Activity::Waits(Wait::Barrier { region, missing, .. }) = &mut thread.activity
            else {
                continue;
            };
            if *region != id {
                continue;
            }
            for member in missing.iter_mut() {
                member.has_ended = member.thread.is_none();
            }
        }
    }
}

/// Whether the thread waits at a barrier of the region.
fn waits_at(situation: &Situation, thread: ThreadId, id: RegionId) -> bool {
    matches!(situation.thread(thread).wait(), Some(Wait::Barrier { region, .. }) if *region == id)
}
