//! Where LLVM's Archer lies, the tool that tells ThreadSanitizer about OpenMP's synchronization.
//!
//! LLVM's runtime asks the loader for `libarcher.so`, but Debian's packages install that file
//! beside the libomp of each version, in a folder which the loader does not search. Any version
//! serves: between the runtime and Archer lies OMPT alone.

use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

use oxomp_base::os::loader;

const ARCHER: &str = "libarcher.so";
/// LLVM's runtime, by the name that programs have in them.
const LIBOMP: &str = "libomp.so.5";
/// The folder in which Debian's packages install LLVM, each version in a folder of its own.
const PACKAGES: &str = "/usr/lib";

/// The files to try, in this order: what the loader finds; what lies in a folder in which the
/// loader looks for the program's libraries, or beside the libomp to which such a folder refers;
/// the latest version that Debian's packages have installed.
pub(super) fn candidates() -> impl Iterator<Item = PathBuf> {
    let of_loader = iter::once_with(|| ARCHER.into());
    let of_program = iter::once_with(loader::folders_of_program);
    let near_program = of_program.flatten().flat_map(|folder| near(&folder));
    let of_packages = iter::once_with(|| installed(Path::new(PACKAGES))).flatten();
    of_loader.chain(near_program).chain(of_packages)
}

/// Archer in the folder, and beside the libomp to which it refers.
fn near(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let libomp = fs::canonicalize(folder.join(LIBOMP)).ok();
    let beside = libomp.map(|libomp| libomp.with_file_name(ARCHER));
    [Some(folder.join(ARCHER)), beside].into_iter().flatten().filter(|path| path.is_file())
}

/// Archer of LLVM's versions, as Debian's packages lay them out: the latest first.
fn installed(packages: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let folders = fs::read_dir(packages).into_iter().flatten().flatten();
    let version = |folder: fs::DirEntry| {
        let version: u32 = folder.file_name().to_str()?.strip_prefix("llvm-")?.parse().ok()?;
        let archer = folder.path().join("lib").join(ARCHER);
        archer.is_file().then_some((version, archer))
    };
    let mut versions: Vec<_> = folders.filter_map(version).collect();
    versions.sort_unstable();
    versions.into_iter().rev().map(|(_, archer)| archer)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::{ARCHER, LIBOMP, candidates, installed, near};

    #[test]
    fn the_loader_is_asked_first() {
        assert_eq!(candidates().next().expect("it is always tried").as_os_str(), ARCHER);
    }

    #[test]
    fn a_folder_leads_to_the_file_in_it_and_to_that_of_its_libomp() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().canonicalize().expect("it exists");
        let (linked, llvm) = (path.join("linked"), path.join("llvm"));
        for folder in [&linked, &llvm] {
            fs::create_dir(folder).expect("the folder is writable");
        }
        fs::write(llvm.join("libomp.so"), "").expect("the folder is writable");
        symlink("../llvm/libomp.so", linked.join(LIBOMP)).expect("the folder is writable");
        assert_eq!(near(&linked).count(), 0);
        fs::write(llvm.join(ARCHER), "").expect("the folder is writable");
        assert!(near(&linked).eq([llvm.join(ARCHER)]));
        fs::write(linked.join(ARCHER), "").expect("the folder is writable");
        assert!(near(&linked).eq([linked.join(ARCHER), llvm.join(ARCHER)]));
        assert_eq!(near(&path.join("missing")).count(), 0);
    }

    #[test]
    fn the_latest_installed_version_comes_first() {
        let packages = tempfile::tempdir().expect("a temporary folder");
        let archer = |version: &str| packages.path().join(version).join("lib").join(ARCHER);
        for version in ["llvm-9", "llvm-22", "llvm-19", "llvm-next", "llvm"] {
            let folder = packages.path().join(version).join("lib");
            fs::create_dir_all(folder).expect("the folder is writable");
            if version != "llvm-19" {
                fs::write(archer(version), "").expect("the folder is writable");
            }
        }
        assert!(installed(packages.path()).eq([archer("llvm-22"), archer("llvm-9")]));
        assert_eq!(installed(&packages.path().join("missing")).count(), 0);
    }
}
