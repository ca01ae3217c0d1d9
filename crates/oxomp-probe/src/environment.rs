//! The environment variables under which a check starts the runtime.

use std::env;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use crate::code;

/// The variables of a check: this tool, four threads, and the check's own.
pub(crate) fn set(own: &[(&str, &str)]) {
    let tool = code::own_file();
    let tool = PathBuf::from(OsStr::from_bytes(tool.as_bytes()));
    let usual = [("OMP_NUM_THREADS", "4"), ("OMP_DYNAMIC", "false")];
    // SAFETY: the runtime is not loaded yet, and there is one thread.
    unsafe {
        env::set_var("OMP_TOOL_LIBRARIES", &tool);
        for (name, value) in usual.iter().chain(own) {
            env::set_var(name, value);
        }
    }
}
