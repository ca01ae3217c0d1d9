//! How a device loads the programs of libraries: one for each library, from its image.
//!
//! The loader of the process holds its own lock while it runs constructors, and while it opens or
//! closes a library: a thread that holds the loader's lock may wait for locks of this library. So
//! no lock of this library is held while a plug-in loads, searches or unloads a program. A library
//! that is closed while its program arrives takes its kernels and variables from the device at
//! once, and leaves the rest to the thread that loads.

mod arrival;
mod program;
mod variable;

pub(crate) use arrival::Arrival;
