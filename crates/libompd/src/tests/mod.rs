//! The library against a fake debugger, whose program is a memory image built by the test.

mod api;
mod corrupted;
mod debugger;
mod everything;
mod handles;
mod icvs;
mod image;
mod initialization;
mod machines;
mod memory;
mod processes;
mod program;
mod relations;
mod states;
mod waits;
