//! Scales of runs made by hand, whose answers are known.

mod answers;
mod made;
mod summaries;
mod texts;
