//! libomp
