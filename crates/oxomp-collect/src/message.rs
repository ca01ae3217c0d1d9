//! Messages on stderr; stdout is the program's.

/// Prints `text` as a line of its own, in one write, so that lines of several threads do not mix.
pub(crate) fn print(text: &str) {
    let line = format!("oxomp: {text}\n");
    // SAFETY: the buffer has the given length. A failure is ignored: stderr may be closed.
    unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
}
