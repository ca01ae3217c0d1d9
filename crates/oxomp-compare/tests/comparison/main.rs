//! Comparisons of runs made by hand.

mod contention;
mod judgement;
mod made;
mod matching;
mod parts;
mod properties;
mod summaries;
mod target_constructs;
