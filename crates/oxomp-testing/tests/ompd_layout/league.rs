//! Leagues: the initial task of each team, the member that executes it, and the league.

use oxomp_ompd_layout::Field;

use crate::debuggee::{Debuggee, command, compile, reader};
use crate::view::Eye;
use crate::{FAMILIES, Facts, thread_of};

/// Lines of `league`: threads of all teams.
const THREADS: usize = 6;

#[test]
fn the_teams_of_a_league_are_told_apart() {
    for (family, debug) in FAMILIES.into_iter().zip(["enabled", "disabled"]) {
        let mut program =
            Debuggee::start(&mut command(&compile(family, "league"), &[("OMP_DEBUG", debug)]));
        let facts: Vec<Facts> = (0..THREADS).map(|_| Facts::parse(&program.line())).collect();
        let reader = reader(program.pid());
        let eye = Eye(&reader);
        let threads = eye.alive();
        assert_eq!(threads.len(), THREADS);
        let mut leagues = Vec::new();
        for fact in &facts {
            let thread = thread_of(&threads, fact.number("lwp"));
            let [task, initial, member, outermost] = &*thread.tasks else {
                panic!("{:?}", thread.tasks)
            };
            assert!(task.is_implicit && initial.is_initial && outermost.is_initial);
            assert_eq!(task.thread_num, fact.number("thread"));
            assert_eq!(member.thread_num, fact.number("team"));
            assert_eq!((task.parallel.level, task.parallel.active_level), (1, 1));
            assert_eq!((initial.parallel.level, initial.parallel.active_level), (0, 0));
            assert_eq!((initial.parallel.size, member.parallel.size), (1, 3));
            let of = |at: u64, field| eye.number(at, field);
            let region = [task, initial, member, outermost].map(|task| task.parallel.address);
            assert_eq!(region.map(|at| of(at, Field::ParallelIsOfLeague)), [0, 1, 0, 0]);
            assert_eq!(region.map(|at| of(at, Field::ParallelLeagueSize)), [0, 0, 3, 0]);
            // The threads of a team are in one contention group, which knows the team's number.
            let group = region
                .map(|at| reader.object(at, Field::ParallelContentionGroup).expect("a group"));
            assert_eq!((group[0], group[2]), (group[1], group[3]));
            assert_eq!(of(group[0], Field::ContentionGroupTeamNum), fact.number("team"));
            assert_eq!(of(group[0], Field::ContentionGroupNumTeams), 3);
            assert_eq!(of(group[0], Field::ContentionGroupLimit), fact.number("limit"));
            assert_eq!(of(group[3], Field::ContentionGroupNumTeams), 0);
            // Generations are counted only with OMP_DEBUG=enabled.
            let begun = u64::from(debug == "enabled");
            assert_eq!((initial.generation % 2, member.parallel.generation % 2), (begun, begun));
            leagues.push(member.parallel.address);
        }
        assert!(leagues.iter().all(|league| *league == leagues[0]));
        program.finish();
    }
}
