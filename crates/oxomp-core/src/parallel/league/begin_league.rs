//! The begin of a league: the encountering thread plans the league, forms its team, and releases
//! the workers.

use core::ffi::c_void;

use oxomp_arch::CallSite;
use oxomp_base::icv::ProcBind;
use oxomp_base::settings;

use super::plan::{Device, Plan};
use crate::block::{IdleTeam, ImplicitTask, TeamsClauses, Thread, ToWorker};
use crate::ompd::stops;
use crate::ompt::event::{Audience, State, flags};
use crate::parallel::begin_region::release;
use crate::parallel::worker::SUPPLY;
use crate::task::Task;

/// A teams construct, and the tasks in which a thread encounters it.
pub(super) struct TeamsConstruct {
    /// The implicit task under whose thread number the encountering thread executes its task.
    pub(super) outer: &'static ImplicitTask,
    /// The task that encounters the construct.
    pub(super) encountering: &'static Task,
    /// The outlined function.
    pub(super) function: *const c_void,
    pub(super) clauses: TeamsClauses,
    /// `ompt_parallel_flag_t`.
    pub(super) kind: i32,
    pub(super) site: CallSite,
}

/// Forms the team that executes the league, and releases its workers by `order`; without an order
/// the calling thread executes all initial tasks. Returns the member of the calling thread.
pub(super) fn begin_league(
    audience: impl Audience,
    thread: &'static Thread,
    construct: &TeamsConstruct,
    order: Option<&ToWorker>,
) -> &'static ImplicitTask {
    let &TeamsConstruct { outer, encountering, clauses, kind, site, .. } = construct;
    let icvs = encountering.icvs();
    let room = if order.is_some() { u32::MAX } else { 1 };
    let plan = Device::of(thread).plan(clauses, &icvs, room);
    let mut idle = outer.choose_child(outer.take_child(), plan.threads);
    idle.set_outer_state(thread.set_state(State::Overhead));
    if audience.is_listening() {
        announce(audience, construct, &idle, &plan);
    }
    idle.prepare(plan.threads, &plan.icvs, SUPPLY);
    idle.set_league_size(plan.teams);
    if icvs.bind_var != ProcBind::False {
        idle.arrange(settings::get().globals.kmp_teams_proc_bind, outer);
    }
    idle.tell_if_crowded();
    idle.set_encountering(encountering);
    idle.set_has_call_to_end(kind & flags::INVOKER_PROGRAM != 0);
    if audience.is_listening() {
        idle.note_code(site.return_address(), construct.function);
        stops::parallel_begins(thread, idle.team());
    }
    let member = idle.primary();
    let team = idle.begin();
    if let Some(order) = order {
        release(team, 0, order, team.region_number());
    }
    member
}

/// Emits the begin of the league.
fn announce(audience: impl Audience, construct: &TeamsConstruct, idle: &IdleTeam, plan: &Plan) {
    let &TeamsConstruct { encountering, function, kind, site, .. } = construct;
    let record = idle.team().record();
    audience.begin_records(Some(record), None);
    audience.parallel_begin(&encountering.ompt, record, plan.teams, kind, function, site);
}
