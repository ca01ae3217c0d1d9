//! Internal control variables: their numbers, names and scopes.
//!
//! The first thirty are those of LLVM's library, with its numbers and scopes: debuggers know some
//! of them by number. The others follow, in scopes for which LLVM's plug-in of gdb has a handle.

mod read;
mod value;

use core::ffi::CStr;

use oxomp_debuggee::AddressSpace;
use oxomp_sys::ompd::{ICV_UNDEFINED, ompd_icv_id_t, ompd_rc_t, ompd_scope_t};

use crate::Answer;
use crate::handles::Entity;
pub(crate) use value::{Number, Value};

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variable {
    ActiveLevels,
    AffinityFormat,
    Bind,
    Cancel,
    Debug,
    DefAllocator,
    DefSched,
    DefaultDevice,
    DeviceNum,
    DisplayAffinity,
    Dynamic,
    ExplicitTask,
    FinalTask,
    FreeAgent,
    FreeAgentThreadLimit,
    ImplicitTask,
    LeagueSize,
    Levels,
    MaxActiveLevels,
    MaxTaskPriority,
    Nteams,
    Nthreads,
    NumDevices,
    NumProcs,
    PlaceAssignment,
    PlacePartition,
    RunSched,
    Stacksize,
    TargetOffload,
    TeamGenerator,
    TeamNum,
    TeamSize,
    TeamsThreadLimit,
    ThreadLimit,
    ThreadNum,
    Tool,
    ToolLibraries,
    ToolVerboseInit,
    WaitPolicy,
}

/// A variable, as the enumeration of them names it.
#[derive(Clone, Copy, Debug)]
struct Row {
    name: &'static CStr,
    scope: ompd_scope_t,
    variable: Variable,
}

const fn row(name: &'static CStr, scope: ompd_scope_t, variable: Variable) -> Row {
    Row { name, scope, variable }
}

const AS: ompd_scope_t = ompd_scope_t::ADDRESS_SPACE;
const THREAD: ompd_scope_t = ompd_scope_t::THREAD;
const PARALLEL: ompd_scope_t = ompd_scope_t::PARALLEL;
const TASK: ompd_scope_t = ompd_scope_t::TASK;

/// How many of the variables LLVM's library has.
#[cfg(test)]
pub(crate) const OF_LLVM: usize = 30;

/// Every variable; its number is its position, from 1.
const ROWS: &[Row] = &[
    row(c"dyn-var", THREAD, Variable::Dynamic),
    row(c"run-sched-var", TASK, Variable::RunSched),
    row(c"stacksize-var", AS, Variable::Stacksize),
    row(c"cancel-var", AS, Variable::Cancel),
    row(c"max-task-priority-var", AS, Variable::MaxTaskPriority),
    row(c"debug-var", AS, Variable::Debug),
    row(c"nthreads-var", THREAD, Variable::Nthreads),
    row(c"display-affinity-var", AS, Variable::DisplayAffinity),
    row(c"affinity-format-var", AS, Variable::AffinityFormat),
    row(c"default-device-var", THREAD, Variable::DefaultDevice),
    row(c"tool-var", AS, Variable::Tool),
    row(c"tool-libraries-var", AS, Variable::ToolLibraries),
    row(c"tool-verbose-init-var", AS, Variable::ToolVerboseInit),
    row(c"levels-var", PARALLEL, Variable::Levels),
    row(c"active-levels-var", PARALLEL, Variable::ActiveLevels),
    row(c"thread-limit-var", TASK, Variable::ThreadLimit),
    row(c"max-active-levels-var", TASK, Variable::MaxActiveLevels),
    row(c"bind-var", TASK, Variable::Bind),
    row(c"num-procs-var", AS, Variable::NumProcs),
    row(c"ompd-num-procs-var", AS, Variable::NumProcs),
    row(c"thread-num-var", THREAD, Variable::ThreadNum),
    row(c"ompd-thread-num-var", THREAD, Variable::ThreadNum),
    row(c"final-task-var", TASK, Variable::FinalTask),
    row(c"ompd-final-var", TASK, Variable::FinalTask),
    row(c"ompd-final-task-var", TASK, Variable::FinalTask),
    row(c"implicit-task-var", TASK, Variable::ImplicitTask),
    row(c"ompd-implicit-var", TASK, Variable::ImplicitTask),
    row(c"ompd-implicit-task-var", TASK, Variable::ImplicitTask),
    row(c"team-size-var", PARALLEL, Variable::TeamSize),
    row(c"ompd-team-size-var", PARALLEL, Variable::TeamSize),
    // Where OpenMP 5.0 (Table 5.2) has it.
    row(c"ompd-thread-num-var", TASK, Variable::ThreadNum),
    row(c"explicit-task-var", TASK, Variable::ExplicitTask),
    row(c"def-allocator-var", TASK, Variable::DefAllocator),
    row(c"place-partition-var", TASK, Variable::PlacePartition),
    row(c"place-assignment-var", TASK, Variable::PlaceAssignment),
    row(c"def-sched-var", AS, Variable::DefSched),
    row(c"wait-policy-var", AS, Variable::WaitPolicy),
    row(c"target-offload-var", AS, Variable::TargetOffload),
    row(c"nteams-var", AS, Variable::Nteams),
    row(c"teams-thread-limit-var", AS, Variable::TeamsThreadLimit),
    row(c"league-size-var", PARALLEL, Variable::LeagueSize),
    row(c"team-num-var", PARALLEL, Variable::TeamNum),
    row(c"team-generator-var", PARALLEL, Variable::TeamGenerator),
    row(c"structured-thread-limit-var", TASK, Variable::ThreadLimit),
    row(c"free-agent-thread-limit-var", TASK, Variable::FreeAgentThreadLimit),
    row(c"free-agent-var", TASK, Variable::FreeAgent),
    row(c"num-devices-var", AS, Variable::NumDevices),
    row(c"device-num-var", AS, Variable::DeviceNum),
];

/// A variable of the enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// The variable's number; `ompd_icv_undefined` after the last one.
    pub(crate) id: ompd_icv_id_t,
    /// The variable's name; empty after the last one.
    pub(crate) name: &'static CStr,
    /// The scope in which it has a value.
    pub(crate) scope: ompd_scope_t,
    /// Whether others follow.
    pub(crate) has_more: bool,
}

/// The variable after `current` in the enumeration, which starts after `ompd_icv_undefined`. After
/// the last one comes `ompd_icv_undefined`, with an empty name.
///
/// # Errors
/// `bad_input` if there is no such variable.
pub(crate) fn after(current: ompd_icv_id_t) -> Answer<Listed> {
    let known = usize::try_from(current).ok().filter(|current| *current <= ROWS.len());
    let index = known.ok_or(ompd_rc_t::BAD_INPUT)?;
    Ok(match ROWS.get(index) {
        Some(row) => Listed {
            id: current + 1,
            name: row.name,
            scope: row.scope,
            has_more: index + 1 < ROWS.len(),
        },
        None => {
            Listed { id: ICV_UNDEFINED, name: c"", scope: ompd_scope_t::GLOBAL, has_more: false }
        }
    })
}

/// Whether a variable of the scope `own` may be asked for in `scope` too: where the specification's
/// table places it otherwise, and where the value is the same.
fn is_of(own: ompd_scope_t, scope: ompd_scope_t) -> bool {
    own == scope
        || match own {
            AS => scope == ompd_scope_t::GLOBAL,
            THREAD => matches!(scope, TASK | ompd_scope_t::IMPLICIT_TASK),
            TASK => scope == ompd_scope_t::IMPLICIT_TASK,
            PARALLEL => scope == ompd_scope_t::TEAMS,
            _ => false,
        }
}

/// Whether `entity` is of `scope`.
fn belongs(space: &AddressSpace, entity: Entity, scope: ompd_scope_t) -> Answer<bool> {
    Ok(match (scope, entity) {
        (ompd_scope_t::GLOBAL | AS, Entity::AddressSpace)
        | (THREAD, Entity::Thread(_))
        | (PARALLEL, Entity::Parallel(_))
        | (TASK, Entity::Task(_)) => true,
        (ompd_scope_t::IMPLICIT_TASK, Entity::Task(task)) => task.is_implicit(space)?,
        (ompd_scope_t::TEAMS, Entity::Parallel(parallel)) => parallel.is_league(space)?,
        _ => false,
    })
}

/// The value of variable `id` of `entity` in `scope`.
///
/// # Errors
/// `bad_input` if there is no such variable or scope, `incompatible` if the variable has no value
/// in `scope`, `wrong_kind` if `entity` is of another kind than `scope`.
pub(crate) fn value(
    space: &AddressSpace,
    entity: Entity,
    scope: ompd_scope_t,
    id: ompd_icv_id_t,
    wrong_kind: ompd_rc_t,
) -> Answer<Value> {
    let index = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
    let row = index.and_then(|index| ROWS.get(index)).ok_or(ompd_rc_t::BAD_INPUT)?;
    if scope.name().is_none() {
        return Err(ompd_rc_t::BAD_INPUT);
    }
    if !is_of(row.scope, scope) {
        return Err(ompd_rc_t::INCOMPATIBLE);
    }
    if !belongs(space, entity, scope)? {
        return Err(wrong_kind);
    }
    read::variable(space, row.variable, entity)
}
