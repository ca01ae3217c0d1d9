//! The calls that gcc and gfortran emit.

mod body;
pub mod cancel;
mod dependences;
mod descriptor;
mod device;
pub mod doacross;
pub mod error;
pub mod generic_loops;
pub mod interop;
pub mod loops;
mod mapping;
pub mod memory;
pub mod offload;
pub mod parallel;
pub mod plugin;
pub mod sections;
pub mod sync;
pub mod target;
pub mod task_reduction;
pub mod taskloop;
pub mod tasks;
pub mod teams;
mod truth;

pub use dependences::Dependences;
pub use descriptor::Descriptor;
pub use truth::Truth;
