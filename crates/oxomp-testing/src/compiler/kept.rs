//! Files that compilers make once: the name of each has a hash of all that went into it, so that
//! other tests and later runs find it.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use oxomp_prerequisites::Program;

/// A file that a compiler makes, or has made for another test.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
    stem: String,
    hasher: DefaultHasher,
}

impl Kept {
    /// A file in `folder` whose name begins with `stem`.
    #[must_use]
    pub fn new(folder: &Path, stem: impl Into<String>) -> Self {
        Self { folder: folder.to_owned(), stem: stem.into(), hasher: DefaultHasher::new() }
    }

    /// `ingredient` determines the file, too.
    #[must_use]
    pub fn of(mut self, ingredient: &impl Hash) -> Self {
        ingredient.hash(&mut self.hasher);
        self
    }

    /// The text of `source` determines the file, too.
    ///
    /// # Errors
    ///
    /// A file that cannot be read.
    pub fn of_file(self, source: &Path) -> Result<Self, String> {
        let text = fs::read(source).map_err(|error| format!("{}: {error}", source.display()))?;
        Ok(self.of(&text))
    }

    /// The file. `make` makes it, at the path that it is given, if no other test has. A test that
    /// needs the file while another one makes it waits for that.
    ///
    /// # Errors
    ///
    /// What `make` says, or a folder in which no file can be made.
    pub fn made(self, make: impl FnOnce(&Path) -> Result<(), String>) -> Result<PathBuf, String> {
        let name = format!("{}-{:016x}", self.stem, self.hasher.finish());
        let file = self.folder.join(&name);
        if !file.exists() {
            let said = |error| format!("{}: {error}", self.folder.display());
            let locks = self.folder.join("locks");
            fs::create_dir_all(&locks).map_err(said)?;
            // Stays in the folder: another test may be waiting for the lock of this very file.
            let lock = File::create(locks.join(&name)).map_err(said)?;
            lock.lock().map_err(said)?;
            if !file.exists() {
                let scratch = tempfile::tempdir_in(&self.folder).map_err(said)?;
                let unfinished = scratch.path().join(&name);
                make(&unfinished)?;
                fs::rename(&unfinished, &file).map_err(said)?;
            }
        }
        Ok(file)
    }
}

/// What tells a version of a compiler from another: the compiler's file with size and time. `None`
/// if it is missing. Asking it for its version would take longer than most tests.
#[must_use]
pub fn identity(compiler: Program) -> Option<(PathBuf, u64, SystemTime)> {
    let file = compiler.find()?.canonicalize().ok()?;
    let facts = file.metadata().ok()?;
    let changed = facts.modified().ok()?;
    Some((file, facts.len(), changed))
}

/// Runs a compiler's command.
///
/// # Errors
///
/// The command and what the compiler said.
pub fn compile(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| {
        let program = command.get_program().to_string_lossy().into_owned();
        format!("{program} cannot be started: {error}")
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("compilation failed: {command:?}\n{said}"))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::time::Duration;
    use std::{fs, thread};

    use super::Kept;

    #[test]
    fn a_file_is_made_once_for_the_same_ingredients() {
        let folder = tempfile::tempdir().unwrap();
        let within = folder.path().join("kept");
        let made = |ingredient: &str, text: &str| {
            let kept = Kept::new(&within, "program").of(&ingredient);
            let file = kept.made(|path| fs::write(path, text).map_err(|error| error.to_string()));
            fs::read_to_string(file.unwrap()).unwrap()
        };
        assert_eq!(made("-O2", "first"), "first");
        assert_eq!(made("-O2", "second"), "first");
        assert_eq!(made("-O0", "third"), "third");
        let failed = Kept::new(&within, "program").of(&"-O3").made(|path| {
            fs::write(path, "half of it").unwrap();
            Err("no".to_owned())
        });
        assert_eq!(failed, Err("no".to_owned()));
        let files = fs::read_dir(&within).unwrap();
        let files = files.filter(|entry| entry.as_ref().unwrap().path().is_file());
        assert_eq!(files.count(), 2, "nothing unfinished stays");
    }

    #[test]
    fn tests_that_run_at_once_wait_for_the_one_that_makes_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let makers = AtomicU32::new(0);
        let make = |path: &Path| {
            makers.fetch_add(1, Relaxed);
            thread::sleep(Duration::from_millis(100));
            fs::write(path, "whole").map_err(|error| error.to_string())
        };
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let file = Kept::new(folder.path(), "program").made(make).unwrap();
                    assert_eq!(fs::read_to_string(file).unwrap(), "whole");
                });
            }
        });
        assert_eq!(makers.into_inner(), 1);
    }
}
