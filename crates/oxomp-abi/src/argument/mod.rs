//! The shapes of arguments that compiled code and users pass, a type each: those that both families
//! of compilers or the user's routines have. Shapes of one family are in that family.
//!
//! The crate's README lists the assumptions of the runtime about each shape: rules A1, A2 and so
//! on, which the `SAFETY` comments cite. A rule is the invariant of its type, and the `unsafe` that
//! it allows stands in the type's methods.
//!
//! None of them is a reference, although `&T` and `Option<&mut T>` have the right form. A reference
//! in a signature would promise, for the whole call, that nothing else accesses the variable, and
//! callers do not promise that: two arguments may be one variable, a user may read the format from
//! the buffer that is to be filled, and an argument that an entry ignores may be anything. A
//! pointer is followed where its value is needed, by value, and nowhere else.

mod address;
mod allocation;
mod allocator_argument;
mod block;
mod by_ref;
mod critical_name;
mod depend_object;
mod list;
mod lock_variable;
mod room;
mod text;
mod variable;
mod vector;

pub use address::Address;
pub use allocation::Allocation;
pub use allocator_argument::AllocatorArgument;
pub use block::Block;
pub use by_ref::ByRef;
pub(crate) use by_ref::by_reference;
pub use critical_name::CriticalName;
pub use depend_object::{
    GccDependObject, KmpDependObject, described, gcc_dependences, kmp_dependences, located,
};
pub use list::List;
pub use lock_variable::{LockVariable, NestLockVariable};
pub use room::Room;
pub use text::Text;
pub use variable::{InOut, Out};
pub use vector::{Vector, Words};
