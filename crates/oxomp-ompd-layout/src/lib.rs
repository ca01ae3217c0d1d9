//! The layout table: tells a debugger's library where the runtime's data lie in memory.
//!
//! The runtime exports one object, [`SYMBOL`]: a header, and a [`Record`] for each field that a
//! debugger may want ([`Field`]), with its object, offset, size and encoding. A reader that has
//! nothing but "address of a symbol" and "read memory" finds everything from there. It works for
//! runtimes of another build, word size or byte order, for core files too.
//!
//! - [`field`]: the objects and their fields. Numbers are never reused.
//! - [`shape`]: how a field's value is read.
//! - [`record`], [`table`]: the runtime's side. [`fields!`] states the fields of a structure beside
//!   it, in constants; a field whose type has no layout to rely on does not compile.
//! - [`layout`]: the reader's side, which checks the table before it uses it.
//! - [`event_handle`]: how a handle of an event names its task.
//! - [`reader`]: walks lists, arrays and pointers of a process through [`Memory`].

#![forbid(unsafe_code)]

pub mod event_handle;
pub mod field;
pub mod layout;
mod objects;
pub mod reader;
pub mod record;
pub mod shape;
pub mod table;

pub use field::{Field, Object};
pub use layout::{Header, Layout, LayoutError, Value};
pub use reader::{Memory, ReadError, Reader};
pub use record::{Kind, Nullable, Readable, Record};
pub use shape::Shape;
pub use table::Table;

/// Name of the object that the runtime exports.
pub const SYMBOL: &str = "oxomp_ompd_layout";

/// The first bytes of the object.
pub const MAGIC: [u8; 8] = *b"OXOMPDLT";

/// The number that tells the byte order, as it reads in the right one.
pub const BYTE_ORDER: u32 = 0x0102_0304;

/// Version of header and records. It changes when an old reader would read a new table wrongly; new
/// fields, and longer headers and records, do not change it.
pub const VERSION: u16 = 1;
