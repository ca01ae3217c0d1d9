//! Synchronization protocols: the words by which threads wait for each other, hand work over, count
//! and exclude each other.
//!
//! Nothing here knows OpenMP, tools or users. A type that carries data of its user is generic over
//! them. README.md has the map, and each room has a README with states, steps, the race and the
//! argument. Every atomic by which threads meet comes from `shim`, so that the models run this
//! code, not a copy of it.

#![allow(
    clippy::new_without_default,
    reason = "where threads meet is made on purpose, in one state, and never by default"
)]
#![cfg_attr(
    all(test, feature = "model"),
    allow(
        clippy::modulo_one,
        reason = "in models one loop is in flight, so that its slot is used again"
    )
)]

#[macro_use]
mod shim;

pub mod barrier;
pub mod chain;
pub mod depend;
mod inside;
pub mod kernel;
pub mod line;
pub mod lock;
pub mod loops;
pub mod meeting;
pub mod once;
pub mod patience;
mod presence;
pub mod quota;
pub mod task;
mod token;
pub mod tree;
mod yields;

pub use inside::Inside;
pub use shim::{pause, yield_now};
pub use token::{Alone, Owner, Sole, ThisThread};

#[cfg(all(test, feature = "model"))]
mod models;
#[cfg(all(test, not(feature = "model")))]
mod tests;
