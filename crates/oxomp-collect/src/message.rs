//! The one line on stderr. stdout is the program's.

/// Prints `text` as a line of its own, in one write, so that lines of several threads do not mix.
pub(crate) fn print(text: &str) {
    let line = format!("oxomp: {text}\n");
    // SAFETY: the buffer is as long as told. If stderr is closed, nobody wants to know.
    unsafe { libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len()) };
}
