//! What `/proc` tells of a process or thread in its file `status`.

use std::fs;

/// `status` of a process or thread: a field by its name.
pub(crate) fn field<'a>(status: &'a str, name: &str) -> Option<&'a str> {
    status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':').map(str::trim))
}

/// Whether the thread is gone, or gone but for its parent's notice.
pub(crate) fn has_ended(pid: i32, lwp: i32) -> bool {
    let Ok(status) = fs::read(format!("/proc/{pid}/task/{lwp}/status")) else { return true };
    let status = String::from_utf8_lossy(&status);
    field(&status, "State").is_none_or(|state| state.starts_with(['Z', 'X']))
}
