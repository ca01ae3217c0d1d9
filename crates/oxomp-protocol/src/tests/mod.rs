//! Tests on the machine; the models are tests of their own build.

mod barrier;
mod guarded;
mod once;
mod posted;
