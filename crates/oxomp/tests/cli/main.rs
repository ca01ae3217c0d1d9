//! The command line from outside: real programs, real signals.

mod debug;
mod place;
mod profile;
mod run;
mod running;
