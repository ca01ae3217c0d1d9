//! Environment variables that are added to those that the program inherits.

use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::failure::Failure;

/// Variables set for the program, in the order in which they were set.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variables {
    set: Vec<(OsString, OsString)>,
}

impl Variables {
    /// No variable set.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Sets a variable, whether or not it was set.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.set.retain(|(present, _)| present != name);
        self.set.push((name.into(), value.into()));
    }

    /// Puts a folder before the folders in `LD_LIBRARY_PATH`.
    pub(crate) fn prepend_library_path(&mut self, folder: &Path) -> Result<(), Failure> {
        const NAME: &str = "LD_LIBRARY_PATH";
        reject_separators(NAME, folder, b":;$")?;
        self.join(NAME, |present| [folder.as_os_str(), present].join(OsStr::new(":")), folder);
        Ok(())
    }

    /// Puts a shared object before the objects in `LD_PRELOAD`: the loader searches it first.
    pub(crate) fn prepend_preload(&mut self, file: &Path) -> Result<(), Failure> {
        const NAME: &str = "LD_PRELOAD";
        reject_separators(NAME, file, b": \t\n$")?;
        self.join(NAME, |present| [file.as_os_str(), present].join(OsStr::new(":")), file);
        Ok(())
    }

    /// All variables, to be added to an environment.
    pub(crate) fn as_slice(&self) -> &[(OsString, OsString)] {
        &self.set
    }

    fn join(&mut self, name: &str, join: impl FnOnce(&OsStr) -> OsString, alone: &Path) {
        let value = match self.present(name) {
            Some(present) => join(&present),
            None => alone.as_os_str().to_owned(),
        };
        self.set(name, value);
    }

    /// An empty variable counts as unset: joined, it would name the current folder.
    fn present(&self, name: &str) -> Option<OsString> {
        let ours = self.set.iter().find(|(present, _)| present == name);
        let value = ours.map(|(_, value)| value.clone()).or_else(|| env::var_os(name));
        value.filter(|value| !value.is_empty())
    }
}

/// Fails if a path contains one of the characters that separate the paths of a variable: they
/// cannot be quoted.
pub(crate) fn reject_separators(
    variable: &str,
    path: &Path,
    separators: &[u8],
) -> Result<(), Failure> {
    match path.as_os_str().as_bytes().iter().find(|byte| separators.contains(byte)) {
        None => Ok(()),
        Some(byte) => Err(Failure::own(format!(
            "{}: this path cannot be put into {variable}, because it contains {:?}; move oxomp to \
             another folder",
            path.display(),
            char::from(*byte)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Variables;

    fn value<'a>(variables: &'a Variables, name: &str) -> Option<&'a str> {
        let set = variables.as_slice().iter().find(|(present, _)| present == name)?;
        set.1.to_str()
    }

    #[test]
    fn libraries_of_ours_come_first_and_the_users_stay() {
        let mut variables = Variables::new();
        variables.set("LD_PRELOAD", "/theirs.so");
        variables.set("LD_LIBRARY_PATH", "/their lib");
        variables.prepend_preload(Path::new("/ours.so")).unwrap();
        variables.prepend_library_path(Path::new("/our lib")).unwrap();
        assert_eq!(value(&variables, "LD_PRELOAD"), Some("/ours.so:/theirs.so"));
        assert_eq!(value(&variables, "LD_LIBRARY_PATH"), Some("/our lib:/their lib"));
    }

    #[test]
    fn an_empty_variable_leaves_no_empty_entry() {
        let mut variables = Variables::new();
        variables.set("LD_PRELOAD", "");
        variables.prepend_preload(Path::new("/ours.so")).unwrap();
        assert_eq!(value(&variables, "LD_PRELOAD"), Some("/ours.so"));
    }

    #[test]
    fn a_path_that_cannot_be_said_is_an_error_that_names_it() {
        let failure = Variables::new().prepend_preload(Path::new("/a b/libomp.so")).unwrap_err();
        assert!(failure.message.contains("/a b/libomp.so"), "{failure}");
        assert!(failure.message.contains("LD_PRELOAD"), "{failure}");
        assert!(Variables::new().prepend_library_path(Path::new("/a:b")).is_err());
    }
}
