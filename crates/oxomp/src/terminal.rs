//! The style that a stream can show.

use std::env;
use std::io::IsTerminal;
use std::os::fd::AsFd;

use oxomp_text::Style;
use rustix::termios::tcgetwinsize;

/// The style for a stream: coloured only on a terminal, as wide as that up to the default.
pub(crate) fn style_of(stream: &(impl AsFd + IsTerminal)) -> Style {
    let is_terminal = stream.is_terminal();
    let columns = tcgetwinsize(stream).ok().map(|size| usize::from(size.ws_col));
    let columns = columns.filter(|columns| *columns > 0).unwrap_or(Style::DEFAULT_WIDTH);
    Style {
        width: columns.min(Style::DEFAULT_WIDTH),
        colour: is_terminal
            && !is_set("NO_COLOR")
            && env::var_os("TERM").is_none_or(|t| t != "dumb"),
        unicode: has_unicode(),
    }
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// The first of these variables that is set decides, as for the C library. If none is set, we
/// assume Unicode: batch jobs and containers often have no locale, but readers with UTF-8 all the
/// same.
fn has_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(env::var_os)
        .find(|value| !value.is_empty());
    locale.is_none_or(|locale| {
        let locale = locale.to_string_lossy().to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}
