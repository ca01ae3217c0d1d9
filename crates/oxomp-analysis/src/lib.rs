//! oxomp-analysis
