//! The libraries that a program would get, as its own dynamic loader tells.
//!
//! The rules of the search (run paths of every library on the way, the cache, hardware folders)
//! are the loader's business, so it is asked: `ld.so --list program` maps everything, prints what
//! it found, and runs no code of the program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A library the loader looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Linked {
    /// The name asked for.
    pub(crate) name: String,
    /// The file that the loader takes; `None` if it finds none.
    pub(crate) path: Option<PathBuf>,
}

/// The loader's answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct LoaderSays {
    pub(crate) libraries: Vec<Linked>,
    /// The loader's complaints, such as versions that a library lacks.
    pub(crate) complaints: Vec<String>,
}

impl LoaderSays {
    /// Whether `file` is among the libraries, under whatever name.
    pub(crate) fn loads(&self, file: &Path) -> bool {
        self.libraries
            .iter()
            .filter_map(|library| library.path.as_deref())
            .any(|path| path == file || same_file(path, file))
    }
}

/// Asks `interpreter` what it would load for `program` with `variables` added to the environment.
///
/// `None` if it is missing, or does not know `--list`.
pub(crate) fn ask_loader(
    interpreter: &Path,
    program: &Path,
    variables: &[(OsString, OsString)],
) -> Option<LoaderSays> {
    let output = Command::new(interpreter)
        .arg("--list")
        .arg(program)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let libraries = parse(&String::from_utf8_lossy(&output.stdout));
    if libraries.is_empty() && !output.status.success() {
        return None;
    }
    let complaints = String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect();
    Some(LoaderSays { libraries, complaints })
}

/// Lines like `libm.so.6 => /lib/libm.so.6 (0x7f…)`, `libx.so => not found`, `/opt/y.so (0x7f…)`.
fn parse(listing: &str) -> Vec<Linked> {
    listing.lines().filter_map(parse_line).collect()
}

fn parse_line(line: &str) -> Option<Linked> {
    let line = line.trim();
    if let Some((name, found)) = line.split_once(" => ") {
        let path = (found != "not found").then(|| PathBuf::from(without_address(found)));
        return Some(Linked { name: name.to_owned(), path });
    }
    let name = without_address(line);
    // A name alone is the kernel's own object, or a library named by its path.
    let path = name.contains('/').then(|| PathBuf::from(name));
    (name != line).then(|| Linked { name: name.to_owned(), path })
}

fn without_address(text: &str) -> &str {
    text.rsplit_once(" (0x").map_or(text, |(name, _address)| name)
}

fn same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Linked, parse};

    #[test]
    fn a_listing_of_glibc_is_understood() {
        let listing = "\tlinux-vdso.so.1 (0x00007ffc5f1e2000)\n\
                       \t/opt/with space/libomp.so (0x00007f00)\n\
                       \tlibgomp.so.1 => /usr/lib/libgomp.so.1 (0x00007f0f0a000000)\n\
                       \tlibnone.so => not found\n\
                       \t/lib64/ld-linux.so.2 (0x00007f0f0a2f5000)\n";
        let linked = |name: &str, path: Option<&str>| Linked {
            name: name.to_owned(),
            path: path.map(PathBuf::from),
        };
        assert_eq!(
            parse(listing),
            [
                linked("linux-vdso.so.1", None),
                linked("/opt/with space/libomp.so", Some("/opt/with space/libomp.so")),
                linked("libgomp.so.1", Some("/usr/lib/libgomp.so.1")),
                linked("libnone.so", None),
                linked("/lib64/ld-linux.so.2", Some("/lib64/ld-linux.so.2")),
            ]
        );
    }

    #[test]
    fn other_output_is_no_library() {
        assert_eq!(parse("\tstatically linked\n"), []);
    }
}
