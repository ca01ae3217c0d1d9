//! Files that compilers make once: the name of each has a hash of all that went into it, so that
//! other tests and later runs find it.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
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

    /// The file. `make` makes it, at the path that it is given, if no other test has.
    ///
    /// # Errors
    ///
    /// What `make` says, or a folder in which no file can be made.
    pub fn made(self, make: impl FnOnce(&Path) -> Result<(), String>) -> Result<PathBuf, String> {
        let name = format!("{}-{:016x}", self.stem, self.hasher.finish());
        let file = self.folder.join(&name);
        if !file.exists() {
            let said = |error| format!("{}: {error}", self.folder.display());
            fs::create_dir_all(&self.folder).map_err(said)?;
            // Another thread or process may be making the same file.
            let scratch = tempfile::tempdir_in(&self.folder).map_err(said)?;
            let unfinished = scratch.path().join(&name);
            make(&unfinished)?;
            appears(&unfinished, &file)?;
        }
        Ok(file)
    }
}

/// Gives a complete file its final name. If another thread or process has made that file meanwhile,
/// it stays, since a program may be running from it.
fn appears(unfinished: &Path, name: &Path) -> Result<(), String> {
    match fs::hard_link(unfinished, name) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(format!("{}: {error}", name.display()))
        }
        _ => Ok(()),
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
    use std::fs;

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
        assert_eq!(fs::read_dir(&within).unwrap().count(), 2, "nothing unfinished stays");
    }
}
