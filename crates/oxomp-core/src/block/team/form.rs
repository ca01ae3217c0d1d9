//! Hiring of the threads for a team's next region, and their release to the pool.

use core::sync::atomic::Ordering::Acquire;

use oxomp_base::icv::Icvs;
use oxomp_base::places::Arrangement;
use oxomp_base::{os, settings};
use oxomp_protocol::yield_now;

use super::membership::Shortage;
use super::{IdleTeam, Team, ToldTarget};
use crate::block::shared::Shared;
use crate::block::{ImplicitTask, Refusal, Thread};

/// The source of workers: the pool, which is on a floor above.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Supply {
    /// Hires a worker for a member.
    pub(crate) hire: fn(Shared<ImplicitTask>) -> Result<Shared<Thread>, Refusal>,
    /// Whether another attempt may succeed after a refusal.
    pub(crate) may_hire: fn(Refusal) -> bool,
}

impl IdleTeam {
    /// Prepares the team for a region of `size` threads with the variables `icvs`. Returns the size
    /// that the team got, which is smaller if threads were refused.
    #[inline(always)]
    pub(crate) fn prepare(&mut self, size: u32, icvs: &Icvs, supply: Supply) -> u32 {
        self.set_variables(icvs);
        self.count_region();
        if self.is_formed_for(size) { size } else { self.resize(size, supply) }
    }

    /// Prepares this team, that of the last parallel region which `outer` encountered, or the other
    /// one of its two, as `prepare` does. Returns that team too.
    ///
    /// This team gets the variables before it is looked at: to keep them over the call of
    /// `prepare_either` costs 25 instructions in each region (`parallel`, one thread).
    #[inline(always)]
    pub(crate) fn prepare_child(
        mut self,
        outer: &'static ImplicitTask,
        size: u32,
        icvs: &Icvs,
        supply: Supply,
    ) -> (IdleTeam, u32) {
        self.set_variables(icvs);
        self.count_region();
        if self.is_formed_for(size) {
            (self, size)
        } else {
            self.prepare_either(outer, size, supply)
        }
    }

    /// Goes on with `prepare_child` where this team is not formed for `size` threads.
    #[cold]
    #[inline(never)]
    fn prepare_either(
        mut self,
        outer: &'static ImplicitTask,
        size: u32,
        supply: Supply,
    ) -> (IdleTeam, u32) {
        let number = &self.team().encounter.number;
        number.set(number.get().wrapping_sub(1));
        let outer_state = self.outer_state();
        let icvs = *self.team().region.icvs.of_holder(&mut self);
        let mut chosen = outer.choose_child(self, size);
        chosen.set_outer_state(outer_state);
        let size = chosen.prepare(size, &icvs, supply);
        (chosen, size)
    }

    /// Gives the team's next region the variables `icvs`.
    #[inline(always)]
    fn set_variables(&mut self, icvs: &Icvs) {
        let team = self.team();
        let of_region = team.region.icvs.of_holder(self);
        if *of_region != *icvs {
            *of_region = *icvs;
        }
        if team.region.crowded_below.get() {
            team.region.crowded_below.set(false);
        }
    }

    /// Gives the team's next region its number.
    #[inline(always)]
    fn count_region(&mut self) {
        let encounter = &self.team().encounter;
        encounter.number.set(encounter.number.get().wrapping_add(1));
    }

    /// Prepares the team of an initial task for a target region, which the encountering thread
    /// executes, with the variables `icvs`. A `teams_thread_limit` that is not 0 is the region's
    /// *teams-thread-limit-var*. `told` is what `ompt_get_target_info` tells of it.
    pub(crate) fn prepare_for_target(
        &mut self,
        icvs: &Icvs,
        teams_thread_limit: u32,
        told: ToldTarget,
    ) {
        let team = self.team();
        team.encounter.teams_thread_limit.set(teams_thread_limit);
        team.encounter.target_id.set(told.id);
        team.encounter.target_device.set(told.device_num);
        *team.region.icvs.of_holder(self) = *icvs;
        team.region.crowded_below.set(false);
        self.count_region();
        team.group().set_limit(icvs.thread_limit_var);
        let concurrency = team.parent().map_or(1, |outer| outer.team().concurrency());
        if team.concurrency() != concurrency {
            team.region.concurrency.set(concurrency);
            team.region.set_patience(settings::get().patience(concurrency));
            // The concurrency of the nested teams changes too.
            self.with_children(|child| child.outdate());
        }
    }

    #[cold]
    fn resize(&mut self, wanted: u32, supply: Supply) -> u32 {
        let team = self.team();
        if let Some(shortage) = self.membership().shortage
            && shortage.wanted == wanted
            && self.membership().formed != 0
            && !(supply.may_hire)(shortage.refusal)
        {
            return team.size();
        }
        self.membership().shortage = None;
        // A tool may ask a reporting worker for the size and the active level of the last region.
        for worker in self.members().skip(1).filter_map(|member| member.thread.get()) {
            wait_for_report(worker);
        }
        self.hire(wanted, supply);
        let size = wanted.min(self.membership().hired);
        self.bring_up(size);
        self.loops().make_room(size as usize);
        self.use_barrier_for(size);
        let outer = team.parent().map(Shared::<ImplicitTask>::team);
        let outer_active = outer.map_or(0, Team::active_level);
        team.region.active_level.set(outer_active + u32::from(size > 1));
        let concurrency = outer.map_or(1, Team::concurrency).saturating_mul(size);
        team.region.concurrency.set(concurrency);
        team.region.set_patience(settings::get().patience(concurrency));
        self.membership().arrangement = Arrangement::NONE;
        team.region.size.set(size);
        self.membership().formed = size;
        // Active level and concurrency of the nested teams change with the size.
        self.with_children(|child| child.outdate());
        size
    }

    /// Creates members and hires workers until there are `wanted` members with a thread, or a
    /// worker is refused.
    fn hire(&mut self, wanted: u32, supply: Supply) {
        while self.membership().hired < wanted {
            let index = self.membership().hired;
            if self.membership().members.len() == index {
                let member = ImplicitTask::create(self.team(), index).shared();
                self.membership().members.push(member);
                self.show_members();
            }
            let member = self.team().member_so_far(index);
            match (supply.hire)(member) {
                Ok(worker) => member.thread().set(Some(worker)),
                Err(refusal) => {
                    self.membership().shortage = Some(Shortage { wanted, refusal });
                    break;
                }
            }
            self.membership().hired = index + 1;
        }
    }

    /// Gives each of the first `size` members its deque, and brings its counts of constructs to
    /// those of the primary thread: a member that took no part in a region has counted none of its
    /// constructs.
    fn bring_up(&mut self, size: u32) {
        let primary = self.primary();
        for member in self.members() {
            if let Some(tasks) = member.member_tasks_if_any() {
                tasks.balance();
            }
        }
        for member in self.members().take(size as usize) {
            if size > 1 {
                member.equip();
            }
            if member.thread_num() != 0 {
                member.singles.follow(&primary.singles);
                member.worksharing.count.set(primary.worksharing.count.get());
                member.reduction.follow(&primary.reduction);
            }
        }
    }

    /// Calls `visit` with each team without a running region that was formed in one of the members'
    /// tasks, or in which a member executes initial tasks.
    pub(super) fn with_children(&mut self, mut visit: impl FnMut(&mut IdleTeam)) {
        for member in self.members() {
            member.with_idle_teams(&mut visit);
        }
    }

    /// The reason why the team is smaller than requested, if threads were refused.
    pub(crate) fn refusal(&mut self) -> Option<Refusal> {
        self.membership().shortage.map(|shortage| shortage.refusal)
    }

    /// Makes the team's next region form the team anew: the size of the enclosing team has changed,
    /// and with it active level and concurrency, or the team's workers are gone.
    pub(super) fn outdate(&mut self) {
        self.membership().formed = 0;
    }

    /// Passes the idle workers of this team, and of the teams nested in it, to `take`.
    pub(crate) fn disband(&mut self, take: &mut dyn FnMut(Shared<Thread>)) {
        self.with_children(|child| child.disband(take));
        for member in self.members().skip(1) {
            if let Some(worker) = member.thread.replace(None) {
                wait_for_report(worker);
                take(worker);
            }
        }
        self.membership().hired = 1;
        self.outdate();
    }
}

/// Waits until `worker` has reported the end of its last region: what it reports of is about to
/// change, and another worker may get the record of its implicit task. The wait is bounded: a
/// tool's callback may never return.
fn wait_for_report(worker: Shared<Thread>) {
    const LONGEST_NS: u64 = 500_000_000;
    // Acquire: pairs with the Release in `parallel::worker`, at the end of the report.
    let is_reporting = || worker.is_reporting().load(Acquire);
    if !is_reporting() {
        return;
    }
    let deadline = os::monotonic_ns() + LONGEST_NS;
    while is_reporting() && os::monotonic_ns() < deadline {
        yield_now();
    }
}
