//! What the command's text says in any case.

/// Whether the text calls something a deadlock.
pub(crate) fn names_deadlock(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("Deadlock"))
}
