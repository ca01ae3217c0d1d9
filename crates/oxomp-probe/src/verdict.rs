//! The result of a check, and how it is told to `oxomp doctor`.

use std::fmt;

/// Why a check found no conformity, each with a sentence on what was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The runtime lacks the feature.
    Missing(String),
    /// The runtime has the feature, and deviates from the specification.
    Wrong(String),
    /// The check cannot be made on this runtime, which says nothing about its conformity.
    Skipped(String),
    /// This machine refuses what the check needs, which says nothing about any runtime.
    Refused(String),
}

/// `Ok` if the runtime conforms.
pub(crate) type Verdict = Result<(), Fault>;

/// A deviation, in words.
pub(crate) fn wrong<T>(seen: impl fmt::Display) -> Result<T, Fault> {
    Err(Fault::Wrong(seen.to_string()))
}

/// A feature that is not there, in words.
pub(crate) fn missing<T>(seen: impl fmt::Display) -> Result<T, Fault> {
    Err(Fault::Missing(seen.to_string()))
}

/// The fault of a system call, `call`, that this machine refuses with the error number `error`;
/// `what` says what the call is for.
pub(crate) fn refused(what: &str, call: &str, error: i32) -> Fault {
    let reason = std::io::Error::from_raw_os_error(error).to_string();
    let reason = reason.split(" (os error").next().unwrap_or_default();
    Fault::Refused(format!("this machine refuses {what} ({call}: {reason})"))
}

/// A deviation unless `holds`.
pub(crate) fn demand(holds: bool, seen: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(Fault::Wrong(seen())) }
}

/// Writes the line by which the command line knows the verdict; the last line of a process counts.
pub(crate) fn tell(verdict: &Verdict) {
    let (word, text) = match verdict {
        Ok(()) => ("ok", ""),
        Err(Fault::Missing(text)) => ("missing", text.as_str()),
        Err(Fault::Wrong(text)) => ("wrong", text.as_str()),
        Err(Fault::Skipped(text)) => ("skipped", text.as_str()),
        Err(Fault::Refused(text)) => ("refused", text.as_str()),
    };
    let line = format!("\nverdict\t{word}\t{}\n", text.replace(['\n', '\t'], " "));
    // One unbuffered write: the process may end at once, or be in its exit handlers.
    // SAFETY: the buffer is valid for its length.
    unsafe { libc::write(libc::STDOUT_FILENO, line.as_ptr().cast(), line.len()) };
}
