//! The teams construct on the host (OpenMP 5.2 §10.2): leagues.
//!
//! A league is a region of the same team block as the parallel regions of its task, with other
//! events and another body: each member executes initial tasks instead of an implicit task. The
//! teams of a league do not synchronize with each other, so a league of more teams than threads is
//! complete too: member *m* of *n* executes the teams *m*, *m + n* and so on, one after the other.
//!
//! An initial task has a team of one thread and a contention group of its own, with the thread
//! limit of the construct. Its internal control variables are those of the encountering task, but
//! for that limit (`plan`).

mod begin_league;
mod by_calls;
mod clauses;
mod in_place;
mod plan;
mod share;

pub use by_calls::{begin, next};
pub use clauses::clauses;
pub use in_place::begin_in_place;
pub use plan::teams_thread_limit;

pub(super) use share::execute_share;

use oxomp_arch::CallSite;

use self::begin_league::{TeamsConstruct, begin_league};
use super::end_region::{end_region, resume};
use super::outlined::Outlined;
use crate::block::{ImplicitTask, TeamsClauses, Thread};
use crate::ompt::event::{Audience, flags, for_audience};

/// Executes a whole teams construct: the begin of the league, the body once for each team, the end
/// of the league.
pub fn run(thread: &'static Thread, outlined: Outlined, clauses: TeamsClauses, site: CallSite) {
    for_audience!(|audience| run_for(audience, thread, outlined, clauses, site));
}

fn run_for(
    audience: impl Audience,
    thread: &'static Thread,
    outlined: Outlined,
    clauses: TeamsClauses,
    site: CallSite,
) {
    let (outer, encountering) = (thread.implicit_task(), thread.task());
    let _frame = audience.enter(&encountering.ompt, site);
    let order = outlined.order_of_league();
    let kind = flags::LEAGUE | flags::INVOKER_RUNTIME;
    let function = outlined.function();
    let construct = TeamsConstruct { outer, encountering, function, clauses, kind, site };
    let member = begin_league(audience, thread, &construct, Some(&order));
    let ending = execute_share(audience, thread, member, &order);
    let team = end_region(audience, thread, member, ending, site);
    resume(audience, thread, outer, encountering, team, kind, site);
    forget_size(outer);
}

/// The next region that `outer` encounters is a parallel region, unless a teams construct sets the
/// number of teams. A debugger has read the number of teams at the end of the league.
fn forget_size(outer: &'static ImplicitTask) {
    let team = outer.take_child();
    team.set_league_size(0);
    outer.give_child_back(team);
}
