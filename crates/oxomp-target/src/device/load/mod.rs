//! How a device loads the programs of libraries: one for each library, from its image.
//!
//! The loader of the process runs constructors, and a library is opened and closed, while the
//! loader's own lock is held: whoever holds that waits for the locks of this library. So no lock of
//! this library is held while a plug-in loads, searches or unloads a program. A library that is
//! closed while its program arrives takes its kernels and variables from the device at once, and
//! leaves the rest to the thread that loads.

mod arrival;
mod program;
mod variable;

pub(crate) use arrival::Arrival;
