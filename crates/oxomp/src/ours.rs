//! Whether a library is oxomp's runtime.

use std::path::Path;

/// Whether `file` is the runtime at `runtime`, under whichever of its names: a link to it, or a
/// library beside it. Wheels hold no links. There the other names are small libraries that need the
/// runtime and have no code.
pub(crate) fn is_ours(file: &Path, runtime: &Path) -> bool {
    let folder = |path: &Path| path.canonicalize().ok()?.parent().map(Path::to_owned);
    folder(file).is_some_and(|found| folder(runtime) == Some(found))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::is_ours;

    #[test]
    fn links_and_libraries_beside_the_runtime_are_ours() {
        let folder = tempfile::tempdir().unwrap();
        let [ours, others] = ["ours", "others"].map(|name| folder.path().join(name));
        for folder in [&ours, &others] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("libgomp.so.1"), "").unwrap();
        }
        let runtime = ours.join("libomp.so.5");
        fs::write(&runtime, "").unwrap();
        symlink(&runtime, others.join("libiomp5.so")).unwrap();
        assert!(is_ours(&ours.join("libgomp.so.1"), &runtime));
        assert!(is_ours(&others.join("libiomp5.so"), &runtime));
        assert!(!is_ours(&others.join("libgomp.so.1"), &runtime));
        assert!(!is_ours(&ours.join("libomp.so"), &runtime));
    }
}
