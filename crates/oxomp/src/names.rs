//! The names of a recording's places, kept beside it: the program may be built anew.

use std::fs;
use std::path::Path;

use oxomp_analysis::symbols::Symbols;

/// Ending of the files that hold names, in place of that of the recording.
const EXTENSION: &str = "names";

/// Keeps what `symbols` were asked for the recording at `path`.
pub(crate) fn keep(path: &Path, symbols: &Symbols) {
    // Without the file, the names are there as long as the program is.
    fs::write(path.with_extension(EXTENSION), symbols.answers()).ok();
}

/// Lets `symbols` know what was kept for the recording at `path`.
pub(crate) fn recall(path: &Path, symbols: &mut Symbols) {
    if let Ok(answers) = fs::read_to_string(path.with_extension(EXTENSION)) {
        symbols.remember(&answers);
    }
}
