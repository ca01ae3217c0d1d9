//! A Debian of another processor in a folder: the libraries that programs link and load.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use oxomp_build::command;
use oxomp_prerequisites::Foreign;

use super::Target;

/// The libraries of gcc's and LLVM's languages, C's headers, and the runtimes with which the tests
/// compare.
const PACKAGES: [&str; 9] = [
    "libc6-dev",
    "libclang-rt-22-dev",
    "libflang-22-dev",
    "libgcc-12-dev",
    "libgfortran-12-dev",
    "libgomp1",
    "liboffload-22-dev",
    "libomp-22-dev",
    "libstdc++-12-dev",
];

/// What of these packages programs neither link nor load: more than half of a gigabyte. A `*`
/// stands for slashes, too.
const EXCLUDED: [&str; 5] = [
    "/usr/bin/*",
    "/usr/sbin/*",
    "/usr/share/*",
    "/usr/lib/llvm*/include/*",
    "/usr/lib/llvm*/lib/lib*.a",
];

/// Where this machine says which archives its packages come from.
const SOURCES: [&str; 2] = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"];

/// The file of the folder that says which packages it has.
const CONTENTS: &str = "oxomp-packages";

/// The folder below `target`, filled if it does not have the packages yet. They are unpacked only:
/// their scripts would be code of the other processor.
pub(super) fn ensure(processor: Target, target: &Path) -> Result<PathBuf> {
    let root = target.join("reference").join(processor.debian());
    let list = PACKAGES.join(",");
    if fs::read_to_string(root.join(CONTENTS)).is_ok_and(|has| has == list) {
        return Ok(root);
    }
    if root.exists() {
        // Half filled by an earlier run that was interrupted, or of an earlier list.
        fs::remove_dir_all(&root)?;
    }
    fs::create_dir_all(&root)?;
    let mut unpack = Foreign::Mmdebstrap.command();
    unpack.args(["--quiet", "--variant=extract", "--skip=check/qemu"]);
    unpack.arg(format!("--architectures={}", processor.debian()));
    unpack.arg(format!("--include={list}"));
    unpack.args(EXCLUDED.map(|path| format!("--dpkgopt=path-exclude={path}")));
    unpack.arg(release()?).arg(&root).args(sources()?);
    command::run(&mut unpack)?;
    keep_links_inside(&root, &root)?;
    fs::write(root.join(CONTENTS), list)?;
    Ok(root)
}

/// The files that say which archives this machine's packages come from.
pub(crate) fn sources() -> Result<Vec<&'static str>> {
    let sources: Vec<&str> = SOURCES.into_iter().filter(|path| Path::new(path).is_file()).collect();
    if sources.is_empty() {
        bail!("{} is not there: this needs a Debian machine", SOURCES.join(" or "));
    }
    Ok(sources)
}

/// The name of this machine's release of Debian: bookworm.
pub(crate) fn release() -> Result<String> {
    let text = fs::read_to_string("/etc/os-release").context("/etc/os-release")?;
    let name = text.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
    Ok(name.context("/etc/os-release has no VERSION_CODENAME")?.trim_matches('"').to_owned())
}

/// Makes links in `folder` and below that lead to a path of the other Debian lead to that path in
/// `root`, where linkers find it.
fn keep_links_inside(root: &Path, folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_symlink() {
            let to = fs::read_link(&path)?;
            if let Ok(inside) = to.strip_prefix("/") {
                fs::remove_file(&path)?;
                symlink(root.join(inside), &path)?;
            }
        } else if path.is_dir() {
            keep_links_inside(root, &path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::keep_links_inside;
    use anyhow::Result;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_to_a_path_of_the_other_debian_stays_in_its_folder() -> Result<()> {
        let root = tempfile::tempdir()?;
        let folder = root.path().join("usr/lib");
        fs::create_dir_all(&folder)?;
        let links = ["absolute", "relative"].map(|name| folder.join(name));
        symlink("/lib/libm.so.6", &links[0])?;
        symlink("libm.so.6", &links[1])?;
        keep_links_inside(root.path(), root.path())?;
        assert_eq!(fs::read_link(&links[0])?, root.path().join("lib/libm.so.6"));
        assert_eq!(fs::read_link(&links[1])?.to_str(), Some("libm.so.6"));
        Ok(())
    }
}
