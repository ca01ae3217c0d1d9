//! Random programs, and a model of the specification that their events must agree with.
//!
//! A program is a tree of constructs ([`program`]): written as C for both compilers, run with the
//! recorder, and judged twice. The rules of [`check`] hold for the log of any program: objects and
//! their data words, mutexes, dependences, states, frames, and the answers of the entry points.
//! The acceptor of [`accept`] knows the tree: it derives the sequence of events of each task, and
//! each must be exactly that, with the arguments, counts and lines that the construct has.
//!
//! The program itself says where it is: a call of `omp_control_tool` in each body passes the
//! number of its construct, the iteration, and what `omp_get_thread_num` and its kin answer.

pub mod accept;
pub mod check;
pub mod program;
pub mod run;
pub mod shrink;
pub mod violation;

#[cfg(test)]
mod tests;
