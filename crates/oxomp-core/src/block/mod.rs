//! The blocks of threads, teams and implicit tasks: memory that is never freed. README.md in this
//! folder says which thread may access which field, and when. The blocks of explicit tasks are in
//! the room `task::state`.

mod announced;
mod contention_group;
mod current;
mod implicit_task;
mod left_region;
mod native;
mod native_ids;
mod refusal;
mod registry;
mod shared;
mod slot;
mod team;
mod thread;

pub use announced::{Announced, Modifiers, Strict, TeamsClauses};
pub use implicit_task::ImplicitTask;
pub use native::{Alone, Native, Vacant};
pub use registry::threads_known;
pub use shared::Shared;
pub use team::{IdleTeam, Team};
pub use thread::Thread;

pub(crate) use contention_group::ContentionGroup;
pub(crate) use contention_group::FIELDS as CONTENTION_GROUP_FIELDS;
pub(crate) use current::register_by;
pub(crate) use implicit_task::FIELDS as IMPLICIT_TASK_FIELDS;
pub(crate) use implicit_task::OFFER_FIELDS;
pub(crate) use refusal::Refusal;
pub(crate) use registry::{all_threads, create, left_behind};
pub(crate) use shared::shared_fields;
pub(crate) use team::FIELDS as TEAM_FIELDS;
pub(crate) use team::{Supply, ToldTarget};
pub(crate) use thread::FIELDS as THREAD_FIELDS;
pub(crate) use thread::ToWorker;
