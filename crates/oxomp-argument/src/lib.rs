//! The shapes of arguments that compiled code and users pass, a type each: those that the exported
//! functions of the runtime (`oxomp-abi`) and of the offload library (`libomptarget`) share.
//!
//! The README lists what is assumed of each shape: rules A1, A3, A4 and A23, which the `SAFETY`
//! comments cite. A rule is the invariant of its type, and the `unsafe` that it allows stands in
//! the type's methods.
//!
//! None of the types is a reference, although `&T` and `Option<&mut T>` have the right form. A
//! reference in a signature would promise, for the whole call, that nothing else accesses the
//! variable, and callers do not promise that: two arguments may be one variable, a user may read
//! the format from the buffer that is to be filled, and an argument that a function ignores may be
//! anything. A pointer is followed where its value is needed, by value, and nowhere else.

mod address;
mod by_ref;
mod depend_object;
mod list;
mod rectangle;
mod room;
mod text;
mod variable;

pub use address::Address;
pub use by_ref::ByRef;
pub use depend_object::KmpDependObject;
pub use list::List;
pub use rectangle::{Dimension, Rectangle, RectangleLists, Row, Rows};
pub use room::Room;
pub use text::Text;
pub use variable::{InOut, Out};
