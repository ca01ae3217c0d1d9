//! Tasks (OpenMP 5.2 §12): the state that implicit and explicit tasks have in common, and the
//! constructs of explicit tasks.
//!
//! README.md in this folder explains how threads queue, execute, await and forget tasks, and why
//! that is safe. The room `state` holds the blocks of tasks; each construct is a file of this room.

mod allocate;
mod announce;
mod complete;
mod decision;
mod depend;
mod detach;
mod device;
mod discard;
mod execute;
pub(crate) mod forget;
mod generate;
mod in_place;
mod initial;
mod ready;
mod reduction;
mod scheduler;
mod scheduling_point;
mod state;
mod target;
mod taskgroup;
mod taskloop;
mod throttle;
mod undeferred;
mod wait;
mod waiter;

pub use allocate::{Clauses, allocate, allocate_aligned, copy};
pub use complete::discard;
pub use detach::{EventHandle, fulfill};
pub use generate::{generate, generate_decided, generate_dependent};
pub use in_place::{Decided, included, run_copy_in_place, run_in_place};
pub use reduction::{
    copy_of, reduce, reduce_in_region, reduce_in_team, reduce_items_in_team, reduce_with,
};
pub use state::{
    ALIGNMENT, Copies, Dependence, DependenceKind, DependenceList, Initializer, OwnMemberTasks,
    Properties, ReductionItem, SharedItems, Task, Taskgroup,
};
pub use taskgroup::{begin_taskgroup, end_taskgroup};
pub use taskloop::{Chunk, Grain, Taskloop, taskloop};
pub use undeferred::{begin_undeferred, end_undeferred};
pub use wait::{taskwait, taskwait_depend, taskyield};

pub(crate) use initial::begin_initial;
pub(crate) use reduction::drop_shared_copies;
pub(crate) use state::{
    BLOCKS_FIELDS, FIELDS, GENERATION_FIELDS, INNER_FIELDS, MEMBER_TASKS_FIELDS, OWN_FIELDS,
    PIECE_FIELDS, TASKGROUP_FIELDS, TIE_FIELDS, TIES_FIELDS, WAIT_FIELDS,
};
pub(crate) use state::{MemberTasks, Spares, Tasking};
pub(crate) use taskgroup::leave_taskgroups;
pub(crate) use waiter::{Waiter, execute_all};
