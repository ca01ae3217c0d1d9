//! The path of the file.

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

use oxomp_trace::FileHeader;
use oxomp_trace::job_folder::{create_numbered, file_name};

use crate::settings::Settings;
use crate::store::Store;

/// How many file names are tried for one process id: a program that replaces itself by another
/// (exec) keeps its id.
const ATTEMPTS: u32 = 1000;

/// Makes the directory and the file: `OXOMP_OUT/PID.oxp`, or `oxomp-NAME-N/PID.oxp` below the
/// current directory; a rank of a parallel job has `rank-R.oxp`. The path is absolute, for programs
/// that change their directory.
pub(crate) fn create(settings: &Settings, header: &FileHeader) -> Result<(Store, PathBuf), String> {
    let directory = match &settings.out {
        Some(directory) => fs::create_dir_all(directory)
            .map(|()| directory.clone())
            .map_err(|error| format!("OXOMP_OUT: {}: {error}", directory.display())),
        None => new_directory(settings),
    }?;
    let directory = fs::canonicalize(&directory).unwrap_or(directory);
    let pid = process::id();
    for attempt in 1..ATTEMPTS {
        let path = directory.join(file_name(settings.rank.as_ref(), pid, attempt));
        match Store::create(&path, settings.max_size, header) {
            Ok(store) => return Ok((store, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("{}: {error}", path.display())),
        }
    }
    Err(format!("{}: too many files of process {pid}", directory.display()))
}

/// The first of oxomp-NAME-1, oxomp-NAME-2, … that is free, or that the process's job has made.
fn new_directory(settings: &Settings) -> Result<PathBuf, String> {
    let executable = env::current_exe().unwrap_or_default();
    let name = executable.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let made = create_numbered(Path::new("."), &name, settings.rank.as_ref());
    made.map(|(directory, _)| directory).map_err(|(path, error)| {
        format!("{}: {error} (OXOMP_OUT names another directory)", path.display())
    })
}
