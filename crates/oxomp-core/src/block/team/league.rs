//! Leagues (OpenMP 5.2 §10.2): a region whose members execute initial tasks, each of which has a
//! team of its own.
//!
//! A league uses the same block as the parallel regions that its task encounters, and so the same
//! workers. A member executes one initial task after the other if the league has more teams than
//! threads. The teams of its initial tasks are one block too, whose level is that of the task that
//! encountered the league: a teams region does not count as a level of nesting.

use oxomp_base::settings;

use super::{IdleTeam, Team};
use crate::block::shared::Shared;
use crate::block::{ImplicitTask, Thread};

impl Team {
    /// The number of teams of the league, if the present region is one.
    pub(crate) fn league_size(&self) -> Option<u32> {
        Some(self.encounter.league_size.get()).filter(|&teams| teams != 0)
    }

    /// The number of the league's team that the threads belong to; 0 outside of leagues.
    pub fn team_num(&self) -> u32 {
        self.group.team_num()
    }

    /// The number of teams of the league that the threads belong to; 1 outside of leagues.
    pub fn num_teams(&self) -> u32 {
        self.group.num_teams()
    }
}

impl IdleTeam {
    /// Sets the number of teams of the league that the next region is; 0 if it is a parallel
    /// region.
    pub(crate) fn set_league_size(&self, teams: u32) {
        self.team().encounter.league_size.set(teams);
    }

    /// Prepares this team of a league for team number `team_num`, whose initial task `member`
    /// executes.
    pub(crate) fn prepare_initial(&mut self, member: &ImplicitTask, team_num: u32) {
        let (team, league) = (self.team(), member.team());
        let icvs = *league.region.icvs.read(member);
        *team.region.icvs.of_holder(self) = icvs;
        let teams = league.league_size().unwrap_or(1);
        team.group.serve(team_num, teams, icvs.thread_limit_var);
        self.primary().assign(member.place(), member.partition());
        if self.membership().formed == 0 {
            self.form_initial(league);
        }
    }

    /// Takes over active level and concurrency, which have changed with the size of the league.
    #[cold]
    fn form_initial(&mut self, league: &Team) {
        let region = &self.team().region;
        let outer = league.parent().map(Shared::<ImplicitTask>::team);
        region.active_level.set(outer.map_or(0, Team::active_level));
        let concurrency = league.concurrency();
        region.concurrency.set(concurrency);
        region.set_patience(settings::get().patience(concurrency));
        self.membership().formed = 1;
        self.with_children(IdleTeam::outdate);
    }
}

impl Thread {
    /// The number of the calling thread's team in its league, and the number of teams.
    #[inline(always)]
    pub fn team_in_league(&self) -> (u32, u32) {
        let team = self.team();
        (team.team_num(), team.num_teams())
    }
}
