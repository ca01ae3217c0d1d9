//! Tests of the engine: on a device whose clock and whose events are the test's, with a tool inside
//! of the test.

mod delivery;
mod late;
mod layout;
mod tool;
