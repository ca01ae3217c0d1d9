//! The folder of a job's recordings, on which its ranks agree without sending messages to each
//! other.
//!
//! A folder of a job has a hidden folder `.ranks` in it: `job` holds the job's name, and each rank
//! has a file there, which its first process makes (the claim), and its last line says how the rank
//! ended. README.md of the crate has the reasons.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::rank::Rank;

/// The hidden folder of claims.
const RANKS: &str = ".ranks";
/// The file in it with the job's name.
const JOB: &str = "job";
/// Bytes of a program's name in a folder's name, which may have 255.
const LONGEST_PROGRAM: usize = 200;
/// Folders tried before giving up.
const MOST_RUNS: u32 = 100_000;
/// Ending of the files that hold recordings.
pub const EXTENSION: &str = "oxp";

/// Drafts of folders that this process has made.
static DRAFTS: AtomicU32 = AtomicU32::new(0);

/// Why there is no folder: the path, and the error.
pub type FolderError = (PathBuf, io::Error);

/// What a rank has said in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// It has begun.
    Begun,
    /// It has ended; the word says how.
    Ended(String),
}

/// Makes `oxomp-PROGRAM-N` in `parent`, with the first N that is free; for a rank, the first folder
/// of its own job that the rank has not claimed. Returns the path, and whether it is new.
///
/// # Errors
/// Those of the file system, with the path.
pub fn create_numbered(
    parent: &Path,
    program: &str,
    rank: Option<&Rank>,
) -> Result<(PathBuf, bool), FolderError> {
    let program: String = program.chars().map(|c| if c.is_control() { '_' } else { c }).collect();
    let program = &program[..program.floor_char_boundary(LONGEST_PROGRAM)];
    let mut draft = None;
    let result = (1..MOST_RUNS).find_map(|number| {
        let path = parent.join(format!("oxomp-{program}-{number}"));
        let made = match rank {
            None => fs::create_dir(&path).map(|()| true),
            Some(rank) => take(&path, rank, &mut draft),
        };
        match made {
            Ok(is_new) => Some(Ok((path, is_new))),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
            Err(error) => Some(Err((path, error))),
        }
    });
    if let Some(draft) = draft {
        fs::remove_dir_all(draft).ok();
    }
    result.unwrap_or_else(|| Err((parent.to_owned(), ErrorKind::AlreadyExists.into())))
}

/// Makes `path`, which the user names, a folder of the rank's job.
///
/// # Errors
/// `AlreadyExists` if another job has it, or has left recordings there, or if the rank has claimed
/// it before.
pub fn join_named(path: &Path, rank: &Rank) -> io::Result<()> {
    fs::create_dir_all(path)?;
    let ranks = path.join(RANKS);
    if !ranks.exists() {
        let draft = draft(path, rank)?;
        let renamed = if is_without_recordings(path)? || ranks.exists() {
            fs::rename(draft.join(RANKS), &ranks)
        } else {
            Err(ErrorKind::AlreadyExists.into())
        };
        fs::remove_dir_all(&draft).ok();
        // Another rank may have been first.
        renamed.or_else(|error| if ranks.exists() { Ok(()) } else { Err(error) })?;
    }
    claim(path, rank)
}

/// Takes the folder `path` for the rank; `true` if the rank made it.
fn take(path: &Path, rank: &Rank, draft_made: &mut Option<PathBuf>) -> io::Result<bool> {
    let mut is_new = false;
    if !path.exists() {
        let draft = match draft_made.take() {
            Some(draft) => draft,
            None => draft(path.parent().unwrap_or(Path::new(".")), rank)?,
        };
        // A folder cannot replace one that is not empty, and those of jobs never are.
        match fs::rename(&draft, path) {
            Ok(()) => is_new = true,
            Err(error) => {
                *draft_made = Some(draft);
                if !path.exists() {
                    return Err(error);
                }
            }
        }
    }
    claim(path, rank).map(|()| is_new)
}

/// A folder in `parent` whose name no other process uses, with the job's name in it.
fn draft(parent: &Path, rank: &Rank) -> io::Result<PathBuf> {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let host: String = host.trim().chars().filter(|c| *c != '/').take(64).collect();
    let number = DRAFTS.fetch_add(1, Ordering::Relaxed);
    let draft = parent.join(format!(".oxomp-{host}-{}-{number}", process::id()));
    // A process that had the same id may have been killed here.
    fs::remove_dir_all(&draft).ok();
    fs::create_dir(&draft)?;
    fs::create_dir(draft.join(RANKS))?;
    let size = rank.size.map_or(String::new(), |size| size.to_string());
    fs::write(draft.join(RANKS).join(JOB), format!("{}\n{size}\n", rank.job))?;
    Ok(draft)
}

/// Claims the folder for the rank: `AlreadyExists` if it is not the job's, or claimed.
fn claim(path: &Path, rank: &Rank) -> io::Result<()> {
    let job = fs::read_to_string(path.join(RANKS).join(JOB)).unwrap_or_default();
    if job.lines().next() != Some(&rank.job) {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let mark = mark_of(path, rank.number);
    let mut file = OpenOptions::new().write(true).create_new(true).open(mark)?;
    writeln!(file, "begun")
}

/// Leaves the mark that the rank has ended, and `how`.
///
/// # Errors
/// Those of the file system.
pub fn leave_mark(path: &Path, rank: &Rank, how: &str) -> io::Result<()> {
    let mut file: File = OpenOptions::new().append(true).open(mark_of(path, rank.number))?;
    writeln!(file, "ended: {how}")
}

/// The marks that ranks have left in the folder, by rank.
#[must_use]
pub fn marks(path: &Path) -> Vec<(u32, Mark)> {
    let Ok(entries) = fs::read_dir(path.join(RANKS)) else { return Vec::new() };
    let mut marks: Vec<(u32, Mark)> = entries
        .flatten()
        .filter_map(|entry| {
            let number = entry.file_name().to_str()?.parse().ok()?;
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            // A line that is being written has no end yet.
            let ended = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
            let how = ended.filter_map(|line| line.strip_prefix("ended: ")).next_back();
            Some((number, how.map_or(Mark::Begun, |how| Mark::Ended(how.trim().to_owned()))))
        })
        .collect();
    marks.sort_by_key(|(number, _)| *number);
    marks
}

/// How many ranks the job of the folder has; `None` if it is not a job's, or nobody told.
#[must_use]
pub fn size(path: &Path) -> Option<u32> {
    let job = fs::read_to_string(path.join(RANKS).join(JOB)).ok()?;
    job.lines().nth(1)?.parse().ok()
}

/// Removes what makes the folder one of a job.
pub fn forget(path: &Path) {
    // What cannot be removed does no harm.
    fs::remove_dir_all(path.join(RANKS)).ok();
}

/// The file name of a recording: `rank-3.oxp`, and `rank-3-4711.oxp` of further processes of the
/// rank; `4711.oxp` of a process without a rank. If there is such a file, the `attempt` counts: a
/// process that replaces its program keeps its number.
#[must_use]
pub fn file_name(rank: Option<&Rank>, pid: u32, attempt: u32) -> String {
    let (name, attempt) = match rank {
        Some(rank) if attempt <= 1 => (format!("rank-{}", rank.number), 1),
        Some(rank) => (format!("rank-{}-{pid}", rank.number), attempt - 1),
        None => (pid.to_string(), attempt),
    };
    match attempt {
        0 | 1 => format!("{name}.{EXTENSION}"),
        _ => format!("{name}-{attempt}.{EXTENSION}"),
    }
}

fn mark_of(path: &Path, rank: u32) -> PathBuf {
    path.join(RANKS).join(rank.to_string())
}

fn is_without_recordings(path: &Path) -> io::Result<bool> {
    let mut entries = fs::read_dir(path)?.flatten();
    Ok(!entries.any(|entry| entry.path().extension().is_some_and(|ending| ending == EXTENSION)))
}
