//! oxomp-trace
