//! Members of a team that will not arrive at its barrier any more.
//!
//! A member's thread may have ended inside the region. Or the threads of the team have met
//! different numbers of barriers: those that met fewer are through the barrier at the region's end,
//! which another thread has taken for one inside the region, and that one waits for them for ever.

use std::collections::BTreeMap;

use oxomp_debuggee::{AddressSpace, Answer, Parallel};
use oxomp_ompd_layout::Field;

use crate::situation::{Activity, Construct, Member, RegionId, Situation, ThreadId, Wait};

/// Marks the members that are gone in the waits of `situation`.
pub(super) fn mark(
    space: &AddressSpace,
    regions: &BTreeMap<Parallel, RegionId>,
    situation: &mut Situation,
) {
    for (region, id) in regions {
        // While the primary thread is not at a barrier itself, it may still start the team.
        let Some(primary) = situation.region(*id).members.first().copied().flatten() else {
            continue;
        };
        if waits_at(situation, primary, *id).is_none() {
            continue;
        }
        let behind = behind_the_end(space, *region, *id, situation, primary).unwrap_or_default();
        for thread in &mut situation.threads {
            let Activity::Waits(Wait::Barrier { region, missing, .. }) = &mut thread.activity
            else {
                continue;
            };
            if region != id {
                continue;
            }
            for member in missing.iter_mut() {
                member.is_gone |= member.thread.is_none();
            }
        }
        if let Activity::Waits(Wait::Barrier { missing, .. }) =
            &mut situation.threads[primary.0].activity
            && missing.is_empty()
        {
            *missing = behind;
        }
    }
}

/// The construct at whose barrier of the region the thread waits.
fn waits_at(situation: &Situation, thread: ThreadId, id: RegionId) -> Option<Construct> {
    match situation.thread(thread).wait()? {
        Wait::Barrier { region, construct, .. } if *region == id => Some(*construct),
        _ => None,
    }
}

/// The members that are through the end of the region while its primary thread waits for them
/// there: in the first group of the barrier the primary thread is the only one that has arrived,
/// although the threads of the others look as if they had.
fn behind_the_end(
    space: &AddressSpace,
    region: Parallel,
    id: RegionId,
    situation: &Situation,
    primary: ThreadId,
) -> Answer<Vec<Member>> {
    let is_at_end = |thread: ThreadId| waits_at(situation, thread, id) == Some(Construct::Parallel);
    let Some(Wait::Barrier { missing, tasks, .. }) = situation.thread(primary).wait() else {
        return Ok(Vec::new());
    };
    if !is_at_end(primary) || !missing.is_empty() || !tasks.is_empty() {
        return Ok(Vec::new());
    }
    let words = region.number(space, Field::ParallelBarrierWords)?;
    let group = space.number(words, Field::BarrierGroups)?;
    let arrived = space.number(group, Field::BarrierGroupArrived)?;
    let expected = space.number(group, Field::BarrierGroupExpected)?;
    if arrived != 1 || expected < 2 {
        return Ok(Vec::new());
    }
    let members = situation.region(id).members.iter().enumerate();
    let group = members.take(usize::try_from(expected).unwrap_or(0)).skip(1);
    let gone = group.filter(|(_, thread)| thread.is_some_and(is_at_end));
    let member = |(number, thread): (usize, &Option<ThreadId>)| Member {
        number: number as u64,
        thread: *thread,
        is_gone: true,
    };
    Ok(gone.map(member).collect())
}
