//! oxomp-collect
