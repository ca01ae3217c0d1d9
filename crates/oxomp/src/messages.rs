//! What oxomp says on standard error, one line a message.

use std::fmt::Display;
use std::io::{Write, stderr};

/// Says `message`. Where standard error is closed or full, the message is lost and the work goes
/// on.
pub(crate) fn say(message: impl Display) {
    writeln!(stderr(), "oxomp: {message}").ok();
}

/// Says each of `messages`.
pub(crate) fn say_all(messages: impl IntoIterator<Item = impl Display>) {
    for message in messages {
        say(message);
    }
}
