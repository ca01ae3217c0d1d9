//! The file of the OMPD library, which a debugger loads to read this runtime.

use std::ffi::{CString, OsStr};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use crate::os::loader;

/// The name of the file, which lies beside that of the runtime.
const NAME: &str = "libompd.so";

/// The path of the file, from the root, so that a debugger in another folder finds it too. None if
/// the loader does not know the file of the runtime.
#[must_use]
pub fn path() -> Option<CString> {
    let here = path as fn() -> Option<CString>;
    // SAFETY: the runtime's own object is never unloaded.
    let object = unsafe { loader::Object::around(here as *const core::ffi::c_void) }?;
    let runtime = Path::new(OsStr::from_bytes(object.path().to_bytes()));
    // The names by which programs ask for the runtime are links, maybe from other folders.
    let runtime = std::fs::canonicalize(runtime).or_else(|_| std::path::absolute(runtime)).ok()?;
    CString::new(runtime.with_file_name(NAME).into_os_string().into_vec()).ok()
}
