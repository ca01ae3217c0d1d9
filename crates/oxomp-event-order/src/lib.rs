//! The rules that the events of every OpenMP program keep, and a judge that applies them to a
//! recording by any tool of OpenMP 5 and 6.
//!
//! A front end turns what its tool has recorded into [`event::Event`]s, chooses among
//! [`rule::Rule`]s, and words what [`judge::judge`] finds. The README lists the front ends, and the
//! rules of each.

pub mod event;
pub mod history;
pub mod judge;
pub mod rule;
pub mod run;

mod barriers;
mod dependences;
mod frames;
mod levels;
mod mutexes;
mod nesting;
mod regions;
mod states;
mod tasks;
mod threads;
mod words;
