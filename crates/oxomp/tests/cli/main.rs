//! The command line from outside: real programs, real signals.

mod debug;
mod diff;
mod generate;
mod outputs;
mod paths;
mod place;
mod profile;
mod run;
mod running;
mod scale;
