//! The number of teams of a league, the number of threads that execute them, and the limits of each
//! team (OpenMP 5.2 §10.2, §10.2.1).

use oxomp_base::icv::Icvs;
use oxomp_base::settings;

use crate::block::{TeamsClauses, Thread};

/// The teams of a league of up to this size have a thread each, even on fewer processors: a program
/// may expect a few teams to run at once. A larger league has as many threads as there are
/// processors, if it has more teams than that, and each executes several teams in turn: 200 teams
/// with little work take 16 ms on 64 threads of two processors, most of it to wake the threads.
const FEW_TEAMS: u32 = 16;

/// A league before its threads are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The number of teams.
    pub(super) teams: u32,
    /// The number of threads that execute the initial tasks, at most `teams`.
    pub(super) threads: u32,
    /// The variables of the initial tasks.
    pub(super) icvs: Icvs,
}

/// What a plan depends on besides the clauses and the encountering task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Device {
    /// *nteams-var*; 0 if unset.
    nteams_var: u32,
    /// *teams-thread-limit-var*; 0 if unset.
    teams_thread_limit_var: u32,
    /// The limit on the threads of all teams together (KMP_TEAMS_THREAD_LIMIT).
    all_threads: Option<u32>,
    /// The number of processors that can work at once.
    processors: u32,
}

/// *teams-thread-limit-var* of the device whose code `thread` executes; 0 if it is unset.
pub fn teams_thread_limit(thread: &Thread) -> u32 {
    let of_target = thread.team().teams_thread_limit_of_target();
    of_target.unwrap_or_else(|| settings::get().teams_thread_limit())
}

impl Device {
    /// The device whose code `thread` executes.
    pub(super) fn of(thread: &Thread) -> Self {
        let settings = settings::get();
        Device {
            nteams_var: settings.nteams(),
            teams_thread_limit_var: teams_thread_limit(thread),
            all_threads: settings.globals.kmp_teams_thread_limit,
            processors: settings::processors(),
        }
    }

    /// The league of a construct with `clauses` that a task with the variables `icvs` encounters,
    /// where at most `room` threads can execute it.
    pub(super) fn plan(&self, clauses: TeamsClauses, icvs: &Icvs, room: u32) -> Plan {
        let TeamsClauses { lower, upper, thread_limit } = clauses;
        // "If the num_teams clause is not present, … if nteams-var is greater than 0, at most as
        // many teams are created"; LLVM's runtime creates one team if the variable is unset.
        let teams = match (lower, upper) {
            (0, 0) => self.nteams_var.max(1),
            (0, exactly) => exactly,
            (lower, upper) if lower >= upper => lower,
            // Any number of the range conforms: as many teams as have a thread each, with the
            // threads that the construct asks for.
            (lower, upper) => {
                let room = self.all_threads.unwrap_or(self.processors);
                (room / thread_limit.max(1)).clamp(lower, upper)
            }
        };
        let most = match self.all_threads {
            Some(all) => all,
            None if teams <= FEW_TEAMS => FEW_TEAMS,
            None => self.processors,
        };
        let threads = teams.min(most).min(room);
        Plan { teams, threads, icvs: self.icvs_of_team(thread_limit, threads, icvs) }
    }

    /// The variables of an initial task, of which `threads` are executed at once.
    pub(super) fn icvs_of_team(&self, thread_limit: u32, threads: u32, icvs: &Icvs) -> Icvs {
        let mut icvs = *icvs;
        // "If the thread_limit clause is not present and teams-thread-limit-var is greater than 0,
        // that is the limit."
        let said = [thread_limit, self.teams_thread_limit_var].into_iter().find(|&said| said != 0);
        let share = self.all_threads.map(|all| (all / threads).max(1));
        for limit in said.into_iter().chain(share) {
            icvs.thread_limit_var = icvs.thread_limit_var.min(limit);
        }
        if !icvs.nthreads_is_set {
            icvs.nthreads_var = (icvs.nthreads_var / threads).max(1);
        }
        icvs.nthreads_var = icvs.nthreads_var.min(icvs.thread_limit_var);
        icvs
    }
}

#[cfg(test)]
mod tests {
    use super::{Device, FEW_TEAMS, Plan};
    use crate::block::TeamsClauses;
    use oxomp_base::icv::Icvs;

    const DEVICE: Device =
        Device { nteams_var: 0, teams_thread_limit_var: 0, all_threads: None, processors: 8 };

    fn plan(device: Device, (lower, upper, thread_limit): (u32, u32, u32)) -> Plan {
        device.plan(TeamsClauses { lower, upper, thread_limit }, &Icvs::new(8), u32::MAX)
    }

    fn teams(device: Device, clauses: (u32, u32, u32)) -> u32 {
        plan(device, clauses).teams
    }

    #[test]
    fn a_clause_wins_over_the_variable_and_one_team_is_the_default() {
        assert_eq!(teams(DEVICE, (0, 0, 0)), 1);
        let said = Device { nteams_var: 5, ..DEVICE };
        assert_eq!(teams(said, (0, 0, 0)), 5);
        assert_eq!(teams(said, (0, 3, 0)), 3);
        assert_eq!(teams(said, (3, 3, 0)), 3);
    }

    #[test]
    fn of_a_range_as_many_teams_as_there_is_room_for() {
        assert_eq!(teams(DEVICE, (2, 100, 0)), 8);
        assert_eq!(teams(DEVICE, (2, 4, 0)), 4);
        assert_eq!(teams(DEVICE, (16, 32, 0)), 16);
        assert_eq!(teams(DEVICE, (2, 100, 4)), 2);
        assert_eq!(teams(Device { all_threads: Some(6), ..DEVICE }, (2, 100, 2)), 3);
        assert_eq!(teams(DEVICE, (9, 3, 0)), 9);
    }

    #[test]
    fn all_teams_of_a_large_league_run_on_a_limited_number_of_threads() {
        let large = plan(DEVICE, (0, 100_000, 0));
        assert_eq!((large.teams, large.threads), (100_000, 8));
        assert_eq!(plan(DEVICE, (0, FEW_TEAMS, 0)).threads, FEW_TEAMS);
        assert_eq!(plan(DEVICE, (0, FEW_TEAMS + 1, 0)).threads, 8);
        let wide = Device { processors: 100, ..DEVICE };
        assert_eq!(plan(wide, (0, 90, 0)).threads, 90);
        let limited = plan(Device { all_threads: Some(6), ..DEVICE }, (0, 100_000, 0));
        assert_eq!((limited.threads, limited.icvs.thread_limit_var), (6, 1));
        let clauses = TeamsClauses { lower: 0, upper: 4, thread_limit: 0 };
        let alone = DEVICE.plan(clauses, &Icvs::new(8), 1);
        assert_eq!((alone.teams, alone.threads, alone.icvs.nthreads_var), (4, 1, 8));
    }

    #[test]
    fn the_smallest_limit_counts() {
        let limit = |device: Device, clause| plan(device, (2, 2, clause)).icvs.thread_limit_var;
        assert_eq!(limit(DEVICE, 0), Icvs::new(8).thread_limit_var);
        assert_eq!(limit(DEVICE, 3), 3);
        let said = Device { teams_thread_limit_var: 5, ..DEVICE };
        assert_eq!((limit(said, 0), limit(said, 3), limit(said, 7)), (5, 3, 7));
        let shared = Device { all_threads: Some(8), ..DEVICE };
        assert_eq!((limit(shared, 0), limit(shared, 3), limit(shared, 7)), (4, 3, 4));
        let outer = Icvs { thread_limit_var: 4, ..Icvs::new(8) };
        let clauses = TeamsClauses { lower: 2, upper: 2, thread_limit: 6 };
        assert_eq!(DEVICE.plan(clauses, &outer, u32::MAX).icvs.thread_limit_var, 4);
    }

    #[test]
    fn teams_share_the_processors_unless_the_user_says_otherwise() {
        assert_eq!(plan(DEVICE, (2, 2, 0)).icvs.nthreads_var, 4);
        assert_eq!(plan(DEVICE, (16, 16, 0)).icvs.nthreads_var, 1);
        let said = Icvs { nthreads_is_set: true, ..Icvs::new(8) };
        let clauses = TeamsClauses { lower: 2, upper: 2, thread_limit: 0 };
        assert_eq!(DEVICE.plan(clauses, &said, u32::MAX).icvs.nthreads_var, 8);
        let clauses = TeamsClauses { thread_limit: 3, ..clauses };
        assert_eq!(DEVICE.plan(clauses, &said, u32::MAX).icvs.nthreads_var, 3);
    }
}
