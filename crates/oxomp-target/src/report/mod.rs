//! Messages to the program's user: lines on stderr, and the mistakes that they tell of.

mod lines;
mod mistake;

pub use lines::{error, fatal, inconsistent, info, message, warn};
pub use mistake::{MAP_TYPE, MOTION, Mistake, Place};
