//! Random programs: their tree, how it is drawn, and its C text.

pub mod draw;
pub mod random;
pub mod text;
pub mod tree;
