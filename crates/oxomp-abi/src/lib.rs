//! oxomp-abi
