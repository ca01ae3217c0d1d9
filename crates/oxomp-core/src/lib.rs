//! oxomp-core
