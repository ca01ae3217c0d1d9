//! The words of the program's tool (`ompt_data_t`), one for each scope.

use oxomp_debuggee::AddressSpace;
use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::{ompd_rc_t, ompd_scope_t};

use crate::Answer;
use crate::handles::Entity;

/// The tool's word of `entity` in `scope`.
///
/// # Errors
/// `bad_input` for no scope, `wrong_kind` if the entity is not of the scope.
pub(crate) fn word(
    space: &AddressSpace,
    entity: Entity,
    scope: ompd_scope_t,
    wrong_kind: ompd_rc_t,
) -> Answer<u64> {
    match (scope, entity) {
        (ompd_scope_t::GLOBAL | ompd_scope_t::ADDRESS_SPACE, Entity::AddressSpace) => {
            let data = space.object(space.process(), Field::ProcessToolData)?;
            space.number(data, Field::ToolDataWord)
        }
        (ompd_scope_t::THREAD, Entity::Thread(thread)) => thread.number(space, Field::ThreadData),
        (ompd_scope_t::PARALLEL, Entity::Parallel(parallel)) => parallel.data(space),
        (ompd_scope_t::TEAMS, Entity::Parallel(parallel)) => {
            if !parallel.is_league(space)? {
                return Err(wrong_kind);
            }
            parallel.data(space)
        }
        (ompd_scope_t::TASK, Entity::Task(task)) => task.data(space),
        (ompd_scope_t::IMPLICIT_TASK, Entity::Task(task)) => {
            if !task.is_implicit(space)? {
                return Err(wrong_kind);
            }
            task.data(space)
        }
        (ompd_scope_t::TARGET, Entity::Task(task)) => {
            if !task.is_target(space)? {
                return Err(wrong_kind);
            }
            task.data(space)
        }
        _ if scope.name().is_none() => Err(ompd_rc_t::BAD_INPUT),
        _ => Err(wrong_kind),
    }
}
