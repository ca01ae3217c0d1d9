//! Comparisons of runs made by hand.

mod judgement;
mod made;
mod matching;
mod properties;
mod target_constructs;
