//! A league whose teams the program itself executes, one after the other, between calls: a teams
//! construct inside a target region that gcc's code executes on the host.

use core::ptr;

use oxomp_arch::CallSite;

use super::begin_league::{TeamsConstruct, begin_league};
use super::share;
use crate::block::{ImplicitTask, Shared, TeamsClauses, Thread};
use crate::ompt::event::{Audience, flags, for_audience};
use crate::parallel::end_region::{end_region, resume};
use crate::task::Task;

/// `ompt_parallel_flag_t` of such a league.
const KIND: i32 = flags::LEAGUE | flags::INVOKER_PROGRAM;

/// Begins a league, and the initial task of its team 0. The program executes the team's code, and
/// calls `next`.
pub fn begin(thread: &'static Thread, clauses: TeamsClauses, site: CallSite) {
    for_audience!(|audience| begin_for(audience, thread, clauses, site));
}

fn begin_for(
    audience: impl Audience,
    thread: &'static Thread,
    clauses: TeamsClauses,
    site: CallSite,
) {
    let (outer, encountering) = (thread.implicit_task(), thread.task());
    let inside = audience.enter(&encountering.ompt, site);
    let construct =
        TeamsConstruct { outer, encountering, function: ptr::null(), clauses, kind: KIND, site };
    let member = begin_league(audience, thread, &construct, None);
    drop(inside);
    share::begin(audience, thread, member, 0);
}

/// In a league that `begin` began: ends the initial task that the calling thread executes, and
/// begins that of the next team. Returns false after the last team, when the league is over, and if
/// there is no such league.
pub fn next(thread: &'static Thread, site: CallSite) -> bool {
    for_audience!(|audience| next_for(audience, thread, site))
}

fn next_for(audience: impl Audience, thread: &'static Thread, site: CallSite) -> bool {
    let initial = thread.implicit_task();
    let Some((encountering, member)) = before(thread, initial) else { return false };
    let team_num = initial.team().team_num();
    let ending = share::ending(initial, team_num);
    share::complete(thread, member, initial);
    let next = team_num + 1;
    if member.team().league_size().is_some_and(|teams| next < teams) {
        audience.implicit_task_end(ending.task, ending.index, ending.kind);
        share::begin(audience, thread, member, next);
        return true;
    }
    let Some(outer) = member.team().parent() else { return false };
    // SAFETY: `begin` made the calling thread the only member of the league. So it executed this
    // task then, and goes back to it.
    let outer = unsafe { outer.own() };
    let team = end_region(audience, thread, member, ending, site);
    resume(audience, thread, outer, encountering, team, KIND, site);
    super::forget_size(outer);
    false
}

/// The task that encountered the league of the initial task `initial`, and the member of the league
/// that executes it; `None` if it belongs to no league that `begin` began.
fn before(
    thread: &'static Thread,
    initial: &'static ImplicitTask,
) -> Option<(&'static Task, &'static ImplicitTask)> {
    let member: Shared<ImplicitTask> = initial.team().parent()?;
    let league = member.team();
    let executes_it = ptr::eq::<Task>(thread.task(), &raw const **initial);
    if !(initial.team().is_of_league() && league.has_call_to_end() && executes_it) {
        return None;
    }
    // SAFETY: `begin` made the calling thread the only member of the league, and the program has
    // executed the league on it since: it executed the encountering task then, and goes back to it.
    Some(unsafe { (league.encountering()?.own(), member.own()) })
}
