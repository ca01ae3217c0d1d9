//! The end of a cancelled region: no thread's half-done construct disturbs the team's next region.

use core::sync::atomic::Ordering::Relaxed;

use crate::block::{IdleTeam, Thread};
use crate::task;

/// Resets what the team of a cancelled region shares: threads have left constructs of the region
/// early, or have not encountered them. The counts of all members are those of the primary thread
/// afterwards, which is the calling thread.
#[cold]
#[inline(never)]
pub(crate) fn clean(thread: &'static Thread, idle: &mut IdleTeam) {
    let team = idle.team();
    let (primary, size) = (idle.primary(), team.size() as usize);
    let loops = primary.worksharing.count.get();
    idle.loops().begin_anew(loops);
    primary.singles.catch_up(team.single.0.load(Relaxed));
    for member in idle.members().take(size) {
        task::leave_taskgroups(thread, member);
        member.worksharing.drop_loop();
        member.worksharing.count.set(loops);
        member.singles.follow(&primary.singles);
        member.reduction.follow(&primary.reduction);
        member.cancel.has_noticed.set(false);
    }
    task::drop_shared_copies(thread, team);
    team.cancelled().clear();
}
