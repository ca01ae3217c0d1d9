//! Names that an image has looked up.

use std::collections::HashMap;

use oxomp_symbols::{Place, Symbols};

use crate::binary::Function;

/// Names that were looked up, and the files in which they were.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) files: Symbols,
    /// By address, and whether that is a return address.
    pub(crate) places: HashMap<(u64, bool), Vec<Place>>,
    /// Functions that a module exports, by the module's index.
    pub(crate) exported: HashMap<usize, Vec<Function>>,
}
