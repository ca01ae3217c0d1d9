//! Where the debug information of a binary lies: in the file itself, or in a separate one that a
//! build id or a `.gnu_debuglink` names.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use object::{Object, ReadCache, ReadRef};

/// Folder of the debug files that distributions install.
const SYSTEM_DEBUG_FOLDER: &str = "/usr/lib/debug";

/// The files with the debug information of one binary.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DebugFiles {
    /// The file that holds debug information; the binary itself if there is no other.
    pub(crate) main: PathBuf,
    /// The file in which parts common to several debug files lie (`.gnu_debugaltlink`).
    pub(crate) supplementary: Option<PathBuf>,
}

/// Finds the debug information of the binary at `path`, whose parsed form is `object`.
pub(crate) fn find<'data, R: ReadRef<'data>>(
    path: &Path,
    object: &object::File<'data, R>,
) -> DebugFiles {
    let separate = (!object.has_debug_symbols()).then(|| separate_file(path, object)).flatten();
    let main = separate.unwrap_or_else(|| path.to_owned());
    let supplementary = supplementary_file(&main);
    DebugFiles { main, supplementary }
}

fn separate_file<'data, R: ReadRef<'data>>(
    path: &Path,
    object: &object::File<'data, R>,
) -> Option<PathBuf> {
    let build_id = object.build_id().ok().flatten();
    let by_build_id = build_id.and_then(build_id_path).filter(|file| file.is_file());
    by_build_id.or_else(|| {
        let (name, _checksum) = object.gnu_debuglink().ok().flatten()?;
        let name = std::str::from_utf8(name).ok()?;
        debuglink_candidates(path, name)
            .into_iter()
            .find(|candidate| candidate.is_file() && has_build_id(candidate, build_id))
    })
}

/// `/usr/lib/debug/.build-id/ab/cdef….debug`.
fn build_id_path(build_id: &[u8]) -> Option<PathBuf> {
    let (first, rest) = build_id.split_first()?;
    let rest: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
    Some(PathBuf::from(format!("{SYSTEM_DEBUG_FOLDER}/.build-id/{first:02x}/{rest}.debug")))
}

/// The places gdb looks at, in its order.
fn debuglink_candidates(path: &Path, name: &str) -> Vec<PathBuf> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("/"));
    let below_root = folder.strip_prefix("/").unwrap_or(folder);
    vec![
        folder.join(name),
        folder.join(".debug").join(name),
        Path::new(SYSTEM_DEBUG_FOLDER).join(below_root).join(name),
    ]
    .into_iter()
    .filter(|candidate| *candidate != path)
    .collect()
}

/// Whether the file has the build id `expected`: a debug file of another build would give wrong
/// lines. A file without a build id is accepted.
fn has_build_id(file: &Path, expected: Option<&[u8]>) -> bool {
    let Ok(found) =
        with_object(file, |object| object.build_id().ok().flatten().map(<[u8]>::to_vec))
    else {
        return false;
    };
    match (found, expected) {
        (Some(found), Some(expected)) => found == expected,
        _ => true,
    }
}

fn supplementary_file(debug_file: &Path) -> Option<PathBuf> {
    let named = with_object(debug_file, |object| {
        let (name, _build_id) = object.gnu_debugaltlink().ok().flatten()?;
        String::from_utf8(name.to_vec()).ok()
    });
    let name = named.ok().flatten()?;
    // A relative name counts from the file that holds it; joining keeps an absolute one.
    let file = debug_file.canonicalize().ok()?.parent()?.join(name);
    file.is_file().then_some(file)
}

/// Parses the file at `path`, reading only the parts that are used.
pub(crate) fn with_object<T>(
    path: &Path,
    ask: impl for<'a> FnOnce(&object::File<'a, &'a ReadCache<File>>) -> T,
) -> io::Result<T> {
    let cache = ReadCache::new(File::open(path)?);
    let object = object::File::parse(&cache).map_err(io::Error::other)?;
    Ok(ask(&object))
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{build_id_path, debuglink_candidates};

    #[test]
    fn a_build_id_names_a_file_of_the_system() {
        let path = build_id_path(&[0xab, 0x01, 0xef]);
        assert_eq!(path, Some(PathBuf::from("/usr/lib/debug/.build-id/ab/01ef.debug")));
        assert_eq!(build_id_path(&[]), None);
    }

    #[test]
    fn a_debug_link_is_looked_for_beside_below_and_in_the_system() {
        let found = debuglink_candidates(Path::new("/no/such/app"), "app.debug");
        let expected =
            ["/no/such/app.debug", "/no/such/.debug/app.debug", "/usr/lib/debug/no/such/app.debug"];
        assert_eq!(found, expected.map(PathBuf::from));
    }

    #[test]
    fn a_debug_link_to_the_binary_itself_is_no_candidate() {
        let found = debuglink_candidates(Path::new("/no/such/app"), "app");
        assert!(!found.contains(&PathBuf::from("/no/such/app")), "{found:?}");
    }
}
