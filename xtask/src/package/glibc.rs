//! The GNU C library that the files of a package run on.

use std::path::Path;

use anyhow::{Context, Result, bail};
use oxomp_build::elf::SharedObject;

/// The oldest GNU C library that the files of a stage run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glibc {
    /// 2.17, of 2012: what wheels and tarballs promise.
    Old,
    /// 2.34, since which the library is one file: programs load two libraries less. Debian 12 has
    /// 2.36.
    OneFile,
}

impl Glibc {
    /// Its version, as the linker takes it.
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Old => "2.17",
            Self::OneFile => "2.34",
        }
    }

    /// Fails if the program or library asks the C library for what this one does not have.
    ///
    /// The linker lets libraries refer to functions that the C library of the time did not have.
    /// Such a reference has no version, and the loader of that time would refuse the library,
    /// unless the reference is weak.
    pub(super) fn suffices_for(self, path: &Path) -> Result<()> {
        let newest = version(self.text()).context("a version has numbers")?;
        for import in SharedObject::read(path)?.imports {
            let node = import.node.as_deref().and_then(|node| node.strip_prefix("GLIBC_"));
            let is_there = match node {
                Some(node) => version(node).is_some_and(|node| node <= newest),
                None => import.weak || import.node.is_some(),
            };
            if !is_there {
                let (name, glibc) = (import.versioned_name(), self.text());
                bail!("{} asks for {name}, which glibc {glibc} does not have", path.display());
            }
        }
        Ok(())
    }
}

/// The numbers of a version, as 2.2.5.
fn version(text: &str) -> Option<Vec<u32>> {
    text.split('.').map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_are_compared_by_number() {
        assert!(version("2.2.5") < version("2.17"));
        assert!(version("2.34") > version("2.17"));
        assert_eq!(version("PRIVATE"), None);
    }
}
