//! The shapes of arguments that compiled code and users pass, a type each: those that both families
//! of compilers or the user's routines have. Shapes of one family are in that family; shapes that
//! libomptarget has too are in `oxomp-argument`, which says why none of them is a reference.
//!
//! The crate's README lists the assumptions of the runtime about each shape: rules A1, A2 and so
//! on, which the `SAFETY` comments cite. A rule is the invariant of its type, and the `unsafe` that
//! it allows stands in the type's methods.

mod allocation;
mod allocator_argument;
mod block;
mod by_reference;
mod critical_name;
mod depend_object;
mod lock_variable;
mod vector;

pub use allocation::Allocation;
pub use allocator_argument::AllocatorArgument;
pub use block::Block;
pub(crate) use by_reference::by_reference;
pub use critical_name::CriticalName;
pub use depend_object::{GccDependObject, described, gcc_dependences, kmp_dependences, located};
pub use lock_variable::{LockVariable, NestLockVariable};
pub use oxomp_argument::{Address, ByRef, InOut, KmpDependObject, List, Out, Room, Text};
pub use vector::{Vector, Words};
