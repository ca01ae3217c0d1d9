//! The place where stages are built: folders with the same names on every machine.
//!
//! The linker's unwinder is compiled for each link, and its debug information names the folder of
//! the tools and the current one. So each build has mounts of its own, which end with it: in them,
//! the repository and the folder of the packages lie at paths that do not depend on the machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use oxomp_prerequisites::{Foreign, Packaging};

use crate::packages;

/// The folder that gets the mounts; only a build sees more in it than two empty folders.
const PLACE: &str = "/tmp/oxomp-package";

/// Two folders of this machine, and their names in builds.
#[derive(Debug)]
pub(super) struct Place {
    repository: PathBuf,
    folder: PathBuf,
}

impl Place {
    /// The place for the repository and the folder of the packages.
    pub(super) fn new(repository: &Path, folder: &Path) -> Result<Self> {
        let place = Self { repository: repository.to_owned(), folder: folder.to_owned() };
        for mount in [Self::repository(), Self::folder()] {
            fs::create_dir_all(&mount).with_context(|| mount.display().to_string())?;
        }
        Ok(place)
    }

    /// The name of the repository in builds.
    pub(super) fn repository() -> PathBuf {
        Path::new(PLACE).join("repository")
    }

    /// The name of the folder of the packages in builds.
    pub(super) fn folder() -> PathBuf {
        Path::new(PLACE).join("package")
    }

    /// The name in builds of a path in the folder of the packages, or another path as it is.
    pub(super) fn name(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.folder) {
            Ok(below) => Self::folder().join(below),
            Err(_) => path.to_owned(),
        }
    }

    /// A command that executes the program, which has that name in builds, in the repository. All
    /// users may make mounts of their own; only root's programs run as root there.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mount = Foreign::Mount.text();
        let enter = format!(
            "{mount} --rbind \"$1\" \"$2\" && {mount} --rbind \"$3\" \"$4\" && cd \"$2\" && \
             shift 4 && exec \"$@\""
        );
        let mut command = Packaging::Unshare.command();
        command.arg("--mount");
        if !packages::is_root() {
            command.arg("--map-root-user");
        }
        command.args(["sh", "-c", &enter, "sh"]);
        command.arg(&self.repository).arg(Self::repository());
        command.arg(&self.folder).arg(Self::folder());
        command.arg(program);
        command
    }
}

#[cfg(test)]
mod tests {
    use super::Place;
    use std::path::Path;

    #[test]
    fn paths_in_the_folder_of_the_packages_have_names_in_builds() {
        let place = Place { repository: "/home/a/oxomp".into(), folder: "/home/a/package".into() };
        let tools = place.name(Path::new("/home/a/package/tools/bin"));
        assert_eq!(tools, Place::folder().join("tools/bin"));
        assert_eq!(place.name(Path::new("/usr/bin")), Path::new("/usr/bin"));
    }
}
