//! ompt
