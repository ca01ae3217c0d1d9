//! oxomp-testing
