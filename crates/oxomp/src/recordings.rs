//! Recordings as the command line names them: which files they are, and how one is read.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use oxomp_analysis::Analysis;
use oxomp_analysis::report::units::time;
use oxomp_analysis::summary::Scope;
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

/// Why a recording is not shown.
#[derive(Debug)]
pub(crate) enum NotShown {
    /// It cannot be read.
    Unreadable(ReadError),
    /// It lacks the phase or the window that is asked for: the message.
    NoPart(String),
}

impl fmt::Display for NotShown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            Self::NoPart(message) => f.write_str(message),
        }
    }
}

/// Reads the recording at `path`, with the names that are kept beside it, and adds the gains that
/// replays predict.
pub(crate) fn read(path: &Path, symbols: &mut Symbols) -> Result<Analysis, ReadError> {
    names::recall(path, symbols);
    let mut analysis = Analysis::new(Profile::open(path)?, symbols);
    analysis.summary.expected = expected_gains(&analysis);
    Ok(analysis)
}

/// As [`read`], of a part of the run if one is asked for.
pub(crate) fn read_part(
    path: &Path,
    symbols: &mut Symbols,
    scope: &Scope,
) -> Result<Analysis, NotShown> {
    if *scope == Scope::Run {
        return read(path, symbols).map_err(NotShown::Unreadable);
    }
    names::recall(path, symbols);
    let profile = Profile::open(path).map_err(NotShown::Unreadable)?;
    let lacks = || {
        let what = match scope {
            Scope::Phase(phase) => no_phase(&profile, phase),
            _ => no_window(&profile),
        };
        NotShown::NoPart(format!("{}: {what}", path.display()))
    };
    Analysis::of(&profile, scope, symbols).ok_or_else(lacks)
}

/// Why a phase of the recording cannot be shown.
fn no_phase(profile: &Profile, phase: &str) -> String {
    let phases = profile.phases.iter().flat_map(|phases| &phases.phases);
    let known: Vec<&str> = phases.map(|phase| phase.path.as_str()).collect();
    let known = match known.as_slice() {
        [] => "the program has marked none, as oxomp.h lets it".to_owned(),
        known => format!("there are {}", known.join(", ")),
    };
    format!("no phase is called `{phase}`: {known}")
}

/// Why a window of the recording cannot be shown.
fn no_window(profile: &Profile) -> String {
    let clock = profile.clock();
    match (profile.slices.first(), profile.slices.last()) {
        (Some(first), Some(last)) => {
            let (from, to) = (time(clock.ns(first.begin)), time(clock.ns(last.end)));
            format!("nothing was recorded in that window: the recording is from {from} to {to}")
        }
        _ if !profile.damage.is_empty() => {
            format!("its time slices cannot be read: it is damaged ({})", profile.damage[0])
        }
        _ => "the recording has no time slices, of which a window consists: `oxomp profile \
              --slices` makes them; without them, --window is for --perfetto and other timelines"
            .to_owned(),
    }
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
