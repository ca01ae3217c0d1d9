//! The folder a run leaves behind: `oxomp-<program>-<n>/`, or the one the user names.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use oxomp_trace::Rank;
use oxomp_trace::job_folder::{self, EXTENSION, Mark};
use oxomp_trace::layout::LEAST_FILE_SIZE;
use rustix::process::{Resource, getrlimit};

use crate::failure::Failure;
use crate::messages::reason;

/// The name of a run's only profile.
const SINGLE: &str = "run.oxp";
/// A file that exists for a moment, to find out whether there is room.
const ROOM: &str = ".room";
/// A folder of profiles.
#[derive(Debug, Clone)]
pub(crate) struct DataFolder {
    path: PathBuf,
    /// Whether it is ours to remove when nothing was written to it.
    is_new: bool,
    /// The rank of a job that shares it.
    rank: Option<Rank>,
}

impl DataFolder {
    /// The folder `wanted`, else a new one named for `program`. The ranks of a job share theirs.
    pub(crate) fn create(
        wanted: Option<&Path>,
        program: &str,
        rank: Option<&Rank>,
    ) -> Result<Self, Failure> {
        let failed = |path: &Path, error: &std::io::Error| {
            format!("{}: cannot be used for the data: {}", path.display(), reason(error))
        };
        let Some(path) = wanted else {
            return Self::create_numbered(program, rank).map_err(|(path, error)| {
                let message = failed(&path, &error);
                Failure::own(format!("{message} (`-o DIR` names another folder)"))
            });
        };
        let another = || {
            Failure::own(format!(
                "{}: holds the data of another run; name another folder, or remove it",
                path.display()
            ))
        };
        let made = match rank {
            Some(rank) => {
                let is_new = !path.exists();
                job_folder::join_named(path, rank).map(|()| is_new)
            }
            None => create_folder(path),
        };
        let is_new = made.map_err(|error| match (rank, error.kind()) {
            (Some(_), ErrorKind::AlreadyExists) if path.is_dir() => another(),
            _ => Failure::own(failed(path, &error)),
        })?;
        let absolute = path.canonicalize().map_err(|error| Failure::own(failed(path, &error)))?;
        let folder = Self { path: absolute, is_new, rank: rank.cloned() };
        if rank.is_none() && !folder.profiles()?.is_empty() {
            return Err(another());
        }
        Ok(folder)
    }

    /// Makes sure that a recording can begin in the folder, before the program runs in vain.
    ///
    /// # Errors
    ///
    /// Names the reason why the folder has no room.
    pub(crate) fn check_room(&self) -> Result<(), Failure> {
        let shown = self.path.display();
        let limit = getrlimit(Resource::Fsize).current;
        if let Some(limit) = limit.filter(|limit| *limit < LEAST_FILE_SIZE as u64) {
            return Err(Failure::own(format!(
                "{shown}: no room for a recording: files may have {limit} bytes (ulimit -f), it \
                 needs {LEAST_FILE_SIZE}"
            )));
        }
        // The ranks of a job try at the same time, perhaps on several machines.
        let trial = match &self.rank {
            Some(rank) => self.path.join(format!("{ROOM}-{}", rank.number)),
            None => self.path.join(ROOM),
        };
        let written = fs::write(&trial, vec![0; LEAST_FILE_SIZE]);
        fs::remove_file(&trial).ok();
        written.map_err(|error| {
            Failure::own(format!("{shown}: no room for a recording: {}", reason(&error)))
        })
    }

    /// A folder that is there already.
    pub(crate) fn open(path: &Path) -> Self {
        Self { path: path.to_owned(), is_new: false, rank: None }
    }

    fn create_numbered(
        program: &str,
        rank: Option<&Rank>,
    ) -> Result<Self, (PathBuf, std::io::Error)> {
        let (path, is_new) = job_folder::create_numbered(Path::new(""), program, rank)?;
        let absolute = path.canonicalize().map_err(|error| (path, error))?;
        Ok(Self { path: absolute, is_new, rank: rank.cloned() })
    }

    /// Absolute, so that a program that changes its folder finds it.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it was made for the run.
    pub(crate) fn is_new(&self) -> bool {
        self.is_new
    }

    /// The profiles in it, by name.
    pub(crate) fn profiles(&self) -> Result<Vec<PathBuf>, Failure> {
        let entries =
            fs::read_dir(&self.path).map_err(|error| Failure::cannot_read(&self.path, &error))?;
        let mut profiles: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION))
            .collect();
        profiles.sort();
        Ok(profiles)
    }

    /// The recordings that belong to the folder's rank.
    pub(crate) fn own_profiles(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut profiles = self.profiles()?;
        if let Some(rank) = &self.rank {
            let first = job_folder::file_name(Some(rank), 0, 1);
            let further = format!("rank-{}-", rank.number);
            profiles.retain(|path| {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                name.is_some_and(|name| name == first || name.starts_with(&further))
            });
        }
        Ok(profiles)
    }

    /// Gives a run's only profile a name that is the same for every run.
    pub(crate) fn name_single(&self, profile: &mut PathBuf) {
        rename(profile, self.path.join(SINGLE));
    }

    /// Gives a profile the name of the first one of its rank, or of its process, if that is free:
    /// programs that used no OpenMP may have come before, a script for instance.
    pub(crate) fn name_plainly(&self, profile: &mut PathBuf, rank: Option<&Rank>, pid: u32) {
        let plain = self.path.join(job_folder::file_name(rank, pid, 1));
        if !plain.exists() {
            rename(profile, plain);
        }
    }

    /// Says to the other ranks of the job that the folder's rank has ended, and `how`.
    pub(crate) fn leave_mark(&self, how: &str) {
        if let Some(rank) = &self.rank {
            // Without the mark, the others say that they miss it.
            job_folder::leave_mark(&self.path, rank, how).ok();
        }
    }

    /// Removes the folder if it is new and empty. Of the ranks of a job, each says that it leaves,
    /// and the last one removes it.
    pub(crate) fn discard_if_empty(&self) {
        if self.rank.is_some() {
            self.leave_mark("without a recording");
            let marks = job_folder::marks(&self.path);
            let all = job_folder::size(&self.path).is_none_or(|size| size as usize <= marks.len());
            let have_ended = marks.iter().all(|(_, mark)| matches!(mark, Mark::Ended(_)));
            if all && have_ended && self.profiles().is_ok_and(|profiles| profiles.is_empty()) {
                job_folder::forget(&self.path);
                fs::remove_dir(&self.path).ok();
            }
        } else if self.is_new {
            fs::remove_dir(&self.path).ok();
        }
    }
}

/// Makes a folder in one that is there.
pub(crate) fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir(path).map_err(|error| {
        Failure::own(format!("{}: cannot be made: {}", shown(path), reason(&error)))
    })
}

/// Makes a folder, and those around it. False if it was there.
fn create_folder(path: &Path) -> std::io::Result<bool> {
    if let Some(around) = path.parent().filter(|around| !around.as_os_str().is_empty()) {
        fs::create_dir_all(around)?;
    }
    match fs::create_dir(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_dir() => Ok(false),
        Err(error) => Err(error),
    }
}

/// If renaming fails, the file is as good under its old name.
fn rename(profile: &mut PathBuf, new: PathBuf) {
    if fs::rename(&*profile, &new).is_ok() {
        *profile = new;
    }
}

/// `path` relative to the current folder, if it lies below.
pub(crate) fn shown(path: &Path) -> String {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let relative = here.ok().and_then(|here| path.strip_prefix(here).ok().map(Path::to_owned));
    let relative = relative.filter(|path| !path.as_os_str().is_empty());
    relative.as_deref().unwrap_or(path).display().to_string()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::DataFolder;

    #[test]
    fn a_folder_with_another_runs_data_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("12.oxp"), "").unwrap();
        let failure = DataFolder::create(Some(folder.path()), "app", None).unwrap_err();
        assert!(failure.message.contains("another run"), "{failure}");
    }

    #[test]
    fn profiles_are_the_files_that_end_in_oxp_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::create(Some(&folder.path().join("new/deep")), "app", None).unwrap();
        for name in ["13.oxp", "12.oxp", "notes.txt"] {
            fs::write(data.path().join(name), "").unwrap();
        }
        let names = ["12.oxp", "13.oxp"].map(|name| data.path().join(name));
        assert_eq!(data.profiles().unwrap(), names);
    }

    #[test]
    fn a_single_profile_is_called_run() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataFolder::create(Some(folder.path()), "app", None).unwrap();
        let mut profile = data.path().join("12.oxp");
        fs::write(&profile, "").unwrap();
        data.name_single(&mut profile);
        assert_eq!(profile, data.path().join("run.oxp"));
        assert_eq!(data.profiles().unwrap(), [profile]);
    }

    #[test]
    fn an_empty_folder_is_removed_only_if_it_was_made_for_the_run() {
        let folder = tempfile::tempdir().unwrap();
        DataFolder::create(Some(folder.path()), "app", None).unwrap().discard_if_empty();
        assert!(folder.path().exists());
        let new = folder.path().join("new");
        DataFolder::create(Some(&new), "app", None).unwrap().discard_if_empty();
        assert!(!new.exists());
    }
}
