//! The command line from outside: real programs, real signals.

mod place;
mod profile;
mod run;
mod running;
