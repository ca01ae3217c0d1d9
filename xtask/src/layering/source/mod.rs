//! Which file of a crate uses which, read from its sources.
//!
//! [`tree`] reads the modules, [`resolve`] follows a path to the file that defines what it names,
//! [`mentions`] finds the paths and method calls of a module, [`arrows`] puts them together, and
//! [`circles`] finds the files that use each other.

pub mod arrows;
pub mod circles;
pub mod imports;
pub mod items;
pub mod mentions;
pub mod methods;
pub mod resolve;
pub mod tree;
