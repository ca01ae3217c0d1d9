//! Recordings as the command line names them: which files they are, and how one is read.

use std::fs;
use std::path::{Path, PathBuf};

use oxomp_analysis::Analysis;
use oxomp_analysis::symbols::Symbols;
use oxomp_replay::expected_gains;
use oxomp_trace::{Profile, ReadError};

use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::names;
use crate::no_recording::no_recording;

/// The recordings at `path`, at least one: the file itself, or the recordings in the folder.
pub(crate) fn recordings_at(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let metadata = path.metadata().map_err(|error| Failure::cannot_read(path, &error))?;
    if !metadata.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let files = DataFolder::open(path).profiles()?;
    if files.is_empty() {
        return Err(Failure::own(no_recording(path)));
    }
    Ok(files)
}

/// Reads the recording at `path`, with the names that are kept beside it, and adds the gains that
/// replays predict.
pub(crate) fn read(path: &Path, symbols: &mut Symbols) -> Result<Analysis, ReadError> {
    names::recall(path, symbols);
    let mut analysis = Analysis::new(Profile::open(path)?, symbols);
    analysis.summary.expected = expected_gains(&analysis);
    Ok(analysis)
}

/// Refuses what is there and no regular file: it may have no end, or block until another process
/// writes to it.
pub(crate) fn check_is_file(path: &Path) -> Result<(), String> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => {
            Err(format!("{}: neither a file nor a folder of them", path.display()))
        }
        _ => Ok(()),
    }
}
