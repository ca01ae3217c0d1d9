//! The OpenMP runtime a program is run on, and the proof that it was this one.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// Names under which programs ask for an OpenMP runtime.
const NAMES: [&str; 3] = ["libgomp.so", "libomp.so", "libiomp5.so"];

/// The name under which programs that offload ask for the library that does it.
const OFFLOAD: [&str; 1] = ["libomptarget.so"];

/// Checks in the loader's report (`LD_DEBUG=files`) that `folder` gave the only OpenMP runtime.
///
/// # Errors
///
/// Says which other runtime was loaded, or that no runtime was.
pub fn check_loaded(report: &str, folder: &Path) -> Result<(), String> {
    check_served(report, folder, &NAMES)
}

/// As [`check_loaded`], for libomptarget.
///
/// # Errors
///
/// As [`check_loaded`].
pub fn check_offload_loaded(report: &str, folder: &Path) -> Result<(), String> {
    check_served(report, folder, &OFFLOAD)
}

/// Checks that all loaded objects whose file names begin with one of `names` lie in `folder`, and
/// that at least one was loaded.
fn check_served(report: &str, folder: &Path, names: &[&str]) -> Result<(), String> {
    let is_one = |name: Option<&OsStr>| {
        let name = name.unwrap_or_default().to_string_lossy();
        names.iter().any(|start| name.starts_with(start))
    };
    let loaded: BTreeSet<PathBuf> = initialized(report)
        .filter(|path| is_one(path.file_name()))
        .map(|path| fs::canonicalize(&path).unwrap_or(path))
        .collect();
    if loaded.is_empty() {
        return Err(format!("the program loaded no {}", names.join(", ")));
    }
    let ours: BTreeSet<PathBuf> = fs::read_dir(folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .filter_map(|entry| fs::canonicalize(entry.ok()?.path()).ok())
        .collect();
    match loaded.iter().find(|path| !ours.contains(*path)) {
        Some(other) => Err(format!(
            "the program ran on {}, not on what lies in {}",
            other.display(),
            folder.display()
        )),
        None => Ok(()),
    }
}

/// The objects whose initializers the loader ran.
fn initialized(report: &str) -> impl Iterator<Item = PathBuf> {
    report.lines().filter_map(|line| line.split_once("calling init: ")).map(|(_, path)| path.into())
}

#[cfg(test)]
mod tests {
    use super::{check_loaded, check_offload_loaded};
    use oxomp_prerequisites::File;
    use std::fs;
    use std::path::Path;

    fn report(path: &Path) -> String {
        format!(
            "  7:\t\n  7:\tcalling init: /lib/libc.so.6\n  7:\tcalling init: {}\n",
            path.display()
        )
    }

    #[test]
    fn only_the_folder_under_test_may_serve() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let ours = folder.path().join("libgomp.so.1");
        fs::write(&ours, "").expect("writable");
        assert_eq!(check_loaded(&report(&ours), folder.path()), Ok(()));

        let other = File::Libgomp.path();
        let error = check_loaded(&report(other), folder.path()).expect_err("another runtime");
        assert!(error.contains("libgomp"), "{error}");

        let error = check_loaded("", folder.path()).expect_err("no runtime");
        assert!(error.contains("loaded no libgomp.so"), "{error}");
    }

    #[test]
    fn libomptarget_is_no_runtime_and_is_checked_by_itself() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let ours = folder.path().join("libomptarget.so.22.1");
        fs::write(&ours, "").expect("writable");
        assert_eq!(check_offload_loaded(&report(&ours), folder.path()), Ok(()));
        check_loaded(&report(&ours), folder.path()).expect_err("no runtime");
        let other = Path::new("/elsewhere/libomptarget.so.22.1");
        check_offload_loaded(&report(other), folder.path()).expect_err("another one");
    }
}
