//! Where each variable's value lies.

use oxomp_debuggee::{AddressSpace, Parallel, Task};
use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::ompd_rc_t;

use super::value::Value;
use super::{Variable, value};
use crate::Answer;
use crate::handles::Entity;

/// The value of a variable for `entity`, which is of one of its scopes.
pub(super) fn variable(space: &AddressSpace, variable: Variable, entity: Entity) -> Answer<Value> {
    match entity {
        Entity::AddressSpace => of_process(space, variable),
        Entity::Parallel(parallel) => of_parallel(space, variable, parallel),
        Entity::Task(task) => of_task(space, variable, task),
        Entity::Thread(thread) => match variable {
            Variable::ThreadNum => Ok(Value::number_of(thread.thread_num(space)?)),
            _ => of_task(space, variable, thread.current_task(space)?),
        },
    }
}

/// A variable of the process or the device.
fn of_process(space: &AddressSpace, variable: Variable) -> Answer<Value> {
    let process = space.process();
    let setting = |field| Ok(Value::number_of(space.number(space.settings()?, field)?));
    let truth = |field| Ok(Value::Truth(space.flag(space.settings()?, field)?));
    match variable {
        Variable::Debug => Ok(Value::Truth(space.is_debugged()?)),
        Variable::NumProcs => setting(Field::SettingsNumProcs),
        Variable::Cancel => truth(Field::SettingsCancel),
        Variable::MaxTaskPriority => setting(Field::SettingsMaxTaskPriority),
        Variable::Stacksize => {
            let bytes = match space.number(space.settings()?, Field::SettingsStacksize)? {
                0 => space.number(process, Field::ProcessDefaultStack)?,
                bytes => bytes,
            };
            Ok(Value::Size(value::clamp(bytes)))
        }
        // The host's device number follows the numbers of the other devices.
        Variable::NumDevices | Variable::DeviceNum => {
            space.settings()?;
            Ok(Value::Number(space.signed(process, Field::ProcessNumDevices)?))
        }
        Variable::DisplayAffinity => truth(Field::SettingsDisplayAffinity),
        Variable::Nteams => setting(Field::SettingsNteams),
        Variable::TeamsThreadLimit => setting(Field::SettingsTeamsThreadLimit),
        Variable::TargetOffload => {
            let policy = space.signed(space.settings()?, Field::SettingsTargetOffload)?;
            Ok(Value::Word(policy, value::target_offload(policy)))
        }
        Variable::WaitPolicy => {
            space.settings()?;
            let policy = space.signed(process, Field::ProcessWaitPolicy)?;
            Ok(Value::Word(policy, value::wait_policy(policy)))
        }
        Variable::Tool => {
            space.settings()?;
            Ok(Value::Truth(space.flag(process, Field::ProcessToolVar)?))
        }
        // The runtime divides iterations evenly where the program leaves the schedule to it.
        Variable::DefSched => Ok(Value::Word(1, "static")),
        Variable::AffinityFormat => {
            space.settings()?;
            Ok(Value::Text(space.bytes(process, Field::ProcessAffinityFormat)?))
        }
        Variable::ToolLibraries => environment(space, b"OMP_TOOL_LIBRARIES="),
        Variable::ToolVerboseInit => environment(space, b"OMP_TOOL_VERBOSE_INIT="),
        _ => Err(ompd_rc_t::INCOMPATIBLE),
    }
}

/// The value of an environment variable as the runtime understood it; empty if the runtime has no
/// value.
fn environment(space: &AddressSpace, name: &[u8]) -> Answer<Value> {
    let assignments = crate::control_vars::assignments(space)?;
    let value = assignments.iter().find_map(|assignment| assignment.strip_prefix(name));
    Ok(Value::Text(value.unwrap_or_default().to_vec()))
}

/// A variable of a region.
fn of_parallel(space: &AddressSpace, variable: Variable, parallel: Parallel) -> Answer<Value> {
    let number = |field| Ok(Value::number_of(parallel.number(space, field)?));
    match variable {
        Variable::Levels => number(Field::ParallelLevel),
        Variable::ActiveLevels => number(Field::ParallelActiveLevel),
        Variable::TeamSize => number(Field::ParallelSize),
        Variable::LeagueSize => {
            // The league itself is encountered in the contention group around it.
            let teams = match parallel.number(space, Field::ParallelLeagueSize)? {
                0 => parallel.group_number(space, Field::ContentionGroupNumTeams)?,
                teams => teams,
            };
            Ok(Value::number_of(teams.max(1)))
        }
        Variable::TeamNum => {
            Ok(Value::number_of(parallel.group_number(space, Field::ContentionGroupTeamNum)?))
        }
        Variable::TeamGenerator => {
            let generator = parallel.generator(space)?;
            Ok(Value::Word(i64::from(generator.0), value::team_generator(generator)))
        }
        _ => Err(ompd_rc_t::INCOMPATIBLE),
    }
}

/// A variable of a task or of its data environment.
fn of_task(space: &AddressSpace, variable: Variable, task: Task) -> Answer<Value> {
    let icvs = || task.icvs(space);
    let number = |field| Ok(Value::number_of(space.number(icvs()?, field)?));
    match variable {
        Variable::ThreadNum => Ok(Value::number_of(task.thread_num(space)?)),
        Variable::FinalTask => Ok(Value::Truth(task.is_final(space)?)),
        Variable::ImplicitTask => Ok(Value::Truth(task.is_implicit(space)?)),
        Variable::ExplicitTask => Ok(Value::Truth(!task.is_implicit(space)?)),
        Variable::Dynamic => Ok(Value::Truth(space.flag(icvs()?, Field::IcvsDynamic)?)),
        Variable::Nthreads => {
            list(space, icvs()?, Field::IcvsNthreads, Field::IcvsNthreadsDeeper).map(Value::Numbers)
        }
        Variable::Bind => {
            list(space, icvs()?, Field::IcvsBind, Field::IcvsBindDeeper).map(Value::Policies)
        }
        Variable::ThreadLimit => number(Field::IcvsThreadLimit),
        Variable::MaxActiveLevels => number(Field::IcvsMaxActiveLevels),
        Variable::DefaultDevice => {
            Ok(Value::Number(space.signed(icvs()?, Field::IcvsDefaultDevice)?))
        }
        Variable::DefAllocator => {
            let handle = space.number(icvs()?, Field::IcvsDefAllocator)?;
            Ok(Value::Allocator(value::clamp(handle)))
        }
        Variable::RunSched => {
            let icvs = icvs()?;
            let number = |field| space.number(icvs, field).map(value::clamp);
            Ok(Value::Schedule {
                kind: number(Field::IcvsRunSchedKind)?,
                modifier: number(Field::IcvsRunSchedModifier)?,
                chunk: number(Field::IcvsRunSchedChunk)?,
            })
        }
        Variable::PlacePartition => {
            let implicit = implicit_of(space, task)?;
            let partition = implicit.implicit_object(space, Field::ImplicitTaskPartition)?;
            Ok(Value::Partition {
                first: space.number(partition, Field::PartitionFirst)?,
                length: space.number(partition, Field::PartitionLength)?,
            })
        }
        Variable::PlaceAssignment => {
            let place =
                implicit_of(space, task)?.implicit_number(space, Field::ImplicitTaskPlace)?;
            Ok(Value::Number(place.cast_signed()))
        }
        // The runtime has no free agents.
        Variable::FreeAgent => Ok(Value::Truth(false)),
        Variable::FreeAgentThreadLimit => Ok(Value::Number(0)),
        _ => Err(ompd_rc_t::INCOMPATIBLE),
    }
}

/// The implicit task whose thread executes `task`: the one of that thread number in the region.
fn implicit_of(space: &AddressSpace, task: Task) -> Answer<Task> {
    if task.is_implicit(space)? {
        return Ok(task);
    }
    let number = task.thread_num(space)?;
    let number = i32::try_from(number).map_err(|_| ompd_rc_t::ERROR)?;
    task.region(space)?.task(space, number)
}

/// A list whose first element lies apart from the others.
fn list(space: &AddressSpace, icvs: u64, first: Field, deeper: Field) -> Answer<Vec<i64>> {
    let mut values = vec![space.number(icvs, first)?];
    values.extend(space.numbers(icvs, deeper)?);
    Ok(values.into_iter().map(value::clamp).collect())
}
