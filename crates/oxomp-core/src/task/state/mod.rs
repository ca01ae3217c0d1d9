//! The blocks of tasks, and the state that teams, threads and members of teams keep for tasks:
//! fields, invariants and accessors. The constructs are in the room `task`.

pub(in crate::task) mod blocks;
pub(in crate::task) mod copies;
pub(in crate::task) mod depend;
pub(in crate::task) mod device_work;
mod executor;
mod member_tasks;
mod on_device;
mod properties;
mod queue;
mod queued;
pub(in crate::task) mod reductions;
mod returns;
mod spares;
mod task;
mod taskgroup;
mod tasking;

pub(crate) use blocks::{FIELDS as BLOCKS_FIELDS, PIECE_FIELDS};
pub use copies::{Copies, Initializer, ReductionItem};
pub use depend::kind::{Dependence, DependenceKind, DependenceList};
pub(crate) use depend::link::FIELDS as GENERATION_FIELDS;
pub(crate) use depend::ties::{FIELDS as TIES_FIELDS, TIE_FIELDS, WAIT_FIELDS};
pub use member_tasks::OwnMemberTasks;
pub(crate) use member_tasks::{FIELDS as MEMBER_TASKS_FIELDS, MemberTasks};
pub use properties::{ALIGNMENT, Properties};
pub use reductions::SharedItems;
pub(crate) use spares::Spares;
pub use task::Task;
pub(crate) use task::{FIELDS, INNER_FIELDS, OWN_FIELDS};
pub(crate) use taskgroup::FIELDS as TASKGROUP_FIELDS;
pub use taskgroup::Taskgroup;
pub(crate) use tasking::Tasking;
