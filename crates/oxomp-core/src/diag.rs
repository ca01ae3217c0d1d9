//! What the runtime tells the user: one line on stderr, in libomp's form.

use std::io::Write;

/// A warning: the program goes on. `KMP_WARNINGS=off` silences it at the caller.
pub fn warning(message: &str) {
    say("Warning", message);
}

/// An error after which the program cannot go on. Ends the process with status 1.
pub fn fatal(message: &str) -> ! {
    say("Error", message);
    std::process::exit(1);
}

/// One write for the whole line, so that lines of several threads do not mix. A closed stderr is no
/// reason to fail.
fn say(kind: &str, message: &str) {
    let line = format!("OMP: {kind}: {message}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}
