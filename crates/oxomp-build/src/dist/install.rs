//! Putting files into a folder.
//!
//! Files are replaced by renaming, so a program that runs on the old library keeps its copy, and
//! only when their contents differ, so that a second time changes nothing.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use anyhow::{Context, Result};
use oxomp_prerequisites::Program;

use crate::command;

/// Copies `from` to `to` if their contents differ.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    let contents = fs::read(from).with_context(|| format!("cannot read {}", from.display()))?;
    let mode = fs::metadata(from)?.permissions().mode();
    replace(to, &contents, mode)
}

/// As [`copy`], without the table of source lines; the names of functions stay. While a program
/// stands in a function that has lines, gdb's language is the function's. LLVM's OMPD plug-in reads
/// memory by expressions of C, and crashes gdb in any language that is not like C.
pub(super) fn copy_without_lines(from: &Path, to: &Path) -> Result<()> {
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let stripped = folder.path().join("stripped");
    let mut strip = Program::Strip.command();
    command::run(strip.arg("--strip-debug").arg("-o").arg(&stripped).arg(from))?;
    copy(&stripped, to)
}

/// Writes `contents` to `to` if they differ from what is there.
pub(super) fn replace(to: &Path, contents: &[u8], mode: u32) -> Result<()> {
    if fs::read(to).is_ok_and(|present| present == contents) {
        return Ok(());
    }
    let folder = to.parent().context("a file needs a folder")?;
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut temporary = tempfile::NamedTempFile::new_in(folder)
        .with_context(|| format!("cannot write in {}", folder.display()))?;
    std::io::Write::write_all(&mut temporary, contents)?;
    fs::set_permissions(temporary.path(), fs::Permissions::from_mode(mode))?;
    temporary.persist(to).with_context(|| format!("cannot replace {}", to.display()))?;
    Ok(())
}

/// Makes `at` a link to `target`.
pub(super) fn link(target: &str, at: &Path) -> Result<()> {
    if fs::read_link(at).is_ok_and(|present| present == Path::new(target)) {
        return Ok(());
    }
    if at.symlink_metadata().is_ok() {
        fs::remove_file(at).with_context(|| format!("cannot replace {}", at.display()))?;
    }
    symlink(target, at).with_context(|| format!("cannot create {}", at.display()))
}

#[cfg(test)]
mod tests {
    use super::{copy_without_lines, link, replace};
    use anyhow::Result;
    use object::{Object, ObjectSymbol};
    use oxomp_prerequisites::Program;
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    #[test]
    fn a_file_with_the_same_contents_is_left_alone() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("sub/file");
        replace(&file, b"one", 0o755)?;
        let before = fs::metadata(&file)?;
        replace(&file, b"one", 0o755)?;
        let inode = std::os::unix::fs::MetadataExt::ino;
        assert_eq!(inode(&before), inode(&fs::metadata(&file)?));
        replace(&file, b"two", 0o644)?;
        assert_eq!(fs::read(&file)?, b"two");
        assert_eq!(fs::metadata(&file)?.permissions().mode() & 0o777, 0o644);
        Ok(())
    }

    #[test]
    fn a_library_loses_its_lines_and_keeps_its_names() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let [from, to] = ["from.so", "to.so"].map(|name| folder.path().join(name));
        let source = folder.path().join("f.c");
        fs::write(&source, "static __attribute__((used)) void hidden_function(void) {}\n")?;
        let mut compiler = Program::Cc.command();
        compiler.args(["-shared", "-fPIC", "-g", "-o"]).arg(&from).arg(&source);
        assert!(compiler.status()?.success());
        copy_without_lines(&from, &to)?;
        let seen = [&from, &to].map(|path| -> Result<(bool, bool)> {
            let bytes = fs::read(path)?;
            let library = object::File::parse(&*bytes)?;
            let has_name = library.symbols().any(|it| it.name() == Ok("hidden_function"));
            Ok((library.section_by_name(".debug_line").is_some(), has_name))
        });
        let [before, after] = seen;
        assert_eq!((before?, after?), ((true, true), (false, true)));
        Ok(())
    }

    #[test]
    fn a_link_that_points_elsewhere_is_corrected() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let at = folder.path().join("libgomp.so.1");
        symlink("old.so", &at)?;
        link("libomp.so", &at)?;
        assert_eq!(fs::read_link(&at)?, Path::new("libomp.so"));
        Ok(())
    }
}
