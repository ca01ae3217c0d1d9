//! The file of the OMPD library, which a debugger loads to read this runtime.

use std::ffi::{CString, OsStr};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use oxomp_base::os;

/// The name of the file, which lies beside that of the runtime.
const NAME: &str = "libompd.so";

/// As many links in a row as Linux follows.
const LINKS: usize = 40;

/// The path of the file, from the root, so that a debugger in another folder finds it too. `None`
/// if the loader does not know the file of the runtime.
#[must_use]
pub fn path() -> Option<CString> {
    let runtime = behind_links(Path::new(OsStr::from_bytes(os::own_path()?.to_bytes())));
    let library = std::path::absolute(runtime.with_file_name(NAME)).ok()?;
    CString::new(library.into_os_string().into_vec()).ok()
}

/// The file that `name` leads to. The names by which programs ask for the runtime are links, maybe
/// from other folders. Links among the folders lead to the neighbours of a file as well, so only
/// the name itself is asked: every program does this when it starts.
fn behind_links(name: &Path) -> PathBuf {
    let mut file = name.to_owned();
    for _ in 0..LINKS {
        let Ok(target) = std::fs::read_link(&file) else { break };
        file = match file.parent() {
            Some(folder) => folder.join(target),
            None => target,
        };
    }
    file
}

#[cfg(test)]
mod tests {
    use super::behind_links;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn the_neighbour_of_a_file_is_found_through_links() {
        let folder = std::env::temp_dir().join(format!("oxomp-links-{}", std::process::id()));
        fs::create_dir_all(folder.join("real")).expect("a folder");
        fs::create_dir_all(folder.join("names")).expect("a folder");
        for file in ["real/libomp.so", "real/libompd.so"] {
            fs::write(folder.join(file), "").expect("a file");
        }
        for (target, name) in [
            ("libomp.so", "real/libgomp.so.1"),
            ("../real/libgomp.so.1", "names/relative"),
            ("relative", "names/chain"),
            ("real", "linked"),
            ("loop", "loop"),
        ] {
            symlink(target, folder.join(name)).expect("a link");
        }
        symlink(folder.join("names/chain"), folder.join("absolute")).expect("a link");
        let library = fs::canonicalize(folder.join("real/libompd.so")).expect("it is there");
        for name in [
            "real/libomp.so",
            "real/libgomp.so.1",
            "names/relative",
            "names/chain",
            "linked/libgomp.so.1",
            "absolute",
        ] {
            let found = behind_links(&folder.join(name)).with_file_name("libompd.so");
            assert_eq!(found.canonicalize().ok().as_ref(), Some(&library), "{name}");
        }
        // No file: the name itself.
        for name in ["loop", "none"] {
            let parent = behind_links(&folder.join(name)).parent().map(ToOwned::to_owned);
            assert_eq!(parent.as_deref(), Some(&*folder));
        }
        fs::remove_dir_all(&folder).expect("it can be removed");
    }
}
