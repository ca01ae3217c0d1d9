//! The file that has the code of a library, and whether that is oxomp's runtime.

use std::path::{Path, PathBuf};

use crate::elf;

/// The file that has the code of the library `file`: where a link leads, and where a library
/// without code does, which stands for another one beside it. Wheels have such libraries in the
/// place of links, which they cannot hold.
pub(crate) fn implementation(file: &Path) -> Option<PathBuf> {
    let real = file.canonicalize().ok()?;
    let Some(name) = elf::read(&real).ok().and_then(|read| read.stands_for) else {
        return Some(real);
    };
    real.with_file_name(name).canonicalize().ok().or(Some(real))
}

/// Whether `file` is the runtime at `runtime`, under whichever of its names.
pub(crate) fn is_ours(file: &Path, runtime: &Path) -> bool {
    implementation(file).is_some_and(|found| implementation(runtime) == Some(found))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use oxomp_prerequisites::Program;

    use super::{implementation, is_ours};

    /// A library without code that stands for `other`, or for none.
    fn link(at: &Path, other: Option<&str>) {
        let source = at.with_extension("c");
        fs::write(&source, "").unwrap();
        let mut compiler = Program::Cc.command();
        compiler.args(["-shared", "-nostdlib"]).args(other.map(|other| format!("-Wl,-F,{other}")));
        assert!(compiler.arg("-o").arg(at).arg(&source).status().unwrap().success());
    }

    #[test]
    fn links_and_libraries_without_code_lead_to_the_runtime() {
        let folder = tempfile::tempdir().unwrap();
        let [ours, others] = ["ours", "others"].map(|name| folder.path().join(name));
        for folder in [&ours, &others] {
            fs::create_dir(folder).unwrap();
        }
        let runtime = ours.join("libomp.so");
        link(&runtime, None);
        link(&ours.join("libgomp.so.1"), Some("libomp.so"));
        symlink(ours.join("libgomp.so.1"), others.join("libiomp5.so")).unwrap();
        link(&others.join("libgomp.so.1"), None);
        link(&others.join("libomp.so.5"), Some("libomp.so"));
        assert!(is_ours(&ours.join("libgomp.so.1"), &runtime));
        assert!(is_ours(&others.join("libiomp5.so"), &runtime));
        assert!(!is_ours(&others.join("libgomp.so.1"), &runtime));
        assert!(!is_ours(&ours.join("libomp.so.5"), &runtime));
        // What it stands for is not there.
        let alone = others.join("libomp.so.5");
        assert_eq!(implementation(&alone), Some(alone.canonicalize().unwrap()));
    }
}
