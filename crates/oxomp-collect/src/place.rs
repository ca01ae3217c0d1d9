//! The path of the file.

use std::path::{Path, PathBuf};
use std::{env, fs, io, process};

use oxomp_trace::FileHeader;

use crate::settings::Settings;
use crate::store::Store;

/// How many file names are tried for one process id: a program that replaces itself by another
/// (exec) keeps its id.
const ATTEMPTS: u32 = 1000;
/// Bytes of a program's name in a directory's name, which may have 255.
const LONGEST_PROGRAM: usize = 200;

/// Makes the directory and the file: `OXOMP_OUT/PID.oxp`, or `oxomp-NAME-N/PID.oxp` below the
/// current directory. The path is absolute, for programs that change their directory.
pub(crate) fn create(settings: &Settings, header: &FileHeader) -> Result<(Store, PathBuf), String> {
    let directory = match &settings.out {
        Some(directory) => fs::create_dir_all(directory)
            .map(|()| directory.clone())
            .map_err(|error| format!("OXOMP_OUT: {}: {error}", directory.display())),
        None => new_directory(),
    }?;
    let directory = fs::canonicalize(&directory).unwrap_or(directory);
    let pid = process::id();
    for attempt in 1..ATTEMPTS {
        let name = match attempt {
            1 => format!("{pid}.oxp"),
            _ => format!("{pid}-{attempt}.oxp"),
        };
        let path = directory.join(name);
        match Store::create(&path, settings.max_size, header) {
            Ok(store) => return Ok((store, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("{}: {error}", path.display())),
        }
    }
    Err(format!("{}: too many files of process {pid}", directory.display()))
}

/// The first of oxomp-NAME-1, oxomp-NAME-2, … that does not exist.
fn new_directory() -> Result<PathBuf, String> {
    let executable = env::current_exe().unwrap_or_default();
    let name = executable.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = &name[..name.floor_char_boundary(LONGEST_PROGRAM)];
    for number in 1..10_000 {
        let directory = Path::new(".").join(format!("oxomp-{name}-{number}"));
        match fs::create_dir(&directory) {
            Ok(()) => return Ok(directory),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => {
                return Err(format!(
                    "{}: {error} (OXOMP_OUT names another directory)",
                    directory.display()
                ));
            }
        }
    }
    Err(format!("too many directories oxomp-{name}-N: set OXOMP_OUT"))
}
