//! Messages to the program's user: one line each on stderr, written at once.

use std::fmt;
use std::io::{Error, ErrorKind};

/// Prints a line.
fn line(text: fmt::Arguments<'_>) {
    let text = format!("{text}\n");
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        // Not through std's stream: another thread may hold its lock when the process forks.
        // SAFETY: the address and the length are those of `rest`.
        let written = unsafe { libc::write(libc::STDERR_FILENO, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(written) {
            Ok(written) => rest = rest.get(written..).unwrap_or_default(),
            Err(_) if Error::last_os_error().kind() == ErrorKind::Interrupted => {}
            // With stderr closed, the message reaches no one.
            Err(_) => return,
        }
    }
}

/// Prints a warning.
pub fn warn(text: &str) {
    line(format_args!("omptarget warning: {text}"));
}

/// Prints what concerns a device.
pub fn info(device: i32, text: fmt::Arguments<'_>) {
    line(format_args!("omptarget device {device} info: {text}"));
}

/// Prints why a construct cannot go on.
pub fn message(text: &dyn fmt::Display) {
    line(format_args!("omptarget message: {text}"));
}

/// Prints which step a mistake ends.
pub fn error(text: &str) {
    line(format_args!("omptarget error: {text}"));
}

/// Prints the end of the program in a construct at `location`.
pub fn fatal(location: &dyn fmt::Display, text: &str) {
    line(format_args!("{location}: omptarget fatal error 1: {text}"));
}

/// Prints that compilation units disagree in a clause of the requires directive.
pub fn inconsistent(clause: &str) {
    line(format_args!(
        "omptarget fatal error 2: '#pragma omp requires {clause}' not used consistently!"
    ));
}
