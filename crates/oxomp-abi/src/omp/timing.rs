//! Timing routines (OpenMP 5.2 §18.10).

use std::time::Instant;
