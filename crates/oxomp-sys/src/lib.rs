//! oxomp-sys
