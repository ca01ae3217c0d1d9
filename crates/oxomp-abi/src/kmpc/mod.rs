//! The calls that clang and flang emit.

pub mod atomic;
pub mod cancel;
mod dependences;
pub mod distribute;
pub mod doacross;
pub mod error;
mod loc;
pub mod locks;
pub mod loops;
pub mod memory;
pub mod parallel;
pub mod reduction;
pub mod sections;
pub mod sync;
pub mod target;
mod task_data;
pub mod task_reduction;
pub mod taskloop;
pub mod tasks;
pub mod teams;
pub mod threadprivate;

pub use loc::Loc;
pub use task_data::{Bound, TaskData};
