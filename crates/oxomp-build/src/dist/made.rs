//! The files that a command of Cargo makes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command;
use crate::workspace::Workspace;

/// The files that Cargo has made, by file name.
#[derive(Debug)]
pub struct Made(BTreeMap<String, PathBuf>);

impl Made {
    /// Runs `build`, a command of Cargo without the option on its messages.
    pub(super) fn by(workspace: &Workspace, build: &mut Command) -> Result<Self> {
        build.current_dir(&workspace.root).arg("--message-format=json-render-diagnostics");
        let messages = command::capture_messages(build)
            .context("the build failed; nothing was put into the folder")?;
        Ok(Self::of_messages(&messages))
    }

    fn of_messages(messages: &str) -> Self {
        let mut made = BTreeMap::new();
        for message in messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok())
        {
            let files = message["filenames"].as_array().map_or(&[][..], Vec::as_slice);
            let executable = message["executable"].as_str();
            for file in files.iter().filter_map(Value::as_str).chain(executable) {
                if let Some(name) = Path::new(file).file_name() {
                    made.insert(name.to_string_lossy().into_owned(), PathBuf::from(file));
                }
            }
        }
        Self(made)
    }

    /// Takes the files that another command has made, too.
    pub(super) fn add(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Takes the file `name` of what another command has made.
    pub(super) fn take(&mut self, other: Self, name: &str) {
        self.0.extend(other.0.into_iter().filter(|(other, _)| other == name));
    }

    /// The same files, whose paths begin with `to` in the place of `from`.
    #[must_use]
    pub fn moved(self, from: &Path, to: &Path) -> Self {
        let files = self.0.into_iter().map(|(name, path)| match path.strip_prefix(from) {
            Ok(below) => (name, to.join(below)),
            Err(_) => (name, path),
        });
        Self(files.collect())
    }

    /// Where the file `name` is.
    pub fn file(&self, name: &str) -> Result<&Path> {
        self.0
            .get(name)
            .map(PathBuf::as_path)
            .with_context(|| format!("the build made no `{name}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::Made;
    use std::path::Path;

    #[test]
    fn cargos_messages_name_the_files() {
        let messages = concat!(
            "{\"reason\":\"compiler-artifact\",\"filenames\":[\"/t/release/libomp.so\"],\"executable\":null}\n",
            "not json\n",
            "{\"filenames\":[\"/t/release/oxomp\"],\"executable\":\"/t/release/oxomp\"}\n",
        );
        let made = Made::of_messages(messages);
        assert_eq!(made.file("libomp.so").unwrap(), Path::new("/t/release/libomp.so"));
        assert_eq!(made.file("oxomp").unwrap(), Path::new("/t/release/oxomp"));
        assert!(made.file("liboxomp.so").is_err());
        let moved = made.moved(Path::new("/t"), Path::new("/u"));
        assert_eq!(moved.file("oxomp").unwrap(), Path::new("/u/release/oxomp"));
    }
}
