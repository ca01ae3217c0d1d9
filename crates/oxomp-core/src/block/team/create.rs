//! Creation of a team: once for each task that encounters a region.

use core::mem::MaybeUninit;
use core::sync::atomic::AtomicU32;

use super::crew::{Crew, Member};
use super::idle::Between;
use super::region::{Encounter, Region};
use super::{IdleTeam, SingleCount, Team};
use crate::block::shared::Shared;
use crate::block::{ContentionGroup, ImplicitTask};
use crate::copyprivate::Published;
use crate::icv::Icvs;
use crate::ompt::event::ParallelRecord;
use crate::task::Tasking;
use crate::word::Word;
use crate::worksharing::{InFlight, LoopRing};

impl Team {
    /// Creates the team of the regions that `parent` will encounter, with one member.
    pub(in crate::block) fn create(parent: &'static ImplicitTask) -> IdleTeam {
        let outer = parent.team();
        let region = Region::new(outer.active_level(), outer.concurrency(), parent.icvs());
        Self::leak(outer.level + 1, false, Some(parent.shared()), outer.group, region).0
    }

    /// Creates the team of the initial task of the target regions that `parent` will encounter: one
    /// thread, level 0, a contention group of its own.
    pub(in crate::block) fn create_nested_initial(parent: &'static ImplicitTask) -> IdleTeam {
        let icvs = parent.icvs();
        let group = Box::leak(Box::new(ContentionGroup::new(icvs.thread_limit_var)));
        let region = Region::new(0, parent.team().concurrency(), icvs);
        Self::leak(0, false, Some(parent.shared()), group, region).0
    }

    /// Creates the team of a root's initial task, together with the task: one thread, level 0.
    pub(crate) fn create_initial(
        icvs: Icvs,
        group: &'static ContentionGroup,
    ) -> &'static ImplicitTask {
        Self::leak(0, false, None, group, Region::new(0, 1, icvs)).1
    }

    /// Creates the team of the initial tasks that `member` will execute in leagues. Its level is
    /// that of the task that encountered the league; `prepare_initial` sets the rest.
    pub(in crate::block) fn create_in_league(member: &'static ImplicitTask) -> IdleTeam {
        let icvs = *member.team().region.icvs.read(member);
        let group = Box::leak(Box::new(ContentionGroup::new(icvs.thread_limit_var)));
        let level = member.team().parent.map_or(0, |outer| outer.team().level);
        Self::leak(level, true, Some(member.shared()), group, Region::new(0, 1, icvs)).0
    }

    /// Makes a team where it stays. It takes several kilobytes, which a root with the least stack
    /// that a thread may have (`PTHREAD_STACK_MIN`) has no room for.
    fn leak(
        level: u32,
        is_of_league: bool,
        parent: Option<Shared<ImplicitTask>>,
        group: &'static ContentionGroup,
        region: Region,
    ) -> (IdleTeam, &'static ImplicitTask) {
        let place: &'static mut MaybeUninit<Team> = Box::leak(Box::new_uninit());
        let at = place.as_mut_ptr();
        // SAFETY: `at` is memory for a team, which the calling thread alone knows; each pointer is
        // to a field of it, and nothing is read.
        unsafe {
            (&raw mut (*at).level).write(level);
            (&raw mut (*at).is_of_league).write(is_of_league);
            (&raw mut (*at).parent).write(parent);
            (&raw mut (*at).group).write(group);
            (&raw mut (*at).region).write(region);
            (&raw mut (*at).record).write(ParallelRecord::default());
            (&raw mut (*at).members)
                .write(Word::<*const Member<ImplicitTask>>::new(core::ptr::null()));
            (&raw mut (*at).encounter).write(Encounter::none());
            (&raw mut (*at).crew).write(Between::new(Crew::default()));
            (&raw mut (*at).tasking).write(Tasking::new());
            (&raw mut (*at).single).write(SingleCount(AtomicU32::new(0)));
            (&raw mut (*at).published).write(Published::new());
            LoopRing::make(&mut *(&raw mut (*at).loops).cast(), 1, InFlight::new);
        }
        // SAFETY: every field has been written: `of_every_field` names them all.
        let team: &'static Team = unsafe { place.assume_init_ref() };
        of_every_field(team);
        let primary = ImplicitTask::create(team, 0);
        (IdleTeam::of_new(team, primary.shared()), primary)
    }
}

/// Names every field of a team: a field that is added has to be added here, and to `Team::leak`.
fn of_every_field(
    Team {
        level: _,
        is_of_league: _,
        parent: _,
        group: _,
        region: _,
        record: _,
        members: _,
        encounter: _,
        crew: _,
        tasking: _,
        loops: _,
        single: _,
        published: _,
    }: &Team,
) {
}
