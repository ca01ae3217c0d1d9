//! How the threads of a group meet at their barrier, and execute the group's tasks meanwhile. Steps
//! and argument: README.md beside this file.
//!
//! The user of this crate has the threads, the tasks and their queues. It implements [`Group`] for
//! what the threads share, and [`Member`] for a thread of the group.

mod end;
mod group;
pub(crate) mod meet;
mod tasks;

pub use end::{end, end_and_wait};
pub use group::{Group, Member, Stay};
pub use meet::{arrive_at_end, meet};
pub use tasks::{await_begun, execute_all, help_until, may_have_tasks};
