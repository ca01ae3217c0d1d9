//! The names of a recording's places, kept beside it: the program may be built anew.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use oxomp_analysis::symbols::Symbols;

use crate::new_file::NewFile;

/// Extension of the files that hold names, in place of the recording's.
const EXTENSION: &str = "names";

/// Keeps `answers`, which [`Symbols::take_answers`] gave for the recording at `path`.
pub(crate) fn keep(path: &Path, answers: &str) {
    let write = || -> io::Result<u64> {
        let mut file = NewFile::create(&path.with_extension(EXTENSION))?;
        file.write_all(answers.as_bytes())?;
        file.finish()
    };
    // Without the file, the names are there as long as the program is.
    write().ok();
}

/// Lets `symbols` know what was kept for the recording at `path`.
pub(crate) fn recall(path: &Path, symbols: &mut Symbols) {
    if let Ok(answers) = fs::read_to_string(path.with_extension(EXTENSION)) {
        symbols.remember(&answers);
    }
}
